// Somebody who was sent to an identity provider is not let in: a code for the person, and for the audit log of the account
// what exactly did not match (D-354).

import { type ProviderRefusal, providerRefusals } from '../../domain/access/connection.ts';
import { Problem } from '../../domain/problem.ts';

export class SignInRefused extends Error {
  readonly code: ProviderRefusal;
  /** For an administrator: names of claims and ids of users, never a secret or a token. */
  readonly note: string;

  constructor(code: ProviderRefusal, note: string) {
    super(note);
    this.name = 'SignInRefused';
    this.code = code;
    this.note = note;
  }

  problem(): Problem {
    return new Problem('SIGN_IN_REFUSED', providerRefusals[this.code], {
      details: [{ field: 'provider', code: 'INVALID', message: this.code }],
    });
  }
}
