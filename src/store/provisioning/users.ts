// A change of a user, made only at the revision that it was read at.

import sql, { raw, type Sql } from 'sql-template-tag';
import { addressOf, stateChange, type User } from '../../domain/provisioning/user.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { againIfTaken, type Db, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { replaceParts } from './name-parts.ts';
import { type TakenAttribute, taken } from './user-clashes.ts';
import { recordOf, replaceEmails, reversedKey, type UserRecord } from './user-record.ts';

export interface SaveUser extends ChangeStamp, UserRecord {
  readonly accountId: number;
  readonly id: number;
  readonly address: string;
  /** The revision that must still be there. */
  readonly revisionBefore: number;
  readonly isReaddressed: boolean;
  readonly isRenamed: boolean;
  readonly isRemailed: boolean;
  readonly action: string;
}

/** As `laterOf` of the domain: a change is never before the one it follows, whatever the clock says (D-180). */
export function laterSql(nowMs: number): Sql {
  return sql`case when modified_at > ${nowMs} then modified_at else ${nowMs} end`;
}

/** False when another writer was first: the user is no longer at the revision that was read (D-58). */
export function* saveUser(input: SaveUser, dialect: Dialect): Steps<boolean> {
  const { accountId, id, givenNameKey: given, familyNameKey: family } = input;
  if (input.isReaddressed) yield* refuseTaken(input);
  // What is not written now is right only if it was right before (D-93).
  const revisionOf = (column: string, isWritten: boolean): Sql =>
    isWritten
      ? sql`${input.revisionBefore + 1}`
      : sql`case when ${raw(column)} = ${input.revisionBefore} then revision + 1 else null end`;
  const { changed } = yield sql`
    update account_user
    set revision = ${input.revisionBefore + 1}, modified_at = ${laterSql(input.nowMs)},
      address = ${input.address},
      user_name_key = ${input.userNameKey}, given_name_key = ${given}, family_name_key = ${family},
      given_name_reversed = ${reversedKey(given)},
      family_name_reversed = ${reversedKey(family)},
      display_name_key = ${input.displayNameKey}, external_id = ${input.externalId}, active = ${input.active},
      keys_revision = ${revisionOf('keys_revision', input.isRemailed)},
      parts_revision = ${revisionOf('parts_revision', input.isRenamed)}, profile = ${input.profile}
    where account_id = ${accountId} and id = ${id} and revision = ${input.revisionBefore}`;
  if (changed === 0) return false;
  if (input.isRenamed) yield* replaceParts(dialect, accountId, [[id, input]]);
  if (input.isRemailed) yield* replaceEmails(accountId, id, input);
  yield auditStatement(input, { accountId, action: input.action, subject: `user ${id}` });
  return true;
}

function* refuseTaken({ accountId, id, userNameKey, address }: SaveUser): Steps<void> {
  const { rows } = yield sql`
    select 'userName' as taken
    from account_user
    where account_id = ${accountId} and user_name_key = ${userNameKey} and id <> ${id}
    union all
    select 'externalId'
    from account_user
    where account_id = ${accountId} and address = ${address} and id <> ${id}`;
  if (rows.length > 0) throw taken(rows.map((row) => row.taken as TakenAttribute));
}

/**
 * Keeps a changed user, unless another writer was first. A name that was taken between the look and the write
 * shows as a violation; looked at again, it is the ordinary refusal.
 */
export async function keepUser(db: Db, before: User, after: User, stamp: ChangeStamp): Promise<boolean> {
  const [old, record] = [recordOf(before), recordOf(after)];
  const input: SaveUser = {
    ...record,
    ...stamp,
    accountId: after.accountId,
    id: after.id,
    address: addressOf(after),
    revisionBefore: before.revision,
    isReaddressed: old.userNameKey !== record.userNameKey || addressOf(before) !== addressOf(after),
    isRenamed: old.givenNameKey !== record.givenNameKey || old.familyNameKey !== record.familyNameKey,
    isRemailed: old.emailKeys.join('\n') !== record.emailKeys.join('\n'),
    action: actions[stateChange(before, after) ?? 'changed'],
  };
  return againIfTaken(() => db.write(saveUser, input));
}

/** What the audit log calls a change (D-57). */
const actions = { suspended: 'user.suspend', reactivated: 'user.reactivate', changed: 'user.change' };
