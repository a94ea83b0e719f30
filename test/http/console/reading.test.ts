// Comments and single responses as people of the console read them: the same that programs read, for those who may, and nothing of it
// for others.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { appendComments, rollUpComments } from '../../support/comment-log.ts';
import {
  commentAcme,
  commentBolt,
  commentCatalogue,
  commentResponses,
  containing,
  foreignWord,
  plainSearch,
  type SentResponse,
} from '../../support/comment-population.ts';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { storeRows } from '../../support/store-rows.ts';

interface Listed {
  readonly id: string;
  readonly position: number;
  readonly version: number;
  readonly erased: boolean;
  readonly responseTime: string;
  readonly comment: string | null;
  readonly comments: number;
  readonly scores?: readonly { readonly id: string; readonly score: number }[];
  readonly rating?: number | null;
  readonly topic?: string | null;
}

interface Page {
  readonly items: readonly Listed[];
  readonly next: string | null;
  readonly complete: boolean;
}

const longAgo = 30 * 60_000;
const formula = '=HYPERLINK("https://evil.example";"win")';

for (const engine of engines) {
  describe(`comments and responses in the console on ${engine.name}`, () => {
    let log: OpenedLog;
    let service: FeedbackService;
    let acme: Readonly<Record<VisitorKind, VisitorAside>>;
    let cookie: string;
    let boltCookie: string;
    let token: string;
    const sent = new Map<string, SentResponse[]>();
    const sentOf = (accountId: number, source: 'measure' | 'project') => sent.get(`${accountId} ${source}`)!;

    const get = (path: string, as = cookie): Promise<Answer> =>
      consoleCall(service.baseUrl, 'GET', path, { cookie: as });
    const list = async (path: string, parameters: object = {}, as = cookie): Promise<Page> => {
      const query = new URLSearchParams(parameters as Record<string, string>);
      const { status, body, text } = await get(`${path}?${query}`, as);
      assert.equal(status, 200, text);
      return body as unknown as Page;
    };
    const walk = async (path: string, parameters: object = {}, as = cookie): Promise<readonly Listed[]> => {
      const items: Listed[] = [];
      for (let cursor: string | null = null; ; ) {
        const page: Page = await list(path, { ...parameters, ...(cursor !== null && { cursor }) }, as);
        items.push(...page.items);
        cursor = page.next;
        if (cursor === null) return items;
      }
    };
    const bodyOf = (id: string): SentResponse['body'] =>
      [...sent.values()].flat().find(({ body }) => body.responseId === id)!.body;
    const newest = (responses: readonly SentResponse[]): readonly string[] =>
      responses.map(({ body }) => String(body.responseId)).toReversed();
    const csvOf = async (path: string): Promise<Record<string, string>[]> => {
      const { status, text, headers } = await get(path);
      assert.equal(status, 200, text);
      assert.match(String(headers['content-disposition']), /^attachment; filename="[\w-]+\.csv"$/);
      assert.equal(headers['cache-control'], 'no-store');
      return parse(text, { columns: true, bom: true });
    };
    const actionsOf = async (action: string) =>
      storeRows(
        service.databaseUrl,
        `select actor, subject, details from audit where account_id = ${commentAcme} and action = '${action}'`,
      );

    before(async () => {
      log = await openFeedbackLog(engine, commentCatalogue);
      service = await startFeedback(engine, { catalogue: commentCatalogue, databaseUrl: log.databaseUrl });
      for (const [accountId, source, count] of [
        [commentAcme, 'measure', 1_100],
        [commentAcme, 'project', 300],
        [commentBolt, 'measure', 200],
        [commentBolt, 'project', 100],
      ] as const) {
        const responses = commentResponses(accountId, source, count);
        sent.set(`${accountId} ${source}`, [...responses]);
        await appendComments(log, responses);
      }
      await rollUpComments(log);
      acme = await visitorsAside(service.databaseUrl, commentAcme, 'acme');
      const bolt = await visitorsAside(service.databaseUrl, commentBolt, 'bolt');
      cookie = await acme.analyst.newCookie();
      boltCookie = await bolt.analyst.newCookie();
      token = await service.token(commentAcme);
    });
    after(async () => {
      await service?.stop();
      await log?.dispose();
    });

    it('all responses are walked through, newest first, by pages of any size, while others come in and are erased [D-550]', async () => {
      for (const [path, source] of [
        ['/measures/10/responses', 'measure'],
        ['/projects/20/responses', 'project'],
      ] as const) {
        const all = newest(sentOf(commentAcme, source));
        for (const limit of [200, 37]) {
          const items = await walk(path, { limit });
          assert.deepEqual(
            items.map(({ id }) => id),
            all,
          );
        }
      }
      const [first] = (await list('/measures/10/responses', { limit: 1 })).items;
      assert.equal(first!.position, 1_100);
      const before = newest(sentOf(commentAcme, 'measure'));
      const seen: string[] = [];
      for (let cursor: string | null = null, page = 0; ; page += 1) {
        const { items, next }: Page = await list('/measures/10/responses', {
          limit: 150,
          ...(cursor !== null && { cursor }),
        });
        seen.push(...items.map(({ id }) => id));
        if (page < 3) {
          const [late] = commentResponses(commentAcme, 'measure', 1, 2_000 + page);
          assert.equal((await service.post(late!.body, token)).status, 200);
          sentOf(commentAcme, 'measure').push(late!);
          // One that was seen, and one that was not.
          for (const at of [page * 150 + 5, 900 + page]) await service.erase(commentAcme, before[at]!);
        }
        cursor = next;
        if (cursor === null) break;
      }
      assert.deepEqual(seen, before);
      const erased = (await walk('/measures/10/responses', { limit: 200 })).filter((item) => item.erased);
      assert.equal(erased.length, 6);
      for (const { comment, comments, scores } of erased) {
        assert.deepEqual([comment, comments], [null, 0]);
        assert.ok(scores!.length > 0);
      }
    });

    it('days and filter narrow the list, as they narrow everything else', async () => {
      const items = await walk('/measures/10/responses', { limit: 200 });
      const cases: readonly (readonly [object, (item: Listed) => boolean])[] = [
        [
          { from: '2026-01-05', to: '2026-01-07' },
          ({ responseTime }) => responseTime >= '2026-01-05' && responseTime < '2026-01-08',
        ],
        [{ to: '2026-01-02' }, ({ responseTime }) => responseTime < '2026-01-03'],
        [{ from: '2027-01-01', to: '2027-01-31' }, () => false],
        [{ filter: 'is,version,1' }, ({ version }) => version === 1],
        [
          { filter: 'is,question:C-SHOP,east;gt,latent:L-SAT,50', from: '2026-01-03' },
          ({ id, responseTime, erased, scores }) =>
            !erased &&
            responseTime >= '2026-01-03' &&
            (bodyOf(id).responses as Record<string, string[]>)['C-SHOP']?.[0] === 'east' &&
            scores!.find((one) => one.id === 'L-SAT')!.score > 50,
        ],
      ];
      for (const [parameters, isMeant] of cases) {
        const found = await walk('/measures/10/responses', { ...parameters, limit: 60 });
        assert.deepEqual(
          found.map(({ id }) => id),
          items.filter(isMeant).map(({ id }) => id),
          JSON.stringify(parameters),
        );
      }
    });

    it('a cursor of another question, a filter nobody knows and a range that ends before it begins are refused together', async () => {
      const { next } = await list('/measures/10/responses', { limit: 1 });
      const wrong = await get(
        `/measures/10/responses?limit=0&cursor=${next}&filter=is,nothing,1&from=2026-02-02&to=2026-02-01`,
      );
      assert.equal(wrong.status, 400, wrong.text);
      const { status, body, text } = await get(
        `/measures/10/responses?cursor=${next}&filter=is,nothing,1&from=2026-02-02&to=2026-02-01`,
      );
      assert.equal(status, 400, text);
      const fields = (body.faults as { field: string }[]).map(({ field }) => field);
      assert.deepEqual([...new Set(fields)].toSorted(), ['cursor', 'filter', 'to'].toSorted(), text);
      const { next: foreign } = await list('/measures/10/responses', { limit: 1 }, boltCookie);
      assert.equal((await get(`/measures/10/responses?limit=1&cursor=${foreign}`)).status, 400);
    });

    it('comments, one response, its trace and the cost are those of the interface', async () => {
      const [, second] = await walk('/measures/10/responses', { limit: 200, filter: 'is,version,2' });
      const same = async (path: string): Promise<void> => {
        const { status, text } = await get(path);
        assert.equal(status, 200, text);
        assert.deepEqual(JSON.parse(text), (await service.get(`/v1${path}`, token)).body, path);
      };
      await same('/measures/10/comments?q=delivery&limit=20');
      await same('/projects/20/comments?filter=gt,rating,3');
      await same(`/measures/10/responses/${second!.id}`);
      await same(`/measures/10/responses/${second!.id}/trace`);
      await same('/projects/20/responses/acme-project-7');
      await same('/measures/10/cost?from=2026-01-01&to=2026-12-31');
      await same('/projects/20/cost?from=2026-01-01&to=2026-12-31&limit=10');
    });

    it('a response is shown as it was asked: every question of its version once, with its answer in words and the body as sent [D-551]', async () => {
      const [item] = await walk('/measures/10/responses', {
        limit: 200,
        filter: 'is,version,2;contains,question:C-WHY,delivery',
      });
      const { status, body, text } = await get(`/measures/10/responses/${item!.id}/asked`);
      assert.equal(status, 200, text);
      const asked = body as unknown as {
        sections: { questions: { id: string; state: string; answers: string[] }[] }[];
        body: string;
      };
      const sentBody = bodyOf(item!.id);
      const given = sentBody.responses as Record<string, string[]>;
      assert.deepEqual(JSON.parse(asked.body), sentBody);
      const questions = asked.sections.flatMap((section) => section.questions);
      assert.deepEqual(
        questions.map(({ id }) => id),
        ['Q-1', 'Q-2', 'C-MORE', 'C-SHOP', 'C-WHY'],
      );
      for (const { id, state, answers } of questions) {
        const wanted = given[id] ?? [];
        assert.equal(state, wanted.length > 0 ? 'answered' : 'unanswered', id);
        assert.deepEqual(answers, id === 'C-SHOP' ? [`The shop in the ${wanted[0]}`] : wanted, id);
      }
    });

    it('what an account may not see is not found, and nobody below analyst reads a word', async () => {
      const foreign = String(sentOf(commentBolt, 'measure')[3]!.body.responseId);
      for (const path of ['', '/trace', '/asked']) {
        assert.equal((await get(`/measures/10/responses/${foreign}${path}`)).status, 404);
        assert.equal((await get(`/measures/11/responses/acme-measure-3${path}`)).status, 404);
        assert.equal((await get(`/measures/10/responses/nobody${path}`)).status, 404);
      }
      assert.equal((await get('/measures/999/responses')).status, 404);
      const own = await walk('/measures/10/responses', { limit: 200 }, boltCookie);
      assert.deepEqual(
        own.map(({ id }) => id),
        newest(sentOf(commentBolt, 'measure')),
      );
      const viewer = await acme.viewer.newCookie();
      for (const path of [
        '/measures/10/comments',
        '/measures/10/comments.csv',
        '/measures/10/responses',
        '/measures/10/responses.csv',
        '/measures/10/responses/acme-measure-3',
        '/measures/10/responses/acme-measure-3/asked',
      ]) {
        const { status, body, text } = await get(path, viewer);
        assert.deepEqual([status, body.code], [403, 'ABILITY_MISSING'], path);
        assert.doesNotMatch(text, /delivery|shop/i);
      }
    });

    it('the file of comments has all that the list has, in its order, and no formula; that it was taken is noted [D-552]', async () => {
      const evil = { ...commentResponses(commentAcme, 'measure', 1, 3_001)[0]!.body } as SentResponse['body'];
      const body = { ...evil, responses: { ...(evil.responses as object), 'C-WHY': [formula] } };
      assert.equal((await service.post(body, token)).status, 200);
      const all = plainSearch(sentOf(commentAcme, 'project'), () => true);
      const rows = await csvOf('/projects/20/comments.csv');
      assert.deepEqual(
        rows.map(({ id, question, text, rating }) => [id, question, text, rating]),
        all.map(({ responseId, question, text, rating }) => [responseId, question, safe(text), `${rating}`]),
      );
      const found = await csvOf('/projects/20/comments.csv?q=delivery&from=2026-01-02&to=2026-01-04');
      const wanted = all.filter(
        (one) => containing('delivery')(one) && one.day >= '2026-01-02' && one.day <= '2026-01-04',
      );
      assert.deepEqual(
        found.map(({ id }) => id),
        wanted.map(({ responseId }) => responseId),
      );
      assert.ok(wanted.length > 0);
      const [evilRow] = await csvOf('/measures/10/comments.csv?q=HYPERLINK');
      assert.equal(evilRow!.text, `'${formula}`);
      assert.equal(
        Object.keys(evilRow!).join(),
        'id,responseTime,version,question,text,score L-SAT,score L-LOOK',
      );
      const noted = await actionsOf('comments.export');
      assert.equal(noted.length, 3);
      assert.ok(noted.every(({ actor }) => actor === acme.analyst.actor));
      assert.deepEqual(noted.map(({ subject }) => subject).toSorted(), [
        'measure 10',
        'project 20',
        'project 20',
      ]);
      assert.doesNotMatch(JSON.stringify(noted), /delivery|HYPERLINK/);
    });

    it('the file of responses has those that meet the filter; a look ahead takes nothing and is not noted', async () => {
      const path = '/measures/10/responses.csv?filter=is,question:C-SHOP,east&from=2026-01-01&to=2026-12-31';
      const rows = await csvOf(path);
      const items = await walk('/measures/10/responses', { filter: 'is,question:C-SHOP,east', limit: 200 });
      assert.deepEqual(
        rows.map(({ id }) => id),
        items.map(({ id }) => id).toReversed(),
      );
      assert.ok(rows.length > 100);
      const all = await csvOf('/projects/20/responses.csv');
      assert.deepEqual(
        all.map(({ id }) => id),
        newest(sentOf(commentAcme, 'project')).toReversed(),
      );
      const ahead = await consoleCall(service.baseUrl, 'HEAD', path, { cookie });
      assert.deepEqual([ahead.status, ahead.text], [200, '']);
      assert.equal((await actionsOf('responses.export')).length, 2);
    });

    it('a file asks for a fresh sign-in, and a list does not', async () => {
      const stale = await acme.analyst.newCookie(longAgo);
      for (const path of ['/measures/10/comments.csv', '/measures/10/responses.csv']) {
        const { status, body } = await get(path, stale);
        assert.deepEqual([status, body.code], [403, 'FRESH_SIGN_IN_REQUIRED'], path);
      }
      assert.equal((await get('/measures/10/comments', stale)).status, 200);
    });

    it('only an admin who has signed in lately erases a response; it is gone everywhere, once, and the log names them [D-553]', async () => {
      const [target] = await walk('/measures/10/responses', {
        filter: 'contains,question:C-WHY,delivery',
        limit: 50,
      });
      const path = `/measures/10/responses/${target!.id}`;
      const erase = (as: string, at = path) => consoleCall(service.baseUrl, 'DELETE', at, { cookie: as });
      const admin = await acme.admin.newCookie();
      assert.equal((await erase(cookie)).status, 403);
      const stale = await erase(await acme.admin.newCookie(longAgo));
      assert.deepEqual([stale.status, stale.body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
      // It is of another measure by this address, and of another account by that one.
      assert.equal((await erase(admin, `/measures/11/responses/${target!.id}`)).status, 404);
      const foreign = String(sentOf(commentBolt, 'measure')[3]!.body.responseId);
      assert.equal((await erase(admin, `/measures/10/responses/${foreign}`)).status, 404);
      assert.deepEqual((await get(path)).body.erased, false);

      const done = await erase(admin);
      assert.deepEqual([done.status, done.body], [200, { erased: true, changed: true }]);
      assert.deepEqual((await erase(admin)).body, { erased: true, changed: false });
      const { body: asked } = await get(`${path}/asked`);
      assert.deepEqual([asked.erased, asked.body], [true, null]);
      assert.ok(
        (asked.sections as { questions: { state: string; answers: string[] }[] }[])
          .flatMap(({ questions }) => questions)
          .every(({ state, answers }) => state === 'erased' && answers.length === 0),
      );
      const left = await walk('/measures/10/comments', { q: 'delivery', limit: 200 });
      assert.ok(!left.some(({ id }) => id === target!.id));
      const noted = await actionsOf('response.erase');
      assert.deepEqual(
        noted.filter(({ actor }) => actor === acme.admin.actor).map(({ subject }) => subject),
        [`response ${target!.id}`],
      );
      const neighbour = await get(`/measures/10/responses/${foreign}`, boltCookie);
      assert.equal(neighbour.status, 200, `${foreignWord} ${neighbour.text}`);
    });
  });
}

/** As a spreadsheet is told that a text is none of its formulas. */
function safe(text: string): string {
  return /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}
