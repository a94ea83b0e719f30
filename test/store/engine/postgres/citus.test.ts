// Accounts can be spread over machines: where each table is kept, and the rule that statements are held to (D-222).

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import type { Catalogue } from '../../../../src/domain/feedback/definition.ts';
import type { Db } from '../../../../src/store/engine/db.ts';
import { steps } from '../../../../src/store/engine/migrations/steps.ts';
import {
  accountFunctions,
  accountTables,
  coordinatorTables,
  copiedTables,
} from '../../../../src/store/engine/postgres/citus.ts';
import { postgresDialect } from '../../../../src/store/engine/postgres/dialect-postgres.ts';
import { readKept } from '../../../../src/store/feedback/kept-catalogue.ts';
import {
  loadParser,
  tablesWithoutAccount,
  tablesWithoutAccountIn,
} from '../../../support/account-statements.ts';
import { engines } from '../../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../../support/open-db.ts';
import { storeRows } from '../../../support/store-rows.ts';

const postgres = engines.find(({ name }) => name === 'postgres')!;

describe('where tables are kept when accounts are spread over machines', () => {
  let store: OpenedStore;
  before(async () => {
    store = await openStore(postgres);
  });
  after(() => store.dispose());

  it('every table is spread by account, copied to every machine or kept on the coordinator [D-220]', async () => {
    const rows = await storeRows(
      store.databaseUrl,
      `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...accountTables, ...copiedTables, ...coordinatorTables].toSorted(),
    );
  });

  it('every key of a table of accounts has the account in it, so that one machine can see to it [D-220]', async () => {
    const keys = await storeRows(
      store.databaseUrl,
      `select indexrelid::regclass::text as name, indrelid::regclass::text as "table", (
        select attname from pg_attribute where attrelid = indrelid and attnum = indkey[0]
      ) as first
      from pg_index
      where indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
    );
    const spread = new Set<unknown>(accountTables);
    const ofAccounts = keys.filter(({ table }) => spread.has(table));
    assert.ok(ofAccounts.length >= accountTables.length);
    for (const { name, first } of ofAccounts) assert.equal(first, 'account_id', `The key ${name}.`);
  });
});

describe('the rule that statements on tables of accounts name the account [D-222]', () => {
  before(loadParser);

  it('is kept by all that apply asks about one account [D-750]', async () => {
    const store = await openStore(postgres);
    const asked: string[] = [];
    const db = Object.assign(Object.create(store.db) as Db, {
      read: (query: Sql) => {
        asked.push(query.text);
        return store.db.read(query);
      },
    });
    const surveys = ['one', 'two'].map((id) => ({ id }));
    const account = {
      id: accountId,
      name: 'Acme',
      measures: [{ key: 1, name: 'One', surveys }],
      projects: [{ id: 2, name: 'Two', siteKey: 'here', surveys: [] }],
    };
    try {
      await readKept(db, { accounts: [account] } as unknown as Catalogue);
    } finally {
      await store.dispose();
    }
    assert.ok(asked.length > 8);
    assert.deepEqual(
      asked.filter((text) => !/from connection/.test(text) && tablesWithoutAccount(text).length > 0),
      [],
    );
  });

  const right = [
    'select * from response where account_id = $1 and seq > 3',
    `set local statement_timeout = 5; select * from source join log_counter
      on log_counter.account_id = source.account_id where source.account_id = '4001'`,
    'select (select body from response_body b where b.account_id = $1) from response where account_id = $1',
    'copy (select seq from response where account_id = 4001) to stdout (format binary)',
    'update log_counter set last_seq = 1 where source_id = 1 and account_id = cast($1 as bigint)',
    'insert into survey_used (account_id, survey_id) values ($1, $2), ($3, $4) on conflict do nothing',
    'select id from account order by id limit 1',
    'with response as (select 1 as id) select id from response',
    'select 1 from response where account_id = $1 union all select 2 from survey where account_id = $1',
  ];
  for (const text of right) it(`is kept by: ${text}`, () => assert.deepEqual(tablesWithoutAccount(text), []));

  it('is kept by the functions that a worker runs', () => {
    const texts = steps.flatMap((step) => step.statements(postgresDialect.types));
    for (const name of accountFunctions) {
      const text = texts.find((one) => one.includes(`create function ${name}(`))!;
      assert.deepEqual(tablesWithoutAccountIn(text, 'account'), []);
      const without = text.replaceAll('account_id = account and response_id', 'response_id');
      assert.deepEqual(tablesWithoutAccountIn(without, 'account'), ['response']);
    }
  });

  const wrong: readonly (readonly [text: string, table: string])[] = [
    ['select * from response where seq > 3', 'response'],
    ['select * from response where account_id = $1 or seq = 3', 'response'],
    ['select * from response where account_id > $1', 'response'],
    ['select * from response where account_id = any($1)', 'response'],
    [
      `select (select body from response_body where response_body.account_id = response.account_id)
      from response where account_id = $1`,
      'response_body',
    ],
    [
      'select 1 from survey_owner join survey on survey.account_id = survey_owner.account_id where survey_owner.survey_id = $1',
      'survey',
    ],
    ['delete from audit where id = $1', 'audit'],
    ['with found as (select id from account_user) select * from found', 'account_user'],
    ['select 1 from response where account_id = $1 union all select 2 from survey', 'survey'],
    [
      'update user_group set members = 0 where account_id = $1 and id in (select group_id from group_member)',
      'group_member',
    ],
    ['copy (select seq from response) to stdout', 'response'],
  ];
  for (const [text, table] of wrong)
    it(`is broken by: ${text}`, () => assert.deepEqual(tablesWithoutAccount(text), [table]));
});
