// A log of more than a thousand blocks, whose rows are in no order of days: ranges that nobody asked for before are
// counted from the days of whole groups of blocks, before and after those are written down, on both engines.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import { blockGroupSize, blockSize, packBlock } from '../../../src/domain/feedback/block.ts';
import type { AppendItem } from '../../../src/domain/feedback/judged-draft.ts';
import type { Db, Fields } from '../../../src/store/engine/db.ts';
import { appendResponses } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import { LogReader } from '../../../src/store/feedback/log-reader.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const accountId = 4001;
const dayMs = 86_400_000;
const firstDay = Date.UTC(2015, 0, 1) / dayMs;
const spread = 3650;
// One row less than a whole group, so that an append fills it.
const longSource = { accountId, sourceId: 901, rows: blockGroupSize * blockSize - 1 };
const otherSource = { accountId, sourceId: 902, rows: (blockGroupSize + 3) * blockSize + 70 };

const catalogue = {
  accounts: [
    {
      id: accountId,
      name: 'Acme',
      measures: [{ key: 1, name: 'One', surveys: [{ id: 'one', modelInstanceId: 'm' }] }],
    },
  ],
};

/** Far from its neighbours' days. */
const dayOfSeq = (seq: number): number => firstDay + ((seq * 1237) % spread);

for (const engine of engines) {
  describe(`a long log on ${engine.name}`, () => {
    let log: OpenedLog;
    let model: AppendItem;

    before(async () => {
      log = await openFeedbackLog(engine, catalogue);
      model = await log.item({ surveyDefinitionId: 'one' });
      for (const source of [longSource, otherSource]) await fill(source);
    });
    after(() => log?.dispose());

    // As an older release has left it: rows, blocks without marks, sums a day, and no groups.
    async function fill({ sourceId, rows }: typeof longSource): Promise<void> {
      await storeRows(
        log.databaseUrl,
        `insert into survey (account_id, survey_id, source_id, survey_no, document)
          select account_id, survey_id || ${sourceId}, ${sourceId}, 1, document from survey where survey_id = 'one'`,
      );
      const numbers =
        engine.name === 'sqlite'
          ? `with recursive n (seq) as (select 1 union all select seq + 1 from n where seq < ${rows})`
          : `with n (seq) as (select generate_series(1::bigint, ${rows}::bigint))`;
      const day = `${firstDay} + (seq * 1237) % ${spread}`;
      await storeRows(
        log.databaseUrl,
        `${numbers} insert into response
          (account_id, source_id, seq, day, response_id, survey_no, submitted_at, row_values)
          select ${accountId}, ${sourceId}, seq, ${day}, '${sourceId} ' || seq, 1, (${day}) * ${dayMs}, '' from n`.replace(
          /^(with .*?) insert into response\s+\(([^)]*)\)/s,
          engine.name === 'sqlite' ? 'insert into response ($2) $1' : '$1 insert into response ($2)',
        ),
      );
      const blocks = Array.from({ length: Math.floor(rows / blockSize) }, (_, block) => {
        const days = Array.from({ length: blockSize }, (_, place) => dayOfSeq(block * blockSize + place + 1));
        const { dayMin, dayMax, days: text } = packBlock(days);
        return `(${accountId}, ${sourceId}, ${block}, ${dayMin}, ${dayMax}, '${text.replaceAll("'", "''")}')`;
      });
      for (let first = 0; first < blocks.length; first += 100)
        await storeRows(
          log.databaseUrl,
          `insert into log_block (account_id, source_id, block, day_min, day_max, days) values ${blocks.slice(first, first + 100).join(', ')}`,
        );
      const counter = `(${accountId}, ${sourceId}, ${rows}, 1)`;
      await storeRows(
        log.databaseUrl,
        `insert into log_counter (account_id, source_id, last_seq, revision) values ${counter}`,
      );
      await storeRows(
        log.databaseUrl,
        `insert into log_day (account_id, source_id, day, responses)
          select account_id, source_id, day, count(*) from response where source_id = ${sourceId} group by 1, 2, 3`,
      );
    }

    const groupsOf = async (sourceId: number): Promise<number[]> => {
      const rows = await storeRows(
        log.databaseUrl,
        `select block_group from log_block_group where source_id = ${sourceId} order by block_group`,
      );
      return rows.map(({ block_group: group }) => Number(group));
    };

    async function assertWindow(
      reader: LogReader,
      { sourceId }: typeof longSource,
      rows: number,
      [from, length, skip]: readonly [number, number, number],
    ): Promise<void> {
      const range = { firstDay: firstDay + from, lastDay: firstDay + from + length };
      const seqs: number[] = [];
      for (let seq = 1; seq <= rows; seq += 1) {
        const day = dayOfSeq(seq);
        if (day >= range.firstDay && day <= range.lastDay) seqs.push(seq);
      }
      using page = await reader.page({ accountId, sourceId }, range, { skip, take: 20 });
      assert.equal(page.facts.total, seqs.length);
      assert.deepEqual(
        page.rows.map(({ seq }) => seq),
        seqs.slice(skip, skip + 20),
      );
    }

    const windows = [
      [0, 3650, 0],
      [0, 3650, 262_100],
      [100, 30, 0],
      [100, 30, 1_500],
      [100, 30, 2_220],
      [3_000, 0, 60],
      [5_000, 10, 0],
    ] as const;

    it('windows are right before the days of its blocks were written down together, and after [D-109]', async () => {
      const { rows } = otherSource;
      for (const window of windows) await assertWindow(new LogReader(log.db), otherSource, rows, window);
      await until(
        () => groupsOf(otherSource.sourceId),
        (groups) => groups.length === 1,
      );
      for (const window of windows) await assertWindow(new LogReader(log.db), otherSource, rows, window);
    });

    it('the append that fills the last block of a group writes its days down [D-109]', async () => {
      const { sourceId } = longSource;
      assert.deepEqual(await groupsOf(sourceId), []);
      const add = async (seq: number): Promise<void> => {
        const day = dayOfSeq(seq);
        const item = {
          ...model,
          sourceId,
          revision: 1,
          day,
          submittedAtMs: day * dayMs,
          responseId: `${seq}`,
        };
        await log.db.write(appendResponses, { items: [item], mark: newMark() });
      };
      await add(longSource.rows + 1);
      assert.deepEqual(await groupsOf(sourceId), [0]);
      await add(longSource.rows + 2);
      const reader = new LogReader(log.db);
      for (const window of windows) await assertWindow(reader, longSource, longSource.rows + 2, window);
    });

    it('two hundred ranges in use read the blocks no more often than one [D-109]', async () => {
      let blockQuestions = 0;
      const count = (query: Sql): void => {
        if (/day_min.*from log_block\s+where/s.test(query.sql)) blockQuestions += 1;
      };
      const db: Db = Object.assign(Object.create(log.db) as Db, {
        read: (query: Sql) => {
          count(query);
          return log.db.read(query);
        },
        readLarge: <R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number) =>
          log.db.readLarge(query, rowOf, bytesMax),
        write: log.db.write.bind(log.db),
      });
      const reader = new LogReader(db);
      const { sourceId } = otherSource;
      const source = { accountId, sourceId };
      const walk = async (): Promise<void> => {
        for (let index = 0; index < 200; index += 1) {
          const range = { firstDay: firstDay + index, lastDay: firstDay + index + 100 };
          using page = await reader.page(source, range, { skip: 50 * index, take: 10 });
          assert.equal(page.rowCount, Math.max(0, Math.min(10, page.facts.total - 50 * index)));
        }
      };
      await walk();
      const first = blockQuestions;
      assert.ok(first <= 6, `${first} questions`);
      await walk();
      assert.equal(blockQuestions, first);
    });
  });
}
