// /console/api/users: the users of the account, who suspends and deletes them, and why somebody has a role. They are the
// users that identity providers provision; what is changed here is told to nobody there.

import { searchedRoles, userOrders, userStates } from '../../domain/access/people-search.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { userListSchema, userSchema, windowQuery } from './people.ts';
import { userIdParams } from './user-of-path.ts';

export const groupsShown = 200;

const peopleQuery = Type.Object({
  ...windowQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words, each of them a part of a user name, a name or an address of mail, or a whole id; upper and lower case are one.',
    }),
  ),
  state: Type.Optional(Type.Enum([...userStates])),
  role: Type.Optional(Type.Enum([...searchedRoles], { description: '`none`: whoever has no role.' })),
  order: Type.Optional(
    Type.Enum([...userOrders], { description: 'By creation, or by user name; oldest first unless given.' }),
  ),
});

const access = { people: 'signedIn', ability: 'manage users' } as const;

export const userOperations = consoleOperations({
  'GET /users': {
    access,
    query: peopleQuery,
    document: {
      operationId: 'listUsers',
      summary: 'The users of the account',
      description:
        'With the roles that each of them has in any way. They are found by a filter of SCIM, or by parts of what they are called, by state and by role.',
      tag: 'Users',
      success: { status: 200, schema: userListSchema, description: 'A page of users.' },
    },
  },
  'GET /users/:id': {
    access,
    params: userIdParams,
    document: {
      operationId: 'getUser',
      summary: 'A user',
      description: `With their groups, ${groupsShown} at most, their roles, and for each role the reason.`,
      tag: 'Users',
      success: { status: 200, schema: userSchema, description: 'The user.' },
    },
    refusals: ['USER_NOT_FOUND'],
  },
  'PATCH /users/:id': {
    access,
    consumes: ['application/json'],
    params: userIdParams,
    body: Type.Object({ active: Type.Boolean() }),
    document: {
      operationId: 'setUserActive',
      summary: 'Suspend or reactivate a user',
      description:
        'Who is suspended is out at the next request, everywhere. A user who is admin is suspended by an admin or an operator, and the last admin of an account without an identity provider is not.',
      tag: 'Users',
      success: { status: 200, schema: userSchema, description: 'The user as they are now.' },
    },
    refusals: ['USER_NOT_FOUND', 'CONFLICT'],
  },
  'DELETE /users/:id': {
    access,
    params: userIdParams,
    document: {
      operationId: 'deleteUser',
      summary: 'Delete a user',
      description:
        'For good, with whatever they sign in with. The same holds for admins as when one is suspended.',
      tag: 'Users',
      success: done('Deleted.'),
    },
    refusals: ['USER_NOT_FOUND', 'CONFLICT'],
  },
  'POST /users/:id/confirm-admin': {
    access,
    params: userIdParams,
    document: {
      operationId: 'confirmAdmin',
      summary: 'Confirm that a user is the one who was made admin',
      description:
        'By an admin or an operator, where the grant of admin rests because the externalId was changed. Where it does not, nothing changes.',
      tag: 'Users',
      success: done('Admin counts from the next sign-in on.'),
    },
    refusals: ['USER_NOT_FOUND'],
  },
  'DELETE /users/:id/refused': {
    access,
    params: userIdParams,
    document: {
      operationId: 'dropRefused',
      summary: 'Drop what was refused for an admin',
      description:
        'The refused suspension or deletion is not shown any more; it is again when it is asked for again. By an admin or an operator.',
      tag: 'Users',
      success: done('Nothing is open.'),
    },
    refusals: ['USER_NOT_FOUND'],
  },
});
