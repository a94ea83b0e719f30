// Somebody who was sent to an identity provider is not let in: a code for the person, and for the audit log of the account
// what exactly did not match (D-354).

import type { matchFaults } from '../../contract/providers/refusal.ts';
import { type AuditNote, noteSentence } from '../../domain/access/audit-note.ts';
import { type ProviderRefusal, providerRefusals } from '../../domain/access/connection.ts';
import { Problem } from '../../domain/problem.ts';

export interface MatchFault {
  readonly code: (typeof matchFaults)[number];
  /** The user who nearly matches. */
  readonly userId: number | null;
}

export class SignInRefused extends Error {
  readonly code: ProviderRefusal;
  /** For an administrator: names of claims and ids of users, never a secret or a token. */
  readonly reason: AuditNote;
  readonly match: MatchFault | null;

  constructor(code: ProviderRefusal, reason: AuditNote, match: MatchFault | null = null) {
    super(noteSentence(reason) ?? code);
    this.name = 'SignInRefused';
    this.code = code;
    this.reason = reason;
    this.match = match;
  }

  problem(): Problem {
    return new Problem('SIGN_IN_REFUSED', providerRefusals[this.code], {
      details: [{ field: 'provider', code: 'INVALID', message: this.code }],
    });
  }
}
