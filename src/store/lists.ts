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
