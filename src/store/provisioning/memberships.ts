// Who belongs to which group, read from either side.

import sql from 'sql-template-tag';
import type { GroupProfile, KnownMember } from '../../domain/provisioning/group.ts';
import type { Profile, User } from '../../domain/provisioning/user.ts';
import type { Values } from '../../domain/provisioning/value.ts';
import { groupElement } from '../../scim/groups.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { BatchLoader } from '../engine/work/batch-loader.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';

interface MembershipRow {
  readonly member_id: number;
  readonly id: number;
  readonly profile: string;
}

type GroupOfUser = Pick<MembershipRow, 'id' | 'profile'>;

/** On SQLite a slice stops the event loop while it is read. */
const sliceMemberships = 2_000;

/** How many groups are shown of one user, and of a page of users in all: those with the lowest ids (D-97, D-191). */
export const shownGroupsMax = 20_000;

/**
 * The memberships of the users behind a place in the order of users and groups. The group of each is asked for by its key and
 * not joined: PostgreSQL, whose statistics may be older than the account's groups, joins by reading all of them for each
 * membership (D-402).
 */
function membershipsOf(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  [lastUser, lastGroup]: readonly [number, number],
  limit: number,
): Promise<readonly MembershipRow[]> {
  return db.read<MembershipRow>(sql`
    select group_member.member_id, group_member.group_id as id, (
        select user_group.profile
        from user_group
        where user_group.account_id = ${accountId} and user_group.id = group_member.group_id) as profile
    from group_member
    where group_member.account_id = ${accountId}
      and ${db.dialect.isAmong(sql`group_member.member_id`, userIds, 'integer')}
      and (group_member.member_id <> ${lastUser} or group_member.group_id > ${lastGroup})
    order by group_member.member_id, group_member.group_id
    limit ${limitOf(limit)}`);
}

/** The groups of each of the users, in their order: so many in all at most. */
async function groupsOf(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  budget: WorkBudget,
  max: number,
): Promise<Map<number, GroupOfUser[]>> {
  const groups = new Map<number, GroupOfUser[]>();
  // Many users belong to the same groups, so a group is held once for all of them (D-169).
  const known = new Map<number, GroupOfUser>();
  let left = userIds;
  let room = max;
  // Where the last slice ended: in the midst of the groups of one user.
  let [lastUser, lastGroup] = [0, 0];
  for (;;) {
    await budget.pause();
    const limit = Math.min(room, sliceMemberships);
    const rows = await membershipsOf(db, accountId, left, [lastUser, lastGroup], limit);
    budget.spend(rows.length);
    for (const row of rows) addTo(groups, known, row);
    room -= rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit || room === 0) return groups;
    [lastUser, lastGroup] = [last.member_id, last.id];
    left = left.filter((id) => id >= lastUser);
  }
}

function addTo(
  groups: Map<number, GroupOfUser[]>,
  known: Map<number, GroupOfUser>,
  { member_id: memberId, id, profile }: MembershipRow,
): void {
  const group = known.get(id) ?? { id, profile };
  known.set(id, group);
  const ofUser = groups.get(memberId);
  if (ofUser === undefined) groups.set(memberId, [group]);
  else ofUser.push(group);
}

/** The groups of one user, those with the lowest ids, so many at most. */
export async function groupsOfUser(
  db: Db,
  accountId: number,
  userId: number,
  limit: number,
): Promise<readonly { readonly id: number; readonly displayName: string }[]> {
  const rows = await membershipsOf(db, accountId, [userId], [0, 0], limit);
  return rows.map(({ id, profile }) => ({
    id,
    displayName: (JSON.parse(profile) as GroupProfile).displayName,
  }));
}

/** Users whose groups are asked for together; of whom one slice does not tell all, it tells nothing. */
const ofOneUser = new BatchLoader<number, readonly GroupOfUser[] | 'more'>(async (db, accountId, userIds) => {
  const rows = await membershipsOf(db, accountId, userIds, [0, 0], sliceMemberships);
  const groups = new Map<number, GroupOfUser[]>();
  const known = new Map<number, GroupOfUser>();
  for (const row of rows) addTo(groups, known, row);
  if (rows.length < sliceMemberships) return groups;
  const lastUser = rows.at(-1)!.member_id;
  return new Map<number, readonly GroupOfUser[] | 'more'>([
    ...groups,
    ...userIds.filter((id) => id >= lastUser).map((id) => [id, 'more'] as const),
  ]);
});

/**
 * How many of the users, from the first on, belong to no more groups than this in all; at least one. Few of the rows
 * are counted for it, however many there are.
 */
export async function usersWithin(
  db: Db,
  accountId: number,
  users: readonly User[],
  groupsMax: number,
): Promise<number> {
  const countOf = async (ids: readonly number[], atMost: number): Promise<number> => {
    const [row] = await db.read<{ groups: number }>(sql`
      select count(*) as groups
      from (
        select group_id
        from group_member
        where account_id = ${accountId} and ${db.dialect.isAmong(sql`member_id`, ids, 'integer')}
        limit ${limitOf(atMost + 1)}
      ) as counted`);
    return row?.groups ?? 0;
  };
  const ids = users.map(({ id }) => id);
  if (ids.length <= 1 || (await countOf(ids, groupsMax)) <= groupsMax) return ids.length;
  let left = groupsMax;
  for (const [at, id] of ids.entries()) {
    left -= await countOf([id], left);
    if (left < 0) return Math.max(1, at);
  }
  return ids.length;
}

/**
 * The same users with the groups that they belong to, by id; their versions do not count these (D-95). Whoever shows
 * them says how many they may be in all; a search looks at every one.
 */
export async function withGroups(
  db: Db,
  accountId: number,
  users: readonly User[],
  baseUrl: string,
  budget: WorkBudget,
  max: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly User[]> {
  if (users.length === 0) return users;
  const ids = users.map(({ id }) => id);
  const groups = await groupsOf(db, accountId, ids, budget, max);
  const elements = new Map<number, Values>();
  const known: User[] = [];
  for (const user of users)
    known.push(await inGroups(user, groups.get(user.id) ?? [], baseUrl, elements, budget));
  return known;
}

/** The same for one user, whom others may be asked for together with. Few groups need no budget. */
export async function withOwnGroups(
  db: Db,
  user: User,
  baseUrl: string,
  budget: () => WorkBudget,
): Promise<User> {
  const { accountId, id } = user;
  const own = (await ofOneUser.find(db, accountId, id)) ?? [];
  if (own !== 'more') return own.length === 0 ? user : inGroups(user, own, baseUrl, new Map(), null);
  const groups = await groupsOf(db, accountId, [id], budget(), shownGroupsMax);
  return inGroups(user, groups.get(id) ?? [], baseUrl, new Map(), budget());
}

const elementsAtOnce = 500;

/** Who belongs to none is the very same user. What is shown of a group is made once for all who belong to it. */
async function inGroups(
  user: User,
  groups: readonly GroupOfUser[],
  baseUrl: string,
  elements: Map<number, Values>,
  budget: WorkBudget | null,
): Promise<User> {
  if (groups.length === 0) return user;
  const shown: Values[] = [];
  for (const { id, profile } of groups) {
    const element =
      elements.get(id) ?? groupElement({ id, profile: JSON.parse(profile) as GroupProfile }, baseUrl);
    elements.set(id, element);
    shown.push(element);
    if (shown.length % elementsAtOnce === 0) await budget?.pause();
  }
  return { ...user, groups: shown };
}

interface MemberRow {
  readonly member_id: number;
  readonly is_group: number;
  readonly user_profile: string | null;
  readonly group_profile: string | null;
}

const sliceMembers = 500;

/** All members of one group, in the order of their ids. */
export async function membersOf(
  db: Db,
  accountId: number,
  groupId: number,
  budget: WorkBudget,
): Promise<readonly KnownMember[]> {
  const members: KnownMember[] = [];
  for await (const some of memberSlices(db, accountId, groupId)) {
    budget.spend(some.length);
    members.push(...some);
    await budget.pause();
  }
  return members;
}

/** The same, some hundred at a time. */
export async function* memberSlices(
  db: Db,
  accountId: number,
  groupId: number,
): AsyncGenerator<readonly KnownMember[]> {
  for (let after = 0; ; ) {
    const members = await memberPage(db, accountId, groupId, after, sliceMembers);
    if (members.length > 0) yield members;
    if (members.length < sliceMembers) return;
    after = members.at(-1)!.id;
  }
}

/** The members of a group behind an id, so many at most; each is asked for by its key, as above (D-402). */
export async function memberPage(
  db: Db,
  accountId: number,
  groupId: number,
  after: number,
  limit: number,
): Promise<readonly KnownMember[]> {
  const rows = await db.read<MemberRow>(sql`
    select group_member.member_id, group_member.is_group, (
        select account_user.profile
        from account_user
        where account_user.account_id = ${accountId} and account_user.id = group_member.member_id) as user_profile, (
        select user_group.profile
        from user_group
        where user_group.account_id = ${accountId} and user_group.id = group_member.member_id) as group_profile
    from group_member
    where group_member.account_id = ${accountId} and group_member.group_id = ${groupId}
      and group_member.member_id > ${after}
    order by group_member.member_id
    limit ${limitOf(limit)}`);
  return rows.map(memberOf);
}

function memberOf(row: MemberRow): KnownMember {
  const id = row.member_id;
  if (row.is_group === 1) {
    const profile = row.group_profile === null ? null : (JSON.parse(row.group_profile) as GroupProfile);
    return { id, type: 'Group', display: profile?.displayName ?? null };
  }
  return { id, type: 'User', display: row.user_profile === null ? null : displayOf(row.user_profile) };
}

/** What people read in a list of members: the name that is shown, or else the one that identifies. */
function displayOf(userProfile: string): string {
  const { displayName, userName } = JSON.parse(userProfile) as Profile;
  return typeof displayName === 'string' ? displayName : userName;
}

/** Those of the ids that are somebody's, as they would be shown among the members. */
export async function knownAs(
  db: Db,
  accountId: number,
  ids: readonly number[],
): Promise<readonly KnownMember[]> {
  if (ids.length === 0) return [];
  const among = db.dialect.isAmong(sql`id`, ids, 'integer');
  const rows = await db.read<MemberRow>(sql`
    select id as member_id, 0 as is_group, profile as user_profile, null as group_profile
    from account_user
    where account_id = ${accountId} and ${among}
    union all
    select id, 1, null, profile
    from user_group
    where account_id = ${accountId} and ${among}`);
  return rows.map(memberOf);
}
