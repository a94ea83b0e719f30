// What the log promises whoever appends to it (src/store/feedback/log.ts, appender.ts), held on both
// engines. How ranges and positions are found is in log-reader.test.ts; what happens when a process or the server dies
// is in test/faults.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { dayOf } from '../../../src/domain/dates.ts';
import type { AppendItem } from '../../../src/domain/feedback/judged-draft.ts';
import type { Problem } from '../../../src/domain/problem.ts';
import type { Db } from '../../../src/store/engine/db.ts';
import { LogAppender } from '../../../src/store/feedback/appender.ts';
import { type AppendOutcome, appendResponses } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import { LogReader } from '../../../src/store/feedback/log-reader.ts';
import { openDb } from '../../../src/store/open-db.ts';
import { type CuttingProxy, cuttingProxy } from '../../support/cutting-proxy.ts';
import { engines, lockWaits } from '../../support/engines.ts';
import type { ResponseBody } from '../../support/feedback-model.ts';
import { disagreements } from '../../support/log-agreement.ts';
import { patient } from '../../support/open-db.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const dayMs = 86_400_000;
const firstMs = Date.UTC(2025, 0, 1);

const question = { id: 'Q-1', name: 'How good?', scale: { min: 1, max: 10 } };
const latent = { id: 'L-1', name: 'Good', type: 'SATISFACTION', questions: [question] };
const measure = (key: number, survey: string) => ({
  key,
  name: `Measure ${key}`,
  surveys: [{ id: survey, modelInstanceId: 'm', latents: [latent] }],
});
const catalogue = {
  accounts: [
    { id: 4001, name: 'Acme', measures: [measure(1, 'one'), measure(2, 'two'), measure(3, 'three')] },
    { id: 4002, name: 'Bolt', measures: [measure(1, 'bolt')] },
  ],
};

let bodies = 0;
function bodyOf(
  surveyDefinitionId: string,
  responseId = `r-${++bodies}`,
  dayNumber = 0,
  value = 5,
): ResponseBody {
  return {
    surveyDefinitionId,
    responseId,
    submissionTimestamp: new Date(firstMs + dayNumber * dayMs).toISOString(),
    responses: { 'Q-1': [String(value)] },
  };
}

for (const engine of engines) {
  describe(`the log on ${engine.name}`, () => {
    let log: OpenedLog;
    let db: Db;

    before(async () => {
      log = await openFeedbackLog(engine, catalogue);
      db = log.db;
    });
    after(() => log?.dispose());

    const append = (items: readonly AppendItem[]): Promise<readonly string[]> =>
      db.write(appendResponses, { items, mark: newMark() });
    const itemsOf = (...all: ResponseBody[]): Promise<AppendItem[]> => Promise.all(all.map(log.item));
    const rowsOf = ({ accountId, sourceId }: AppendItem) =>
      db.read<{ seq: number; response_id: string }>(sql`
        select seq, response_id
        from response
        where account_id = ${accountId} and source_id = ${sourceId}
        order by seq`);
    const assertAgreement = async (): Promise<void> =>
      assert.deepEqual(await disagreements(log.databaseUrl), []);

    it('one append carries responses of many sources, and each source numbers its own without a hole', async () => {
      const items = await itemsOf(
        ...Array.from({ length: 30 }, (_, index) => bodyOf(['one', 'bolt', 'two'][index % 3]!)),
      );
      const before = (await rowsOf(items[0]!)).length;
      assert.deepEqual(await append(items), Array(30).fill('kept'));
      const ofOne = items.filter(({ sourceId, accountId }) => sourceId === 1 && accountId === 4001);
      assert.deepEqual(
        (await rowsOf(items[0]!)).slice(before).map(({ seq, response_id: id }) => [seq, id]),
        ofOne.map(({ responseId }, index) => [before + index + 1, responseId]),
      );
      await assertAgreement();
    });

    it('of an id that comes twice in one append the first is kept: the same again, or a conflict [D-41]', async () => {
      const first = bodyOf('one');
      const id = first.responseId!;
      const again = { ...first };
      const items = await itemsOf(
        first,
        again,
        bodyOf('one', id, 0, 6),
        bodyOf('two', id),
        bodyOf('bolt', id),
      );
      assert.deepEqual(await append(items), ['kept', 'repeated', 'conflict', 'conflict', 'kept']);
      await assertAgreement();
    });

    it('what was kept before takes no number, and nobody else of its append suffers [D-41]', async () => {
      const [kept] = await itemsOf(bodyOf('one'));
      await append([kept!]);
      const rows = (await rowsOf(kept!)).length;
      const other = await log.item(bodyOf('one', kept!.responseId, 1));
      const items = [kept!, ...(await itemsOf(bodyOf('one'))), other, ...(await itemsOf(bodyOf('one')))];
      assert.deepEqual(await append(items), ['repeated', 'kept', 'conflict', 'kept']);
      assert.equal((await rowsOf(kept!)).length, rows + 2);
      await assertAgreement();
    });

    it('what was judged by a definition that has changed since is stale and leaves no trace; the rest is kept', async () => {
      const [judged, other] = await itemsOf(bodyOf('three'), bodyOf('one'));
      const renamed = { ...measure(3, 'three'), name: 'Renamed' };
      await log.apply({ accounts: [{ id: 4001, name: 'Acme', measures: [renamed] }] });
      const nowhere = { ...judged!, sourceId: 99, responseId: 'nowhere' };
      assert.deepEqual(await append([judged!, nowhere, other!]), ['stale', 'stale', 'kept']);
      assert.equal((await rowsOf(judged!)).length, 0);
      assert.deepEqual(await append(await itemsOf(bodyOf('three', judged!.responseId))), ['kept']);
      await assertAgreement();
    });

    it('a repeat of what is kept is a repeat for every definition that follows [D-41]', async () => {
      const [kept] = await itemsOf(bodyOf('three'));
      await append([kept!]);
      await log.apply({ accounts: [{ id: 4001, name: 'Acme', measures: [measure(3, 'three')] }] });
      assert.deepEqual(await append([kept!]), ['repeated']);
    });

    it('responses that come at once share commits, and each hears of its own', async () => {
      const appender = new LogAppender(db);
      const before = db.figures().changes;
      const items = await itemsOf(...Array.from({ length: 300 }, () => bodyOf('two')));
      const outcomes = await Promise.all(items.map((item) => appender.add(item)));
      assert.deepEqual(outcomes, Array(300).fill('kept'));
      assert.ok(db.figures().changes - before <= 3, `${db.figures().changes - before} commits`);
      assert.equal(appender.waiting, 0);
      await assertAgreement();
    });

    it('one response that the store cannot take fails alone: its neighbours are kept, without a hole', async () => {
      const appender = new LogAppender(db);
      const items = await itemsOf(...Array.from({ length: 20 }, () => bodyOf('two')));
      // A row without values violates the schema of both engines.
      items[7] = { ...items[7]!, values: null as unknown as string };
      const outcomes = await Promise.allSettled(items.map((item) => appender.add(item)));
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
        items.map((_item, index) => (index === 7 ? 'failed' : 'kept')),
      );
      await assertAgreement();
    });

    it('the queue of appends has an end, and whoever finds it full is told so', async () => {
      const appender = new LogAppender(db);
      const model = await log.item(bodyOf('two'));
      const flood = Array.from({ length: 11_000 }, (_, index) =>
        appender.add({
          ...model,
          responseId: `flood-${index}`,
          isFreshId: true,
          body: '{"surveyDefinitionId":"two"}',
          values: 'null\n\n\n',
        }),
      );
      const outcomes = await Promise.allSettled(flood);
      const refused = outcomes.flatMap((outcome, index) =>
        outcome.status === 'rejected' ? [[index, (outcome.reason as Problem).code]] : [],
      );
      // Besides those that wait there may be a batch or two on their way already.
      const taken = flood.length - refused.length;
      assert.ok(taken >= 10_000 && taken <= 10_512, `${taken} were taken.`);
      assert.deepEqual(
        refused,
        Array.from(refused, (_, index) => [taken + index, 'WRITE_QUEUE_FULL']),
      );
      await assertAgreement();
    });

    it('one id sent to two sources at once is kept once: never a failure, never two rows [D-41]', async () => {
      const appenders = [new LogAppender(db), new LogAppender(await log.open())] as const;
      const pairs = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          itemsOf(bodyOf('one', `pair-${index}`), bodyOf('three', `pair-${index}`)),
        ),
      );
      const send = ([one, three]: readonly AppendItem[]): Promise<AppendOutcome[]> =>
        Promise.all([appenders[0].add(one!), appenders[1].add(three!)]);
      // Alone in its batch, and among others.
      const outcomes: AppendOutcome[][] = [];
      for (const pair of pairs.slice(0, 40)) outcomes.push(await send(pair));
      outcomes.push(...(await Promise.all(pairs.slice(40).map(send))));
      for (const pair of outcomes) assert.deepEqual([...pair].sort(), ['conflict', 'kept']);
      await assertAgreement();
    });

    it('sums are right while a replica of before, which writes its sums at once, appends in between [D-188]', async () => {
      const quote = (value: number | string): string =>
        typeof value === 'number' ? `${value}` : `'${value}'`;
      const insert = (
        table: string,
        columns: string,
        values: readonly (number | string)[],
        rest = '',
      ): Promise<unknown> =>
        storeRows(
          log.databaseUrl,
          `insert into ${table} (${columns}) values (${values.map(quote).join(', ')}) ${rest}`,
        );
      /** What an append of before wrote: it knows neither of the columns that tell what is summed. */
      const appendAsBefore = async ({ accountId, sourceId, ...item }: AppendItem): Promise<void> => {
        const where = `account_id = ${accountId} and source_id = ${sourceId}`;
        const [counter] = await storeRows(log.databaseUrl, `select last_seq from log_counter where ${where}`);
        const seq = Number(counter!.last_seq) + 1;
        const place = [accountId, sourceId, seq];
        const key = 'account_id, source_id, seq';
        const row = [item.day, item.responseId, item.surveyNumber, item.submittedAtMs, item.values];
        await insert('response', `${key}, day, response_id, survey_no, submitted_at, row_values`, [
          ...place,
          ...row,
        ]);
        await insert('response_body', `${key}, body`, [...place, item.body]);
        const day = [accountId, sourceId, item.day];
        await insert(
          'log_day',
          'account_id, source_id, day, responses',
          [...day, 1],
          'on conflict (account_id, source_id, day) do update set responses = log_day.responses + 1',
        );
        const micros = Math.round(Number(item.values.split('\n')[0]) * 1e6);
        await insert(
          'log_day_latent',
          'account_id, source_id, day, latent_id, micros, scored',
          [...day, 'L-1', micros, 1],
          `on conflict (account_id, source_id, day, latent_id)
           do update set micros = log_day_latent.micros + excluded.micros, scored = log_day_latent.scored + 1`,
        );
        await storeRows(log.databaseUrl, `update log_counter set last_seq = ${seq} where ${where}`);
      };
      const range = { firstDay: dayOf(firstMs), lastDay: dayOf(firstMs) + 400 };
      await log.apply({
        accounts: [{ id: 4003, name: 'Crane', measures: [measure(1, 'crane')] }],
      });
      const sent: ResponseBody[] = [];
      const next = (): ResponseBody => {
        sent.push(bodyOf('crane', undefined, sent.length % 7, (sent.length % 10) + 1));
        return sent.at(-1)!;
      };
      const appender = new LogAppender(db);
      for (const [ours, theirs] of [
        [5, 3],
        [100, 0],
        [1, 60],
        [0, 2],
        [70, 1],
        [120, 10],
      ] as const) {
        const items = await itemsOf(...Array.from({ length: ours }, next));
        for (const item of items.slice(0, 3)) await appender.add(item);
        await Promise.all(items.slice(3).map((item) => appender.add(item)));
        // A block that fills is closed by whoever fills it; here that is always us.
        for (let count = 0; count < theirs; count += 1) await appendAsBefore(await log.item(next()));
        const { accountId, sourceId } = await log.item(sent[0]!);
        const { facts } = await new LogReader(db).page({ accountId, sourceId }, range, { skip: 0, take: 1 });
        const micros = sent.reduce(
          (sum, { responses }) => sum + Math.round(((Number(responses!['Q-1']![0]) - 1) / 9) * 100 * 1e6),
          0,
        );
        assert.deepEqual([facts.total, facts.sums.get('L-1')], [sent.length, { micros, count: sent.length }]);
        await assertAgreement();
      }
      assert.ok(sent.length > 256);
    });

    it('two appenders and a reader who polls: dense at every moment, and every page agrees with its total', async () => {
      const appenders = [new LogAppender(db), new LogAppender(await log.open())] as const;
      const watcher = await log.open();
      const reader = new LogReader(watcher);
      const [model] = await itemsOf(bodyOf('bolt'));
      const source = { accountId: model!.accountId, sourceId: model!.sourceId };
      const range = { firstDay: dayOf(firstMs), lastDay: dayOf(firstMs) + 400 };
      let isDone = false;
      const writing = Promise.all(
        appenders.map(async (appender) => {
          for (let turn = 0; turn < 40; turn += 1) {
            const batch = await itemsOf(...Array.from({ length: 12 }, () => bodyOf('bolt', undefined, turn)));
            const outcomes = await Promise.all(batch.map((item) => appender.add(item)));
            assert.deepEqual(outcomes, Array(12).fill('kept'));
          }
        }),
      ).finally(() => {
        isDone = true;
      });
      let polls = 0;
      let seen = 0;
      while (!isDone || polls < 5) {
        const rows = await watcher.read<{ seq: number }>(sql`
          select seq
          from response
          where account_id = ${source.accountId} and source_id = ${source.sourceId}
          order by seq`);
        assert.deepEqual(
          rows.findIndex(({ seq }, index) => seq !== index + 1),
          -1,
        );
        assert.ok(rows.length >= seen);
        seen = rows.length;
        const skip = Math.max(0, seen - 50);
        const { rows: page, facts } = await reader.page(source, range, { skip, take: 100 });
        assert.ok(facts.total >= seen);
        assert.deepEqual(
          page.map(({ seq }) => seq),
          Array.from({ length: Math.min(100, facts.total - skip) }, (_, index) => skip + index + 1),
        );
        polls += 1;
        // The embedded engine answers at once, and those who write in this process want their turn.
        await setImmediate();
      }
      await writing;
      await assertAgreement();
    });
  });
}

describe('an append whose commit is in doubt on postgres', () => {
  const [, postgres] = engines;
  let log: OpenedLog;
  let proxy: CuttingProxy;
  let db: Db;

  before(async () => {
    log = await openFeedbackLog(postgres!, catalogue);
    proxy = await cuttingProxy(log.databaseUrl);
    db = await openDb(proxy.databaseUrl, patient);
  });
  after(async () => {
    await db?.close();
    await proxy?.close();
    await log?.dispose();
  });

  const cuts = ['answer lost', 'commit lost', 'commit late'] as const;
  for (const [way, cut] of cuts.flatMap((one) => [
    ['in one statement', one] as const,
    ['the long way', one] as const,
  ])) {
    it(`is made once, ${way}: ${cut}, with ids that were sent and ids that were made here [D-41]`, async () => {
      const appender = new LogAppender(db);
      const items = await Promise.all(Array.from({ length: 6 }, () => log.item(bodyOf('one'))));
      const fresh = items.map((item, index) => ({ ...item, isFreshId: index % 2 === 0 }));
      // An id that comes twice is settled the long way.
      const sent = way === 'the long way' ? [...fresh, { ...fresh[1]! }] : fresh;
      const before = proxy.commits;
      proxy.cutNext(cut);
      const appending = Promise.all(sent.map((item) => appender.add(item)));
      await until(
        async () => proxy.commits,
        (commits) => commits > before,
      );
      if (cut === 'commit late' && way === 'the long way') {
        // The next attempt waits for the counter that the first one still holds.
        const waits = await lockWaits();
        await until(
          () => storeRows(log.databaseUrl, waits),
          (waiting) => waiting.length > 0,
        );
        await proxy.deliver();
      }
      const outcomes = await appending;
      // What commits by itself holds nothing before it is there: it comes when all is done already.
      await proxy.deliver();
      for (const [index, outcome] of outcomes.entries())
        assert.ok(
          outcome === 'kept' || (outcome === 'repeated' && (index % 2 === 1 || index === 6)),
          outcome,
        );
      const ids = items.map(({ responseId }) => `'${responseId}'`).join(',');
      const rows = await storeRows(log.databaseUrl, `select 1 from response where response_id in (${ids})`);
      assert.equal(rows.length, items.length);
      assert.deepEqual(await disagreements(log.databaseUrl), []);
    });
  }
});
