// The accounts of the store as an operator sees them. What they measure is in the catalogue (store/feedback).

import sql from 'sql-template-tag';
import type { AccountLimits } from '../../domain/access/account.ts';
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
    select id, name, created_at as "createdAtMs",
      (select count(*) from api_client where api_client.account_id = account.id) as "apiClients",
      (select count(*) from provisioning_token where provisioning_token.account_id = account.id)
        as "provisioningTokens"
    from account
    where id > ${after} and removed_at is null
    order by id
    limit ${limitOf(take)}`);
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
