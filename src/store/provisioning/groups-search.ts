// Finding groups: by filter, in an order, a window of them, with the true total. There are far fewer groups than
// users, so that a page is found by counting; only what no column answers is asked of each candidate.

import sql, { raw, type Sql } from 'sql-template-tag';
import type { KnownMember } from '../../domain/provisioning/group.ts';
import type { Window } from '../../domain/window.ts';
import { matches, sortKeyOf } from '../../scim/evaluate.ts';
import type { Filter } from '../../scim/filter.ts';
import { mentions, planFilter, plannedGroupColumns } from '../../scim/filter-plan.ts';
import { membersAttribute } from '../../scim/group-attributes.ts';
import { groupResourceOf } from '../../scim/groups.ts';
import { type Db, limitOf } from '../engine/db.ts';
import type { SearchWork } from '../engine/work/scan-slots.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';
import { conditionSql, type PlannedColumn, type PlannedColumns } from './filter-sql.ts';
import { type CountedGroup, type GroupRow, groupColumns, groupOf } from './groups.ts';
import { membersOf } from './memberships.ts';
import { inOrder, type KeyedId, type SearchSort } from './search-order.ts';

export interface GroupQuery {
  readonly filter: Filter | null;
  readonly sort: SearchSort | null;
  readonly window: Window;
  readonly baseUrl: string;
}

export interface GroupPage {
  readonly total: number;
  readonly groups: readonly CountedGroup[];
}

export async function searchGroups(
  db: Db,
  accountId: number,
  query: GroupQuery,
  { budget, scans }: SearchWork,
): Promise<GroupPage> {
  const { filter, sort, window } = query;
  const plan = filter === null ? null : planFilter(filter, plannedGroupColumns);
  const own = sql`user_group.account_id = ${accountId}`;
  const where = plan === null ? own : sql`${own} and ${conditionSql(plan.condition, columnsOf(accountId))}`;
  const column = sort === null ? 'id' : sortColumns.get(sort.attribute.path);
  if ((plan === null || plan.residual === null) && column !== undefined) {
    return countedPage(db, where, raw(`user_group.${column}`), sort?.descending ?? false, window);
  }
  const residual = plan?.residual ?? null;
  return scans.run(accountId, budget, () => scannedPage(db, accountId, where, residual, query, budget));
}

const sortColumns = new Map([
  ['id', 'id'],
  ['displayName', 'display_name_key'],
]);

const column = (name: string): PlannedColumn => ({ value: raw(`user_group.${name}`) });

function columnsOf(accountId: number): PlannedColumns {
  return new Map<string, PlannedColumn>([
    ['id', column('id')],
    ['displayName', column('display_name_key')],
    ['externalId', column('external_id')],
    [
      'members.value',
      {
        value: sql`group_member.member_id`,
        within: (test) =>
          sql`user_group.id in (select group_id from group_member where account_id = ${accountId} and ${test})`,
      },
    ],
    ['meta.created', column('created_at')],
    ['meta.lastModified', column('modified_at')],
  ]);
}

const countedGroup = (row: GroupRow): CountedGroup => ({ group: groupOf(row), memberCount: row.members });

async function countedPage(
  db: Db,
  where: Sql,
  key: Sql,
  isDescending: boolean,
  { skip, take }: Window,
): Promise<GroupPage> {
  const [count] = await db.read<{ total: number }>(
    sql`select count(*) as total from user_group where ${where}`,
  );
  const total = count?.total ?? 0;
  if (take === 0 || skip >= total) return { total, groups: [] };
  const direction = raw(isDescending ? 'desc' : 'asc');
  const rows = await db.read<GroupRow>(sql`
    select ${groupColumns}
    from user_group
    where ${where}
    order by ${key} ${direction}, user_group.id ${direction}
    limit ${limitOf(take)}
    offset ${limitOf(skip)}`);
  // A group that was created between the two questions belongs to a later total.
  return { total, groups: rows.slice(0, Math.max(0, total - skip)).map(countedGroup) };
}

const sliceGroups = 250;

async function scannedPage(
  db: Db,
  accountId: number,
  where: Sql,
  residual: Filter | null,
  { sort, window, baseUrl }: GroupQuery,
  budget: WorkBudget,
): Promise<GroupPage> {
  const isAboutMembers =
    (residual !== null && mentions(residual, membersAttribute)) ||
    (sort !== null && [sort.attribute, sort.attribute.parent].includes(membersAttribute));
  const found: KeyedId[] = [];
  for (let after = 0; ; ) {
    const rows = await db.read<GroupRow>(sql`
      select ${groupColumns}
      from user_group
      where ${where} and user_group.id > ${after}
      order by user_group.id
      limit ${limitOf(sliceGroups)}`);
    budget.spend(rows.length);
    for (const row of rows) {
      await budget.pause();
      const members: readonly KnownMember[] | null = isAboutMembers
        ? await membersOf(db, accountId, row.id, budget)
        : null;
      const resource = groupResourceOf(groupOf(row), members, baseUrl);
      if (residual !== null && !matches(residual, resource)) continue;
      found.push({ key: sort === null ? null : sortKeyOf(resource, sort.attribute), id: row.id });
    }
    if (rows.length < sliceGroups) break;
    after = rows.at(-1)!.id;
    await budget.pause();
  }
  found.sort(inOrder(sort));
  const page = found.slice(window.skip, window.skip + window.take).map(({ id }) => id);
  if (page.length === 0) return { total: found.length, groups: [] };
  const rows = await db.read<GroupRow>(sql`
    select ${groupColumns}
    from user_group
    where account_id = ${accountId} and ${db.dialect.isAmong(sql`id`, page, 'integer')}`);
  const byId = new Map(rows.map((row) => [row.id, countedGroup(row)]));
  return { total: found.length, groups: page.flatMap((id) => byId.get(id) ?? []) };
}
