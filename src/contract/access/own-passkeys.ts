// /console/api/me/passkeys: the passkeys of whoever has signed in.

import { passkeysMax } from '../../domain/access/credential-bounds.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import {
  creationOptionsSchema,
  credentialIdSchema,
  passkeyNameSchema,
  registrationSchema,
} from './passkey.ts';

const passkeySchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    usedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When somebody last signed in with it; null before the first time.',
    }),
  },
  { $id: 'Passkey' },
);

const params = Type.Object({ id: credentialIdSchema });

const tag = 'Me';

export const ownPasskeyOperations = consoleOperations({
  'GET /me/passkeys': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'listMyPasskeys',
      summary: 'My passkeys',
      description: `The oldest first; nobody has more than ${passkeysMax}.`,
      tag,
      success: {
        status: 200,
        schema: Type.Object({ passkeys: Type.Array(passkeySchema) }),
        description: 'The passkeys.',
      },
    },
  },
  'POST /me/passkeys/options': {
    access: { people: 'signedIn' },
    consumes: ['application/json'],
    body: Type.Object({}),
    document: {
      operationId: 'getPasskeyCreationOptions',
      summary: 'What a new passkey has to be',
      description:
        'Options for navigator.credentials.create. Their challenge is sealed in a cookie for this session alone, can be answered once, and ends after five minutes.',
      tag,
      success: { status: 200, schema: creationOptionsSchema, description: 'The options.' },
    },
    refusals: ['CONFLICT'],
  },
  'POST /me/passkeys': {
    access: { people: 'signedIn' },
    consumes: ['application/json'],
    body: Type.Object({ name: passkeyNameSchema, response: registrationSchema }),
    document: {
      operationId: 'addMyPasskey',
      summary: 'Add a passkey',
      description: 'What the authenticator gave for the options, under a name.',
      tag,
      success: { status: 201, schema: passkeySchema, description: 'The passkey.' },
    },
    refusals: ['CONFLICT'],
  },
  'PATCH /me/passkeys/:id': {
    access: { people: 'signedIn' },
    consumes: ['application/json'],
    params,
    body: Type.Object({ name: passkeyNameSchema }),
    document: {
      operationId: 'renameMyPasskey',
      summary: 'Rename a passkey',
      description: 'Names are for its owner; they need not differ.',
      tag,
      success: done('Renamed.'),
    },
    refusals: ['PASSKEY_NOT_FOUND'],
  },
  'DELETE /me/passkeys/:id': {
    access: { people: 'signedIn' },
    params,
    document: {
      operationId: 'removeMyPasskey',
      summary: 'Remove a passkey',
      description:
        'It opens nothing any more; sessions that it began go on. The last way in stays: 409 for the only passkey of somebody without a password or a connection to an identity provider.',
      tag,
      success: done('Removed.'),
    },
    refusals: ['PASSKEY_NOT_FOUND', 'CONFLICT'],
  },
});
