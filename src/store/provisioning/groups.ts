// The groups of an account: kept by row, their members by rows of their own. A transaction that changes a group holds the
// account's counter row of groups to the commit, so that changes of one membership never cross, and no user
// joins a group while that user is being deleted (D-99).

import sql from 'sql-template-tag';
import { adminProtected, type ByActor } from '../../domain/access/role-rules.ts';
import { fold } from '../../domain/fold.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import type { Group, GroupProfile, Member } from '../../domain/provisioning/group.ts';
import { groupKeysOf } from '../../domain/provisioning/group.ts';
import { changedAttributes } from '../../scim/explain.ts';
import type { MemberStep } from '../../scim/members.ts';
import { asksForAdmins, carriesAdmin, demandAdmin, judgeGroup, verdictOn } from '../access/admin-rules.ts';
import { forgetRoles } from '../access/people-end.ts';
import {
  type AuditDetails,
  auditStatement,
  type ChangedMembers,
  type ChangeStamp,
  changedMembers,
  namedMax,
} from '../engine/audit.ts';
import { againIfTaken, type Db, insertInto, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { holdGroups } from './group-lock.ts';
import { laterSql, type ResourceRow, resourceFields } from './resource-row.ts';
import { lockCounter, takeId } from './user-ids.ts';

export interface GroupRow extends ResourceRow {
  readonly members: number;
}

export const groupColumns = sql`
  user_group.account_id, user_group.id, user_group.revision, user_group.created_at, user_group.modified_at,
  user_group.members, user_group.profile`;

export function groupOf(row: GroupRow): Group {
  return resourceFields<GroupProfile>(row);
}

/** A group and how many members it has, which is known without reading them. */
export interface CountedGroup {
  readonly group: Group;
  readonly memberCount: number;
}

export async function findGroup(db: Db, accountId: number, id: number | null): Promise<Group | null> {
  return (await findCountedGroup(db, accountId, id))?.group ?? null;
}

export async function findCountedGroup(
  db: Db,
  accountId: number,
  id: number | null,
): Promise<CountedGroup | null> {
  if (id === null) return null;
  const [row] = await db.read<GroupRow>(sql`
    select ${groupColumns}
    from user_group
    where account_id = ${accountId} and id = ${id}`);
  return row === undefined ? null : { group: groupOf(row), memberCount: row.members };
}

/** Names differ beyond their case, so that one group at most has it. */
export async function findGroupByName(db: Db, accountId: number, name: string): Promise<Group | null> {
  const [row] = await db.read<GroupRow>(sql`
    select ${groupColumns}
    from user_group
    where account_id = ${accountId} and display_name_key = ${fold(name)}`);
  return row === undefined ? null : groupOf(row);
}

interface GroupRecord {
  readonly displayNameKey: string;
  readonly externalId: string | null;
  readonly profile: string;
}

function groupRecordOf(group: Group): GroupRecord {
  return { ...groupKeysOf(group), profile: JSON.stringify(group.profile) };
}

// ---- Create

export interface CreateGroup extends ChangeStamp, GroupRecord {
  readonly accountId: number;
  readonly members: readonly Member[];
}

export function* createGroup(input: CreateGroup, dialect: Dialect): Steps<number> {
  const { accountId, members } = input;
  const counter = yield* lockCounter(accountId);
  yield* holdGroups(accountId);
  yield* refuseTaken(accountId, 0, input);
  const id = yield* takeId(dialect, accountId, counter);
  yield sql`
    update user_counter
    set next_id = ${counter.nextId}, end_id = ${counter.endId}
    where account_id = ${accountId}`;
  yield sql`
    insert into user_group (account_id, id, revision, created_at, modified_at, display_name_key, external_id,
      members, profile)
    values (${accountId}, ${id}, 1, ${input.nowMs}, ${input.nowMs}, ${input.displayNameKey}, ${input.externalId},
      0, ${input.profile})`;
  const joined = yield* join(dialect, accountId, id, members);
  if (joined.length > 0) {
    yield sql`update user_group set members = ${joined.length} where account_id = ${accountId} and id = ${id}`;
  }
  yield sql`update group_counter set total = total + 1 where account_id = ${accountId}`;
  yield note(input, accountId, 'group.create', id, { joined: changedMembers(joined.length, joined) });
  return id;
}

// ---- Change

export interface UpdateGroup extends ChangeStamp, GroupRecord, ByActor {
  readonly accountId: number;
  readonly id: number;
  /** The revision that must still be there; null where what is said of members holds at any. */
  readonly revisionBefore: number | null;
  /** Whether the group itself changes, or must count on in any case (D-82). */
  readonly isChanged: boolean;
  readonly isRenamed: boolean;
  readonly members: readonly PlainStep[];
  /** The names of what changed in the group itself, for the audit log. */
  readonly attributes: readonly string[];
}

/** A step that says ids only: conditions have been turned into ids by then (see `http/provisioning/member-steps.ts`). */
export type PlainStep = Exclude<MemberStep, { kind: 'removeWhere' }>;

export type UpdatedGroup =
  | { readonly outcome: 'gone' | 'otherRevision' }
  | { readonly outcome: 'saved'; readonly revision: number; readonly modifiedMs: number };

export function* updateGroup(input: UpdateGroup, dialect: Dialect): Steps<UpdatedGroup> {
  const { accountId, id, revisionBefore } = input;
  yield* holdGroups(accountId);
  const { rows } = yield sql`
    select revision, modified_at,
      case when exists (${carriesAdmin(accountId, { kind: 'group', id })}) then 1 else 0 end as carries_admin
    from user_group
    where account_id = ${accountId} and id = ${id}`;
  const [before] = rows as unknown as (Pick<GroupRow, 'revision' | 'modified_at'> & {
    carries_admin: number;
  })[];
  if (before === undefined) return { outcome: 'gone' };
  if (revisionBefore !== null && before.revision !== revisionBefore) return { outcome: 'otherRevision' };
  const verdict = asksForAdmins(input)
    ? yield* verdictOn(input, before.carries_admin === 1, dialect)
    : 'free';
  // People are refused whatever they change of it; a provider may rename it (D-811).
  if (verdict === 'refused' && input.rights.face === 'console')
    throw adminProtected(input.rights, 'group', ['members']);
  if (input.isRenamed) yield* refuseTaken(accountId, id, input);
  const joined: number[] = [];
  const left = { count: 0, ids: [] as number[] };
  for (const [at, step] of input.members.entries()) {
    if (step.kind === 'clear') {
      const next = input.members[at + 1];
      // Members who are to be there afterwards need not leave first.
      const staying = next?.kind === 'change' ? next.add.map((member) => member.id) : [];
      const { count, ids } = yield* leaveBut(dialect, accountId, id, staying);
      left.count += count;
      left.ids.push(...ids);
      continue;
    }
    const removed = yield* leave(dialect, accountId, id, step.remove);
    left.count += removed.length;
    left.ids.push(...removed.slice(0, namedMax));
    for (const member of yield* join(dialect, accountId, id, step.add)) joined.push(member);
  }
  if (verdict === 'refused' && joined.length + left.count > 0)
    throw adminProtected(input.rights, 'group', ['members']);
  if (verdict === 'demandAdmin' && left.count > 0) yield* demandAdmin(accountId, dialect);
  if (joined.length + left.count === 0 && !input.isChanged) {
    return { outcome: 'saved', revision: before.revision, modifiedMs: before.modified_at };
  }
  const itself = input.isChanged
    ? sql`, display_name_key = ${input.displayNameKey}, external_id = ${input.externalId}, profile = ${input.profile}`
    : sql``;
  yield sql`
    update user_group
    set revision = revision + 1, modified_at = ${laterSql(input.nowMs)},
      members = members + ${joined.length - left.count} ${itself}
    where account_id = ${accountId} and id = ${id}`;
  yield note(input, accountId, 'group.change', id, {
    attributes: input.attributes,
    joined: changedMembers(joined.length, joined),
    left: changedMembers(left.count, left.ids),
  });
  const modifiedMs = Math.max(before.modified_at, input.nowMs);
  return { outcome: 'saved', revision: before.revision + 1, modifiedMs };
}

/** Who joined and was not there before; all of them must exist, and be what they are said to be (D-140). */
function* join(
  dialect: Dialect,
  accountId: number,
  groupId: number,
  members: readonly Member[],
): Steps<readonly number[]> {
  if (members.length === 0) return [];
  const ids = members.map(({ id }) => id);
  const { rows: known } = yield sql`
    select id, 0 as is_group
    from account_user
    where account_id = ${accountId} and ${dialect.isAmong(sql`id`, ids, 'integer')}
    union all
    select id, 1
    from user_group
    where account_id = ${accountId} and ${dialect.isAmong(sql`id`, ids, 'integer')}`;
  const kinds = new Map(known.map((row) => [row.id as number, Number(row.is_group)]));
  refuseUnknown(members, kinds);
  const { rows: there } = yield sql`
    select member_id
    from group_member
    where account_id = ${accountId} and group_id = ${groupId}
      and ${dialect.isAmong(sql`member_id`, ids, 'integer')}`;
  const present = new Set(there.map((row) => row.member_id as number));
  const joining = ids.filter((id) => !present.has(id));
  if (joining.length === 0) return [];
  yield insertInto('group_member', joining, {
    account_id: ['integer', () => accountId],
    group_id: ['integer', () => groupId],
    member_id: ['integer', (id) => id],
    is_group: ['integer', (id) => kinds.get(id)!],
  });
  return joining;
}

const namedAtMost = 20;

function refuseUnknown(members: readonly Member[], kinds: ReadonlyMap<number, number>): void {
  const details = members.flatMap(({ id, type }): Fault[] => {
    const kind = kinds.get(id);
    const said = type === null ? kind : type === 'Group' ? 1 : 0;
    if (kind !== undefined && kind === said) return [];
    const message =
      kind === undefined
        ? `No user or group has the id "${id}".`
        : `"${id}" is the id of a ${kind === 1 ? 'group' : 'user'}.`;
    return [{ field: 'members', code: 'UNKNOWN', message }];
  });
  if (details.length === 0) return;
  throw new Problem('INVALID_VALUE', 'Not all members can join.', { details: details.slice(0, namedAtMost) });
}

/** Who left of these. */
function* leave(
  dialect: Dialect,
  accountId: number,
  groupId: number,
  ids: readonly number[],
): Steps<readonly number[]> {
  if (ids.length === 0) return [];
  const { rows } = yield sql`
    delete from group_member
    where account_id = ${accountId} and group_id = ${groupId}
      and ${dialect.isAmong(sql`member_id`, ids, 'integer')}
    returning member_id`;
  return rows.map((row) => row.member_id as number);
}

/** How many left, and the first of them: all members of a large group need not be told. */
function* leaveBut(
  dialect: Dialect,
  accountId: number,
  groupId: number,
  staying: readonly number[],
): Steps<ChangedMembers> {
  const others =
    staying.length === 0 ? sql`` : sql`and not (${dialect.isAmong(sql`member_id`, staying, 'integer')})`;
  const { rows } = yield sql`
    select member_id
    from group_member
    where account_id = ${accountId} and group_id = ${groupId} ${others}
    order by member_id
    limit ${limitOf(namedMax)}`;
  if (rows.length === 0) return { count: 0, ids: [] };
  const { changed } = yield sql`
    delete from group_member
    where account_id = ${accountId} and group_id = ${groupId} ${others}`;
  return { count: changed, ids: rows.map((row) => row.member_id as number) };
}

// ---- Delete

export interface DeleteGroup extends ChangeStamp, ByActor {
  readonly accountId: number;
  readonly id: number;
  readonly revisionBefore: number;
}

/** False when the group is no longer at the revision that was read. */
export function* deleteGroup(input: DeleteGroup, dialect: Dialect): Steps<boolean> {
  const { accountId, id } = input;
  yield* holdGroups(accountId);
  const verdict = yield* judgeGroup(input, dialect);
  if (verdict === 'refused') throw adminProtected(input.rights, 'group', []);
  const { changed } = yield sql`
    delete from user_group
    where account_id = ${accountId} and id = ${id} and revision = ${input.revisionBefore}`;
  if (changed === 0) return false;
  yield sql`delete from group_member where account_id = ${accountId} and group_id = ${id}`;
  yield* leaveEverywhere(accountId, id, input.nowMs);
  yield* forgetRoles(accountId, 'group', id);
  if (verdict === 'demandAdmin') yield* demandAdmin(accountId, dialect);
  yield sql`update group_counter set total = total - 1 where account_id = ${accountId}`;
  yield note(input, accountId, 'group.delete', id);
  return true;
}

/** Takes a user or group out of all groups; each of them counts it as a change. */
export function* leaveEverywhere(accountId: number, memberId: number, nowMs: number): Steps<void> {
  yield sql`
    update user_group
    set revision = revision + 1, modified_at = ${laterSql(nowMs)},
      members = members - 1
    where account_id = ${accountId} and id in (
      select group_id
      from group_member
      where account_id = ${accountId} and member_id = ${memberId}
    )`;
  yield sql`delete from group_member where account_id = ${accountId} and member_id = ${memberId}`;
}

// ---- What they share

/** Only the name is one group's alone: nothing is addressed by the externalId of a group (D-96). */
function* refuseTaken(accountId: number, id: number, { displayNameKey }: GroupRecord): Steps<void> {
  const { rows } = yield sql`
    select 1 as taken
    from user_group
    where account_id = ${accountId} and display_name_key = ${displayNameKey} and id <> ${id}`;
  if (rows.length === 0) return;
  const message = 'Another group of the account has this displayName.';
  throw new Problem('GROUP_NAME_TAKEN', message, {
    details: [{ field: 'displayName', code: 'TAKEN', message }],
  });
}

function note(stamp: ChangeStamp, accountId: number, action: string, id: number, details: AuditDetails = {}) {
  return auditStatement(stamp, { accountId, action, subject: `group ${id}`, details });
}

/** Saves a new group, and gives it back with the id that the store gave it. */
export async function addGroup(
  db: Db,
  group: Group,
  members: readonly Member[],
  stamp: ChangeStamp,
): Promise<Group> {
  const { accountId } = group;
  const input = { ...groupRecordOf(group), ...stamp, accountId, members };
  return { ...group, id: await againIfTaken(() => db.write(createGroup, input)) };
}

export interface PendingGroupChange {
  readonly before: Group;
  readonly after: Group;
  readonly members: readonly PlainStep[];
  /** Whether the change was decided by what the group was, so that it holds only at that revision. */
  readonly isBound: boolean;
}

/** Saves a changed group; null when it is no longer at the revision that the change was decided at, or gone. */
export async function saveGroup(
  db: Db,
  pending: PendingGroupChange,
  stamp: ChangeStamp & ByActor,
): Promise<Group | null> {
  const { before, after, members, isBound } = pending;
  const [old, record] = [groupRecordOf(before), groupRecordOf(after)];
  const isChanged = before !== after;
  const input: UpdateGroup = {
    ...record,
    ...stamp,
    accountId: before.accountId,
    id: before.id,
    revisionBefore: isBound || isChanged ? before.revision : null,
    isChanged,
    isRenamed: old.displayNameKey !== record.displayNameKey,
    members,
    attributes: changedAttributes({ ...before.profile }, { ...after.profile }).slice(0, namedMax),
  };
  const saved = await againIfTaken(() => db.write(updateGroup, input));
  if (saved.outcome !== 'saved') return null;
  return { ...after, revision: saved.revision, lastModifiedMs: saved.modifiedMs };
}
