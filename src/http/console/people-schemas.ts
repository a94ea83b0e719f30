// Users, groups and roles as the console shows them.

import { abilities, abilitiesOf, type Role, roles } from '../../domain/access/role.ts';
import type { Group, KnownMember } from '../../domain/provisioning/group.ts';
import type { User } from '../../domain/provisioning/user.ts';
import { userPageMax, userPageUsual } from '../../domain/window.ts';
import { refusedActs } from '../../store/access/admin-refusals.ts';
import { type Grant, type HeldRole, type RoleReason, reasonInWords } from '../../store/access/role-grants.ts';
import { Type } from '../server/schema.ts';

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

// ---- From what is kept

const timeOf = (ms: number): string => new Date(ms).toISOString();

function resourceMembers({ id: number, createdMs, lastModifiedMs }: User | Group) {
  return { id: String(number), createdAt: timeOf(createdMs), modifiedAt: timeOf(lastModifiedMs) };
}

export function shownUser(user: User) {
  const { userName, displayName, externalId, active } = user.profile;
  return {
    ...resourceMembers(user),
    userName,
    displayName: typeof displayName === 'string' ? displayName : null,
    externalId: externalId ?? null,
    active,
  };
}

/** By what the audit log calls whoever granted something. */
type Names = ReadonlyMap<string, string>;

/** A grant of admin that rests is shown, and is none of what they can do; one through a group still is. */
export function shownRoles(held: readonly HeldRole[], names: Names, adminRests: boolean) {
  const counts = ({ role, reasons }: HeldRole): boolean =>
    role !== 'admin' || !adminRests || reasons.some(({ through }) => through !== 'grant');
  return {
    roles: held.map(({ role, reasons }) => ({
      role,
      reasons: reasons.map((reason) => shownReason(reason, names)),
    })),
    abilities: [...abilitiesOf(held.filter(counts).map(({ role }) => role))],
  };
}

function shownReason(reason: RoleReason, names: Names) {
  const text = reasonInWords(reason);
  const { through } = reason;
  if (through === 'value') return { through, text, value: reason.value };
  if (through === 'group')
    return { through, text, groupId: String(reason.groupId), displayName: reason.displayName };
  const { grantedAtMs, grantedBy } = reason;
  return {
    through,
    text,
    grantedAt: timeOf(grantedAtMs),
    grantedBy,
    grantedByName: names.get(grantedBy) ?? null,
  };
}

export function shownGroup(group: Group, memberCount: number) {
  const { displayName, externalId } = group.profile;
  return { ...resourceMembers(group), displayName, externalId: externalId ?? null, memberCount };
}

export function shownGrant({ role, grantedAtMs, grantedBy }: Grant, names: Names) {
  const grantedByName = names.get(grantedBy) ?? null;
  return { role, grantedAt: timeOf(grantedAtMs), grantedBy, grantedByName };
}

export function shownMember({ id: number, type, display }: KnownMember) {
  return { id: String(number), kind: type === 'Group' ? 'group' : 'user', displayName: display };
}

/** A role and what it lets people do. */
export function shownRole(role: Role, mayGrant: boolean) {
  return { role, abilities: [...abilitiesOf([role])], mayGrant };
}
