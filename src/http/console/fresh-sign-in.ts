// What is dangerous asks people to have signed in lately.

import { freshForMs, type Visitor } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';

export function demandFresh({ signedInAtMs }: Visitor, nowMs: number): void {
  if (nowMs - signedInAtMs <= freshForMs) return;
  throw new Problem(
    'FRESH_SIGN_IN_REQUIRED',
    'This asks for a fresh sign-in: yours is older than 15 minutes.',
  );
}
