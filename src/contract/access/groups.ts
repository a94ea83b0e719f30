// /console/api/groups: the groups of the account and who belongs to them.

import { userPageMax, userPageUsual } from '../../domain/window.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { groupListSchema, groupSchema, windowQuery } from './people.ts';

const membersMax = 1_000;

const idLengthMax = 20;

const memberIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: idLengthMax }), { maxItems: membersMax, description }));

const nameLengthMax = 255;

const displayName = Type.String({ minLength: 1, maxLength: nameLengthMax });

const groupQuery = Type.Object({
  ...windowQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A part of the name; then they stand in the order of their names.',
    }),
  ),
});

const groupIdParams = Type.Object({
  id: Type.String({ description: 'The internal id of the group.' }),
});

const access = { people: 'signedIn', ability: 'manage users' } as const;

export const groupOperations = consoleOperations({
  'GET /groups': {
    access,
    query: groupQuery,
    document: {
      operationId: 'listGroups',
      summary: 'The groups of the account',
      description:
        'With the roles that each of them carries, in the order of creation unless they are searched.',
      tag: 'Groups',
      success: { status: 200, schema: groupListSchema, description: 'A page of groups.' },
    },
  },
  'POST /groups': {
    access,
    consumes: ['application/json'],
    body: Type.Object({ displayName, members: memberIds('Internal ids of users and groups.') }),
    document: {
      operationId: 'createGroup',
      summary: 'Create a group',
      description: 'It carries no role until one is granted to it.',
      tag: 'Groups',
      success: { status: 201, schema: groupSchema, description: 'The group.' },
    },
    refusals: ['CONFLICT'],
  },
  'GET /groups/:id': {
    access,
    params: groupIdParams,
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({ minimum: 1, description: '`next` of the page of members before.' }),
      ),
      count: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: userPageMax,
          description: `How many members at most; ${userPageUsual} unless given.`,
        }),
      ),
    }),
    document: {
      operationId: 'getGroup',
      summary: 'A group',
      description: 'With its roles and a page of its members, in the order of their ids.',
      tag: 'Groups',
      success: { status: 200, schema: groupSchema, description: 'The group.' },
    },
    refusals: ['GROUP_NOT_FOUND'],
  },
  'PATCH /groups/:id': {
    access,
    consumes: ['application/json'],
    params: groupIdParams,
    body: Type.Object({
      displayName: Type.Optional(displayName),
      add: memberIds('Who joins. Who is there already stays.'),
      remove: memberIds('Who leaves.'),
    }),
    document: {
      operationId: 'changeGroup',
      summary: 'Rename a group, or change who belongs to it',
      description:
        'All or nothing. A group that carries admin is changed by an admin or an operator; the members of one that carries any role only after a fresh sign-in.',
      tag: 'Groups',
      success: { status: 200, schema: groupSchema, description: 'The group as it is now.' },
    },
    refusals: ['GROUP_NOT_FOUND', 'CONFLICT'],
  },
  'DELETE /groups/:id': {
    access,
    params: groupIdParams,
    document: {
      operationId: 'deleteGroup',
      summary: 'Delete a group',
      description:
        'Its members stay, without the roles that they had through it. One that carries admin is deleted by an admin or an operator.',
      tag: 'Groups',
      success: done('Deleted.'),
    },
    refusals: ['GROUP_NOT_FOUND', 'CONFLICT'],
  },
});
