// What SQLite needs in its own words (dialect.ts). It runs inside this process, and a change has the only write lock of
// the store from its first statement to its commit. Its planner must now and then be told where to begin.

import sql, { join, raw, Sql } from 'sql-template-tag';
import { insertInto } from '../db.ts';
import type { Dialect, NamePartTable } from '../dialect.ts';

// Lists are JSON: SQLite has no arrays.
const list = (values: readonly (string | number)[]): string => JSON.stringify(values);

// A full-text table, whose rows are numbered by the ids of the users: these belong to one account each.
const nameParts: NamePartTable = {
  idsWith(_accountId, parts) {
    const match = parts.map((part) => `"${part}"`).join(' AND ');
    return sql`select rowid as id from user_name_part where user_name_part match ${match}`;
  },
  rows: (_accountId, users) =>
    insertInto('user_name_part', users, {
      rowid: ['integer', ([id]) => id],
      parts: ['text', ([, parts]) => parts],
    }),
  deleteOf: (_accountId, ids) =>
    sql`delete from user_name_part where rowid in (select value from json_each(${list(ids)}))`,
};

export const sqliteDialect: Dialect = {
  systemName: 'sqlite',
  types: { engine: 'sqlite', text: 'text', integer: 'integer', clustered: ' without rowid' },

  hasRoundTrips: false,
  hasWholeWrites: false,
  mayLoseAnswers: false,
  hasRowLocks: false,
  isSpread: false,
  // A slice stops the event loop while it is read.
  sliceMs: { atLeast: 2, atMost: 5 },

  isAmong: (expression, values) => sql`${expression} in (select value from json_each(${list(values)}))`,

  // Left to itself, SQLite reads every row of the account rather than look up a list in the index (272 ms for one id
  // among 630,000 rows). A cross join tells it which comes first (D-126).
  rowsWith({ table, accountId, column, values }) {
    return sql`(
      select ${raw(table)}.*
      from json_each(${list(values)}) as wanted
      cross join ${raw(table)} on ${raw(table)}.account_id = ${accountId}
        and ${raw(`${table}.${column}`)} = wanted.value
    ) as ${raw(table)}`;
  },

  // The same, for a list that is a query.
  rowsOfIds({ ids, table, accountId, columns, check }) {
    return sql`
      select ${columns}
      from (${ids}) as wanted
      cross join ${raw(table)} on ${raw(table)}.account_id = ${accountId} and ${raw(table)}.id = wanted.id
      where ${check}`;
  },

  rowsWithKeys({ table, key, keys }) {
    const values = key.map(([column], at) => `value ->> ${at} as ${column}`).join(', ');
    const isThis = key.map(([column]) => `${table}.${column} = wanted.${column}`).join(' and ');
    return sql`(select ${raw(values)} from json_each(${JSON.stringify(keys)})) as wanted
      cross join ${raw(table)} on ${raw(isThis)}`;
  },

  // It takes no index for a column with a plus before it.
  withoutIndex: (column) => raw(`+${column}`),

  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,

  firstLine: (text) => sql`substr(${text}, 1, instr(${text} || char(10), char(10)) - 1)`,

  // Functions of ours: every connection has them (sqlite-connection.ts).
  sha256: (text) => sql`sha256_hex(${text})`,
  hexOfHash: (base64url) => sql`base64url_hex(${base64url})`,

  // Rows are handed over one by one, and whoever reads them stops.
  withinBytes: ({ query }) => query,

  nameParts,

  // The write lock is held already, for all rows, so nobody else holds any of them. One prepared statement that is run
  // for each key is quicker than one for a list.
  *holdRows({ table, key, keys, columns }) {
    const [first, ...others] = key;
    const texts = [
      `select ${columns.join(', ')} from ${table} where ${first} = `,
      ...others.map((column) => ` and ${column} = `),
      '',
    ];
    const found = [];
    for (const values of keys) {
      const { rows } = yield new Sql(texts, values);
      found.push(...rows);
    }
    return found;
  },

  *changeRows({ table, accountId, sourceId, columns, rows, check }) {
    const changed: number[] = [];
    for (const [seq, ...values] of rows) {
      const set = columns.map(([name], at) => sql`${raw(name)} = ${values[at]}`);
      const result = yield sql`
        update ${raw(table)}
        set ${join(set)}
        where account_id = ${accountId} and source_id = ${sourceId} and seq = ${seq} and ${check}`;
      if (result.changed > 0) changed.push(seq);
    }
    return changed;
  },

  // Otherwise a deleted row stays readable in the file until another one is written over it (D-122).
  *overwriteDeleted() {
    yield sql`pragma secure_delete = on`;
  },

  hasTable: (name) => sql`select name from sqlite_master where type = 'table' and name = ${name}`,
  fileCheck: sql`pragma quick_check(1)`,
  tableSizes: sql`
    select sqlite_schema.tbl_name as name, dbstat.pgsize as bytes
    from dbstat
    join sqlite_schema on sqlite_schema.name = dbstat.name
    where dbstat.aggregate = 1`,
  freePages: sql`
    select freelist_count as free, page_count as pages, page_size as "pageBytes", auto_vacuum as mode
    from pragma_freelist_count(), pragma_page_count(), pragma_page_size(), pragma_auto_vacuum()`,
  countAnew: () => null,
  clock: null,
};
