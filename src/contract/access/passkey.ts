// What browsers and the console tell each other about passkeys: the JSON forms of Web Authentication, level 3, each text
// with a bound. Members that nobody reads are let through and left out of what is handed on.

import type { TSchema } from 'typebox';
import { Type } from '../schema.ts';

// 1,023 bytes are the most that an authenticator may take for an id; four characters stand for three of them.
const credentialIdLengthMax = 1_364;

const passkeyNameLengthMax = 100;

const base64url = (maxLength: number, options: object = {}) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]*$', minLength: 1, maxLength, ...options });

export const credentialIdSchema = base64url(credentialIdLengthMax, {
  description: 'The id that the authenticator gave it.',
});

export const passkeyNameSchema = Type.String({
  minLength: 1,
  maxLength: passkeyNameLengthMax,
  description: 'What its owner calls it, such as the device it is on.',
});

const credentialOf = <Response extends TSchema>(response: Response) => ({
  id: credentialIdSchema,
  rawId: credentialIdSchema,
  type: Type.Literal('public-key'),
  response,
});

const clientData = base64url(4_096);

/** As PublicKeyCredential.toJSON() gives it after navigator.credentials.create. */
export const registrationSchema = Type.Object(
  credentialOf(
    Type.Object({
      clientDataJSON: clientData,
      attestationObject: base64url(8_192),
      transports: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z0-9-]+$' }), { maxItems: 10 }),
      ),
    }),
  ),
  { description: 'What navigator.credentials.create gave, as JSON.' },
);

/** As it gives it after navigator.credentials.get. */
export const assertionSchema = Type.Object(
  credentialOf(
    Type.Object({
      clientDataJSON: clientData,
      authenticatorData: base64url(4_096),
      signature: base64url(4_096),
      userHandle: base64url(100, { description: 'Says whose passkey it is.' }),
    }),
  ),
  { description: 'What navigator.credentials.get gave, as JSON.' },
);

/** For PublicKeyCredential.parseRequestOptionsFromJSON. */
export const requestOptionsSchema = Type.Object(
  {
    rpId: Type.String(),
    challenge: Type.String(),
    timeout: Type.Integer(),
    userVerification: Type.Literal('required'),
  },
  { $id: 'PasskeyRequestOptions' },
);

/** For PublicKeyCredential.parseCreationOptionsFromJSON. */
export const creationOptionsSchema = Type.Object(
  {
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    timeout: Type.Integer(),
    attestation: Type.Literal('none'),
    excludeCredentials: Type.Array(
      Type.Object({
        id: Type.String(),
        type: Type.Literal('public-key'),
        transports: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.Literal('required'),
    }),
  },
  { $id: 'PasskeyCreationOptions' },
);
