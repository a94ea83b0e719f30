// How the rows of a range are found by their position (src/store/feedback/log-reader.ts, domain/feedback/block.ts): held against a plain
// filter over the days as they were appended, on both engines.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Sql } from 'sql-template-tag';
import type { SurveyDefinition } from '../../../src/domain/feedback/definition.ts';
import type { AppendItem } from '../../../src/domain/feedback/judged-draft.ts';
import type { Db, Fields } from '../../../src/store/engine/db.ts';
import { appendResponses } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import {
  furtherRowSliceBytes,
  LogReader,
  type LogRow,
  rowSliceBytes,
} from '../../../src/store/feedback/log-reader.ts';
import { engines } from '../../support/engines.ts';
import { disagreements } from '../../support/log-agreement.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { storeRows } from '../../support/store-rows.ts';

const accountId = 4001;
const dayMs = 86_400_000;
const firstDay = Date.UTC(1990, 0, 1) / dayMs;

const catalogue = {
  accounts: [
    {
      id: accountId,
      name: 'Acme',
      measures: [{ key: 1, name: 'One', surveys: [{ id: 'one', modelInstanceId: 'm' }] }],
    },
  ],
};

interface Asked {
  readonly from: number;
  readonly length: number;
  readonly skip: number;
  readonly take: number;
}

// Days as life has them: mostly of now, with late ones; all of one day; or a backfill of decades, shuffled.
const someDays = fc.oneof(
  fc.array(fc.nat(3), { minLength: 1, maxLength: 800, size: 'max' }),
  fc.array(fc.constant(7), { minLength: 200, maxLength: 600, size: 'max' }),
  fc.array(fc.nat(13_000), { minLength: 200, maxLength: 600, size: 'max' }),
);
const someSizes = fc.array(
  fc.oneof(fc.integer({ min: 60, max: 512 }), fc.constantFrom(1, 255, 256, 257, 512)),
  {
    minLength: 3,
    maxLength: 3,
  },
);
const someAsked: fc.Arbitrary<Asked> = fc.record({
  from: fc.integer({ min: -1, max: 8 }),
  length: fc.oneof(fc.nat(4), fc.constant(20_000)),
  skip: fc.nat(800),
  take: fc.integer({ min: 1, max: 300 }),
});

function textOf(values: LogRow['values']): string {
  return typeof values === 'string' ? values : values.source.toString('utf8', values.begin, values.end);
}

for (const engine of engines) {
  describe(`ranges and positions in the log on ${engine.name}`, () => {
    let log: OpenedLog;
    let model: AppendItem;
    let nextSource = 100;

    before(async () => {
      log = await openFeedbackLog(engine, catalogue);
      model = await log.item({ surveyDefinitionId: 'one' });
    });
    after(() => log?.dispose());

    /** A source with one version and one latent, as far as the log needs them. */
    async function addSource(revision: number): Promise<number> {
      const sourceId = ++nextSource;
      await storeRows(
        log.databaseUrl,
        `insert into log_counter (account_id, source_id, last_seq, revision)
         values (${accountId}, ${sourceId}, 0, ${revision})`,
      );
      await storeRows(
        log.databaseUrl,
        `insert into survey (account_id, survey_id, source_id, survey_no, document)
         values (${accountId}, 'survey ${sourceId}', ${sourceId}, ${model.surveyNumber}, '{"latents":[{"id":"L"}]}')`,
      );
      return sourceId;
    }

    /** Appends the days in batches of these sizes, in turn, and asks everything after each of them. */
    async function live(
      days: readonly number[],
      sizes: readonly number[],
      asked: readonly Asked[],
    ): Promise<void> {
      const sourceId = await addSource(1);
      // Behind a coordinator the same is asked by fewer questions.
      const readers = [new LogReader(log.db), new LogReader(askedDb(true).db)];
      let appended = 0;
      for (let turn = 0; appended < days.length; turn += 1) {
        const batch = days.slice(appended, appended + sizes[turn % sizes.length]!);
        const items = batch.map((day, index) => ({
          ...model,
          sourceId,
          revision: 1,
          responseId: `${sourceId} ${appended + index}`,
          day: firstDay + day,
          submittedAtMs: (firstDay + day) * dayMs,
          // The score stands in front of the values of a row.
          values: `${(day * 1000 + 1) / 1e6}\n\n\n`,
        }));
        await log.db.write(appendResponses, { items, mark: newMark() });
        appended += batch.length;
        // At once: what one of them reads of the log is remembered for the others.
        const there = days.slice(0, appended);
        await Promise.all(readers.flatMap((reader) => asked.map((one) => ask(reader, sourceId, there, one))));
      }
    }

    /** The same store, which counts what it is asked and may say that it is spread over machines. */
    function askedDb(isSpread: boolean): { readonly db: Db; count(): number } {
      let asked = 0;
      const db = Object.assign(Object.create(log.db) as Db, {
        dialect: { ...log.db.dialect, isSpread },
        read: (query: Sql) => {
          asked += 1;
          return log.db.read(query);
        },
        readLarge: <R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number) => {
          asked += 1;
          return log.db.readLarge(query, rowOf, bytesMax);
        },
        write: log.db.write.bind(log.db),
      });
      const count = (): number => {
        const counted = asked;
        asked = 0;
        return counted;
      };
      return { db, count };
    }

    async function ask(
      reader: LogReader,
      sourceId: number,
      days: readonly number[],
      asked: Asked,
    ): Promise<void> {
      const { from, length, skip, take } = asked;
      const range = { firstDay: firstDay + from, lastDay: firstDay + from + length };
      // Of every other one it is known that it has no external parameters.
      const source = { accountId, sourceId, ...(skip % 2 === 0 ? {} : { surveys: [], revision: 1 }) };
      using page = await reader.page(source, range, { skip, take });
      const { facts } = page;
      const rows: LogRow[] = [];
      do rows.push(...page.rows);
      while (await page.next());
      const places = days.flatMap((day, index) => (day >= from && day <= from + length ? [index] : []));
      const micros = places.reduce((sum, place) => sum + days[place]! * 1000 + 1, 0);
      assert.equal(facts.total, places.length);
      assert.deepEqual(facts.sums.get('L') ?? { micros: 0, count: 0 }, { micros, count: places.length });
      assert.deepEqual(
        rows.map(({ seq, responseId }) => [seq, responseId]),
        places.slice(skip, skip + take).map((place) => [place + 1, `${sourceId} ${place}`]),
      );
    }

    it('a page after new responses takes two questions to a server that spreads accounts, and three to another; any further one two [D-752]', async (test) => {
      // A file within the process answers as soon as it is asked.
      if (engine.name === 'sqlite') return test.diagnostic('There is no server.');
      const sourceId = await addSource(1);
      const days: number[] = [];
      const append = async (count: number): Promise<void> => {
        const items = Array.from({ length: count }, (_, index) => ({
          ...model,
          sourceId,
          revision: 1,
          responseId: `asked ${sourceId} ${days.length + index}`,
          day: firstDay + (index % 3),
          submittedAtMs: (firstDay + (index % 3)) * dayMs,
          values: '1\n\n\n',
        }));
        await log.db.write(appendResponses, { items, mark: newMark() });
        days.push(...items.map(({ day }) => day));
      };
      const definition = {
        latents: [{ id: 'L' }],
        parameters: { external: [] },
      } as unknown as SurveyDefinition;
      const surveys = [{ number: model.surveyNumber, definition }];
      const source = { accountId, sourceId, surveys, revision: 1 };
      const stores = [askedDb(true), askedDb(false)];
      const readers = stores.map(({ db }) => new LogReader(db));
      const questions = async (
        skip: number,
        range = { firstDay, lastDay: firstDay + 9 },
      ): Promise<number[]> => {
        const counts: number[] = [];
        for (const [at, reader] of readers.entries()) {
          using page = await reader.page(source, range, { skip, take: 20 });
          const inRange = days.flatMap((day, place) => (day <= range.lastDay ? [place + 1] : []));
          assert.equal(page.facts.total, inRange.length);
          assert.deepEqual(
            page.rows.map(({ seq }) => seq),
            inRange.slice(skip, skip + 20),
          );
          counts.push(stores[at]!.count());
        }
        return counts;
      };
      await append(100);
      const seen = [await questions(0), await questions(20)];
      await append(10);
      seen.push(await questions(0), await questions(0));
      // New full blocks are one question more, once.
      await append(402);
      seen.push(await questions(0), await questions(0));
      seen.push(await questions(0, { firstDay, lastDay: firstDay + 1 }));
      assert.deepEqual(
        seen.map((counts) => counts.join(' ')),
        ['2 2', '2 2', '2 3', '2 2', '3 4', '2 2', '2 2'],
      );
    });

    it('external parameters are left out only when the newest definition is known to have none [D-37]', async () => {
      const sourceId = await addSource(2);
      const submitted = { day: firstDay, submittedAtMs: firstDay * dayMs };
      const item = { ...model, ...submitted, sourceId, revision: 2, responseId: `external ${sourceId}` };
      await log.db.write(appendResponses, { items: [item], mark: newMark() });
      await storeRows(
        log.databaseUrl,
        `insert into response_external (account_id, source_id, seq, external) values (${accountId}, ${sourceId}, 1, '"gold"')`,
      );
      const externalOf = async (known: object): Promise<string | null | undefined> => {
        const range = { firstDay, lastDay: firstDay };
        const source = { accountId, sourceId, ...known };
        using page = await new LogReader(log.db).page(source, range, { skip: 0, take: 1 });
        return page.rows[0]?.external;
      };
      assert.equal(await externalOf({}), '"gold"');
      assert.equal(await externalOf({ surveys: [], revision: 1 }), '"gold"');
      assert.equal(await externalOf({ surveys: [], revision: 2 }), null);
    });

    it('rows of any size are read in their order, and never many bytes at once [D-177]', async () => {
      const sourceId = await addSource(1);
      const besideId = await addSource(1);
      const sizeOf = (number: number): number => {
        if (number % 13 === 5) return 400_000;
        return number % 41 === 0 ? 8_000 + number : 100 + (number % 9);
      };
      const items = Array.from({ length: 600 }, (_, number) => ({
        ...model,
        sourceId: number % 3 === 2 ? besideId : sourceId,
        revision: 1,
        responseId: `size ${sourceId} ${number}`,
        day: firstDay,
        submittedAtMs: firstDay * dayMs,
        values: `1\n\n\n\n${'é'.repeat(sizeOf(number) / 2)}`,
      }));
      await log.db.write(appendResponses, { items, mark: newMark() });
      const ours = items.filter((item) => item.sourceId === sourceId);
      const reader = new LogReader(log.db);
      const range = { firstDay, lastDay: firstDay };
      for (const known of [{}, { surveys: [], revision: 1 }])
        for (const [skip, take] of [
          [0, 1000],
          [0, 100],
          [33, 1],
          [50, 128],
          [51, 129],
          [390, 100],
        ] as const) {
          const expected = ours.slice(skip, skip + take);
          using page = await reader.page({ accountId, sourceId, ...known }, range, { skip, take });
          assert.equal(page.rowCount, expected.length);
          const read: string[][] = [];
          do {
            const texts = page.rows.map(({ responseId, values }) => [responseId, textOf(values)]);
            const bytes = texts.map(([, values]) => Buffer.byteLength(values!));
            const butLast = bytes.slice(0, -1).reduce((sum, one) => sum + one, 0);
            assert.ok(
              texts.length > 0 && butLast < rowSliceBytes * 2,
              `${texts.length} rows, ${butLast} bytes`,
            );
            read.push(...(texts as string[][]));
          } while (await page.next());
          assert.deepEqual(
            read,
            expected.map(({ responseId, values }) => [responseId, values]),
          );
        }
    });

    it('of a page of large rows no more than a quarter of a mebibyte is held behind its beginning [D-169]', async () => {
      const sourceId = await addSource(1);
      const rowBytes = 100_000;
      const items = Array.from({ length: 60 }, (_, index) => ({
        ...model,
        sourceId,
        revision: 1,
        responseId: `large ${sourceId} ${index}`,
        day: firstDay,
        submittedAtMs: firstDay * dayMs,
        values: `1\n\n\n${'v'.repeat(rowBytes)}`,
      }));
      for (let at = 0; at < items.length; at += 20) {
        const some = items.slice(at, at + 20);
        await log.db.write(appendResponses, { items: some, mark: newMark() });
      }
      const range = { firstDay, lastDay: firstDay };
      const source = { accountId, sourceId };
      using page = await new LogReader(log.db).page(source, range, { skip: 0, take: 60 });
      const slices = [page.rows.map(({ responseId }) => responseId)];
      while (await page.next()) slices.push(page.rows.map(({ responseId }) => responseId));
      assert.deepEqual(
        slices.flat(),
        items.map(({ responseId }) => responseId),
      );
      const [first = [], ...further] = slices;
      // The row that reaches the bound is the last one.
      assert.equal(first.length, Math.ceil(rowSliceBytes / rowBytes));
      for (const some of further) assert.ok(some.length <= Math.ceil(furtherRowSliceBytes / rowBytes));
    });

    it('every window of every range is what a plain filter gives, whatever was read and appended before [D-35, D-109]', async () => {
      const property = fc.asyncProperty(
        someDays,
        someSizes,
        fc.array(someAsked, { minLength: 4, maxLength: 4 }),
        live,
      );
      // A failure is made small, but not for ever.
      await fc.assert(property, {
        numRuns: 50,
        interruptAfterTimeLimit: 120_000,
        markInterruptAsFailure: true,
      });
    });

    it('an append may end anywhere in a block, at its very end too [D-35]', async () => {
      const days = Array.from({ length: 800 }, (_, index) => (index * 7) % 5);
      const asked = [
        { from: 0, length: 4, skip: 250, take: 20 },
        { from: 0, length: 4, skip: 500, take: 300 },
        { from: 1, length: 1, skip: 90, take: 30 },
        { from: 2, length: 0, skip: 0, take: 300 },
      ];
      for (const sizes of [[256], [255, 1], [512], [300, 212], [100, 156, 256, 288], [257, 255], [800]])
        await live(days, sizes, asked);
    });

    it('full blocks are written down as they are, whatever days they have', async () => {
      const kept = await disagreements(log.databaseUrl);
      // The bodies here have no answers, and the sums of the latent were made up.
      assert.deepEqual(
        kept.filter((sentence) => !sentence.includes('log_day_latent')),
        [],
      );
    });
  });
}
