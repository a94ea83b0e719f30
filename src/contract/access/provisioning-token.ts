// Provisioning tokens as the pages of identity providers show them: with their end, and what came by them.

import { tokenStates } from '../../domain/access/credential-bounds.ts';
import { Type } from '../schema.ts';

/** So long before its end a token is worth a word (D-604). */
export const tokenWarningDays = 30;

const moment = Type.String({ format: 'date-time' });

export const tokenSchema = Type.Object(
  {
    id: Type.String(),
    accountId: Type.Integer(),
    name: Type.String(),
    state: Type.Enum([...tokenStates]),
    readOnly: Type.Boolean({ description: 'It reads users, and changes none.' }),
    mayChangeAdmins: Type.Boolean({
      description: 'It changes users who are admin, and groups that carry admin; fixed when it was made.',
    }),
    connection: Type.Union([Type.String(), Type.Null()], {
      description: 'The connection that users belong to whom it makes.',
    }),
    created: moment,
    expires: moment,
    revoked: Type.Union([moment, Type.Null()]),
    lastUsed: Type.Union([moment, Type.Null()], {
      description: 'To the minute; null where it was never used.',
    }),
  },
  { $id: 'ProvisioningToken' },
);

export const watchedTokenSchema = Type.Object(
  {
    ...tokenSchema.properties,
    endsSoon: Type.Boolean({ description: `It is live and ends within ${tokenWarningDays} days.` }),
    isHeard: Type.Boolean({ description: 'Whether anything came by it, ever.' }),
    requests: Type.Integer({ description: 'Of the last 7 days, as far as they are kept.' }),
    refused: Type.Integer({ description: 'Of these, those that were refused.' }),
    firstRequest: Type.Union([moment, Type.Null()]),
    lastRequest: Type.Union([moment, Type.Null()]),
  },
  { $id: 'WatchedToken' },
);
