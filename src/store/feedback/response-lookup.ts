// Responses by their ids, and what other tables keep beside a response, in the form that both engines answer by their
// indexes (D-126).

import sql, { raw, type Sql } from 'sql-template-tag';
import type { Dialect } from '../engine/dialect.ts';

/** The responses of an account with these ids, to stand behind `from`. */
export function responsesWith(dialect: Dialect, accountId: number, ids: readonly string[]): Sql {
  return dialect.rowsWith({
    table: 'response',
    accountId,
    column: 'response_id',
    values: ids,
    type: 'text',
  });
}

/**
 * What another table keeps beside a response, or null, as a column of a query over `response`. Not a join: PostgreSQL
 * would read that whole table for a page of rows, or once for each of them while it has no statistics (2.6 s for 500
 * rows beside 15,000); a question for each row is always answered by the key (D-126).
 */
export function lookupColumn(accountId: number, table: SideTable, column: string): Sql {
  return sql`${lookup(accountId, table, column)} as ${raw(column)}`;
}

type SideTable = 'response_body' | 'response_external';

function lookup(accountId: number, table: SideTable, column: string): Sql {
  return sql`(
    select ${raw(column)}
    from ${raw(table)} as beside
    where beside.account_id = ${accountId} and beside.source_id = response.source_id
      and beside.seq = response.seq
  )`;
}

/** The body of a response as it is kept, as a value of a query over `response`; an erased one has an empty object. */
export function bodyOf(accountId: number): Sql {
  return sql`coalesce(${lookup(accountId, 'response_body', 'body')}, '{}')`;
}

/**
 * The digest of a response, as a value of a query over `response`: 64 hexadecimal digits, the same before and after it is
 * erased (D-250, D-251). Worked out from its body, which is read for it.
 */
export function digestOf(dialect: Dialect, accountId: number): Sql {
  return sql`coalesce(response.digest, case
    when response.hash is null then ${dialect.sha256(bodyOf(accountId))}
    else ${dialect.hexOfHash(sql`response.hash`)}
  end)`;
}

/** The digest that an erased response has by itself; null for one that has its body. */
export function digestOfErased(dialect: Dialect): Sql {
  return sql`coalesce(response.digest, ${dialect.hexOfHash(sql`response.hash`)})`;
}
