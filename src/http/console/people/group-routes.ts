// /console/api/groups: the groups of the account and who belongs to them.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { groupOperations } from '../../../contract/access/groups.ts';
import { type Fault, invalidRequest, Problem } from '../../../domain/problem.ts';
import { changeGroup, createGroup, groupNotFound } from '../../../domain/provisioning/group.ts';
import { readResourceId } from '../../../domain/provisioning/resource.ts';
import { userPageUsual, windowOfStart } from '../../../domain/window.ts';
import { type Filter, parseFilter } from '../../../scim/filter.ts';
import { groupSchemaView } from '../../../scim/schema-view.ts';
import { namesOfActors } from '../../../store/people/audit-reader.ts';
import { grantsOf, rolesOfGroups } from '../../../store/people/role-grants.ts';
import {
  addGroup,
  type CountedGroup,
  deleteGroup,
  findCountedGroup,
  type PlainStep,
  saveGroup,
} from '../../../store/provisioning/groups.ts';
import { searchGroups } from '../../../store/provisioning/groups-search.ts';
import { memberPage } from '../../../store/provisioning/memberships.ts';
import type { SearchSort } from '../../../store/provisioning/search-order.ts';
import { filterLimitsOf, searchWork } from '../../server/request-budget.ts';
import { addOperation } from '../../server/route.ts';
import { changeInConsole, consoleStampOf } from '../console-change.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { demandFresh } from '../sign-in/fresh-sign-in.ts';
import { shownGrant, shownGroup, shownMember } from './people-schemas.ts';

const byName: SearchSort = { attribute: groupSchemaView.resolve('displayName')!, descending: false };

export function groupRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const { db } = context;
  const limits = filterLimitsOf(context.config);

  const filterOf = (filter: string | undefined, search: string | undefined): Filter | null => {
    if (filter !== undefined && search !== undefined)
      throw invalidRequest([
        { field: 'search', code: 'INVALID', message: 'search does not go with filter.' },
      ]);
    if (filter !== undefined) return parseFilter(filter, groupSchemaView, limits);
    if (search === undefined || search === '') return null;
    return { kind: 'compare', attribute: byName.attribute, operator: 'co', value: search };
  };
  const groupOfPath = async (request: FastifyRequest, text: string): Promise<CountedGroup> => {
    const found = await findCountedGroup(db, accountOf(request), readResourceId(text));
    if (found === null) throw groupNotFound(text);
    return found;
  };
  const whole = async (counted: CountedGroup, after: number, count: number) => {
    const { group, memberCount } = counted;
    const { accountId, id } = group;
    const [grants, members] = await Promise.all([
      grantsOf(db, accountId, { kind: 'group', id }),
      memberPage(db, accountId, id, after, count + 1),
    ]);
    const shown = members.slice(0, count);
    const names = await namesOfActors(
      db,
      accountId,
      grants.map(({ grantedBy }) => grantedBy),
    );
    return {
      ...shownGroup(group, memberCount),
      roles: grants.map((grant) => shownGrant(grant, names)),
      members: shown.map(shownMember),
      next: members.length > count ? String(shown.at(-1)!.id) : null,
    };
  };

  addOperation(
    app,
    groupOperations,
    'GET /groups',
    async ({ query: { filter, search, start, count } }, request, reply) => {
      const accountId = accountOf(request);
      const window = windowOfStart(start, count);
      const asked = {
        filter: filterOf(filter, search?.trim()),
        // Those that are looked for by a person stand in the order of their names.
        sort: search === undefined ? null : byName,
        window,
        baseUrl: services.address.base,
      };
      const { total, groups } = await searchGroups(
        db,
        accountId,
        asked,
        searchWork(services, request, reply),
      );
      const held = await rolesOfGroups(
        db,
        accountId,
        groups.map(({ group }) => group.id),
      );
      const items = groups.map(({ group, memberCount }) => ({
        ...shownGroup(group, memberCount),
        roles: held.get(group.id) ?? [],
      }));
      return { total, start: window.skip + 1, items };
    },
  );

  addOperation(app, groupOperations, 'POST /groups', async ({ body }, request, reply) => {
    const stamp = consoleStampOf(context, request);
    const accountId = accountOf(request);
    const members = membersIn('members', body.members ?? []);
    const unnumbered = createGroup(
      { displayName: body.displayName },
      { accountId, id: 0, nowMs: stamp.nowMs },
    );
    const group = await addGroup(db, unnumbered, members, stamp);
    reply.code(201);
    return whole({ group, memberCount: members.length }, 0, userPageUsual);
  });

  addOperation(
    app,
    groupOperations,
    'GET /groups/:id',
    async ({ params, query: { after = 0, count = userPageUsual } }, request) =>
      whole(await groupOfPath(request, params.id), after, count),
  );

  addOperation(app, groupOperations, 'PATCH /groups/:id', async ({ params, body }, request) => {
    const add = membersIn('add', body.add ?? []);
    const remove = membersIn('remove', body.remove ?? []).map(({ id }) => id);
    const members: readonly PlainStep[] =
      add.length + remove.length === 0 ? [] : [{ kind: 'change', add, remove }];
    await changeInConsole(
      () => groupOfPath(request, params.id),
      async ({ group }) => {
        const stamp = consoleStampOf(context, request);
        const { displayName: name = group.profile.displayName } = body;
        const after = changeGroup(group, { ...group.profile, displayName: name }, stamp.nowMs);
        if (after === group && members.length === 0) return group;
        if (members.length > 0) {
          const held = await rolesOfGroups(db, group.accountId, [group.id]);
          if (held.size > 0) demandFresh(visitorOf(request), stamp.nowMs);
        }
        return saveGroup(db, { before: group, after, members, isBound: false }, stamp);
      },
    );
    return whole(await groupOfPath(request, params.id), 0, userPageUsual);
  });

  addOperation(app, groupOperations, 'DELETE /groups/:id', async ({ params }, request, reply) => {
    await changeInConsole(
      () => groupOfPath(request, params.id),
      async ({ group: { accountId, id, revision } }) => {
        const change = { ...consoleStampOf(context, request), accountId, id, revisionBefore: revision };
        return (await db.write(deleteGroup, change)) || null;
      },
    );
    reply.code(204);
    return null;
  });
}

/** Each once; whether they are users or groups is found out by the store. */
function membersIn(field: string, texts: readonly string[]) {
  const faults: Fault[] = [];
  const ids = new Set<number>();
  for (const [at, text] of texts.entries()) {
    const id = readResourceId(text);
    if (id !== null) ids.add(id);
    else {
      const message = `${field}[${at}] is not the id of a user or group.`;
      faults.push({ field: `${field}[${at}]`, code: 'UNKNOWN', message });
    }
  }
  if (faults.length > 0)
    throw new Problem('INVALID_REQUEST', 'Not all members are ids.', { details: faults });
  return [...ids].map((id) => ({ id, type: null }));
}
