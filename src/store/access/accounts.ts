// The accounts of the store as an operator sees them. What they measure is in the catalogue (store/feedback).

import sql from 'sql-template-tag';
import { type AccountLimits, limitNames } from '../../domain/access/account.ts';
import { fold } from '../../domain/fold.ts';
import { Problem } from '../../domain/problem.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { limitsOf } from './clients.ts';

export interface ListedAccount {
  readonly id: number;
  readonly name: string;
  readonly createdAtMs: number;
  readonly apiClients: number;
  readonly provisioningTokens: number;
}

const pageSize = 1_000;

const listedColumns = sql`id, name, created_at as "createdAtMs",
  (select count(*) from api_client where api_client.account_id = account.id) as "apiClients",
  (select count(*) from provisioning_token where provisioning_token.account_id = account.id) as "provisioningTokens"`;

/** All of them, in the order of their ids. */
export async function listAccounts(db: Db): Promise<readonly ListedAccount[]> {
  const accounts: ListedAccount[] = [];
  for (;;) {
    const page = await accountsBehind(db, { after: accounts.at(-1)?.id ?? 0, take: pageSize });
    accounts.push(...page);
    if (page.length < pageSize) return accounts;
  }
}

/** The ids of all of them, in their order. */
export async function accountIds(db: Db): Promise<readonly number[]> {
  const ids: number[] = [];
  for (;;) {
    const page = await db.read<{ id: number }>(sql`
      select id
      from account
      where id > ${ids.at(-1) ?? 0} and removed_at is null
      order by id
      limit ${limitOf(pageSize)}`);
    for (const { id } of page) ids.push(id);
    if (page.length < pageSize) return ids;
  }
}

/** Some of them behind an id, in the order of their ids. */
export function accountsBehind(
  db: Db,
  { after, take }: { readonly after: number; readonly take: number },
): Promise<readonly ListedAccount[]> {
  return db.read<ListedAccount>(sql`
    select ${listedColumns}
    from account
    where id > ${after} and removed_at is null
    order by id
    limit ${limitOf(take)}`);
}

// Accounts that are looked at in one statement, and statements for one page.
const searchSlice = 1_000;
const searchSlices = 100;

/** Some of those behind an id whose name has a text in it, or whose id begins with it, in the order of their ids. */
export async function accountsLike(
  db: Db,
  text: string,
  { after, take }: { readonly after: number; readonly take: number },
): Promise<readonly ListedAccount[]> {
  const wanted = fold(text);
  const found: number[] = [];
  let last = after;
  for (let slice = 0; slice < searchSlices && found.length < take; slice += 1) {
    const rows = await db.read<{ id: number; name: string }>(sql`
      select id, name
      from account
      where id > ${last} and removed_at is null
      order by id
      limit ${limitOf(searchSlice)}`);
    for (const { id, name } of rows)
      if (found.length < take && (fold(name).includes(wanted) || String(id).startsWith(wanted)))
        found.push(id);
    if (rows.length < searchSlice) break;
    last = rows.at(-1)!.id;
  }
  if (found.length === 0) return [];
  return db.read<ListedAccount>(sql`
    select ${listedColumns}
    from account
    where ${db.dialect.isAmong(sql`id`, found, 'integer')} and removed_at is null
    order by id
    limit ${limitOf(take)}`);
}

export interface AccountFigures {
  readonly measures: number;
  readonly projects: number;
  readonly responses: number;
  readonly users: number;
}

/** One statement, each part of which names the account (D-222). */
export async function accountFigures(db: Db, accountId: number): Promise<AccountFigures> {
  const ofAccount = sql`account_id = ${accountId}`;
  const [row] = await db.read<AccountFigures>(sql`
    select (select count(*) from source where ${ofAccount} and kind = 'measure') as measures,
      (select count(*) from source where ${ofAccount} and kind = 'project') as projects,
      (select cast(coalesce(sum(last_seq), 0) as bigint) from log_counter where ${ofAccount}) as responses,
      (select cast(coalesce(sum(total), 0) as bigint) from user_counter where ${ofAccount}) as users`);
  return row ?? { measures: 0, projects: 0, responses: 0, users: 0 };
}

/** Null where there is no such account, or none any more. */
export async function accountName(db: Db, accountId: number): Promise<string | null> {
  const [row] = await db.read<{ name: string }>(
    sql`select name from account where id = ${accountId} and removed_at is null`,
  );
  return row?.name ?? null;
}

export interface CreateAccount extends ChangeStamp {
  readonly accountId: number;
  readonly name: string;
}

/** False when there is such an account already, which stays as it is. */
export function* createAccount(input: CreateAccount): Steps<boolean> {
  const { accountId, name, nowMs } = input;
  // A catalogue that was compared before this must be compared again (D-47).
  yield sql`update catalogue_generation set generation = generation + 1 where id = 1`;
  const { changed } = yield sql`
    insert into account (id, name, created_at)
    values (${accountId}, ${name}, ${nowMs})
    on conflict (id) do nothing`;
  if (changed === 0) return false;
  yield auditStatement(input, { accountId, action: 'account.create', subject: `account ${accountId}` });
  return true;
}

/** The limits that an account has of its own; undefined where there is no such account. */
export async function accountLimits(db: Db, accountId: number): Promise<AccountLimits | null | undefined> {
  const [row] = await db.read<{ limits: string | null }>(
    sql`select limits from account where id = ${accountId}`,
  );
  return row === undefined ? undefined : limitsOf(row.limits);
}

/** Undefined where there is no such account, or none any more. */
export async function findAccount(
  db: Db,
  accountId: number,
): Promise<{ readonly name: string; readonly limits: AccountLimits | null } | undefined> {
  const [row] = await db.read<{ name: string; limits: string | null }>(
    sql`select name, limits from account where id = ${accountId} and removed_at is null`,
  );
  return row === undefined ? undefined : { name: row.name, limits: limitsOf(row.limits) };
}

export interface ChangeAccount extends ChangeStamp {
  readonly accountId: number;
  readonly name?: string;
  /** All of them, null where it has none of its own; left out, they stay. */
  readonly limits?: AccountLimits | null;
}

/** Callers are held to other limits within seconds, as replicas look at clients anew. */
export function* changeAccount(input: ChangeAccount): Steps<void> {
  const { accountId, name, limits } = input;
  // A catalogue that was compared before this must be compared again (D-47).
  yield sql`update catalogue_generation set generation = generation + 1 where id = 1`;
  const { rows } = yield sql`
    select name, limits
    from account
    where id = ${accountId} and removed_at is null`;
  const row = rows[0] as { name: string; limits: string | null } | undefined;
  if (row === undefined) throw new Problem('ACCOUNT_NOT_FOUND', `There is no account ${accountId}.`);
  const before = limitsOf(row.limits);
  const after = limits === undefined ? before : limits;
  const changed = [
    ...(name === undefined || name === row.name ? [] : ['name']),
    ...limitNames.filter((one) => before?.[one] !== after?.[one]).map((one) => `limits.${one}`),
  ];
  if (changed.length === 0) return;
  const kept = after === null || Object.keys(after).length === 0 ? null : JSON.stringify(after);
  yield sql`update account set name = ${name ?? row.name}, limits = ${kept} where id = ${accountId}`;
  yield auditStatement(input, {
    accountId,
    action: 'account.change',
    subject: `account ${accountId}`,
    details: { attributes: changed },
  });
}
