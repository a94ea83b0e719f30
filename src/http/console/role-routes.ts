// /console/api/roles: what each role lets people do, who is granted one, and which SCIM roles stand for one.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { grantableByIdentity, type Role, roles } from '../../domain/access/role.ts';
import { adminsOnly, mayGrant, mayGrantAdmin, type RoleHolder } from '../../domain/access/role-rules.ts';
import { judgeRoleValues, type RoleOfValue, roleValuesMax } from '../../domain/access/role-values.ts';
import { Problem } from '../../domain/problem.ts';
import { groupNotFound } from '../../domain/provisioning/group.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import { userNotFound } from '../../domain/provisioning/user.ts';
import { grantRole, type RoleChange, takeRole } from '../../store/access/role-grants.ts';
import { roleValuesOf, setRoleValues } from '../../store/access/role-values.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleStampOf } from './console-change.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { abilitySchema, roleSchema, shownRole } from './people-schemas.ts';

const valuesSchema = Type.Object(
  {
    values: Type.Array(
      Type.Object({
        value: Type.String({ maxLength: 255, description: 'A value of the SCIM attribute `roles`.' }),
        role: Type.Enum([...grantableByIdentity]),
      }),
      { maxItems: roleValuesMax },
    ),
  },
  { $id: 'RoleValues' },
);

const access = { people: 'signedIn', ability: 'manage users' } as const;

export function roleRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const { db } = context;

  addRoute(app, {
    method: 'GET',
    path: '/console/api/roles',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'listRoles',
      summary: 'The roles and their abilities',
      description: 'With whether the person who asks may grant each.',
      tag: 'Roles',
      success: {
        status: 200,
        schema: Type.Object(
          {
            roles: Type.Array(
              Type.Object({
                role: roleSchema,
                abilities: Type.Array(abilitySchema),
                mayGrant: Type.Boolean(),
              }),
            ),
          },
          { $id: 'RoleList' },
        ),
        description: 'All roles.',
      },
    }),
    handle: (_input, request) => ({
      roles: roles.map((role) => shownRole(role, mayGrant(visitorOf(request), role))),
    }),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/roles/values',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'getRoleValues',
      summary: 'Which SCIM roles stand for a role',
      description: 'While there are none, the SCIM attribute `roles` gives nobody a role.',
      tag: 'Roles',
      success: { status: 200, schema: valuesSchema, description: 'The table of the account.' },
    }),
    handle: async (_input, request) => ({ values: await roleValuesOf(db, accountOf(request)) }),
  });

  addRoute(app, {
    method: 'PUT',
    path: '/console/api/roles/values',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: valuesSchema,
    document: consoleDocument({
      operationId: 'setRoleValues',
      summary: 'Say which SCIM roles stand for a role',
      description:
        'These and no others; none switches it off. By an admin or an operator. No value can stand for admin; upper and lower case are one.',
      tag: 'Roles',
      success: { status: 204, schema: null, description: 'In force from the next request on.' },
    }),
    handle: async ({ body }, request, reply) => {
      if (!mayGrantAdmin(visitorOf(request))) throw adminsOnly('To say which SCIM roles stand for a role');
      const details = judgeRoleValues(body.values);
      if (details.length > 0) throw new Problem('INVALID_REQUEST', 'The table is not valid.', { details });
      const values = body.values as readonly RoleOfValue[];
      const change = { ...consoleStampOf(context, request), accountId: accountOf(request), values };
      await db.write(setRoleValues, change);
      reply.code(204);
      return null;
    },
  });

  const changeOf = (request: FastifyRequest, holder: RoleHolder, role: Role) => {
    const visitor = visitorOf(request);
    if (!mayGrant(visitor, role)) throw adminsOnly(`To grant or take ${role}`);
    return { ...consoleStampOf(context, request), accountId: accountOf(request), holder, role };
  };
  const grant = (request: FastifyRequest, holder: RoleHolder, role: Role): Promise<RoleChange> =>
    db.write(grantRole, changeOf(request, holder, role));
  const take = (request: FastifyRequest, holder: RoleHolder, role: Role): Promise<RoleChange> =>
    db.write(takeRole, changeOf(request, holder, role));

  for (const kind of ['user', 'group'] as const) {
    for (const [method, change, verb, done] of [
      ['PUT', grant, 'grant', 'granted'],
      ['DELETE', take, 'take', 'taken'],
    ] as const) {
      const noun = kind === 'user' ? 'User' : 'Group';
      addRoute(app, {
        method,
        path: `/console/api/${kind}s/:id/roles/:role`,
        area: 'console',
        access,
        params: Type.Object({
          id: Type.String({ description: `The internal id of the ${kind}.` }),
          role: roleSchema,
        }),
        document: consoleDocument({
          operationId: `${verb}${noun}Role`,
          summary: verb === 'grant' ? `Grant a ${kind} a role` : `Take a role from a ${kind}`,
          description: `Admin is ${done} by an admin or an operator, the other roles by whoever manages users. ${
            verb === 'grant' ? 'A role that is there stays' : 'A role that is not there is no fault'
          }.`,
          tag: 'Roles',
          success: { status: 204, schema: null, description: 'In force from the next request on.' },
          conditions: [404, 409],
        }),
        handle: async ({ params }, request, reply) => {
          const id = readResourceId(params.id);
          const outcome =
            id === null ? 'unknownHolder' : await change(request, { kind, id }, params.role as Role);
          if (outcome === 'unknownHolder')
            throw kind === 'user' ? userNotFound(params.id) : groupNotFound(params.id);
          reply.code(204);
          return null;
        },
      });
    }
  }
}
