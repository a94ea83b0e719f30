// What identity providers did, a page at a time: which deed it was and whom it was about, by the name that they have now. The
// log itself keeps no names (D-605).

import { deeds, logParts, remedies } from '../../domain/provisioning/provider-deed.ts';
import { pageAfter, pageLimit, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const entrySchema = Type.Object(
  {
    id: Type.String({ description: 'The id of the request, as the provider was told it.' }),
    at: Type.String({ format: 'date-time' }),
    token: Type.Object({
      id: Type.String(),
      name: orNull('Of the provisioning token or the API client; null where it is gone.'),
    }),
    deed: Type.Enum([...deeds]),
    subject: Type.Union([
      Type.Object({
        kind: Type.Enum(['user', 'group']),
        id: orNull('The internal id; null where there is nobody of that name any more.'),
        name: orNull('As they are called now.'),
        said: Type.String({ description: 'As the request named them.' }),
      }),
      Type.Null(),
    ]),
    attributes: Type.Array(Type.String(), { description: 'What changed, by the names of attributes.' }),
    members: Type.Union([
      Type.Object({ joined: Type.Integer(), left: Type.Union([Type.Integer(), Type.Null()]) }),
      Type.Null(),
    ]),
    isWithoutEffect: Type.Boolean({ description: 'It was taken, and all was so already.' }),
    refusal: Type.Union([
      Type.Object({ code: Type.String(), message: Type.String(), remedy: Type.Enum([...remedies]) }),
      Type.Null(),
    ]),
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    understood: orNull('What was asked for, without values.'),
    changed: orNull('What changed, without values.'),
  },
  { $id: 'ProviderDeed' },
);

export const logPageSchema = pageSchema(entrySchema, 'ProviderLog');

export const logQuery = {
  show: Type.Optional(
    Type.Enum([...logParts], {
      description: 'Only changes and refusals, or only refusals; everything unless given.',
    }),
  ),
  after: pageAfter,
  limit: pageLimit,
};
