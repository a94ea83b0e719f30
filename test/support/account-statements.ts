// Holds SQL against the rule by which accounts can be spread over machines: whoever reads or changes a table of accounts
// names the account by equality, in each part of the statement by itself, because Citus looks at each by itself (D-222).

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';
import { accountTables } from '../../src/store/engine/postgres/citus.ts';

interface Exception {
  readonly statement: RegExp;
  readonly reason: string;
}

/** What may be sent without an account, and why. */
export const exceptions: readonly Exception[] = [
  {
    statement: /from unnest\(.*\) as wanted \(.*for update of/s,
    reason:
      'Rows of many accounts are held at once on plain PostgreSQL; the dialect of Citus holds them by account.',
  },
  {
    statement: /from user_name_part\s+where string_to_array/,
    reason: 'The parts carry the account on plain PostgreSQL; the dialect of Citus names it as well.',
  },
  {
    statement: /^select 1 as found\s+from audit\s+where id = \S+\s+limit 1$/,
    reason:
      'A commit without an answer, of a change that names no account (a client, a key, a catalogue): rare, and by hand.',
  },
  {
    statement: /select min\(account_id\) as next\s+from (audit|comment)\s+where account_id >/,
    reason:
      'Old entries and comments left of erased responses are looked for from account to account, in the background.',
  },
  {
    statement:
      /select min\(account_id\) as next\s+from response\s+where account_id > \S+ and hash is not null and digest is null/,
    reason:
      'Accounts with responses that an older release has erased, mostly none, by an index that has only those; in the background.',
  },
  {
    statement: /from audit\s+left join provisioning_token.*order by audit\.id/s,
    reason: 'An operator reads the changes of all accounts, by hand, in the order of an index.',
  },
  {
    statement:
      /select count\(\*\) as count(ed)?\s+from (quarantined_response\s+where kid|connection\s+where secret_kid) = \S+$/,
    reason: 'What a sealing key holds, over all accounts: asked by hand, before the key is revoked.',
  },
  {
    statement: /update role_grant\s+set external_id = account_user\.address/,
    reason: 'A step of the schema: the externalIds of the admins that there were before, once.',
  },
  {
    statement:
      /from admin_refusal\s+order by first_at|where role_grant\.holder_kind = 'user'.*order by role_grant\.account_id/s,
    reason: 'What doctor says of the admins of all accounts: asked by hand.',
  },
  {
    statement: /from connection\s+where account_id in \(select account\.id from account/,
    reason: 'What doctor says of the connections of all accounts: asked by hand.',
  },
  {
    statement:
      /select\s+log_counter\.account_id .*from unnest\(.*\) as wanted \(account_id, source_id\)\s+cross join lateral/s,
    reason:
      'Where the logs end that somebody waits for, of all accounts at once on plain PostgreSQL; with Citus each account is asked by itself.',
  },
  {
    statement:
      /unnest\(.*\) as wanted \(account_id, .*from (source|survey|survey_used|log_counter)\s+where \S+ = wanted\.account_id|from (removed_)?source\s+where \S+ = account\.id|from (source|connection)\s+where account_id = any\(/s,
    reason:
      'Catalogues of many accounts, compared and written by hand in groups (D-211); with Citus a group is one account.',
  },
  {
    statement: /^insert into page_name .*row_number\(\) over/s,
    reason: 'A step of the schema: the names of the projects that there were before, once.',
  },
];

type Node = Readonly<Record<string, unknown>>;

const spread: ReadonlySet<string> = new Set(accountTables);

/** Prepares the parser. */
export const loadParser = loadModule;

/** The tables of accounts that the statement uses without naming the account. */
export function tablesWithoutAccount(text: string): readonly string[] {
  const found = new Set<string>();
  visit(parseSync(text), new Set(), found);
  return [...found];
}

/** The same of the statements of a function, of which one argument is the account. */
export function tablesWithoutAccountIn(functionText: string, argument: string): readonly string[] {
  const texts = queriesOf(parsePlPgSQLSync(functionText)).filter((text) =>
    /\b(from|update|into)\b/i.test(text),
  );
  if (texts.length === 0) throw new Error('The function has no statements.');
  const named = texts.map((text) => text.replaceAll(`account_id = ${argument}`, 'account_id = $1'));
  return named.flatMap(tablesWithoutAccount);
}

function queriesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { query } = value as { query?: unknown };
  const isStatement = typeof query === 'string' && /^(select|with|update|insert|delete)\b/i.test(query);
  // An expression, such as that of an `if`, is a statement when something is selected.
  const own = typeof query === 'string' ? [isStatement ? query : `select ${query}`] : [];
  return [...own, ...Object.values(value).flatMap(queriesOf)];
}

/** What a run has recorded: each kind of statement that breaks the rule, with its tables. */
export function faultyStatements(folder: string): {
  readonly checked: number;
  readonly faults: readonly string[];
} {
  const texts = new Set(
    globSync('*.jsonl', { cwd: folder }).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as string),
    ),
  );
  const faults: string[] = [];
  for (const text of texts) {
    // How long a statement may take or wait is said before it, in the same text.
    const question = text.replace(/^(?:set local \w+ = \d+;\s*)+/, '').trim();
    if (exceptions.some(({ statement }) => statement.test(question))) continue;
    const tables = tablesWithoutAccount(text);
    if (tables.length > 0) faults.push(`${tables.join(', ')} without the account: ${text.slice(0, 1_000)}`);
  }
  return { checked: texts.size, faults };
}

/** A table as a part of a statement names it. */
interface Named {
  readonly table: string;
  readonly alias: string;
}

function visit(value: unknown, withs: ReadonlySet<string>, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, withs, found);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [kind, child] of Object.entries(value)) {
    const node = child as Node;
    if (kind === 'SelectStmt' || kind === 'UpdateStmt' || kind === 'DeleteStmt') {
      visitPart(node, withs, found);
    } else if (kind === 'InsertStmt') {
      const names = namesOfWiths(node, withs);
      const columns = (node.cols as { ResTarget?: { name: string } }[] | undefined) ?? [];
      const { relname } = node.relation as { relname: string };
      const hasAccount = columns.some(({ ResTarget }) => ResTarget?.name === 'account_id');
      if (spread.has(relname) && !hasAccount) found.add(relname);
      visit([node.withClause, node.selectStmt, node.onConflictClause, node.returningList], names, found);
    } else visit(child, withs, found);
  }
}

function namesOfWiths(node: Node, outer: ReadonlySet<string>): ReadonlySet<string> {
  const { ctes = [] } = (node.withClause ?? {}) as { ctes?: { CommonTableExpr: { ctename: string } }[] };
  return new Set([...outer, ...ctes.map(({ CommonTableExpr }) => CommonTableExpr.ctename)]);
}

/** One select, update or delete: its own tables and its own conditions. */
function visitPart(node: Node, outer: ReadonlySet<string>, found: Set<string>): void {
  const withs = namesOfWiths(node, outer);
  const named: Named[] = [];
  const conditions: unknown[] = [node.whereClause];
  const gather = (from: unknown): void => {
    if (Array.isArray(from)) for (const one of from) gather(one);
    const { RangeVar, JoinExpr } = (from ?? {}) as { RangeVar?: Node; JoinExpr?: Node };
    if (RangeVar !== undefined) {
      const table = RangeVar.relname as string;
      const { aliasname } = (RangeVar.alias ?? {}) as { aliasname?: string };
      if (spread.has(table) && !withs.has(table)) named.push({ table, alias: aliasname ?? table });
    }
    if (JoinExpr === undefined) return;
    gather(JoinExpr.larg);
    gather(JoinExpr.rarg);
    conditions.push(JoinExpr.quals);
  };
  gather(node.relation === undefined ? [] : [{ RangeVar: node.relation }]);
  gather(node.fromClause);
  gather(node.usingClause);
  const accounts = namedAccounts(conditions.flatMap(conjuncts), named);
  for (const { table, alias } of named) if (!accounts.has(alias)) found.add(table);
  // The two sides of a union are selects of their own, without a name for their kind.
  for (const side of [node.larg, node.rarg]) if (side !== undefined) visitPart(side as Node, withs, found);
  const { larg: _larg, rarg: _rarg, ...rest } = node;
  visit(Object.values(rest), withs, found);
}

/** Conditions that must all hold. */
function conjuncts(condition: unknown): readonly Node[] {
  const { BoolExpr, A_Expr } = (condition ?? {}) as { BoolExpr?: Node; A_Expr?: Node };
  if (BoolExpr?.boolop === 'AND_EXPR') return (BoolExpr.args as unknown[]).flatMap(conjuncts);
  return A_Expr === undefined ? [] : [A_Expr];
}

/** The names of the tables whose account is a value, or that of a table whose account is. */
function namedAccounts(equalities: readonly Node[], named: readonly Named[]): ReadonlySet<string> {
  const known = new Set<string>();
  const pairs: [string, string][] = [];
  for (const { kind, name, lexpr, rexpr } of equalities) {
    const [operator] = name as { String: { sval: string } }[];
    if (kind !== 'AEXPR_OP' || operator?.String.sval !== '=') continue;
    const sides = [lexpr, rexpr].map(accountOf);
    const isValue = [lexpr, rexpr].some(isConstant);
    for (const side of sides) {
      // Without a name of a table it is of the only one that can be meant.
      if (side !== null && isValue)
        for (const one of side === '' ? named : [{ alias: side }]) known.add(one.alias);
    }
    if (sides[0] !== null && sides[1] !== null) pairs.push([sides[0]!, sides[1]!]);
  }
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const [one, other] of pairs) {
      if (known.has(one)) known.add(other);
      if (known.has(other)) known.add(one);
    }
  }
  return known;
}

/** The table whose `account_id` it is; empty where it is not said, null where it is something else. */
function accountOf(expression: unknown): string | null {
  const { ColumnRef } = (expression ?? {}) as { ColumnRef?: { fields: { String?: { sval: string } }[] } };
  const names = ColumnRef?.fields.map(({ String: text }) => text?.sval) ?? [];
  return names.at(-1) === 'account_id' ? (names.at(-2) ?? '') : null;
}

function isConstant(expression: unknown): boolean {
  const { A_Const, ParamRef, TypeCast } = (expression ?? {}) as Node;
  return (
    A_Const !== undefined ||
    ParamRef !== undefined ||
    (TypeCast !== undefined && isConstant((TypeCast as Node).arg))
  );
}
