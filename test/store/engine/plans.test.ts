// How the engines mean to carry out statements. The planner of SQLite knows nothing about the size of tables, and once
// chose to read every response of an account for one id; a log of a few rows does not show it, so the plans are read. That of
// PostgreSQL knows the size that they had when it counted last.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import type { Change, Db, Fields, Statement, Steps } from '../../../src/store/engine/db.ts';
import { isManyRows, isTogether, isWhole } from '../../../src/store/engine/db.ts';
import { sqliteDialect } from '../../../src/store/engine/sqlite/dialect-sqlite.ts';
import { addFunctions, SqliteConnection } from '../../../src/store/engine/sqlite/sqlite-connection.ts';
import { eraseResponse } from '../../../src/store/erasure/erase.ts';
import {
  findSource,
  findSourceOfSurvey,
  findSources,
  listMeasures,
  sourcesBehind,
} from '../../../src/store/feedback/catalogue.ts';
import { countCatalogueAnew } from '../../../src/store/feedback/catalogue-group.ts';
import { advanceDigests, readDayDigests } from '../../../src/store/feedback/day-digests.ts';
import { appendExternal } from '../../../src/store/feedback/external-parameters.ts';
import { appendResponses, findHash } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import { LogReader } from '../../../src/store/feedback/log-reader.ts';
import { openDb } from '../../../src/store/open-db.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { leaveStatistics, rowsRead } from '../../support/rows-read.ts';
import { until } from '../../support/service.ts';
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

describe('the plans of PostgreSQL', () => {
  let log: OpenedLog;
  before(async () => {
    log = await openFeedbackLog(engines.find(({ name }) => name === 'postgres')!, catalogue);
  });
  after(() => log?.dispose());

  it('a measure of thousands that came a moment ago is found without reading the others, as is a page of them [D-750] [D-751]', async () => {
    const { databaseUrl } = log;
    await leaveStatistics(databaseUrl);
    await storeRows(databaseUrl, `insert into account (id, name, created_at) values (4002, 'Wide', 1)`);
    const many = 'from generate_series(1, 5000) as number';
    // As long as a short one: if all of them fitted into some pages, to read them at once would be right.
    const survey = `'{"of":"' || repeat(md5(number::text), 40) || '"}'`;
    for (const [columns, values] of [
      [
        'source (account_id, source_id, kind, source_key, document, created_at)',
        `number, 'measure', number, '{}', 1`,
      ],
      ['log_counter (account_id, source_id, last_seq, revision)', 'number, 0, 1'],
      [
        'survey (account_id, survey_id, source_id, survey_no, document)',
        `'wide-' || number, number, 1, ${survey}`,
      ],
    ])
      await storeRows(databaseUrl, `insert into ${columns} select 4002, ${values} ${many}`);
    await storeRows(databaseUrl, `insert into survey_owner select 'wide-' || number, 4002 ${many}`);
    await countCatalogueAnew(log.db);
    const before = await rowsRead(databaseUrl);
    const db = await openDb(databaseUrl, { timeoutMs: 10_000, poolSize: 1 });
    try {
      for (let key = 1_000; key < 5_000; key += 500) {
        assert.equal((await findSourceOfSurvey(db, `wide-${key}`))?.sourceId, key);
        assert.equal((await findSource(db, { accountId: 4002, kind: 'measure', key }))?.revision, 1);
        assert.equal((await findSources(db, 4002, [key, key + 1])).length, 2);
      }
      assert.equal((await listMeasures(db, 4002, { skip: 1_000, take: 100 })).length, 101);
      assert.equal((await sourcesBehind(db, 4002, { after: 1_000, take: 100 })).length, 100);
    } finally {
      await db.close();
    }
    // A page reads what lies before it too. The server adds a connection's reading when it has ended.
    const read = async (): Promise<number> => (await rowsRead(databaseUrl)) - before;
    const rows = await until(read, (now) => now > 1_000);
    assert.ok(rows < 5_000, `${rows} rows were read`);
  });
});
