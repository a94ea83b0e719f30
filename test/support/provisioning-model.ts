// What the users and groups of one account must be after any sequence of changes, kept in memory by the rules of the
// documents alone. Tests play a change against the service and against this, and hold the answers against each other.

import { enterpriseSchema, serviceSchema, userSchema } from './schema-urns.ts';

export type Face = 'interface' | 'standard';

export interface Element {
  readonly value: string;
  readonly type?: string;
  readonly primary?: boolean;
}

/** What a caller may say of a user. What is undefined is not assigned. */
export interface Profile {
  userName: string;
  externalId?: string | undefined;
  active: boolean;
  name?: { readonly givenName?: string; readonly familyName?: string } | undefined;
  displayName?: string | undefined;
  title?: string | undefined;
  emails?: readonly Element[] | undefined;
  phoneNumbers?: readonly Element[] | undefined;
  department?: string | undefined;
  employeeNumber?: string | undefined;
}

export interface ModelUser extends Profile {
  readonly id: number;
  readonly createdMs: number;
  modifiedMs: number;
  revision: number;
}

export interface ModelGroup {
  readonly id: number;
  displayName: string;
  externalId?: string | undefined;
  readonly members: Set<number>;
  readonly createdMs: number;
  modifiedMs: number;
  revision: number;
}

const fold = (text: string): string => text.toLowerCase();

export class ProvisioningModel {
  readonly users = new Map<number, ModelUser>();
  readonly groups = new Map<number, ModelGroup>();

  add(id: number, profile: Profile, nowMs: number): ModelUser {
    const user = { ...profile, id, createdMs: nowMs, modifiedMs: nowMs, revision: 1 };
    this.users.set(id, user);
    return user;
  }

  change(user: ModelUser, changes: Partial<Profile>, nowMs: number): void {
    Object.assign(user, changes);
    user.modifiedMs = nowMs;
    user.revision += 1;
  }

  /** A user goes from every group it was in, and each of those has changed. */
  remove(user: ModelUser, nowMs: number): void {
    this.users.delete(user.id);
    for (const group of this.groups.values()) if (group.members.delete(user.id)) this.changed(group, nowMs);
  }

  addGroup(id: number, displayName: string, members: readonly number[], nowMs: number): ModelGroup {
    const group = {
      id,
      displayName,
      members: new Set(members),
      createdMs: nowMs,
      modifiedMs: nowMs,
      revision: 1,
    };
    this.groups.set(id, group);
    return group;
  }

  changed(group: ModelGroup, nowMs: number): void {
    group.modifiedMs = nowMs;
    group.revision += 1;
  }

  groupsOf(user: ModelUser): ModelGroup[] {
    return [...this.groups.values()].filter(({ members }) => members.has(user.id));
  }

  hasUserName(name: string): boolean {
    return [...this.users.values()].some(({ userName }) => fold(userName) === fold(name));
  }

  /** In the order of lists: that of creation. */
  list(): ModelUser[] {
    return [...this.users.values()].sort((a, b) => a.id - b.id);
  }

  /** How a face shows a user, but for `meta.version` and `meta.location`, which `assertUser` looks at. */
  shown(user: ModelUser, face: Face, accountId: number): Record<string, unknown> {
    const isStandard = face === 'standard';
    const enterprise = present({
      employeeNumber: user.employeeNumber,
      department: user.department,
    });
    const hasEnterprise = isStandard && Object.keys(enterprise).length > 0;
    const groups = this.groupsOf(user);
    return present({
      schemas: [userSchema, ...(hasEnterprise ? [enterpriseSchema] : []), serviceSchema],
      id: isStandard ? String(user.id) : user.id,
      externalId: user.externalId,
      userName: user.userName,
      name: user.name,
      displayName: isStandard ? user.displayName : undefined,
      title: isStandard ? user.title : undefined,
      active: user.active,
      emails: user.emails?.length === 0 ? undefined : user.emails,
      phoneNumbers: user.phoneNumbers?.length === 0 ? undefined : user.phoneNumbers,
      groups: isStandard && groups.length > 0 ? groups.map(({ id }) => String(id)).sort() : undefined,
      [enterpriseSchema]: hasEnterprise ? enterprise : undefined,
      [serviceSchema]: { clientId: accountId },
      meta: {
        resourceType: 'User',
        created: new Date(user.createdMs).toISOString(),
        lastModified: new Date(user.modifiedMs).toISOString(),
      },
    });
  }
}

function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** What a list may be asked for, as text for the service and as a question for the model. */
export interface Search {
  readonly filter: string;
  readonly matches: (user: ModelUser) => boolean;
}

const quoted = (text: string): string => JSON.stringify(text);
const textOf = (value: string | undefined): string => fold(value ?? '');
const name = (user: ModelUser, part: 'givenName' | 'familyName'): string => textOf(user.name?.[part]);

export const searches = {
  userName: (value: string): Search => ({
    filter: `userName eq ${quoted(value)}`,
    matches: (user) => fold(user.userName) === fold(value),
  }),
  namePart: (part: 'givenName' | 'familyName', op: 'co' | 'sw' | 'ew', value: string): Search => ({
    filter: `name.${part} ${op} ${quoted(value)}`,
    matches(user) {
      const own = name(user, part);
      const wanted = fold(value);
      if (own === '') return false;
      if (op === 'co') return own.includes(wanted);
      return op === 'sw' ? own.startsWith(wanted) : own.endsWith(wanted);
    },
  }),
  and: (one: Search, other: Search): Search => ({
    filter: `${one.filter} and ${other.filter}`,
    matches: (user) => one.matches(user) && other.matches(user),
  }),
  or: (one: Search, other: Search): Search => ({
    filter: `(${one.filter}) or (${other.filter})`,
    matches: (user) => one.matches(user) || other.matches(user),
  }),
  not: (one: Search): Search => ({
    filter: `not (${one.filter})`,
    matches: (user) => !one.matches(user),
  }),
  externalId: (value: string): Search => ({
    filter: `externalId eq ${quoted(value)}`,
    matches: (user) => user.externalId === value,
  }),
  email: (value: string): Search => ({
    filter: `emails.value eq ${quoted(value)}`,
    matches: (user) => (user.emails ?? []).some((email) => fold(email.value) === fold(value)),
  }),
  emailOfType: (type: string, part: string): Search => ({
    filter: `emails[type eq ${quoted(type)} and value co ${quoted(part)}]`,
    matches: (user) =>
      (user.emails ?? []).some((email) => email.type === type && fold(email.value).includes(fold(part))),
  }),
  active: (active: boolean): Search => ({
    filter: `active eq ${active}`,
    matches: (user) => user.active === active,
  }),
  displayName: (part: string): Search => ({
    filter: `displayName co ${quoted(part)}`,
    matches: (user) => user.displayName !== undefined && fold(user.displayName).includes(fold(part)),
  }),
  hasTitle: (): Search => ({ filter: 'title pr', matches: (user) => user.title !== undefined }),
  department: (value: string): Search => ({
    filter: `${enterpriseSchema}:department eq ${quoted(value)}`,
    matches: (user) => fold(user.department ?? '') === fold(value),
  }),
  changedAfter: (ms: number): Search => ({
    filter: `meta.lastModified gt ${quoted(new Date(ms).toISOString())}`,
    matches: (user) => user.modifiedMs > ms,
  }),
  id: (id: number): Search => ({ filter: `id eq "${id}"`, matches: (user) => user.id === id }),
} as const;
