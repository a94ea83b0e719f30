// Saving a changed user, suspended ones too: only at the revision that it was read at, with its entry in the audit log.
// New users are written by new-users.ts, and user-deletion.ts deletes them.

import sql, { raw, type Sql } from 'sql-template-tag';
import { adminProtected, type ByActor, type ProtectedAttribute } from '../../domain/access/role-rules.ts';
import { fold } from '../../domain/fold.ts';
import { addressOf, type Profile, stateChange, type User } from '../../domain/provisioning/user.ts';
import { asValues, isList } from '../../domain/provisioning/value.ts';
import { eventOfUserChange } from '../../domain/webhooks/event-types.ts';
import { changedAttributes } from '../../scim/explain.ts';
import { noteAdminRefusal, settledRefusals } from '../access/admin-refusals.ts';
import { type AdminVerdict, demandAdmin, judgeUser, rememberedExternalId } from '../access/admin-rules.ts';
import { endedSessions } from '../access/people-end.ts';
import { auditStatement, type ChangeStamp, namedMax } from '../engine/audit.ts';
import { againIfTaken, type Db, type Steps, together } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { userEvent } from '../webhooks/user-events.ts';
import { holdGroups } from './group-lock.ts';
import { replaceParts } from './name-parts.ts';
import { laterSql } from './resource-row.ts';
import { type TakenAttribute, taken } from './user-clashes.ts';
import { countInGuard, type Guarded } from './user-guard.ts';
import { recordOf, replaceEmails, reversedKey, type UserRecord } from './user-record.ts';

interface UpdateUser extends ChangeStamp, UserRecord, Guarded, ByActor {
  readonly accountId: number;
  readonly id: number;
  readonly address: string;
  /** The revision that must still be there. */
  readonly revisionBefore: number;
  readonly hasNewAddress: boolean;
  readonly hasNewName: boolean;
  readonly hasNewEmails: boolean;
  readonly action: string;
  readonly isSuspension: boolean;
  /** Whether whoever asks has said that the user is active, rather than left it. */
  readonly saysActive: boolean;
  /** What changes of that which is kept from those who may not change admins. */
  readonly protectedAttributes: readonly ProtectedAttribute[];
  /** The names of what changed, for the audit log. */
  readonly attributes: readonly string[];
}

/**
 * What became of a change. `otherRevision`: the user is no longer at the one that was read, and nothing has changed (D-58).
 * `refused`: nothing of the user has changed, because they are an admin (D-810).
 */
export type UserChange = 'done' | 'otherRevision' | 'refused';

/** What `saveUser` does in the store. */
export function* updateUser(input: UpdateUser, dialect: Dialect): Steps<UserChange> {
  const { accountId, id, givenNameKey: given, familyNameKey: family } = input;
  // A change of the console holds what changes of roles hold, so that of two admins who suspend each other one stays.
  if (input.rights.face === 'console') yield* holdGroups(accountId);
  const verdict: AdminVerdict =
    input.protectedAttributes.length === 0 ? 'free' : yield* judgeUser(input, dialect);
  if (verdict === 'refused') {
    // What is refused stays as it is; that it was asked for is kept.
    if (input.isSuspension) yield* noteAdminRefusal(input, 'suspend');
    return 'refused';
  }
  if (input.hasNewAddress) yield* refuseTaken(input);
  // What is not written now is right only if it was right before (D-93).
  const revisionOf = (column: string, isWritten: boolean): Sql =>
    isWritten
      ? sql`${input.revisionBefore + 1}`
      : sql`case when ${raw(column)} = ${input.revisionBefore} then revision + 1 else null end`;
  const { rows } = yield sql`
    update account_user
    set revision = ${input.revisionBefore + 1}, modified_at = ${laterSql(input.nowMs)},
      address = ${input.address},
      user_name_key = ${input.userNameKey}, given_name_key = ${given}, family_name_key = ${family},
      given_name_reversed = ${reversedKey(given)},
      family_name_reversed = ${reversedKey(family)},
      display_name_key = ${input.displayNameKey}, external_id = ${input.externalId}, active = ${input.active},
      keys_revision = ${revisionOf('keys_revision', input.hasNewEmails)},
      parts_revision = ${revisionOf('parts_revision', input.hasNewName)}, profile = ${input.profile}
    where account_id = ${accountId} and id = ${id} and revision = ${input.revisionBefore}
    returning guarded_at as "guardedAtMs"`;
  if (rows.length === 0) return 'otherRevision';
  if (verdict === 'demandAdmin') yield* demandAdmin(accountId, dialect);
  if (input.hasNewName) yield* replaceParts(dialect, accountId, [[id, input]]);
  if (input.hasNewEmails) yield* replaceEmails(accountId, id, input);
  const { action, attributes, isSuspension, nowMs, guardPercent } = input;
  yield together(
    auditStatement(input, { accountId, action, subject: `user ${id}`, details: { attributes } }),
    userEvent(input, accountId, eventOfUserChange(input), id),
    ...(isSuspension
      ? [endedSessions(accountId, id), settledRefusals(accountId, id, { act: 'suspend' })]
      : []),
    ...(input.saysActive ? [settledRefusals(accountId, id, { actor: input.actor })] : []),
    // Of anybody else it is no admin's, or becomes one's meanwhile, who then rests (D-815).
    ...(input.rights.mayChangeAdmins && input.protectedAttributes.includes('externalId')
      ? [rememberedExternalId(accountId, id, input.externalId)]
      : []),
  );
  if (isSuspension) {
    const { guardedAtMs } = rows[0] as { readonly guardedAtMs: number | null };
    yield* countInGuard({ accountId, id, nowMs, guardPercent, guardedAtMs, isDeletion: false });
  }
  return 'done';
}

function* refuseTaken({ accountId, id, userNameKey, address }: UpdateUser): Steps<void> {
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
 * Saves a changed user; false when another writer was first. A name that was taken between the look and the write
 * shows as a violation; looked at again, it is the ordinary refusal.
 */
export async function saveUser(
  db: Db,
  before: User,
  after: User,
  { saysActive = false, ...stamp }: ChangeStamp & Guarded & ByActor & { readonly saysActive?: boolean },
): Promise<boolean> {
  const [old, record] = [recordOf(before), recordOf(after)];
  const state = stateChange(before, after);
  const input: UpdateUser = {
    ...record,
    ...stamp,
    accountId: after.accountId,
    id: after.id,
    address: addressOf(after),
    revisionBefore: before.revision,
    hasNewAddress: old.userNameKey !== record.userNameKey || addressOf(before) !== addressOf(after),
    hasNewName: old.givenNameKey !== record.givenNameKey || old.familyNameKey !== record.familyNameKey,
    hasNewEmails: old.emailKeys.join('\n') !== record.emailKeys.join('\n'),
    action: actions[state ?? 'changed'],
    isSuspension: state === 'suspended',
    saysActive: saysActive && after.profile.active,
    protectedAttributes: protectedChanges(before, after),
    attributes: changedAttributes(before.profile, after.profile).slice(0, namedMax),
  };
  const outcome = await againIfTaken(() => db.write(updateUser, input));
  if (outcome === 'refused') throw adminProtected(stamp.rights, 'user', input.protectedAttributes);
  return outcome === 'done';
}

/**
 * What the user signs in by, is reached by, or is let in by, as far as it changes. A provider sends the same again and again,
 * in another case or order: that changes nothing.
 */
function protectedChanges(before: User, after: User): readonly ProtectedAttribute[] {
  const [was, is] = [before.profile, after.profile];
  const attributes: readonly (readonly [ProtectedAttribute, boolean])[] = [
    ['externalId', was.externalId !== is.externalId],
    ['userName', fold(was.userName) !== fold(is.userName)],
    ['active', was.active !== is.active],
    ['emails', mailAddresses(was) !== mailAddresses(is)],
  ];
  return attributes.flatMap(([name, isChanged]) => (isChanged ? [name] : []));
}

function mailAddresses({ emails }: Profile): string {
  if (!isList(emails)) return '[]';
  const values = emails.map((element) => asValues(element).value);
  const folded = values.map((value) => (typeof value === 'string' ? fold(value) : ''));
  return JSON.stringify([...new Set(folded)].toSorted());
}

/** What the audit log calls a change; setting `active` to false is a suspension, by PATCH, PUT or command alike (D-57). */
const actions = { suspended: 'user.suspend', reactivated: 'user.reactivate', changed: 'user.change' };
