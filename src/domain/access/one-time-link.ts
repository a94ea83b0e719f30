// Links that sign somebody in once: an operator's first way in and emergency door, the invitation of a user, and a new way
// in for a user who has lost theirs. The code of a link is the account, so that one machine of many can be asked, and 256
// random bits; the store keeps a keyed hash of these (D-321).

import { accountIdMax, accountIdPattern } from './account.ts';

const linkPurposes = ['operator', 'invite', 'reset'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** How long a link works. An operator opens it at once; an invitation may lie in a mailbox over a week-end. */
export const linkLifetimeMs: Readonly<Record<LinkPurpose, number>> = {
  operator: 30 * 60_000,
  invite: 7 * 86_400_000,
  reset: 24 * 3_600_000,
};

interface LinkCode {
  readonly accountId: number;
  readonly secret: string;
}

// 256 bits are 43 characters of base64url.
const code = new RegExp(`^(0|${accountIdPattern})\\.([\\w-]{43})$`);

/** Null for what cannot be a code. */
export function readLinkCode(text: string): LinkCode | null {
  const [, accountId, secret] = code.exec(text) ?? [];
  if (accountId === undefined || secret === undefined || Number(accountId) > accountIdMax) return null;
  return { accountId: Number(accountId), secret };
}

export function linkCodeOf({ accountId, secret }: LinkCode): string {
  return `${accountId}.${secret}`;
}

/** Names of operators are typed at a terminal and stand in every entry of the audit log (D-320). */
const operatorName = /^[a-z0-9][a-z0-9._@-]{0,63}$/;

export function isOperatorName(text: string): boolean {
  return operatorName.test(text);
}

/** The operator that a start makes where there is none. */
export const firstOperatorName = 'operator';
