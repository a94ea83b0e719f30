// What browsers and the console tell each other about passkeys: the JSON forms of Web Authentication, level 3, each text
// with a bound. Members that nobody reads are let through and left out of what is handed on.

import type { Static } from 'typebox';
import type { assertionSchema, registrationSchema } from '../../contract/access/passkey.ts';
/** An answer with the largest of everything. */
export const passkeyBodyBytesMax = 64 * 1024;
export type Registration = Static<typeof registrationSchema>;
export type Assertion = Static<typeof assertionSchema>;
