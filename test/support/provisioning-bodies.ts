// Users and groups of the model as requests of either face say them.

import type { Face, ModelUser, Profile } from './provisioning-model.ts';
import { enterpriseSchema, groupSchema, patchSchema, userSchema } from './schema-urns.ts';

export function addressOf(face: Face, user: ModelUser): string {
  const address = face === 'standard' ? String(user.id) : (user.externalId ?? String(user.id));
  return `/Users/${encodeURIComponent(address)}`;
}

export function bodyOf(face: Face, profile: Profile): object {
  const { userName, externalId, active, name, emails, phoneNumbers, displayName, title } = profile;
  const { department, employeeNumber } = profile;
  const both = { userName, externalId, active, name, emails, phoneNumbers };
  if (face === 'interface') return { schemas: [userSchema], ...both, meta: {} };
  const extension =
    department === undefined && employeeNumber === undefined
      ? {}
      : { [enterpriseSchema]: { department, employeeNumber } };
  return { schemas: [userSchema, ...Object.keys(extension)], ...both, displayName, title, ...extension };
}

export const patchBody = (face: Face, operations: readonly object[]): object => ({
  schemas: [patchSchema],
  [face === 'standard' ? 'Operations' : 'operations']: operations,
});

export const groupBody = (displayName: string, members: readonly number[]): object => ({
  schemas: [groupSchema],
  displayName,
  members: members.map((id) => ({ value: String(id) })),
});

/** The value of a type is replaced where it stands, and added where there is none. */
export function withElement(list: Profile['emails'], type: string, value: string): Profile['emails'] {
  const elements = list ?? [];
  if (!elements.some((element) => element.type === type)) return [...elements, { value, type }];
  return elements.map((element) => (element.type === type ? { ...element, value } : element));
}

export function revisionOf(version: string | null): number {
  return Number(/^W\/"(\d+)(\.[^"]+)?"$/.exec(version ?? '')?.[1]);
}

export function sorted(
  users: readonly ModelUser[],
  by: 'userName' | 'name.familyName',
  isDescending: boolean,
): ModelUser[] {
  const key = (user: ModelUser): string =>
    (by === 'userName' ? user.userName : (user.name?.familyName ?? '')).toLowerCase();
  const compare = (a: ModelUser, b: ModelUser): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id;
  return [...users].sort((a, b) => (isDescending ? -compare(a, b) : compare(a, b)));
}
