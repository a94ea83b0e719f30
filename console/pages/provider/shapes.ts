// Answers of the service, as these pages read them.

import type { ConnectionDoubt, ProviderKind } from '../../../src/domain/access/provider-kind.ts';
import type { Deed, Remedy } from '../../../src/domain/provisioning/provider-deed.ts';

export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly subjectClaim: string;
  readonly hasSecret: boolean;
  readonly only: boolean;
  readonly testedAt: string | null;
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly state: 'live' | 'expired' | 'revoked';
  readonly readOnly: boolean;
  readonly mayChangeAdmins: boolean;
  readonly connection: string | null;
  readonly created: string;
  readonly expires: string;
  readonly lastUsed: string | null;
  readonly endsSoon: boolean;
  readonly isHeard: boolean;
  readonly requests: number;
  readonly refused: number;
  readonly lastRequest: string | null;
}

export interface Addresses {
  readonly scim: string;
  readonly callback: string;
  readonly signOut: string;
  readonly backChannel: string | null;
  readonly isReachable: boolean;
}

export interface SetupLink {
  readonly mayChangeAdmins: boolean;
  readonly connectionId: string | null;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

export interface Provider {
  readonly connection: Connection;
  readonly kind: ProviderKind;
  readonly tokens: readonly Token[];
}

export interface Providers {
  readonly providers: readonly Provider[];
  readonly tokens: readonly Token[];
  readonly addresses: Addresses;
  readonly setupLink: SetupLink | null;
}

export interface ProviderAlone extends Provider {
  readonly addresses: Addresses;
  readonly setupLink: SetupLink | null;
}

export interface Finding {
  readonly code:
    | ConnectionDoubt
    | 'answers'
    | 'noSecret'
    | 'provider'
    | 'secretLost'
    | 'clock'
    | 'withoutExternalId'
    | 'ofOtherConnection'
    | 'noToken'
    | 'tokenEnds'
    | 'notSignedIn';
  readonly level: 'good' | 'warning' | 'bad';
  readonly says: string;
  readonly count?: number;
  readonly reason?: string;
}

export interface TestResult {
  readonly subjectClaim: string;
  readonly subject: string | null;
  readonly claims: readonly { readonly name: string; readonly value: string; readonly isCut: boolean }[];
  readonly claimsLeftOut: number;
  readonly user: {
    readonly id: string;
    readonly userName: string;
    readonly externalId: string | null;
  } | null;
  readonly refusal: {
    readonly code: string;
    readonly match:
      | 'noUser'
      | 'noExternalId'
      | 'otherCase'
      | 'otherExternalId'
      | 'suspended'
      | 'otherConnection'
      | null;
    readonly note: string;
  } | null;
}

export interface LogEntry {
  readonly id: string;
  readonly at: string;
  readonly token: { readonly id: string; readonly name: string | null };
  readonly deed: Deed;
  readonly subject: {
    readonly kind: 'user' | 'group';
    readonly id: string | null;
    readonly name: string | null;
    readonly said: string;
  } | null;
  readonly attributes: readonly string[];
  readonly members: { readonly joined: number; readonly left: number | null } | null;
  readonly isWithoutEffect: boolean;
  readonly refusal: { readonly code: string; readonly message: string; readonly remedy: Remedy } | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly understood: string | null;
  readonly changed: string | null;
}

export interface LogPage {
  readonly items: readonly LogEntry[];
  readonly next: string | null;
}

export interface NewToken {
  readonly token: string;
  readonly expires: string;
}

export interface ConnectionFacts {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly subjectClaim: string;
  readonly secret?: string;
}

/** Where the steps are done: in the console by whoever is signed in, or by whoever has a set-up link. */
export interface Place {
  readonly kind: ProviderKind;
  readonly connection: Connection | null;
  readonly tokens: readonly Token[];
  readonly addresses: Addresses;
  /** Whether the connection may be entered or changed here. */
  readonly mayChange: boolean;
  readonly save: (facts: ConnectionFacts) => Promise<void>;
  readonly check: () => Promise<readonly Finding[]>;
  readonly beginTest: () => Promise<string>;
  /** Null where there is nothing to show. */
  readonly takeTest: () => Promise<TestResult | null>;
  /** Whether a token that may change admins can be made here. */
  readonly mayMarkToken: boolean;
  readonly makeToken: (mayChangeAdmins: boolean) => Promise<NewToken>;
  readonly readLog: (query: string) => Promise<LogPage>;
  readonly reload: () => Promise<void>;
}
