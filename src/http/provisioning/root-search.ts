// A search over users and groups at once: users first, then groups, each in the order that was asked for. The filter
// is read once for each type, because a name means that type's own attribute; what a type lacks has no value there
// (RFC 7644 section 3.4.2.1, D-141).

import type { Context } from '../../context.ts';
import type { User } from '../../domain/provisioning/user.ts';
import { windowOfStart } from '../../domain/window.ts';
import type { Attribute } from '../../scim/attributes.ts';
import { type Face, readSort } from '../../scim/faces.ts';
import { filterLimits, parseFilter } from '../../scim/filter.ts';
import { readProjection } from '../../scim/projection.ts';
import { resourceOf } from '../../scim/resource.ts';
import { groupSchemaView, rootSchemaViews, type SchemaView } from '../../scim/schema-view.ts';
import type { SearchWork } from '../../store/provisioning/scan-slots.ts';
import type { UserSort } from '../../store/provisioning/user-pages.ts';
import { searchUsers, type UserQuery } from '../../store/provisioning/users-search.ts';
import type { PublicUrl } from '../server/public-url.ts';
import { type PiecedPage, userPieces } from '../server/sliced-answer.ts';
import type { GroupWork } from './group-work.ts';
import type { Asked } from './list-request.ts';
import type { UserWork } from './user-work.ts';

interface RootSearchServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
}

export async function searchEverything(
  { context, publicUrl }: RootSearchServices,
  face: Face,
  work: { readonly users: UserWork; readonly groups: GroupWork },
  accountId: number,
  asked: Asked,
  searching: SearchWork,
): Promise<PiecedPage> {
  const { config, db } = context;
  const limits = { ...filterLimits, maxBytes: config.filterLimitBytes, maxTerms: config.filterLimitTerms };
  const { filter, startIndex, count } = asked;
  const filterFor = (schemaView: SchemaView) =>
    filter === undefined ? null : parseFilter(filter, schemaView, limits);
  const [ofUsers, ofGroups] = [filterFor(rootSchemaViews.User), filterFor(rootSchemaViews.Group)];
  const sorts = sortsOf(asked, face.schemaView);
  const userProjection = readProjection(asked, face.schemaView);
  const groupProjection = readProjection(asked, groupSchemaView);
  const window = windowOfStart(startIndex, count);
  const query: UserQuery = {
    filter: ofUsers,
    sort: sorts.users,
    window,
    view: (user: User) => resourceOf(user, face.locationOf(user, publicUrl.base)),
    groupsAt: publicUrl.base,
  };
  const users = await searchUsers(db, accountId, query, searching);
  const shownUsers = await work.users.showPage(accountId, users.users, userProjection, searching.budget);
  // Groups begin where users end, so their window begins where that of the users ran out.
  const windowOfGroups = {
    startIndex: Math.max(0, window.skip - users.total) + 1,
    // Where not even the users of the page could all be shown, groups come on a later one.
    count: window.skip + shownUsers.length < users.total ? 0 : window.take - shownUsers.length,
  };
  const groups = await work.groups.search(accountId, ofGroups, sorts.groups, windowOfGroups, searching);
  const shownGroups = work.groups.showPage(groups, groupProjection, searching.budget);
  return {
    totalResults: users.total + groups.total,
    startIndex: window.skip + 1,
    resources: [...shownUsers.map(userPieces), ...shownGroups],
  };
}

/** An attribute that only one of the types has orders that type alone; one that neither has is refused. */
function sortsOf(
  { sortBy, sortOrder }: Asked,
  users: SchemaView,
): { users: UserSort | null; groups: UserSort | null } {
  if (sortBy === undefined) return { users: null, groups: null };
  const descending = sortOrder === 'descending';
  const found = [users, groupSchemaView].map((schemaView) => schemaView.resolve(sortBy) && schemaView);
  const first = found.find((schemaView) => schemaView !== null) ?? users;
  // Refuses what cannot be sorted by, in the words of the type that has it.
  readSort(sortBy, first);
  const sortIn = (schemaView: SchemaView): UserSort | null => {
    const attribute: Attribute | null = schemaView.resolve(sortBy);
    return attribute === null ? null : { attribute: readSort(sortBy, schemaView), descending };
  };
  return { users: sortIn(users), groups: sortIn(groupSchemaView) };
}
