// What a person could come back by, as far as the store does not tell.

import type { Context } from '../../../context.ts';
import { type Person, personIdOf } from '../../../domain/access/visitor.ts';
import type { WaysIn } from '../../../store/people/ways-in.ts';

export function waysInOf({ config }: Context, person: Person): WaysIn {
  return {
    ...personIdOf(person),
    hasPasswordsOn: config.consolePasswords,
    hasExternalId: person.kind === 'user' && person.user.profile.externalId !== undefined,
  };
}
