// Who is signed in, and what they may do here.

import type { Ability } from '../../src/domain/access/role.ts';
import { maySee, type PageName } from '../../src/domain/console/page-paths.ts';
import type { AnswerTo } from '../call.ts';
import { signal } from './signal.ts';

export type Session = AnswerTo<'GET /session'>;

/** There before a page is drawn. */
export const session = signal<Session>(null as unknown as Session);

export function can(ability: Ability): boolean {
  return session.value.abilities.includes(ability);
}

export function sees(name: PageName): boolean {
  const { abilities, account } = session.value;
  return maySee(name, { abilities, hasAccount: account !== null });
}
