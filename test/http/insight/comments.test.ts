// Comments as callers search them, held against a plain filter over everything that was sent: thousands of responses of which most
// are rolled up and indexed, some are only rolled up, and the last ones are neither.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { appendComments, rollUpComments } from '../../support/comment-log.ts';
import {
  commentAcme,
  commentBolt,
  commentCatalogue,
  commentNowMs,
  commentResponses,
  containing,
  foreignWord,
  plainSearch,
  type SentComment,
  type SentResponse,
} from '../../support/comment-population.ts';
import { engines } from '../../support/engines.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { commandHere, commandHereOk } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

interface Item {
  readonly id: string;
  readonly responseTime: string;
  readonly version: number;
  readonly question: string;
  readonly text: string;
  readonly hits: readonly (readonly [number, number])[];
  readonly scores?: readonly { readonly id: string; readonly score: number }[];
  readonly rating?: number | null;
  readonly topic?: string | null;
}

interface Page {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly complete: boolean;
  readonly position: number;
}

const measurePath = '/v1/measures/10/comments';
const projectPath = '/v1/projects/20/comments';
const indexed = 4_400;
const open = 130;
const hostile = [
  ...['%', '_', '"', "'", '\\', '*', 'a*', '"quotes"', "'apostrophes'", 'satisfied_with', '100%', '_with "q'],
  ...[
    'AND',
    'OR NOT',
    'NEAR(',
    'NEAR(a, b)',
    '^ :',
    '{x}',
    '-y',
    "'; --",
    'select *',
    '1 = 1',
    'comment where',
  ],
];
const parts = [
  ...[
    'delivery',
    'DELIVERY',
    'slow and',
    'the',
    'e',
    'er',
    ' ',
    'exactly number 4011',
    'nobody has this',
    'x',
    'ok',
  ],
  ...['strasse', 'straße', 'ß', 'ss', 'groß', 'café', 'cafe\u0301', 'cafe', 'ffi', 'ABC', 'ﬁ', 'office'],
  ...['配送', '送', '配送太慢', 'です', 'ガ', 'ｶﾞﾗｽ', '한국', '한국어', 'мед', 'ДОСТАВКА', 'بطيء', 'באיחור'],
  ...['👍', '👍🏽', '👨‍👩‍👧', 'line\nsecond', '\t', `${'delivery '.repeat(22)}x`, 'ÇOK', 'güzel'],
];
/** Of both engines, to be compared byte by byte. */
const seen = new Map<string, string>();

for (const engine of engines) {
  describe(`comments on ${engine.name}`, () => {
    let log: OpenedLog;
    let service: FeedbackService;
    const tokens = new Map<number, string>();
    const sent = new Map<string, SentResponse[]>();
    const sentOf = (accountId: number, source: 'measure' | 'project') => sent.get(`${accountId} ${source}`)!;

    const send = async (accountId: number, responses: readonly SentResponse[]): Promise<void> => {
      for (const { body } of responses) {
        const { status, text } = await service.post(body, tokens.get(accountId)!);
        assert.equal(status, 200, text);
      }
    };
    const get = async (path: string, parameters: object, accountId = commentAcme): Promise<Page> => {
      const query = new URLSearchParams(parameters as Record<string, string>);
      const { status, body, text } = await service.get(`${path}?${query}`, tokens.get(accountId)!);
      assert.equal(status, 200, text);
      return body as unknown as Page;
    };
    const walk = async (
      path: string,
      parameters: object,
      accountId = commentAcme,
    ): Promise<readonly Item[]> => {
      const items: Item[] = [];
      for (let cursor: string | null = null; ; ) {
        const page: Page = await get(path, { ...parameters, ...(cursor !== null && { cursor }) }, accountId);
        items.push(...page.items);
        cursor = page.next;
        if (cursor === null) return items;
      }
    };
    const shownOf = ({ id, question, text, version, responseTime }: Item) => ({
      ...{ id, question, text, version, responseTime },
    });
    const expectedOf = (comments: readonly SentComment[]) =>
      comments.map(({ responseId, question, text, version, submittedAt }) => ({
        ...{ id: responseId, question, text, version, responseTime: submittedAt },
      }));

    const whileBusy: string[] = [];

    before(async () => {
      log = await openFeedbackLog(engine, commentCatalogue);
      for (const [accountId, source, count] of [
        [commentAcme, 'measure', indexed],
        [commentAcme, 'project', 300],
        [commentBolt, 'measure', 400],
        [commentBolt, 'project', 200],
      ] as const) {
        const responses = commentResponses(accountId, source, count);
        sent.set(`${accountId} ${source}`, [...responses]);
        await appendComments(log, responses);
      }
      whileBusy.push(...(await rollUpComments(log)));
      service = await startFeedback(engine, {
        catalogue: commentCatalogue,
        databaseUrl: log.databaseUrl,
        nowMs: commentNowMs,
      });
      for (const accountId of [commentAcme, commentBolt])
        tokens.set(accountId, await service.token(accountId));
      for (const [accountId, source, first] of [
        [commentAcme, 'measure', indexed + 1],
        [commentBolt, 'measure', 401],
      ] as const) {
        const responses = commentResponses(accountId, source, open, first);
        sentOf(accountId, source).push(...responses);
        await send(accountId, responses);
      }
    });
    after(async () => {
      await service?.stop();
      await log?.dispose();
    });

    it('a full segment waits for its index while there is much to do, and not more of them than may wait [D-521]', () => {
      const outcomes = whileBusy.filter((outcome) => outcome !== 'none');
      assert.deepEqual(outcomes, ['later']);
    });

    it('a part finds exactly the comments that contain it, newest first, whatever its characters are [D-498, D-499, D-501]', async () => {
      const all = sentOf(commentAcme, 'measure');
      for (const q of [...parts, ...hostile]) {
        const items = await walk(measurePath, { q, limit: 200 });
        assert.deepEqual(items.map(shownOf), expectedOf(plainSearch(all, containing(q))), q);
      }
      const entries = sentOf(commentAcme, 'project');
      for (const q of ['delivery', 'ß', '配送', '👍', 'café', '100%']) {
        const items = await walk(projectPath, { q, limit: 200 });
        assert.deepEqual(items.map(shownOf), expectedOf(plainSearch(entries, containing(q))), q);
      }
      assert.ok(plainSearch(all, containing('the')).length > 100);
    });

    it('without a part all comments are walked through, page by page of any size', async () => {
      const all = expectedOf(plainSearch(sentOf(commentAcme, 'measure'), () => true));
      const items = await walk(measurePath, { limit: 200 });
      assert.deepEqual(items.map(shownOf), all);
      assert.ok(items.every(({ hits }) => hits.length === 0));
      const few = plainSearch(sentOf(commentAcme, 'measure'), containing('exactly number 4'));
      for (const limit of [1, 2, 7]) {
        const some = await walk(measurePath, { q: 'exactly number 4', limit });
        assert.deepEqual(some.map(shownOf), expectedOf(few));
      }
    });

    it('scores, rating and topic stand beside a comment as in the data', async () => {
      const [item] = (await get(measurePath, { q: 'exactly number', limit: 1 })).items;
      const data = await service.get(`/v1/measures/10/responses/${item!.id}`, tokens.get(commentAcme)!);
      const { latentScores } = data.body as { latentScores: { id: string; score: number }[] };
      assert.deepEqual(
        item!.scores,
        latentScores.map(({ id, score }) => ({ id, score })),
      );
      const byId = new Map(
        sentOf(commentAcme, 'project').flatMap(({ comments }) =>
          comments.map((one) => [one.responseId, one]),
        ),
      );
      for (const { id, rating, topic } of await walk(projectPath, { limit: 200 }))
        assert.deepEqual([rating, topic], [byId.get(id)!.rating, byId.get(id)!.topic]);
    });

    it('days, question, version and answers narrow a search, together and by themselves', async () => {
      const all = sentOf(commentAcme, 'measure');
      const cases: readonly (readonly [object, (comment: SentComment) => boolean])[] = [
        [{ from: '2026-02-10', to: '2026-02-12' }, ({ day }) => day >= '2026-02-10' && day <= '2026-02-12'],
        [{ from: '2026-03-25' }, ({ day }) => day >= '2026-03-25'],
        [{ to: '2026-01-03' }, ({ day }) => day <= '2026-01-03'],
        [{ from: '2025-01-01', to: '2025-12-31' }, () => false],
        [{ question: 'C-MORE' }, ({ question }) => question === 'C-MORE'],
        [{ filter: 'is,version,1' }, ({ version }) => version === 1],
        [{ filter: 'is,question:C-SHOP,east' }, ({ shop }) => shop === 'east'],
        [
          {
            from: '2026-01-20',
            to: '2026-02-28',
            question: 'C-WHY',
            filter: 'not,question:C-SHOP,east;is,version,2',
          },
          ({ day, question, shop, version }) =>
            day >= '2026-01-20' &&
            day <= '2026-02-28' &&
            question === 'C-WHY' &&
            shop !== 'east' &&
            version === 2,
        ],
      ];
      for (const [parameters, isMeant] of cases)
        for (const q of ['delivery', '送', null]) {
          const items = await walk(measurePath, { ...parameters, limit: 200, ...(q !== null && { q }) });
          const expected = plainSearch(all, (one) => isMeant(one) && (q === null || containing(q)(one)));
          assert.deepEqual(items.map(shownOf), expectedOf(expected), JSON.stringify([parameters, q]));
        }
    });

    it('hits are marked where they stand in the text as it was sent [D-500]', async () => {
      for (const q of ['strasse', 'café', 'ffi', 'abc', '配送', '👍', 'ガ']) {
        const { items } = await get(measurePath, { q, limit: 50 });
        assert.ok(items.length > 0, q);
        for (const { text, hits } of items) {
          assert.ok(hits.length > 0);
          for (const [begin, end] of hits)
            assert.ok(containing(q)({ text: text.slice(begin, end) }), `${q} in ${text}`);
        }
      }
    });

    it('an account finds its own comments alone, though another one says the same', async () => {
      const own = sentOf(commentBolt, 'measure');
      for (const q of ['delivery', 'the', foreignWord, '送']) {
        const items = await walk(measurePath, { q, limit: 200 }, commentBolt);
        assert.deepEqual(items.map(shownOf), expectedOf(plainSearch(own, containing(q))), q);
      }
      assert.deepEqual((await get(measurePath, { q: foreignWord })).items, []);
      const { next } = await get(measurePath, { q: 'the', limit: 1 }, commentBolt);
      const borrowed = await service.get(
        `${measurePath}?q=the&limit=1&cursor=${next}`,
        tokens.get(commentAcme)!,
      );
      assert.equal(borrowed.status, 400, borrowed.text);
    });

    it('the index is at most four times the text [D-498]', async () => {
      const rows = async (query: string) => (await storeRows(log.databaseUrl, query))[0]!;
      const { text } = await rows(
        `select sum(octet_length(folded_text)) as text from comment where account_id = ${commentAcme} and seq <= 4096`,
      );
      const index =
        engine.name === 'sqlite'
          ? await rows(
              `select sum(pgsize) as bytes from dbstat where name in ('comment_part', 'comment_segment')`,
            )
          : await rows(
              `select pg_total_relation_size('comment_part') + pg_total_relation_size('comment_segment') as bytes`,
            );
      const ratio = Number(index.bytes) / Number(text);
      assert.ok(ratio > 0.2 && ratio <= 4, `the index is ${ratio} times the text`);
    });

    it('a walk neither loses nor repeats a comment that is there all the time, while others come and are erased [D-501]', async () => {
      const source = sentOf(commentAcme, 'measure');
      const before = plainSearch(source, containing('delivery'));
      const gone = new Set<string>();
      const items: Item[] = [];
      let added = 0;
      for (let cursor: string | null = null; ; ) {
        const page: Page = await get(measurePath, {
          q: 'delivery',
          limit: 40,
          ...(cursor !== null && { cursor }),
        });
        for (const { id } of page.items) assert.ok(!gone.has(id), 'an erased comment is not shown');
        items.push(...page.items);
        cursor = page.next;
        if (cursor === null) break;
        if (added < 60) {
          const more = commentResponses(commentAcme, 'measure', 3, indexed + open + 1 + added);
          added += 3;
          source.push(...more);
          await send(commentAcme, more);
          const left = before.filter(({ responseId }) => !gone.has(responseId));
          // One that was shown, one that is to come, and the one at which the walk stands.
          const last = items.at(-1)!.id;
          for (const { responseId } of [left[3]!, left.at(-4)!, left.find((one) => one.responseId === last)]
            .filter((one) => one !== undefined)
            .slice(0, 3)) {
            if (gone.has(responseId)) continue;
            gone.add(responseId);
            await service.erase(commentAcme, responseId);
          }
          if (added === 30) await rollUpComments(log);
        }
      }
      const keyOf = ({ id, question }: { id: string; question: string }) => `${id} ${question}`;
      const keys = items.map(keyOf);
      assert.equal(new Set(keys).size, keys.length);
      const stayed = expectedOf(before.filter(({ responseId }) => !gone.has(responseId))).map(keyOf);
      assert.deepEqual(
        keys.filter((key) => stayed.includes(key)),
        stayed,
      );
      sent.set(
        `${commentAcme} measure`,
        source.map((one) => (gone.has(one.body.responseId!) ? { ...one, comments: [] } : one)),
      );
      const now = await walk(measurePath, { q: 'delivery', limit: 200 });
      assert.deepEqual(
        now.map(shownOf),
        expectedOf(plainSearch(sentOf(commentAcme, 'measure'), containing('delivery'))),
      );
    });

    it('an erased comment is gone from the store, and the index is that of the others, as verify says [D-480, D-498, D-522]', async () => {
      const rows = async (query: string) => (await storeRows(log.databaseUrl, query))[0]!;
      const { comments, segments } = await rows(`
        select (select count(*) from comment join response on response.account_id = comment.account_id
            and response.source_id = comment.source_id and response.seq = comment.seq where hash is not null) as comments,
          (select count(*) from comment_segment where group_bits is not null) as segments`);
      // A segment and a span.
      assert.deepEqual([Number(comments), Number(segments)], [0, 2]);
      const env = { DATABASE_URL: log.databaseUrl };
      await commandHereOk(['insight', 'verify'], env);
      const one = await rows(`select segment, part_group, parts from comment_part where segment < 0 limit 1`);
      const there = `where segment = ${one.segment} and part_group = ${one.part_group}`;
      await storeRows(log.databaseUrl, `update comment_part set parts = '' ${there}`);
      const { code, stdout } = await commandHere(['insight', 'verify'], env);
      assert.equal(code, 1);
      assert.match(stdout, /: the index of the comments of responses 1 to 4096 differs in 1 rows\./);
      const parts = String(one.parts).replaceAll("'", "''");
      await storeRows(log.databaseUrl, `update comment_part set parts = '${parts}' ${there}`);
      await commandHereOk(['insight', 'verify'], env);
    });

    it('both engines answer the same bytes', async () => {
      for (const query of [
        'limit=3',
        'q=delivery&limit=5',
        'q=%C3%9F&limit=5',
        'from=2026-01-05&to=2026-01-06&limit=200',
      ]) {
        const { text } = await service.get(`${measurePath}?${query}`, tokens.get(commentAcme)!);
        assert.equal(text, seen.get(query) ?? text, query);
        seen.set(query, text);
      }
    });

    it('every fault of a question is named at once, and a cursor is bound to its question', async () => {
      const faulty = await service.get(
        `${measurePath}?q=the&from=2026-02-02&to=2026-02-01&question=C-SHOP&cursor=abc&filter=x`,
        tokens.get(commentAcme)!,
      );
      assert.equal(faulty.status, 400, faulty.text);
      const { detailedErrors } = faulty.body as { detailedErrors: { field: string }[] };
      assert.deepEqual(
        detailedErrors.map(({ field }) => field),
        ['to', 'question', 'cursor', 'filter'],
      );
      const { next } = await get(measurePath, { q: 'the', limit: 1 });
      for (const query of [
        'q=them',
        'q=the&question=C-WHY',
        'q=the&from=2026-01-01',
        'q=the&filter=is,version,1',
        '',
      ]) {
        const { status, text } = await service.get(
          `${measurePath}?${query}&cursor=${next}`,
          tokens.get(commentAcme)!,
        );
        assert.equal(status, 400, text);
      }
      assert.equal((await get(measurePath, { q: 'THE', limit: 3, cursor: next! })).items.length, 3);
      for (const query of [
        'q=',
        `q=${'x'.repeat(201)}`,
        'limit=0',
        'limit=201',
        'within=49',
        'within=10001',
        'words=1',
      ]) {
        const { status, text } = await service.get(`${measurePath}?${query}`, tokens.get(commentAcme)!);
        assert.equal(status, 400, `${query}: ${text}`);
      }
      const filter = await service.get(`${measurePath}?filter=is,question:NONE,1`, tokens.get(commentAcme)!);
      assert.deepEqual(
        [filter.status, (filter.body as { errorCode: string }).errorCode],
        [400, 'INVALID_FILTER'],
      );
    });

    it('a search that runs out of time says so and goes on where it ended', async () => {
      const expected = expectedOf(plainSearch(sentOf(commentAcme, 'measure'), containing('送')));
      const items = await walk(measurePath, { q: '送', within: 50, limit: 9 });
      assert.deepEqual(items.map(shownOf), expected);
    });

    it('what has reached its end is found no more, and all else is [D-271]', async () => {
      const keptFrom = '2026-01-25';
      const retainDays = Math.floor(Date.now() / 86_400_000) - Date.parse(keptFrom) / 86_400_000;
      const [own, other] = commentCatalogue.accounts;
      const [first, ...measures] = own!.measures;
      await service.apply({
        accounts: [{ ...own, measures: [{ ...first, retainDays }, ...measures] }, other],
      });
      await commandHereOk(['retention', 'run'], { DATABASE_URL: log.databaseUrl });
      sent.set(
        `${commentAcme} measure`,
        sentOf(commentAcme, 'measure').map(({ body, comments }) => ({
          body,
          comments: comments.filter(({ day }) => day >= keptFrom),
        })),
      );
      for (const parameters of [{ q: 'delivery' }, { q: '送' }, {}]) {
        const items = await walk(measurePath, { ...parameters, limit: 200 });
        const isMeant = 'q' in parameters ? containing(parameters.q) : () => true;
        assert.deepEqual(
          items.map(shownOf),
          expectedOf(plainSearch(sentOf(commentAcme, 'measure'), isMeant)),
        );
      }
      const [left] = await storeRows(
        log.databaseUrl,
        `select count(*) as n from comment where account_id = ${commentAcme} and day < ${Date.parse(keptFrom) / 86_400_000}
           and source_id in (select source_id from source where account_id = ${commentAcme} and kind = 'measure')`,
      );
      assert.equal(Number(left!.n), 0);
    });

    it('a removed measure takes its comments and their index with it, and others keep theirs', async () => {
      await commandHereOk(
        ['source', 'remove', '--account', String(commentAcme), '--measure', '10', '--yes'],
        { DATABASE_URL: log.databaseUrl },
      );
      const tables = ['comment', 'comment_segment', 'comment_part'];
      const left = await Promise.all(
        tables.map(async (table) =>
          Number(
            (
              await storeRows(
                log.databaseUrl,
                `select count(*) as n from ${table} where account_id = ${commentAcme} and source_id not in (
                  select source_id from source where account_id = ${commentAcme})`,
              )
            )[0]!.n,
          ),
        ),
      );
      assert.deepEqual(left, [0, 0, 0]);
      const others = await walk(measurePath, { q: 'the', limit: 200 }, commentBolt);
      assert.deepEqual(
        others.map(shownOf),
        expectedOf(plainSearch(sentOf(commentBolt, 'measure'), containing('the'))),
      );
    });
  });
}
