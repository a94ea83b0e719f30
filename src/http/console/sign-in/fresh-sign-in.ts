// What is dangerous asks people to have signed in lately.

import { freshForMs, type Visitor } from '../../../domain/access/visitor.ts';
import { Problem } from '../../../domain/problem.ts';

export function demandFresh({ signedInAtMs }: Visitor, nowMs: number): void {
  // The provider was asked and obliged to say it (D-822).
  if (signedInAtMs === null)
    throw new Problem(
      'FRESH_SIGN_IN_REQUIRED',
      'This asks for a fresh sign-in, and your identity provider did not say when you signed in there. Confirm that it is you; if that does not help, sign in by a passkey or password, or ask whoever looks after the provider to send the claim auth_time.',
      { details: [{ field: 'auth_time', code: 'MISSING', message: 'was not in the ID token.' }] },
    );
  if (nowMs - signedInAtMs <= freshForMs) return;
  throw new Problem(
    'FRESH_SIGN_IN_REQUIRED',
    'This asks for a fresh sign-in: yours is older than 15 minutes.',
  );
}
