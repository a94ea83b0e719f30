// Keys that came later than the users. Rows of before this version, and rows that older code changed while replicas of
// both versions ran, have no keys or old ones; whoever searches by keys has them brought up to date first (D-93).

import sql, { type Sql } from 'sql-template-tag';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';
import { type Names, replaceParts } from './name-parts.ts';
import { recordOf, replaceEmails } from './user-record.ts';
import { type UserRow, userColumns, userOf } from './user-row.ts';

const refreshedAtOnce = 500;

interface RefreshUsers {
  readonly accountId: number;
}

/** How many rows were brought up to date; fewer than a whole batch means that none is left. */
export function* refreshUserKeys({ accountId }: RefreshUsers): Steps<number> {
  const { rows } = yield sql`
    select ${userColumns}
    from account_user
    where account_id = ${accountId} and (keys_revision is null or keys_revision <> revision)
    order by id
    limit ${limitOf(refreshedAtOnce)}`;
  for (const row of rows as unknown as readonly UserRow[]) {
    const record = recordOf(userOf(row));
    // A change that came between counts the revision on, and the row stays to be done.
    const { changed } = yield sql`
      update account_user
      set display_name_key = ${record.displayNameKey}, external_id = ${record.externalId},
        active = ${record.active}, keys_revision = revision
      where account_id = ${accountId} and id = ${row.id} and revision = ${row.revision}`;
    if (changed > 0) yield* replaceEmails(accountId, row.id, record);
  }
  return rows.length;
}

/** Brings the keys of all users of the account up to date. */
export function refreshKeys(db: Db, accountId: number, budget: WorkBudget): Promise<void> {
  return refreshAll(db, accountId, sql`keys_revision`, budget, () =>
    db.write(refreshUserKeys, { accountId }),
  );
}

/** The same for the parts of names, which came later still: many at once, because whole accounts lack them. */
export function* refreshUserParts({ accountId }: RefreshUsers, dialect: Dialect): Steps<number> {
  // The rows stay locked to the commit, so that nobody is renamed between the look and the write.
  const { rows } = yield sql`
    update account_user
    set parts_revision = revision
    where account_id = ${accountId} and id in (
      select id
      from account_user
      where account_id = ${accountId} and (parts_revision is null or parts_revision <> revision)
      order by id
      limit ${limitOf(refreshedAtOnce)}
    )
    returning id, given_name_key as "givenNameKey", family_name_key as "familyNameKey"`;
  if (rows.length === 0) return 0;
  const users = (rows as unknown as readonly ({ id: number } & Names)[]).map((row) => [row.id, row] as const);
  yield* replaceParts(dialect, accountId, users);
  return rows.length;
}

/** Brings the parts of the names of all users of the account up to date. */
export function refreshParts(db: Db, accountId: number, budget: WorkBudget): Promise<void> {
  return refreshAll(db, accountId, sql`parts_revision`, budget, () =>
    db.write(refreshUserParts, { accountId }),
  );
}

/** An account that lacks very many is done in as many requests as it takes: what was written stays written. */
async function refreshAll(
  db: Db,
  accountId: number,
  writtenAt: Sql,
  budget: WorkBudget,
  refreshSome: () => Promise<number>,
): Promise<void> {
  // In an order, because PostgreSQL takes nearly all users to be stale, and would look through them for any one.
  const [stale] = await db.read(sql`
    select id
    from account_user
    where account_id = ${accountId} and (${writtenAt} is null or ${writtenAt} <> revision)
    order by id
    limit 1`);
  if (stale === undefined) return;
  for (let done = refreshedAtOnce; done >= refreshedAtOnce; ) {
    await budget.pause();
    done = await refreshSome();
    budget.spend(done);
  }
}
