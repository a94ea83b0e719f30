// What a look at a connection has found, each with a code for the page and a sentence for whoever reads the answer itself.

import { connectionDoubts } from '../../domain/access/provider-kind.ts';
import { Type } from '../schema.ts';
import { connectionFaultCodes } from './connection-fault.ts';

export const codes = [
  'answers',
  ...connectionFaultCodes,
  ...connectionDoubts,
  'withoutExternalId',
  'ofOtherConnection',
  'noToken',
  'tokenEnds',
  'notSignedIn',
] as const;

export const findingsSchema = Type.Array(
  Type.Object(
    {
      code: Type.Enum([...codes]),
      level: Type.Enum(['good', 'warning', 'bad']),
      says: Type.String(),
      count: Type.Optional(Type.Integer({ description: 'How many users, or seconds, it is about.' })),
      reason: Type.Optional(Type.String({ description: 'Why, as it was told by what failed.' })),
    },
    { $id: 'ConnectionFinding' },
  ),
);
