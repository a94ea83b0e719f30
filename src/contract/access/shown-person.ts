// How the console shows whoever has signed in.

import { Type } from '../schema.ts';

export const personSchema = Type.Object({
  kind: Type.Enum(['user', 'operator']),
  id: Type.String({ description: 'Of a user the internal id.' }),
  name: Type.String({ description: 'The userName of a user, the name of an operator.' }),
});
