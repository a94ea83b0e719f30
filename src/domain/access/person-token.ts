// Access tokens that people get for themselves, to try the interface by hand: what their abilities open there. They read and
// change nothing, because rules of the console that hold for whoever manages users have no place under /v1.

import type { Grant } from './account.ts';
import type { Ability } from './role.ts';
import { operatorsAccount, type PersonId } from './visitor.ts';

export const personTokenSeconds = 15 * 60;

const grantsOfAbilities: Readonly<Partial<Record<Ability, readonly Grant[]>>> = {
  'see responses': ['r_cx_measures', 'r_cx_projects'],
  'manage users': ['r_cx_users'],
};

export function grantsOfPerson(abilities: Iterable<Ability>): readonly Grant[] {
  return [...abilities].flatMap((ability) => grantsOfAbilities[ability] ?? []);
}

/** The subject of such a token: `user 17`, `operator 1`. */
export function subjectOf({ accountId, personId }: PersonId): string {
  return `${accountId === operatorsAccount ? 'operator' : 'user'} ${personId}`;
}

/** Whom a subject names, for a token that speaks in an account; null for any other subject. */
export function personOfSubject(subject: string, accountId: number): PersonId | null {
  const [, kind, id] = /^(user|operator) (\d{1,15})$/.exec(subject) ?? [];
  if (kind === undefined) return null;
  return { accountId: kind === 'user' ? accountId : operatorsAccount, personId: Number(id) };
}
