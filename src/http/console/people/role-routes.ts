// /console/api/roles: what each role lets people do, who is granted one, and which SCIM roles stand for one.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { roleOperations } from '../../../contract/access/roles.ts';
import { type Role, roles } from '../../../domain/access/role.ts';
import { adminsOnly, mayGrant, mayGrantAdmin, type RoleHolder } from '../../../domain/access/role-rules.ts';
import { judgeRoleValues, type RoleOfValue } from '../../../domain/access/role-values.ts';
import { Problem } from '../../../domain/problem.ts';
import { groupNotFound } from '../../../domain/provisioning/group.ts';
import { readResourceId } from '../../../domain/provisioning/resource.ts';
import { userNotFound } from '../../../domain/provisioning/user.ts';
import { grantRole, type RoleChange, takeRole } from '../../../store/people/role-grants.ts';
import { roleValuesOf, setRoleValues } from '../../../store/people/role-values.ts';
import { addOperation } from '../../server/route.ts';
import { consoleStampOf } from '../console-change.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { shownRole } from './people-schemas.ts';

export function roleRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const { db } = context;

  addOperation(app, roleOperations, 'GET /roles', (_input, request) => ({
    roles: roles.map((role) => shownRole(role, mayGrant(visitorOf(request), role))),
  }));

  addOperation(app, roleOperations, 'GET /roles/values', async (_input, request) => ({
    values: await roleValuesOf(db, accountOf(request)),
  }));

  addOperation(app, roleOperations, 'PUT /roles/values', async ({ body }, request, reply) => {
    if (!mayGrantAdmin(visitorOf(request))) throw adminsOnly('To say which SCIM roles stand for a role');
    const details = judgeRoleValues(body.values);
    if (details.length > 0) throw new Problem('INVALID_REQUEST', 'The table is not valid.', { details });
    const values = body.values as readonly RoleOfValue[];
    const change = { ...consoleStampOf(context, request), accountId: accountOf(request), values };
    await db.write(setRoleValues, change);
    reply.code(204);
    return null;
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

  for (const kind of ['user', 'group'] as const)
    for (const [method, change] of [
      ['PUT', grant],
      ['DELETE', take],
    ] as const)
      addOperation(
        app,
        roleOperations,
        `${method} /${kind}s/:id/roles/:role`,
        async ({ params }, request, reply) => {
          const id = readResourceId(params.id);
          const outcome =
            id === null ? 'unknownHolder' : await change(request, { kind, id }, params.role as Role);
          if (outcome === 'unknownHolder')
            throw kind === 'user' ? userNotFound(params.id) : groupNotFound(params.id);
          reply.code(204);
          return null;
        },
      );
}
