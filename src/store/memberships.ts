// Who belongs to which group, read from either side.

import sql from 'sql-template-tag';
import type { GroupProfile, KnownMember } from '../domain/group.ts';
import type { Profile, User } from '../domain/user.ts';
import { groupElement } from '../scim/groups.ts';
import { type Db, limitOf } from './db.ts';
import { isAmong } from './lists.ts';
import { TurnQuestions } from './turn-questions.ts';

interface MembershipRow {
  readonly member_id: number;
  readonly id: number;
  readonly profile: string;
}

type GroupOfUser = Pick<MembershipRow, 'id' | 'profile'>;

const ofOneUser = new TurnQuestions<number, GroupOfUser[]>(groupsOf);

async function groupsOf(
  db: Db,
  accountId: number,
  userIds: readonly number[],
): Promise<Map<number, GroupOfUser[]>> {
  const among = isAmong(db.engine, sql`group_member.member_id`, userIds, 'integer');
  const rows = await db.read<MembershipRow>(sql`
    select group_member.member_id, user_group.id, user_group.profile
    from group_member
    join user_group on user_group.account_id = group_member.account_id and user_group.id = group_member.group_id
    where group_member.account_id = ${accountId} and ${among}
    order by group_member.member_id, user_group.id`);
  return Map.groupBy(rows, ({ member_id: memberId }) => memberId);
}

/** The same users with the groups that they belong to, by id; their versions do not count these (D-95). */
export async function withGroups(
  db: Db,
  accountId: number,
  users: readonly User[],
  baseUrl: string,
): Promise<readonly User[]> {
  if (users.length === 0) return users;
  const groups = await groupsOf(
    db,
    accountId,
    users.map(({ id }) => id),
  );
  return users.map((user) => inGroups(user, groups.get(user.id) ?? [], baseUrl));
}

/** The same for one user, whom others may be asked for together with. */
export async function withOwnGroups(db: Db, user: User, baseUrl: string): Promise<User> {
  return inGroups(user, (await ofOneUser.find(db, user.accountId, user.id)) ?? [], baseUrl);
}

/** Who belongs to none is the very same user. */
function inGroups(user: User, groups: readonly GroupOfUser[], baseUrl: string): User {
  if (groups.length === 0) return user;
  const elements = groups.map(({ id, profile }) =>
    groupElement({ id, profile: JSON.parse(profile) as GroupProfile }, baseUrl),
  );
  return { ...user, groups: elements };
}

interface MemberRow {
  readonly member_id: number;
  readonly is_group: number;
  readonly user_profile: string | null;
  readonly group_profile: string | null;
}

/** On SQLite a slice stops the event loop while it is read. */
const sliceMembers = 2_000;

/** All members of one group, in the order of their ids. */
export async function membersOf(db: Db, accountId: number, groupId: number): Promise<readonly KnownMember[]> {
  const members: KnownMember[] = [];
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
    members.push(...rows.map(memberOf));
    if (rows.length < sliceMembers) return members;
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
