// The digests of days (src/store/feedback/day-digests.ts, day-sums.ts) against a model that knows only the bodies and the
// order in which they were kept.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { readConfig } from '../../../src/config.ts';
import { blockSize } from '../../../src/domain/feedback/block.ts';
import type { AppendItem } from '../../../src/domain/feedback/judged-draft.ts';
import { commandLine } from '../../../src/store/engine/audit.ts';
import type { Db } from '../../../src/store/engine/db.ts';
import { findTask } from '../../../src/store/engine/work/background-task.ts';
import { eraseResponse } from '../../../src/store/erasure/erase.ts';
import { LogAppender } from '../../../src/store/feedback/appender.ts';
import { advanceDigests, foldDigests, readDayDigests } from '../../../src/store/feedback/day-digests.ts';
import { digestTask } from '../../../src/store/feedback/digest-task.ts';
import { digestsOfDays, type ModelDay } from '../../support/digest-model.ts';
import { engines } from '../../support/engines.ts';
import type { ResponseBody } from '../../support/feedback-model.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { seeded } from '../../support/seeded.ts';
import { type StoreRow, storeRows } from '../../support/store-rows.ts';

const reading = readConfig({ flags: {}, env: {}, file: {}, readFile: () => '' });
assert.ok('config' in reading);
const { config } = reading;

const dayMs = 86_400_000;
const firstMs = Date.UTC(2025, 0, 1);
const everyDay = { firstDay: 0, lastDay: 40_000 };

const question = { id: 'Q-1', name: 'How good?', scale: { min: 1, max: 10 } };
const latent = { id: 'L-1', name: 'Good', type: 'SATISFACTION', questions: [question] };
const measure = (key: number, survey: string) => ({
  key,
  name: `Measure ${key}`,
  surveys: [
    {
      id: survey,
      modelInstanceId: 'm',
      latents: [latent],
      questions: [{ id: 'Q-2', name: 'Why?', responseType: 'TEXT_AREA' }],
    },
  ],
});
const surveys = ['one', 'two', 'bolt'] as const;
const catalogue = {
  accounts: [
    { id: 4001, name: 'Acme', measures: [measure(1, 'one'), measure(2, 'two')] },
    { id: 4002, name: 'Bolt', measures: [measure(1, 'bolt')] },
  ],
};

for (const engine of engines) {
  describe(`digests of days on ${engine.name}`, () => {
    let log: OpenedLog;
    let replicas: readonly Db[];
    const random = seeded(20_261);
    /** What was kept of each source, in the order of arrival, whatever became of it later. */
    const kept = new Map<string, AppendItem[]>(surveys.map((survey) => [survey, []]));
    const noPause = async (): Promise<void> => void (await setImmediate());

    before(async () => {
      log = await openFeedbackLog(engine, catalogue);
      replicas = [log.db, await log.open()];
    });
    after(() => log?.dispose());

    const newBody = (survey: string): ResponseBody => ({
      surveyDefinitionId: survey,
      responseId: randomUUID(),
      // Mostly of the last days, now and then late.
      submissionTimestamp: new Date(
        firstMs + (random.percent(90) ? 30 + random.below(3) : random.below(30)) * dayMs,
      ).toISOString(),
      responses: {
        'Q-1': [String(1 + random.below(10))],
        // Some are larger than what is read many at once.
        'Q-2': [random.percent(2) ? 'ß'.repeat(3_000) : `Grüße ${random.below(1_000)} 😀`],
      },
    });

    /** Appends through a replica and notes the order that the store gave them. */
    const append = async (db: Db, survey: string, count: number, repeats: number): Promise<void> => {
      const ofSource = kept.get(survey)!;
      const before = ofSource.length;
      const bodies = Array.from({ length: count }, () => newBody(survey));
      const fresh = await Promise.all(bodies.map(log.item));
      const again = random.some(ofSource, repeats);
      const appender = new LogAppender(db);
      const all = random.shuffle([...fresh, ...again]);
      const outcomes = await Promise.all(all.map((item) => appender.add(item)));
      assert.deepEqual(
        all.map((item) => (again.includes(item) ? 'repeated' : 'kept')),
        outcomes,
      );
      if (fresh.length === 0) return;
      const { accountId, sourceId } = fresh[0]!;
      const rows = await log.db.read<{ id: string }>(sql`
        select response_id as id
        from response
        where account_id = ${accountId} and source_id = ${sourceId} and seq > ${before}
        order by seq`);
      const byId = new Map(fresh.map((item) => [item.responseId, item]));
      ofSource.push(...rows.map(({ id }) => byId.get(id)!));
    };

    const modelOf = (survey: string): readonly ModelDay[] => digestsOfDays(kept.get(survey)!);

    const digestsOf = async (db: Db, survey: string, range = everyDay): Promise<readonly ModelDay[]> => {
      const first = kept.get(survey)![0];
      if (first === undefined) return [];
      for (;;) {
        const found = await readDayDigests(db, first, range, noPause);
        if (found === null) {
          await advanceDigests(db, first, noPause);
          continue;
        }
        assert.equal(found.lastSeq, kept.get(survey)!.length);
        return found.days.map(([day, { count, digest }]) => [day, count, digest]);
      }
    };

    const check = async (): Promise<void> => {
      for (const survey of surveys)
        for (const db of replicas) assert.deepEqual(await digestsOf(db, survey), modelOf(survey));
    };

    /** What a release without digests leaves: everything but them. */
    const asBefore = async (work: () => Promise<void>): Promise<void> => {
      const read = (query: string) => storeRows(log.databaseUrl, query);
      const days = await read('select account_id, source_id, day, digested, digest from log_day');
      const counters = await read('select account_id, source_id, digested_seq from log_counter');
      await work();
      // One statement: the days and counters that were there get what they had, and new days have no digest.
      const place = ({ account_id: account, source_id: source, day }: StoreRow, ofDay: boolean): string =>
        `account_id = ${account} and source_id = ${source}${ofDay ? ` and day = ${day}` : ''}`;
      const text = days
        .filter(({ digest }) => digest !== null)
        .map((row) => `when ${place(row, true)} then '${row.digest}'`);
      const count = days.map((row) => `when ${place(row, true)} then ${row.digested}`);
      await read(
        `update log_day set digest = case ${text.join(' ')} when 1 = 0 then '' end,
          digested = case ${count.join(' ')} when 1 = 0 then 0 else 0 end`,
      );
      const seqs = counters.map((row) => `when ${place(row, false)} then ${row.digested_seq}`);
      await read(`update log_counter set digested_seq = case ${seqs.join(' ')} else digested_seq end`);
    };

    it('are those of the bodies in the order of arrival, with late ones, repeats, erasures and two replicas [D-250] [D-251] [D-252]', async () => {
      for (let turn = 0; turn < 14; turn += 1) {
        const survey = random.pick(surveys);
        const db = random.pick(replicas);
        const others = surveys.filter((one) => one !== survey);
        await Promise.all([
          append(db, survey, random.pick([1, 7, 90, 200, 300]), 3),
          append(random.pick(replicas), random.pick(others), random.below(20), 1),
        ]);
        const before = await digestsOf(db, survey);
        for (const { accountId, responseId } of random.some(kept.get(survey)!, 4))
          await db.write(eraseResponse, {
            accountId,
            responseId,
            actor: commandLine,
            changeId: randomUUID(),
            nowMs: 1,
          });
        assert.deepEqual(await digestsOf(random.pick(replicas), survey), before);
        await check();
      }
      assert.ok([...kept.values()].some((ofSource) => ofSource.length > 2 * blockSize));
    });

    it('a range has its own days alone, and the end of the log', async () => {
      const model = modelOf('one');
      const range = { firstDay: model[1]![0], lastDay: model.at(-2)![0] };
      assert.deepEqual(await digestsOf(log.db, 'one', range), model.slice(1, -1));
    });

    it('what replicas of before have filled is worked out by the next who fills a block [D-252]', async () => {
      await asBefore(() => append(replicas[1]!, 'one', blockSize + 20, 0));
      await check();
      await asBefore(() => append(replicas[1]!, 'one', blockSize, 0));
      const behind = await reachedBy('one');
      await append(replicas[0]!, 'one', blockSize, 0);
      assert.ok((await reachedBy('one')) - behind >= 2 * blockSize);
      await check();
    });

    it('a log that was there before is filled by many at once, without counting anything twice [D-252]', async () => {
      for (let turn = 0; turn < 10; turn += 1) await append(replicas[turn % 2]!, 'bolt', blockSize, 0);
      await storeRows(log.databaseUrl, 'update log_counter set digested_seq = 0');
      await storeRows(log.databaseUrl, 'update log_day set digest = null, digested = 0');
      // An append leaves so many to the others.
      await append(replicas[0]!, 'bolt', blockSize, 0);
      assert.equal(await reachedBy('bolt'), 0);
      const source = kept.get('bolt')![0]!;
      assert.equal(await readDayDigests(log.db, source, everyDay, noPause), null);
      // Two replicas with the task, and two requests at the same time.
      await Promise.all([
        ...replicas.map(async (db) => {
          for (;;) {
            const at = await findTask(db, digestTask.name);
            if (at.isDone) return;
            await digestTask.step({ config, db, now: Date.now, newId: randomUUID }, at);
          }
        }),
        ...replicas.map(async (db) => {
          for (;;) {
            const { digestedSeq, fullSeq } = await advanceDigests(db, source, noPause);
            if (digestedSeq >= fullSeq) return;
          }
        }),
      ]);
      const behind = await storeRows(
        log.databaseUrl,
        `select source_id from log_counter where last_seq / ${blockSize} > digested_seq / ${blockSize}`,
      );
      assert.deepEqual(behind, []);
      const [sum] = await storeRows(
        log.databaseUrl,
        `select sum(digested) as digested, sum(responses) as responses
         from log_day where account_id = ${source.accountId} and source_id = ${source.sourceId}`,
      );
      assert.deepEqual(Number(sum!.digested), await reachedBy('bolt'));
      await check();
    });

    it('what was made of rows that a store has lost since is not kept [D-252]', async () => {
      const { accountId, sourceId } = kept.get('bolt')![0]!;
      const before = await reachedBy('bolt');
      await asBefore(() => append(replicas[1]!, 'bolt', blockSize, 0));
      const days = [{ day: 20_100, digest: 'ab'.repeat(32), added: blockSize }];
      const range = [before, before + blockSize] as const;
      const input = { accountId, sourceId, range, marks: ['of an append that is gone'], days };
      assert.equal(await log.db.write(foldDigests, input), false);
      assert.equal(await reachedBy('bolt'), before);
      await check();
    });

    const reachedBy = async (survey: string): Promise<number> => {
      const { accountId, sourceId } = kept.get(survey)![0]!;
      const [row] = await storeRows(
        log.databaseUrl,
        `select digested_seq from log_counter where account_id = ${accountId} and source_id = ${sourceId}`,
      );
      return Number(row!.digested_seq);
    };
  });
}
