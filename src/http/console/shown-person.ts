// How the console shows whoever has signed in.

import type { Person } from '../../domain/access/visitor.ts';
import { Type } from '../server/schema.ts';

export const personSchema = Type.Object({
  kind: Type.Enum(['user', 'operator']),
  id: Type.String({ description: 'Of a user the internal id.' }),
  name: Type.String({ description: 'The userName of a user, the name of an operator.' }),
});

export function shownPerson(person: Person) {
  return {
    kind: person.kind,
    id: String(person.id),
    name: person.kind === 'user' ? person.user.profile.userName : person.name,
  };
}
