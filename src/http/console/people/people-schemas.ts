// Users, groups and roles as the console shows them.

import { abilitiesOf, type Role } from '../../../domain/access/role.ts';
import type { Group, KnownMember } from '../../../domain/provisioning/group.ts';
import type { User } from '../../../domain/provisioning/user.ts';
import {
  type Grant,
  type HeldRole,
  type RoleReason,
  reasonInWords,
} from '../../../store/people/role-grants.ts';

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
  return {
    id: String(number),
    kind: type === 'Group' ? ('group' as const) : ('user' as const),
    displayName: display,
  };
}

/** A role and what it lets people do. */
export function shownRole(role: Role, mayGrant: boolean) {
  return { role, abilities: [...abilitiesOf([role])], mayGrant };
}
