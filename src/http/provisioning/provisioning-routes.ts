// User provisioning on one face: discovery, the endpoints of each type, the search over all types, and bulk requests.

import type { FastifyInstance } from 'fastify';
import { meOperations } from '../../contract/provisioning/whole-face.ts';
import { Problem } from '../../domain/problem.ts';
import type { Face } from '../../scim/faces.ts';
import type { Gate } from '../access/gate.ts';
import type { SearchServices } from '../server/request-budget.ts';
import { addOperation } from '../server/route.ts';
import { bulkLimitsOf, bulkRoutes } from './bulk.ts';
import { discoveryRoutes } from './discovery.ts';
import { groupType } from './group-type.ts';
import type { ProvisioningLog } from './provisioning-log.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { ResourceType } from './resource-type.ts';
import { resourceWork, type WorkServices } from './resource-work.ts';
import { rootSearchRoutes } from './root-search.ts';
import { type UserServices, userType } from './user-type.ts';

interface ProvisioningServices extends UserServices, SearchServices, WorkServices {
  readonly provisioningLog: ProvisioningLog;
  readonly gate: Gate;
}

/** The types beside users, which the interface has alone. A new type is entered here. */
const typesBesideUsers: readonly TypeMaker[] = [groupType];

type TypeMaker = (services: ProvisioningServices) => ResourceType;

export function provisioningRoutes(
  app: FastifyInstance,
  services: ProvisioningServices,
  face: Face,
  otherTypes = typesBesideUsers,
): void {
  const users = userType(services, face);
  const others = face.hasUsersAlone ? [] : otherTypes.map((typeOf) => typeOf(services));
  const types = [users, ...others];
  const works = new Map(
    types.map((type) => [type.name, { type, work: resourceWork(services, type, face.name) }]),
  );
  const routesOf = (name: string): void => resourceRoutes(app, services, face, works.get(name)!);
  services.provisioningLog.willServe(face.path, types);

  discoveryRoutes(app, services, face, types);
  routesOf(users.name);
  if (face.namesMe) meRoutes(app, face);
  if (others.length > 0) rootSearchRoutes(app, services, face, types);
  for (const { name } of others) routesOf(name);
  const limits = bulkLimitsOf(face, services.context.config);
  if (limits !== null) bulkRoutes(app, services, face, works, limits);
}

/** Tokens belong to programs, so nobody is «me» (RFC 7644 section 3.11, D-143). */
function meRoutes(app: FastifyInstance, face: Face): void {
  const operations = meOperations(face);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    addOperation(app, operations, `${method} /Me`, () => {
      throw new Problem(
        'ME_NOT_SUPPORTED',
        'Tokens of this interface belong to programs, so /Me stands for nobody.',
      );
    });
  }
}
