// How SQLite means to carry out the statements of the log. Its planner knows nothing about the size of tables, and once
// chose to read every response of an account for one id; a log of a few rows does not show it, so the plans are read.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import type { Change, Db, Fields, Statement, Steps } from '../../../src/store/engine/db.ts';
import { isManyRows, isTogether, isWhole } from '../../../src/store/engine/db.ts';
import { sqliteDialect } from '../../../src/store/engine/dialect-sqlite.ts';
import { addFunctions, SqliteConnection } from '../../../src/store/engine/sqlite-connection.ts';
import { advanceDigests, readDayDigests } from '../../../src/store/feedback/day-digests.ts';
import { eraseResponse } from '../../../src/store/feedback/erase.ts';
import { appendExternal } from '../../../src/store/feedback/external-parameters.ts';
import { appendResponses, findHash } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import { LogReader } from '../../../src/store/feedback/log-reader.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { storeRows } from '../../support/store-rows.ts';

const question = { id: 'Q-1', name: 'How good?', scale: { min: 1, max: 10 } };
const latents = [{ id: 'L-1', name: 'Good', type: 'SATISFACTION', questions: [question] }];
const external = [{ id: 'E-1', name: 'tier' }];
const catalogue = {
  accounts: [
    {
      id: 4001,
      name: 'Acme',
      measures: [{ key: 1, name: 'One', surveys: [{ id: 'one', latents, parameters: { external } }] }],
    },
  ],
};
const responseCount = 600;

// Whatever grows with the number of responses; `beside` is what a query calls a table that it looks into for each row.
const growing = ['response', 'response_body', 'response_external', 'log_block', 'beside'];
const readsAll = new RegExp(
  `^SCAN (${growing.join('|')})\\b|^SEARCH (${growing.join('|')}) .*\\(account_id=\\?( AND source_id=\\?)?\\)`,
);

describe('the plans of SQLite', () => {
  let log: OpenedLog;
  let path: string;
  const asked: Sql[] = [];

  before(async () => {
    log = await openFeedbackLog(engines.find(({ name }) => name === 'sqlite')!, catalogue);
    path = log.databaseUrl.slice('sqlite:'.length);
  });
  after(() => log?.dispose());

  /** A change that is carried out, its statements written down. */
  const carriedOut = <Input extends object>(change: Change<Input, unknown>, input: Input): void => {
    const connection = new SqliteConnection(path, 1_000);
    const recorded = function* recorded(): Steps<unknown> {
      const steps = change(input, sqliteDialect);
      let step = steps.next();
      while (!step.done) {
        note(step.value);
        step = steps.next(yield step.value);
      }
      return step.value;
    };
    try {
      assert.ok(connection.begin());
      const [outcome] = connection.runTogether([{ change: recorded, input }]);
      assert.ok(outcome !== undefined && 'value' in outcome, JSON.stringify(outcome));
    } finally {
      connection.close();
    }
  };
  const note = (statement: Statement): void => {
    if (isTogether(statement)) statement.together.forEach(note);
    else if (!isManyRows(statement) && !isWhole(statement)) asked.push(statement);
  };
  const plansOf = (): string[] => {
    const db = new DatabaseSync(path);
    addFunctions(db);
    try {
      return asked.splice(0).flatMap(({ sql, values }) => {
        if (sql.startsWith('pragma')) return [];
        const plan = db.prepare(`explain query plan ${sql}`).all(...(values as (string | number)[]));
        return plan.map(({ detail }) => String(detail));
      });
    } finally {
      db.close();
    }
  };

  it('no append, append of parameters, erasure or page reads every response of an account or source [D-126]', async () => {
    const bodies = Array.from({ length: responseCount }, (_, index) => ({
      surveyDefinitionId: 'one',
      responseId: `r-${index}`,
      submissionTimestamp: new Date(Date.UTC(2025, 0, 1 + (index % 50))).toISOString(),
      responses: { 'Q-1': ['5'] },
    }));
    const items = await Promise.all(bodies.map(log.item));
    const order = { changeId: 'c', nowMs: 1, actor: 'test', accountId: 4001 };
    carriedOut(appendResponses, { items, mark: newMark() });
    const lines = [{ line: 2, responseId: 'r-7', values: ['gold'] }];
    carriedOut(appendExternal, { ...order, sourceId: null, isReplacing: false, columns: ['tier'], lines });
    carriedOut(eraseResponse, { ...order, changeId: 'd', responseId: 'r-9' });
    const db: Db = Object.assign(Object.create(log.db) as Db, {
      read: (query: Sql) => {
        asked.push(query);
        return log.db.read(query);
      },
      readLarge: <R>(query: Sql, rowOf: (fields: Fields) => R) => {
        asked.push(query);
        return log.db.readLarge(query, rowOf);
      },
      write: log.db.write.bind(log.db),
    });
    await findHash(db, 4001, 'r-1');
    const reader = new LogReader(db);
    const { sourceId, revision } = items[0]!;
    for (const known of [{}, { surveys: [], revision }])
      for (const lastDay of [20_100, 20_120])
        for (const skip of [0, 100, 500]) {
          const source = { accountId: 4001, sourceId, ...known };
          await reader.page(source, { firstDay: 20_095, lastDay }, { skip, take: 50 });
        }
    const source = { accountId: 4001, sourceId };
    const everyDay = { firstDay: 0, lastDay: 40_000 };
    await readDayDigests(db, source, everyDay, async () => {});
    await storeRows(log.databaseUrl, 'update log_counter set digested_seq = 0');
    await storeRows(log.databaseUrl, 'update log_day set digest = null, digested = 0');
    assert.equal((await advanceDigests(db, source, async () => {})).digestedSeq, 512);
    const plans = plansOf();
    assert.ok(plans.length > 20, plans.join('\n'));
    assert.deepEqual(
      plans.filter((plan) => readsAll.test(plan)),
      [],
    );
  });
});
