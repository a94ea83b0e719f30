// Somebody who was sent to an identity provider is not let in: a code for the person, and for the audit log of the account
// what exactly did not match (D-354).

/** Why nobody matches, more exactly than the person is told; for whoever tests the connection (D-603). */
export const matchFaults = [
  'noUser',
  'noExternalId',
  'otherCase',
  'otherExternalId',
  'suspended',
  'otherConnection',
] as const;
