// What the service answers about people, so far as these pages read it.

import type { Grant } from '../../../src/domain/access/account.ts';
import type { Ability, Role } from '../../../src/domain/access/role.ts';
import type { SignInWay } from '../../../src/domain/access/sign-in-way.ts';

export interface ListedUser {
  readonly id: string;
  readonly userName: string;
  readonly displayName: string | null;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly roles: readonly Role[] | null;
}

export interface Windowed<Item> {
  readonly total: number;
  readonly start: number;
  readonly items: readonly Item[];
}

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface RoleReason {
  readonly through: 'grant' | 'group' | 'value';
  readonly groupId?: string;
  readonly displayName?: string;
  readonly value?: string;
  readonly grantedAt?: string;
  readonly grantedBy?: string;
  readonly grantedByName?: string | null;
}

export interface WholeUser extends Omit<ListedUser, 'roles'> {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly groups: readonly { readonly id: string; readonly displayName: string }[];
  readonly hasMoreGroups: boolean;
  readonly roles: readonly { readonly role: Role; readonly reasons: readonly RoleReason[] }[];
  readonly adminRests: boolean;
  readonly refused: readonly {
    readonly act: 'suspend' | 'delete';
    readonly by: string;
    readonly byName: string | null;
    readonly lastAt: string;
    readonly times: number;
  }[];
  readonly abilities: readonly Ability[];
  readonly signsInBy: {
    readonly passkeys: number;
    readonly password: boolean;
    readonly connection: { readonly id: string; readonly name: string } | null;
    readonly onlyProvider: boolean;
  };
}

export interface UserSession {
  readonly id: string;
  readonly way: SignInWay;
  readonly usedAt: string;
  readonly origin: string | null;
  readonly browser: string | null;
  readonly isThis: boolean;
}

export interface AuditEntry {
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly action: string;
  readonly subject: string;
  readonly subjectName: string | null;
  readonly attributes: readonly string[];
  readonly joined?: { readonly count: number };
  readonly left?: { readonly count: number };
  readonly note?: string;
  readonly requestId: string | null;
  readonly from: string | null;
  readonly changeId: string;
}

export interface TimelineEntry {
  readonly at: string;
  readonly id: string;
  readonly change: AuditEntry | null;
  readonly group: {
    readonly id: string;
    readonly displayName: string | null;
    readonly joined: boolean;
  } | null;
  readonly request: {
    readonly who: string | null;
    readonly method: string;
    readonly status: number;
    readonly understood: string | null;
    readonly changed: string | null;
    readonly refused: string | null;
  } | null;
}

export interface ListedGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly memberCount: number;
  readonly createdAt: string;
  readonly roles: readonly Role[];
}

export interface WholeGroup extends Omit<ListedGroup, 'roles'> {
  readonly roles: readonly {
    readonly role: Role;
    readonly grantedAt: string;
    readonly grantedBy: string;
    readonly grantedByName: string | null;
  }[];
  readonly members: readonly {
    readonly id: string;
    readonly kind: 'user' | 'group';
    readonly displayName: string | null;
  }[];
  readonly next: string | null;
}

export interface RoleFacts {
  readonly role: Role;
  readonly abilities: readonly Ability[];
  readonly mayGrant: boolean;
}

export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Grant[];
  readonly mayChangeAdmins: boolean;
  readonly disabled: boolean;
  readonly liveSecrets: number;
  readonly created: string;
  readonly lastUsed: string | null;
}

export interface Link {
  readonly url: string;
  readonly expiresAt: string;
}
