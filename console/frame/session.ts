// Who is signed in, and what they may do here.

import type { Ability, Role } from '../../src/domain/access/role.ts';
import type { SignInWay } from '../../src/domain/access/sign-in-way.ts';
import { maySee, type PageName } from '../../src/domain/console/page-paths.ts';
import { signal } from './signal.ts';

export interface Session {
  readonly person: { readonly kind: 'user' | 'operator'; readonly id: string; readonly name: string };
  readonly account: { readonly id: number; readonly name: string } | null;
  readonly roles: readonly Role[];
  readonly isAdminWithheld: boolean;
  readonly isPasskeyDue: boolean;
  readonly abilities: readonly Ability[];
  readonly way: SignInWay;
  readonly signedInAt: string;
}

/** There before a page is drawn. */
export const session = signal<Session>(null as unknown as Session);

export function can(ability: Ability): boolean {
  return session.value.abilities.includes(ability);
}

export function sees(name: PageName): boolean {
  const { abilities, account } = session.value;
  return maySee(name, { abilities, hasAccount: account !== null });
}
