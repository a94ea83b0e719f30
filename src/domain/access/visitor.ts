// Whoever has signed in: a user of an account, or an operator of the store.

import type { User } from '../provisioning/user.ts';
import type { Account } from './account.ts';
import type { Ability, Role } from './role.ts';
import type { SignInWay } from './sign-in-way.ts';

export type { SignInWay } from './sign-in-way.ts';

/** Operators are kept where users are kept under their account: under 0, which no account can be. */
export const operatorsAccount = 0;

/** A user of an account, or with the account 0 an operator. */
export interface PersonId {
  readonly accountId: number;
  readonly personId: number;
}

export type Person =
  | { readonly kind: 'user'; readonly accountId: number; readonly id: number; readonly user: User }
  | { readonly kind: 'operator'; readonly id: number; readonly name: string };

export interface Visitor {
  readonly person: Person;
  readonly sessionId: string;
  readonly way: SignInWay;
  /** The connection to an identity provider, where the way was one. */
  readonly connectionId: string | null;
  /**
   * When they last proved who they are; what is dangerous asks for it anew when that is long ago. Null where an identity
   * provider did not say.
   */
  readonly signedInAtMs: number | null;
  readonly beganAtMs: number;
  /** False where what they signed in with goes back to a link that somebody without admin made (D-400). */
  readonly admitsAdmin: boolean;
  /** They are admin, and for that reason not here. */
  readonly isAdminWithheld: boolean;
  /** They may do nothing but add a passkey (D-826). */
  readonly isPasskeyDue: boolean;
  /** The account they act in: a user's own, or the one that an operator has entered; null for an operator in none. */
  readonly accountId: number | null;
  readonly account: Account | null;
  readonly roles: ReadonlySet<Role>;
  readonly abilities: ReadonlySet<Ability>;
}

/** As the audit log names them. */
export function actorOf({ person }: Pick<Visitor, 'person'>): string {
  return person.kind === 'user' ? `user ${person.id}` : `operator ${person.name}`;
}

export function personIdOf(person: Person): PersonId {
  return person.kind === 'user'
    ? { accountId: person.accountId, personId: person.id }
    : { accountId: operatorsAccount, personId: person.id };
}

/** So long after a sign-in it is fresh enough for secrets, roles and what cannot be undone. */
export const freshForMs = 15 * 60_000;
