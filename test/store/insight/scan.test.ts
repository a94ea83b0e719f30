// Scans on the store itself: what one has found after any number of its steps, on which thread it runs, and how it ends.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { DateRange } from '../../../src/domain/dates.ts';
import type { AppendItem } from '../../../src/domain/feedback/judged-draft.ts';
import type { GroupBy } from '../../../src/domain/insight/breakdown.ts';
import { addRow, newFigures } from '../../../src/domain/insight/figures.ts';
import { type Filter, readFilter } from '../../../src/domain/insight/filter.ts';
import { GivenRow } from '../../../src/domain/insight/given-answers.ts';
import { layoutOf } from '../../../src/domain/insight/layout.ts';
import { Problem } from '../../../src/domain/problem.ts';
import { commandLine } from '../../../src/store/engine/audit.ts';
import { WorkBudget, WorkQueue } from '../../../src/store/engine/work/work-budget.ts';
import { eraseResponse } from '../../../src/store/erasure/erase.ts';
import { appendResponses } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import { type PreparedSource, Sources } from '../../../src/store/feedback/sources.ts';
import { KeptGroups } from '../../../src/store/insight/kept-groups.ts';
import { ScanJob, type ScanRequest, unpackDays } from '../../../src/store/insight/scan-job.ts';
import { ScanThread } from '../../../src/store/insight/scan-thread.ts';
import { Scanner } from '../../../src/store/insight/scanner.ts';
import { engines } from '../../support/engines.ts';
import type { ResponseBody } from '../../support/feedback-model.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { storeRows } from '../../support/store-rows.ts';

const accounts = [1, 2];
const rows = 2_000;
/** A busy machine may need long to start a thread. */
const patienceMs = 600_000;
// Small, so that a busy machine keeps each within the limit of the store.
const batch = 100;
const firstDay = Math.floor(Date.parse('2026-01-01') / 86_400_000);
const days = 30;
const range = { firstDay, lastDay: firstDay + days - 1 };
const devices = ['phone', 'desktop', 'tablet'];
const surveyOf = (account: number): string => `survey-${account}`;

const catalogue = {
  accounts: accounts.map((id) => ({
    id,
    name: `Account ${id}`,
    measures: [
      {
        key: 1,
        name: 'One',
        surveys: [
          {
            id: surveyOf(id),
            modelInstanceId: `model-${id}`,
            latents: [
              {
                id: 'L',
                name: 'L',
                type: 'SATISFACTION',
                questions: [{ id: 'Q', name: 'Q', scale: { min: 1, max: 10 } }],
              },
            ],
          },
        ],
      },
    ],
  })),
};

/** Mostly in the order of days, some of them late. */
function bodyOf(account: number, index: number): ResponseBody {
  const late = index % 7 === 0 ? (index % 3) + 1 : 0;
  const day = Math.max(0, Math.floor((index / rows) * days) - late);
  return {
    surveyDefinitionId: surveyOf(account),
    responseId: `${account}-${index}`,
    submissionTimestamp: new Date((firstDay + day) * 86_400_000 + (index % 86_400) * 1_000).toISOString(),
    responses: { Q: [`${1 + (index % 10)}`] },
    ...(index % 5 > 0 && { deviceDetails: { deviceType: devices[index % 3]! } }),
    // Larger than what is read together with others.
    ...(index % 997 === 0 && { cpps: { data: { long: 'x'.repeat(3_900), longer: 'ß'.repeat(3_900) } } }),
  };
}

for (const engine of engines)
  describe(`scans on ${engine.name}`, () => {
    let log: OpenedLog;
    let sources: Sources;
    let scanner: Scanner;
    const ready = new Map<number, PreparedSource>();
    const kept: AppendItem[] = [];

    before(async () => {
      log = await openFeedbackLog(engine, catalogue);
      const input = { db: log.db, elapsedMs: () => performance.now() };
      sources = new Sources({ ...input, config: { definitionsMemoryBytes: 1_000_000 } });
      for (const account of accounts) {
        for (let first = 0; first < rows; first += batch) {
          const indexes = Array.from({ length: batch }, (_, index) => first + index);
          const items = await Promise.all(indexes.map((index) => log.item(bodyOf(account, index))));
          await log.db.write(appendResponses, { items, mark: newMark() });
          if (account === 1) kept.push(...items);
        }
        ready.set(account, (await sources.byName({ accountId: account, kind: 'measure', key: 1 }))!);
      }
      scanner = new Scanner(
        { db: log.db, config: { databaseUrl: log.databaseUrl, storeTimeoutMs: patienceMs } },
        sources,
        { perAccount: 2, inAll: 8, waitingPerAccount: 4 },
      );
    });
    after(async () => {
      await scanner?.stop();
      await log?.dispose();
    });

    const filterOf = (text: string): Filter => {
      const { source } = ready.get(1)!;
      const surveys = source.surveys.map((kept) => ready.get(1)!.prepared(kept));
      const { filter, faults } = readFilter(text, { kind: 'measure', surveys, mayReadComments: true });
      assert.deepEqual(faults, []);
      return filter!;
    };
    const byDevice: GroupBy = { property: { kind: 'device' }, limit: 10, minimum: 1, order: 'count' };
    const requestOf = (accountId: number, more: Partial<ScanRequest>): ScanRequest => ({
      source: { accountId, kind: 'measure', key: 1 },
      range,
      filter: null,
      by: null,
      untilSeq: null,
      ...more,
    });
    const workOf = (withinMs: number, signal?: AbortSignal) => ({
      budget: new WorkBudget(new WorkQueue(), {
        timeMs: 20_000,
        units: 1_000_000,
        ...(signal !== undefined && { signal }),
      }),
      withinMs,
    });

    it('after any number of steps its figures are those of the days that it covers, and of no other [D-492]', async () => {
      const isMeant = (index: number): boolean => index % 5 > 0 && index % 3 === 0;
      const dayOf = (index: number): number =>
        Math.floor(Date.parse(bodyOf(1, index).submissionTimestamp as string) / 86_400_000);
      const indexes = Array.from({ length: rows }, (_, index) => index);
      const asked = { firstDay: firstDay + 3, lastDay: firstDay + 25 };
      const within = (covered: DateRange | null): readonly number[] =>
        indexes.filter(
          (index) => covered !== null && dayOf(index) >= covered.firstDay && dayOf(index) <= covered.lastDay,
        );
      const daysOf = (covered: DateRange | null): number => {
        assert.equal(covered?.lastDay ?? asked.lastDay, asked.lastDay);
        return covered === null ? 0 : covered.lastDay - covered.firstDay + 1;
      };
      const request = { range: asked, filter: filterOf('is,device,phone') };
      const ofDays = await ScanJob.begin(log.db, sources, requestOf(1, request));
      const checkDays = (): number => {
        const { result, covered } = ofDays.result();
        assert.ok('days' in result);
        const counted = Map.groupBy(within(covered).filter(isMeant), dayOf);
        assert.deepEqual(
          unpackDays(result.days).map(({ day, figures: [count] }) => [day, count]),
          [...counted].map(([day, some]) => [day, some.length]).sort(([one], [other]) => one! - other!),
        );
        return daysOf(covered);
      };
      const ofGroups = (): Promise<ScanJob> =>
        ScanJob.begin(log.db, sources, requestOf(1, { range: asked, by: byDevice }));
      const checkGroups = (job: ScanJob): number => {
        const { result, covered } = job.result();
        assert.ok('groups' in result);
        const byKey = Map.groupBy(within(covered), (index) => (index % 5 > 0 ? devices[index % 3]! : null));
        assert.deepEqual(
          result.groups.groups.map(({ value, count }) => [value, count]),
          [...byKey]
            .map(([value, some]) => [value, some.length] as const)
            .sort(
              ([one, some], [other, more]) => more - some || (`${one ?? '~'}` < `${other ?? '~'}` ? -1 : 1),
            ),
        );
        return daysOf(covered);
      };
      let reached = 0;
      for (let goesOn = true; goesOn; ) {
        goesOn = await ofDays.step();
        const count = checkDays();
        assert.ok(count >= reached, 'a step more never covers less');
        reached = count;
      }
      assert.equal(reached, 23);
      // What groups have told once is settled, so each is asked once.
      for (let steps = 0, goesOn = true; goesOn; steps += 1) {
        const job = await ofGroups();
        for (let step = 0; step < steps && goesOn; step += 1) goesOn = await job.step();
        reached = checkGroups(job);
      }
      assert.equal(reached, 23);
    });

    it('the figures of days are those of a plain recount of the rows [D-492]', async () => {
      const outcome = await scanner.days(
        ready.get(1)!,
        range,
        filterOf('gt,latent:L,50'),
        workOf(patienceMs),
      );
      const survey = ready.get(1)!.prepared(ready.get(1)!.source.surveys[0]!);
      const layout = layoutOf(survey);
      const row = new GivenRow(survey);
      const expected = new Map<number, Float64Array>();
      for (const [index, item] of kept.entries()) {
        if (1 + (index % 10) <= 5) continue;
        if (!expected.has(item.day)) expected.set(item.day, newFigures(layout));
        row.read(item.values);
        addRow(layout, expected.get(item.day)!, row);
      }
      assert.ok(outcome.isComplete);
      assert.deepEqual(outcome.covered, range);
      assert.deepEqual([outcome.scanned, outcome.lastSeq], [rows, rows]);
      const byDay = [...expected].sort(([one], [other]) => one - other);
      assert.deepEqual(
        outcome.result.map(({ day, figures }) => [day, [...figures]]),
        byDay.map(([day, figures]) => [day, [...figures]]),
      );
    });

    it('a scan up to a position has the rows up to it and no other [D-492]', async () => {
      const by: GroupBy = { ...byDevice, property: { kind: 'version' } };
      for (const untilSeq of [0, 1, 256, 700, rows, rows + 9]) {
        const outcome = await scanner.groups(ready.get(1)!, range, by, null, {
          ...workOf(patienceMs),
          untilSeq,
        });
        assert.equal(outcome.lastSeq, Math.min(rows, untilSeq));
        assert.equal(outcome.result.groups[0]?.count ?? 0, Math.min(rows, untilSeq));
      }
    });

    it('a hundred scans of one account are told to wait or to retry, and another one is served among them [D-492]', async () => {
      const scan = (account: number) =>
        scanner.groups(ready.get(account)!, range, byDevice, null, workOf(patienceMs));
      const many = Promise.allSettled(Array.from({ length: 100 }, () => scan(1)));
      const outcome = await scan(2);
      assert.ok(outcome.isComplete);
      const ends = await many;
      const served = ends.filter(({ status }) => status === 'fulfilled').length;
      const refused = ends.filter(
        (end) =>
          end.status === 'rejected' && end.reason instanceof Problem && end.reason.code === 'THROTTLED',
      ).length;
      assert.deepEqual([served, refused], [6, 94]);
      assert.equal(scanner.figures.refused, 94);
    });

    it('a scan ends when its caller has gone, and its time is bounded [D-492]', async () => {
      const gone = new AbortController();
      const { abandoned } = { ...scanner.figures };
      const left = scanner.groups(ready.get(1)!, range, byDevice, null, workOf(patienceMs, gone.signal));
      gone.abort();
      await assert.rejects(left, { code: 'REQUEST_ABANDONED' });
      assert.equal(scanner.figures.abandoned, abandoned + 1);
      // What was asked before is known.
      const byPage: GroupBy = { ...byDevice, property: { kind: 'page' } };
      const short = await scanner.groups(ready.get(1)!, range, byPage, null, workOf(0));
      assert.equal(short.isComplete, false);
      assert.equal(short.covered, null);
      assert.deepEqual(short.result, { groups: [], other: null, withheld: null });
    });

    it('a scan ends when the work that it may do is done, however much time is left, and says what it took [D-941]', async () => {
      const thread = new ScanThread({ address: log.databaseUrl, timeoutMs: patienceMs });
      try {
        const request = requestOf(1, { by: { ...byDevice, property: { kind: 'weekday' } } });
        const short = await thread.scan(request, { withinMs: patienceMs, workMs: 0 }, undefined);
        assert.ok('result' in short && !short.result.isComplete);
        const whole = await thread.scan(request, { withinMs: patienceMs, workMs: patienceMs }, undefined);
        assert.ok('result' in whole && whole.result.isComplete);
        assert.ok(whole.threadMs > 0);
        // Of which whoever waits for it is told, because no answer comes before the last of them.
        assert.ok(thread.steps > 1, `${thread.steps} steps`);
      } finally {
        await thread.stop();
      }
    });

    it('a thread that is killed fails its scans with a clear error, and the next scan has another one [D-492]', async () => {
      const thread = new ScanThread({ address: log.databaseUrl, timeoutMs: patienceMs });
      const request = requestOf(1, { by: byDevice });
      const time = { withinMs: patienceMs, workMs: patienceMs };
      const first = thread.scan(request, time, undefined);
      thread.kill();
      await assert.rejects(first, { code: 'SCAN_FAILED' });
      const again = await thread.scan(request, time, undefined);
      assert.ok('result' in again && again.result.isComplete);
      // What is under way when the service stops is answered with what it has.
      const last = thread.scan(request, time, undefined);
      await thread.stop();
      assert.ok(!('failure' in (await last)));
      assert.equal(thread.isRunning, false);
    });

    it('groups that are asked for again look at the rows that have come since, and at all of them after an erasure [D-632]', async () => {
      const groups = new KeptGroups();
      const found = async (request: ScanRequest, known: KeptGroups | null) => {
        const job = await ScanJob.begin(log.db, sources, request, known);
        while (await job.step());
        const { result, scanned, lastSeq, isComplete } = job.result();
        assert.ok(isComplete);
        return { scanned, told: structuredClone({ result, lastSeq }) };
      };
      const requests = [
        requestOf(1, { by: byDevice }),
        requestOf(1, { by: { ...byDevice, minimum: 300 }, filter: filterOf('gt,latent:L,50') }),
        requestOf(1, { by: byDevice, range: { firstDay: firstDay + 3, lastDay: firstDay + 9 } }),
        requestOf(2, { by: byDevice }),
      ];
      let next = rows;
      const append = async (count: number): Promise<void> => {
        const items = [];
        for (let at = 0; at < count; at += 1) {
          const { responseId: _, ...body } = bodyOf(1, (next * 7) % rows);
          items.push(await log.item({ ...body, responseId: `later-${next++}` }));
        }
        await log.db.write(appendResponses, { items, mark: newMark() });
      };
      const check = async (scanned: readonly number[]): Promise<void> => {
        const counts: number[] = [];
        for (const request of requests) {
          const again = await found(request, groups);
          assert.deepEqual(again.told, (await found(request, null)).told);
          counts.push(again.scanned);
        }
        assert.deepEqual(counts, scanned);
      };
      const all = (request: ScanRequest) => found(request, null).then(({ scanned }) => scanned);
      await check(await Promise.all(requests.map(all)));
      await check([0, 0, 0, 0]);
      for (const count of [1, 40, 300]) {
        await append(count);
        await check([count, count, count, 0]);
      }
      await log.db.write(eraseResponse, {
        ...{ actor: commandLine, changeId: randomUUID(), nowMs: 1 },
        ...{ accountId: 1, responseId: '1-5' },
      });
      await check([...(await Promise.all(requests.slice(0, 3).map(all))), 0]);
      await append(1_100);
      await check([...(await Promise.all(requests.slice(0, 3).map(all))), 0]);
      // Another response is where the last one was: the store has lost it.
      await storeRows(
        log.databaseUrl,
        `update response set response_id = 'other' where account_id = 1 and seq = ${next}`,
      );
      await check([...(await Promise.all(requests.slice(0, 3).map(all))), 0]);
    });
  });
