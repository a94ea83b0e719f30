// Users, groups and roles as the console shows them.

import { refusedActs } from '../../domain/access/refused-act.ts';
import { abilities, roles } from '../../domain/access/role.ts';
import { userPageMax, userPageUsual } from '../../domain/window.ts';
import { Type } from '../schema.ts';

const id = Type.String({ description: 'The internal id.' });

const time = Type.String({ format: 'date-time' });

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const roleSchema = Type.Enum([...roles]);

export const abilitySchema = Type.Enum([...abilities]);

export const windowQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: 'As `/scim/v2` takes it; everything unless given.' })),
  start: Type.Optional(Type.Integer({ description: 'The first to show, from 1.' })),
  count: Type.Optional(
    Type.Integer({ description: `How many at most; ${userPageUsual} unless given, ${userPageMax} at most.` }),
  ),
});

const userMembers = {
  id,
  userName: Type.String(),
  displayName: orNull('The name that is shown, where there is one.'),
  externalId: orNull('By which an identity provider knows them.'),
  active: Type.Boolean({ description: 'False for a user who is suspended.' }),
  createdAt: time,
  modifiedAt: time,
};

export const userListSchema = Type.Object(
  {
    total: Type.Integer(),
    start: Type.Integer(),
    items: Type.Array(
      Type.Object(
        {
          ...userMembers,
          roles: Type.Union([Type.Array(roleSchema), Type.Null()], {
            description: 'Null where the users of the page belong to very many groups; the user alone tells.',
          }),
        },
        { $id: 'ConsoleListedUser' },
      ),
    ),
  },
  { $id: 'ConsoleUserList' },
);

const nameToday = orNull('What whoever granted it is called today; null where they are gone.');

const heldRoleSchema = Type.Object(
  {
    role: roleSchema,
    reasons: Type.Array(
      Type.Object({
        through: Type.Enum(['grant', 'group', 'value']),
        text: Type.String({ description: 'In words, such as "through group CX team".' }),
        groupId: Type.Optional(id),
        displayName: Type.Optional(Type.String({ description: 'Of the group.' })),
        value: Type.Optional(Type.String({ description: 'The SCIM role.' })),
        grantedAt: Type.Optional(time),
        grantedBy: Type.Optional(Type.String()),
        grantedByName: Type.Optional(nameToday),
      }),
    ),
  },
  { $id: 'HeldRole' },
);

export const userSchema = Type.Object(
  {
    ...userMembers,
    profile: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Everything that is kept of the user, under the names of SCIM.',
    }),
    groups: Type.Array(Type.Object({ id, displayName: Type.String() })),
    hasMoreGroups: Type.Boolean({ description: 'Whether they belong to more than are shown.' }),
    roles: Type.Array(heldRoleSchema),
    adminRests: Type.Boolean({
      description:
        'Whether the direct grant of admin gives no rights until it is confirmed, because the externalId was changed by something that may not change admins.',
    }),
    refused: Type.Array(
      Type.Object({
        act: Type.Enum([...refusedActs]),
        by: Type.String({ description: 'Who asked for it last, as the audit log names them.' }),
        byName: orNull('What they are called today.'),
        firstAt: time,
        lastAt: time,
        times: Type.Integer(),
      }),
      {
        description:
          'Suspensions and deletions of this admin that were refused, until they are done or dropped.',
      },
    ),
    abilities: Type.Array(abilitySchema),
    signsInBy: Type.Object({
      passkeys: Type.Integer(),
      password: Type.Boolean(),
      connection: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
        description: 'The connection to an identity provider that they belong to.',
      }),
      onlyProvider: Type.Boolean({ description: 'Whether the provider is the only way into the account.' }),
    }),
  },
  { $id: 'ConsoleUser' },
);

const groupMembers = {
  id,
  displayName: Type.String(),
  externalId: orNull('By which an identity provider knows it.'),
  memberCount: Type.Integer(),
  createdAt: time,
  modifiedAt: time,
};

export const groupListSchema = Type.Object(
  {
    total: Type.Integer(),
    start: Type.Integer(),
    items: Type.Array(
      Type.Object({ ...groupMembers, roles: Type.Array(roleSchema) }, { $id: 'ConsoleListedGroup' }),
    ),
  },
  { $id: 'ConsoleGroupList' },
);

export const groupSchema = Type.Object(
  {
    ...groupMembers,
    roles: Type.Array(
      Type.Object({
        role: roleSchema,
        grantedAt: time,
        grantedBy: Type.String(),
        grantedByName: nameToday,
      }),
    ),
    members: Type.Array(
      Type.Object({ id, kind: Type.Enum(['user', 'group']), displayName: orNull('The name that is shown.') }),
    ),
    next: orNull('Where the next members begin; null where there are no more.'),
  },
  { $id: 'ConsoleGroup' },
);
