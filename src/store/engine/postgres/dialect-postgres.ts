// What PostgreSQL needs in its own words (dialect.ts). It is a server: every statement takes a way there and back, other
// replicas change rows at the same time, and an answer may be lost on its way. Lists are arrays.

import sql, { empty, join, raw } from 'sql-template-tag';
import { insertInto } from '../db.ts';
import type { Dialect, NamePartTable } from '../dialect.ts';
import { arrayOf } from './postgres-lists.ts';

const nameParts: NamePartTable = {
  // Each part carries the account's number. Asked for the account as well, the planner may take the key for the better index.
  idsWith: (_accountId, parts) => sql`
    select user_id as id
    from user_name_part
    where string_to_array(parts, ' ') @> array[${join(parts)}]::text[]`,
  rows: (accountId, users) =>
    insertInto('user_name_part', users, {
      account_id: ['integer', () => accountId],
      user_id: ['integer', ([id]) => id],
      parts: ['text', ([, parts]) => parts],
    }),
  deleteOf: (accountId, ids) =>
    sql`delete from user_name_part where account_id = ${accountId} and user_id = any(${ids}::bigint[])`,
};

export const postgresDialect: Dialect = {
  systemName: 'postgresql',
  types: { engine: 'postgres', text: 'text collate "C"', integer: 'bigint', clustered: '' },

  hasRoundTrips: true,
  hasWholeWrites: true,
  mayLoseAnswers: true,
  hasRowLocks: true,
  isSpread: false,
  // The server reads a slice while this process serves others; each slice costs a way there and back.
  sliceMs: { atLeast: 15, atMost: 60 },

  isAmong: (expression, values, type) =>
    type === 'text'
      ? sql`${expression} = any(${values}::text[])`
      : sql`${expression} = any(${values}::bigint[])`,

  rowsWith({ table, accountId, column, values, type }) {
    return sql`(
      select *
      from ${raw(table)}
      where account_id = ${accountId} and ${this.isAmong(raw(column), values, type)}
    ) as ${raw(table)}`;
  },

  // The planner, without statistics, holds every row of the account against every id: 2.3 s for 6,000 users. A question
  // for each id, which the offset keeps apart, is answered by the key.
  rowsOfIds({ ids, table, accountId, columns, check }) {
    return sql`
      select found.*
      from (${ids}) as wanted
      cross join lateral (
        select ${columns}
        from ${raw(table)}
        where ${raw(table)}.account_id = ${accountId} and ${raw(table)}.id = wanted.id and ${check}
        offset 0
      ) as found`;
  },

  // Kept apart in the same way: an account that came a moment ago has no row as far as statistics know, and the planner would
  // read all of it for each key (D-750). Where the keys are of one account it is named, so that Citus asks one machine.
  rowsWithKeys({ table, key, keys }) {
    const lists = key.map(([, type], at) =>
      arrayOf(
        keys.map((values) => values[at]!),
        type,
      ),
    );
    const columns = key.map(([column]) => column);
    const accounts = new Set(columns[0] === 'account_id' ? keys.map(([account]) => account!) : []);
    const [account] = accounts;
    const isThis = columns.map((column, at) => {
      const wanted = at === 0 && accounts.size === 1 ? sql`${account}` : raw(`wanted.${column}`);
      return sql`${raw(`${table}.${column}`)} = ${wanted}`;
    });
    return sql`unnest(${join(lists)}) as wanted (${raw(columns.join(', '))})
      cross join lateral (
        select *
        from ${raw(table)}
        where ${join(isThis, ' and ')}
        offset 0
      ) as ${raw(table)}`;
  },

  withoutIndex: (column) => raw(column),

  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,

  firstLine: (text) => sql`split_part(${text}, chr(10), 1)`,

  sha256: (text) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
  hexOfHash: (base64url) => sql`encode(decode(translate(${base64url}, '-_', '+/') || '=', 'base64'), 'hex')`,

  // A large answer is a copy, and whoever reads it cannot end it; so the server leaves out what lies behind the limit.
  withinBytes({ query, columns, texts, orderBy }, bytesMax) {
    const bytes = texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(' + ');
    return sql`
      select ${raw(columns.join(', '))}
      from (
        select asked.*, sum(${raw(bytes)})
          over (order by ${raw(orderBy)} rows between unbounded preceding and 1 preceding) as bytes_before
        from (${query}) as asked
      ) as counted
      where coalesce(bytes_before, 0) < ${bytesMax}
      order by ${raw(orderBy)}`;
  },

  nameParts,

  // In the order of the keys, so that two changes that hold the same rows cannot hold each other up.
  *holdRows({ table, key, keys, columns, mayWait }) {
    const arrays = key.map((_, at) => sql`${keys.map((values) => values[at]!)}::bigint[]`);
    const ofTable = key.map((column) => `${table}.${column}`);
    const { rows } = yield sql`
      select ${raw(columns.map((column) => `${table}.${column}`).join(', '))}
      from unnest(${join(arrays)}) as wanted (${raw(key.join(', '))})
      join ${raw(table)} on ${raw(key.map((column, at) => `${ofTable[at]} = wanted.${column}`).join(' and '))}
      order by ${raw(ofTable.join(', '))}
      for update of ${raw(table)} ${mayWait ? empty : sql`skip locked`}`;
    return rows;
  },

  // The numbers are named twice: by the list alone the planner, without statistics, reads every row of the account.
  *changeRows({ table, accountId, sourceId, columns, rows, check }) {
    const seqs = arrayOf(
      rows.map(([seq]) => seq),
      'integer',
    );
    const lists = columns.map(([, type], at) =>
      arrayOf(
        rows.map((row) => row[at + 1] ?? null),
        type,
      ),
    );
    const names = columns.map(([name]) => name);
    const set = names.map((name) => `${name} = given.${name}`).join(', ');
    const changed = yield sql`
      update ${raw(table)}
      set ${raw(set)}
      from unnest(${join([seqs, ...lists])}) as given (${raw(['seq', ...names].join(', '))})
      where ${raw(table)}.account_id = ${accountId} and ${raw(table)}.source_id = ${sourceId}
        and ${raw(table)}.seq = any(${seqs}) and ${raw(table)}.seq = given.seq and ${check}
      returning ${raw(table)}.seq`;
    return changed.rows.map((row) => row.seq as number);
  },

  // Rows that are deleted are the server's to clear away, by its vacuum.
  *overwriteDeleted() {},

  hasTable: (name) => sql`select to_regclass(${name}) as name`,
  fileCheck: null,
  tableSizes: sql`
    select relname as name, pg_total_relation_size(oid) as bytes
    from pg_class
    where relkind = 'r' and relnamespace = cast(current_schema() as regnamespace)`,
  freePages: null,
  // Somebody else may be at it, and then it need not be done twice. Whoever does not own the tables is told so and nothing else.
  countAnew: (tables) => raw(`analyze (skip_locked) ${tables.join(', ')}`),
  clock: sql`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`,
};
