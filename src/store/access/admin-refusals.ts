// Suspensions and deletions of admins that were refused because whoever asked may not change admins. Each stays until it is
// done, until the provider takes it back, or until an admin or operator drops it (D-814). A user has two at most, however often
// a provider repeats itself.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { type RefusedAct, refusedActs } from '../../domain/access/refused-act.ts';
import { adminsOnly, type ByActor } from '../../domain/access/role-rules.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { carriesAdmin, holdsAdmin } from './admin-rules.ts';

interface UserChange extends ChangeStamp {
  readonly accountId: number;
  readonly id: number;
}

/** The audit log has the first of those that repeat. */
export function* noteAdminRefusal(input: UserChange, act: RefusedAct): Steps<void> {
  const { accountId, id, actor, nowMs } = input;
  const { rows } = yield sql`
    insert into admin_refusal (account_id, user_id, act, actor, first_at, last_at, times)
    values (${accountId}, ${id}, ${act}, ${actor}, ${nowMs}, ${nowMs}, 1)
    on conflict (account_id, user_id, act) do update
    set actor = excluded.actor, last_at = excluded.last_at, times = admin_refusal.times + 1
    returning times`;
  if (Number(rows[0]?.times) > 1) return;
  yield auditStatement(input, {
    accountId,
    action: 'user.protect',
    subject: `user ${id}`,
    details: auditNote('refusedAct', { act }),
  });
}

/** What was refused has been done, or whoever asked for it says the contrary. */
export function settledRefusals(
  accountId: number,
  userId: number,
  { act, actor }: { readonly act?: RefusedAct; readonly actor?: string } = {},
): Sql {
  return sql`
    delete from admin_refusal
    where account_id = ${accountId} and user_id = ${userId}
      ${act === undefined ? sql`` : sql`and act = ${act}`}
      ${actor === undefined ? sql`` : sql`and actor = ${actor}`}`;
}

/** A provider says of a user who is active that they are. Running it twice does no harm. */
export function* withdrawRefusals(input: {
  readonly accountId: number;
  readonly userId: number;
  readonly actor: string;
}): Steps<void> {
  yield settledRefusals(input.accountId, input.userId, { actor: input.actor });
}

/** How many were open. */
export function* dropRefusals(
  input: ChangeStamp & ByActor & { readonly accountId: number; readonly userId: number },
): Steps<number> {
  const { accountId, userId, rights } = input;
  if (!rights.mayChangeAdmins) throw adminsOnly('To drop what was refused for an admin');
  const { changed } = yield settledRefusals(accountId, userId);
  if (changed > 0)
    yield auditStatement(input, { accountId, action: 'user.protect.drop', subject: `user ${userId}` });
  return changed;
}

export interface AdminRefusal {
  readonly accountId: number;
  readonly userId: number;
  readonly act: RefusedAct;
  /** Who asked for it last. */
  readonly actor: string;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly times: number;
}

const columns = sql`account_id as "accountId", user_id as "userId", act, actor, first_at as "firstAtMs",
  last_at as "lastAtMs", times`;

/** Of a user who is admin still: anybody else can be suspended and deleted. */
export function refusalsOfUser(db: Db, accountId: number, userId: number): Promise<readonly AdminRefusal[]> {
  return db.read<AdminRefusal>(sql`
    select ${columns}
    from admin_refusal
    where account_id = ${accountId} and user_id = ${userId}
      and exists (${carriesAdmin(accountId, { kind: 'user', id: userId })})
    order by act
    limit ${limitOf(refusedActs.length)}`);
}

// Of those who are admin no longer it is not told.
const lookedAt = 100;

/** Of all accounts, the newest first. */
export async function openRefusals(db: Db, take: number): Promise<readonly AdminRefusal[]> {
  const rows = await db.read<AdminRefusal>(sql`
    select ${columns}
    from admin_refusal
    order by first_at desc, account_id, user_id, act
    limit ${limitOf(lookedAt)}`);
  const open: AdminRefusal[] = [];
  for (const refusal of rows) {
    if (open.length === take) break;
    if (await holdsAdmin(db, refusal.accountId, refusal.userId)) open.push(refusal);
  }
  return open;
}
