// What "soundings doctor" says of provisioning tokens: a provider whose token has ended stops without a word, and users who have
// left stay active.

import { type ProvisioningToken, tokensEnding } from '../../store/access/provisioning-tokens.ts';
import type { Db } from '../../store/engine/db.ts';
import type { Finding } from './finding.ts';

const dayMs = 86_400_000;
/** So long before its end a token is warned of: a provider has to be given another one by hand. */
export const endingSoonMs = 30 * dayMs;
const named = 5;

export async function tokenFindings(db: Db, nowMs: number): Promise<readonly Finding[]> {
  const ending = await tokensEnding(db, nowMs, nowMs + endingSoonMs, named);
  return ending.map((token) => ({
    check: 'tokens',
    isRight: true,
    isWarning: true,
    says: endingInWords(token, nowMs),
  }));
}

export function endingInWords(
  { id, accountId, name, expiresAtMs }: ProvisioningToken,
  nowMs: number,
): string {
  const days = Math.floor((expiresAtMs - nowMs) / dayMs);
  const when = days === 0 ? 'within a day' : days === 1 ? 'in a day' : `in ${days} days`;
  return `${id} of account ${accountId} (${name}) ends ${when}: make another one, give it to the provider, and revoke this one.`;
}
