// Lists of values as one value: a statement whose text changes with the length of a list cannot be prepared once.

import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from './db.ts';

/** `expression in (values)`, whichever engine it is. */
export function isAmong(
  engine: Db['engine'],
  expression: Sql,
  values: readonly (string | number)[],
  type: 'text' | 'integer',
): Sql {
  if (engine === 'sqlite')
    return sql`${expression} in (select value from json_each(${JSON.stringify(values)}))`;
  return type === 'text'
    ? sql`${expression} = any(${values}::text[])`
    : sql`${expression} = any(${values}::bigint[])`;
}

/**
 * The responses of an account with these ids, to stand in a `from`. Left to itself, SQLite reads every response of the
 * account rather than look up a list in the index (272 ms for one id among 630,000 rows); a cross join is its way of
 * being told which comes first (D-126).
 */
export function responsesWith(engine: Db['engine'], accountId: number, ids: readonly string[]): Sql {
  return engine === 'sqlite'
    ? sql`(
        select response.*
        from json_each(${JSON.stringify(ids)}) as wanted
        cross join response on response.account_id = ${accountId} and response.response_id = wanted.value
      ) as response`
    : sql`(
        select *
        from response
        where account_id = ${accountId} and response_id = any(${ids}::text[])
      ) as response`;
}

/**
 * What another table keeps beside a response, or null, as a column of a query over `response`. Not a join: PostgreSQL
 * would read that whole table for a page of rows, or once for each of them while it has no statistics (2.6 s for 500
 * rows beside 15,000); a question for each row is always answered by the key (D-126).
 */
export function lookupColumn(table: 'response_body' | 'response_external', column: string): Sql {
  return sql`(
    select ${raw(column)}
    from ${raw(table)} as beside
    where beside.account_id = response.account_id and beside.source_id = response.source_id
      and beside.seq = response.seq
  ) as ${raw(column)}`;
}
