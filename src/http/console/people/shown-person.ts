// How the console shows whoever has signed in.

import type { Person } from '../../../domain/access/visitor.ts';

export function shownPerson(person: Person) {
  return {
    kind: person.kind,
    id: String(person.id),
    name: person.kind === 'user' ? person.user.profile.userName : person.name,
  };
}
