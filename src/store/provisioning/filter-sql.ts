// The conditions of a filter plan as SQL, for whatever table they are asked of. What a column of a plan is in the
// tables is said by whoever owns the table; what an operator means is said here, once for both engines (D-92).

import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Leaf, PlanCondition } from '../../scim/filter-plan.ts';
import { reversed } from './user-record.ts';

/** Where the values of a column of a plan stand. */
export interface PlannedColumn {
  readonly value: Sql;
  /** The same text backwards, which turns "ends with" into "begins with". */
  readonly backwards?: Sql;
  /** For values in rows of their own: whether one of them fulfils the test. */
  readonly within?: (test: Sql) => Sql;
}

export type PlannedColumns = ReadonlyMap<string, PlannedColumn>;

export function conditionSql(condition: PlanCondition, columns: PlannedColumns): Sql {
  switch (condition.kind) {
    case 'all':
      return sql`1 = 1`;
    case 'none':
      return sql`1 = 0`;
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((one) => conditionSql(one, columns));
      return sql`(${join(parts, ` ${condition.kind} `)})`;
    }
    default:
      return leafSql(condition, columns);
  }
}

/** A leaf that is negated holds for what is not assigned, too; SQL's third truth value must not creep in. */
function leafSql(leaf: Leaf, columns: PlannedColumns): Sql {
  const column = columns.get(leaf.column);
  if (column === undefined) throw new Error(`No column answers ${leaf.column}.`);
  const { value, within } = column;
  if (leaf.kind === 'present') {
    if (within === undefined) return leaf.negated ? sql`${value} is null` : sql`${value} is not null`;
    return leaf.negated ? sql`not (${within(sql`1 = 1`)})` : within(sql`1 = 1`);
  }
  const test = testSql(leaf, column);
  if (within !== undefined) return leaf.negated ? sql`not (${within(test)})` : within(test);
  return leaf.negated ? sql`(${value} is null or not (${test}))` : test;
}

function testSql(leaf: Extract<Leaf, { kind: 'is' }>, column: PlannedColumn): Sql {
  const { value } = column;
  const wanted = typeof leaf.value === 'boolean' ? Number(leaf.value) : leaf.value;
  if (leaf.operator === 'eq') return sql`${value} = ${wanted}`;
  if (typeof wanted === 'number') return sql`${value} ${raw(orders[leaf.operator] ?? '=')} ${wanted}`;
  switch (leaf.operator) {
    case 'sw':
      return prefixRange(value, wanted);
    case 'ew':
      if (column.backwards !== undefined) return prefixRange(column.backwards, reversed(wanted));
      return likeSql(value, `%${escaped(wanted)}`);
    case 'co':
      return likeSql(value, `%${escaped(wanted)}%`);
    default:
      throw new Error(`No column answers ${leaf.column} ${leaf.operator}.`);
  }
}

const orders: Readonly<Record<string, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' };

/** Folded text has no capitals, so that SQLite's LIKE, which ignores the case of ASCII, compares exactly. */
function likeSql(value: Sql, pattern: string): Sql {
  return sql`${value} like ${pattern} escape '\\'`;
}

/** Whether a folded text has a part, which is folded too. */
export function containsSql(value: Sql, part: string): Sql {
  return likeSql(value, `%${escaped(part)}%`);
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** All texts that begin so, as a range of the index: up to the first text that no longer does. */
function prefixRange(key: Sql, prefix: string): Sql {
  const end = afterPrefix(prefix);
  return end === null ? sql`${key} >= ${prefix}` : sql`(${key} >= ${prefix} and ${key} < ${end})`;
}

/** The smallest text beyond all that begin with the prefix, by the order of bytes; null when there is none. */
function afterPrefix(prefix: string): string | null {
  const characters = [...prefix];
  while (characters.length > 0) {
    const last = characters.pop()!.codePointAt(0)!;
    if (last === 0x10ffff) continue;
    // Between these two lie the surrogates, which are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
  return null;
}
