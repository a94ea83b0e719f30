// /console/api/roles: what each role lets people do, who is granted one, and which SCIM roles stand for one.

import { grantableByIdentity } from '../../domain/access/role.ts';
import { roleValuesMax } from '../../domain/access/role-values.ts';
import { consoleOperations, done, type OperationWords } from '../operation.ts';
import { Type } from '../schema.ts';
import { abilitySchema, roleSchema } from './people.ts';

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

/** Of a user or a group. */
const changeOfRole = <Kind extends 'user' | 'group'>(kind: Kind, document: OperationWords) =>
  ({
    access,
    params: Type.Object({
      id: Type.String({ description: `The internal id of the ${kind}.` }),
      role: roleSchema,
    }),
    document: {
      ...document,
      tag: 'Roles',
      success: done('In force from the next request on.'),
    },
    refusals: [kind === 'user' ? 'USER_NOT_FOUND' : 'GROUP_NOT_FOUND', 'CONFLICT'],
  }) as const;

const grant = <Kind extends 'user' | 'group'>(kind: Kind) =>
  changeOfRole(kind, {
    operationId: kind === 'user' ? 'grantUserRole' : 'grantGroupRole',
    summary: `Grant a ${kind} a role`,
    description:
      'Admin is granted by an admin or an operator, the other roles by whoever manages users. A role that is there stays.',
  });

const take = <Kind extends 'user' | 'group'>(kind: Kind) =>
  changeOfRole(kind, {
    operationId: kind === 'user' ? 'takeUserRole' : 'takeGroupRole',
    summary: `Take a role from a ${kind}`,
    description:
      'Admin is taken by an admin or an operator, the other roles by whoever manages users. A role that is not there is no fault.',
  });

export const roleOperations = consoleOperations({
  'GET /roles': {
    access,
    document: {
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
    },
  },
  'GET /roles/values': {
    access,
    document: {
      operationId: 'getRoleValues',
      summary: 'Which SCIM roles stand for a role',
      description: 'While there are none, the SCIM attribute `roles` gives nobody a role.',
      tag: 'Roles',
      success: { status: 200, schema: valuesSchema, description: 'The table of the account.' },
    },
  },
  'PUT /roles/values': {
    access,
    consumes: ['application/json'],
    body: valuesSchema,
    document: {
      operationId: 'setRoleValues',
      summary: 'Say which SCIM roles stand for a role',
      description:
        'These and no others; none switches it off. By an admin or an operator. No value can stand for admin; upper and lower case are one.',
      tag: 'Roles',
      success: done('In force from the next request on.'),
    },
  },
  'PUT /users/:id/roles/:role': grant('user'),
  'DELETE /users/:id/roles/:role': take('user'),
  'PUT /groups/:id/roles/:role': grant('group'),
  'DELETE /groups/:id/roles/:role': take('group'),
});
