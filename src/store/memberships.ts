// Who belongs to which group, read from either side.

import sql from 'sql-template-tag';
import type { GroupProfile, KnownMember } from '../domain/group.ts';
import type { Profile, User, Values } from '../domain/user.ts';
import { groupElement } from '../scim/groups.ts';
import { type Db, limitOf } from './db.ts';
import { isAmong } from './lists.ts';
import { TurnQuestions } from './turn-questions.ts';
import type { WorkBudget } from './work-budget.ts';

interface MembershipRow {
  readonly member_id: number;
  readonly id: number;
  readonly profile: string;
}

type GroupOfUser = Pick<MembershipRow, 'id' | 'profile'>;

const ofOneUser = new TurnQuestions<number, GroupOfUser[]>(groupsOf);

/** On SQLite a slice stops the event loop while it is read. */
const sliceMemberships = 2_000;

/** The groups of each of the users, in their order. */
async function groupsOf(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  budget?: WorkBudget,
): Promise<Map<number, GroupOfUser[]>> {
  const groups = new Map<number, GroupOfUser[]>();
  // Many users belong to the same groups, so a group is held once for all of them (D-169).
  const known = new Map<number, GroupOfUser>();
  let left = userIds;
  // Where the last slice ended: in the midst of the groups of one user.
  let [lastUser, lastGroup] = [0, 0];
  for (;;) {
    await budget?.pause();
    const rows = await db.read<MembershipRow>(sql`
      select group_member.member_id, user_group.id, user_group.profile
      from group_member
      join user_group on user_group.account_id = group_member.account_id
        and user_group.id = group_member.group_id
      where group_member.account_id = ${accountId}
        and ${isAmong(db.engine, sql`group_member.member_id`, left, 'integer')}
        and (group_member.member_id <> ${lastUser} or group_member.group_id > ${lastGroup})
      order by group_member.member_id, group_member.group_id
      limit ${limitOf(sliceMemberships)}`);
    budget?.spend(rows.length);
    for (const { member_id: memberId, id, profile } of rows) {
      const group = known.get(id) ?? { id, profile };
      known.set(id, group);
      const ofUser = groups.get(memberId);
      if (ofUser === undefined) groups.set(memberId, [group]);
      else ofUser.push(group);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < sliceMemberships) return groups;
    if (budget === undefined) await new Promise((resume) => setImmediate(resume));
    [lastUser, lastGroup] = [last.member_id, last.id];
    left = left.filter((id) => id >= lastUser);
  }
}

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
        where account_id = ${accountId} and ${isAmong(db.engine, sql`member_id`, ids, 'integer')}
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

/** The same users with the groups that they belong to, by id; their versions do not count these (D-95). */
export async function withGroups(
  db: Db,
  accountId: number,
  users: readonly User[],
  baseUrl: string,
  budget?: WorkBudget,
): Promise<readonly User[]> {
  if (users.length === 0) return users;
  const ids = users.map(({ id }) => id);
  const groups = await groupsOf(db, accountId, ids, budget);
  const elements = new Map<number, Values>();
  return users.map((user) => inGroups(user, groups.get(user.id) ?? [], baseUrl, elements));
}

/** The same for one user, whom others may be asked for together with. */
export async function withOwnGroups(db: Db, user: User, baseUrl: string): Promise<User> {
  return inGroups(user, (await ofOneUser.find(db, user.accountId, user.id)) ?? [], baseUrl, new Map());
}

/** Who belongs to none is the very same user. What is shown of a group is made once for all who belong to it. */
function inGroups(
  user: User,
  groups: readonly GroupOfUser[],
  baseUrl: string,
  elements: Map<number, Values>,
): User {
  if (groups.length === 0) return user;
  const shown = groups.map(({ id, profile }) => {
    const known = elements.get(id);
    if (known !== undefined) return known;
    const element = groupElement({ id, profile: JSON.parse(profile) as GroupProfile }, baseUrl);
    elements.set(id, element);
    return element;
  });
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
    const rows = await db.read<MemberRow>(sql`
      select group_member.member_id, group_member.is_group, account_user.profile as user_profile,
        inner_group.profile as group_profile
      from group_member
      left join account_user on account_user.account_id = ${accountId}
        and account_user.id = group_member.member_id
      left join user_group inner_group on inner_group.account_id = ${accountId}
        and inner_group.id = group_member.member_id
      where group_member.account_id = ${accountId} and group_member.group_id = ${groupId}
        and group_member.member_id > ${after}
      order by group_member.member_id
      limit ${limitOf(sliceMembers)}`);
    if (rows.length > 0) yield rows.map(memberOf);
    if (rows.length < sliceMembers) return;
    after = rows.at(-1)!.member_id;
  }
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
export function displayOf(userProfile: string): string {
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
  const among = isAmong(db.engine, sql`id`, ids, 'integer');
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
