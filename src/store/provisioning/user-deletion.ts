// A user who goes for good (RFC 7644 section 3.6): name and address are free again, personal data is gone, and the
// audit log remembers that and when. What is deleted here is not there on either face (D-94).

import sql from 'sql-template-tag';
import { adminProtected, type ByActor } from '../../domain/access/role-rules.ts';
import { noteAdminRefusal } from '../access/admin-refusals.ts';
import { demandAdmin, judgeUser } from '../access/admin-rules.ts';
import { forgetPerson } from '../access/people-end.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, type Steps, together } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { userEvent } from '../webhooks/user-events.ts';
import { holdGroups } from './group-lock.ts';
import { leaveEverywhere } from './groups.ts';
import { countInGuard, type Guarded } from './user-guard.ts';
import { blockOf, lockCounter } from './user-ids.ts';
import type { UserChange } from './user-saving.ts';

interface DeleteUser extends ChangeStamp, Guarded, ByActor {
  readonly accountId: number;
  readonly id: number;
  readonly revisionBefore: number;
}

/** What `removeUser` does in the store. */
export function* deleteUser(input: DeleteUser, dialect: Dialect): Steps<UserChange> {
  const { accountId, id, nowMs, guardPercent } = input;
  yield* dialect.overwriteDeleted();
  yield* lockCounter(accountId);
  yield* holdGroups(accountId);
  const verdict = yield* judgeUser(input, dialect);
  if (verdict === 'refused') {
    yield* noteAdminRefusal(input, 'delete');
    return 'refused';
  }
  const { rows } = yield sql`
    delete from account_user
    where account_id = ${accountId} and id = ${id} and revision = ${input.revisionBefore}
    returning guarded_at as "guardedAtMs"`;
  if (rows.length === 0) return 'otherRevision';
  const { guardedAtMs } = rows[0] as { readonly guardedAtMs: number | null };
  // The parts of its names went with it: the table sees to that itself, unless it is spread over machines.
  if (dialect.isSpread) yield dialect.nameParts.deleteOf(accountId, [id]);
  yield sql`delete from user_email where account_id = ${accountId} and user_id = ${id}`;
  yield* leaveEverywhere(accountId, id, nowMs);
  yield* forgetPerson(accountId, id);
  if (verdict === 'demandAdmin') yield* demandAdmin(accountId, dialect);
  yield sql`
    update user_block
    set users = users - 1
    where account_id = ${accountId} and block = ${blockOf(id)}`;
  yield* countInGuard({ accountId, id, nowMs, guardPercent, guardedAtMs, isDeletion: true });
  yield sql`update user_counter set total = total - 1 where account_id = ${accountId}`;
  yield together(
    auditStatement(input, { accountId, action: 'user.delete', subject: `user ${id}` }),
    userEvent(input, accountId, 'user.deleted', id),
  );
  return 'done';
}

/** Deletes a user; false when another writer was first. */
export async function removeUser(db: Db, input: DeleteUser): Promise<boolean> {
  const outcome = await db.write(deleteUser, input);
  if (outcome === 'refused') throw adminProtected(input.rights, 'user', []);
  return outcome === 'done';
}
