// Lists of values as one parameter: a statement whose text changes with the length of a list cannot be prepared once.

import sql, { type Sql } from 'sql-template-tag';
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
 * being told which comes first.
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
