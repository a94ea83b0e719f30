// What "soundings doctor" says of provisioning tokens: a provider whose token has ended stops without a word, and users who have
// left stay active.

import { type FindingValues, findingWords } from '../../domain/operations/finding-words.ts';
import { type ProvisioningToken, tokensEnding } from '../../store/access/provisioning-tokens.ts';
import type { Db } from '../../store/engine/db.ts';
import { type Finding, finding } from './finding.ts';

const dayMs = 86_400_000;
/** So long before its end a token is warned of: a provider has to be given another one by hand. */
export const endingSoonMs = 30 * dayMs;
const named = 5;

export async function tokenFindings(db: Db, nowMs: number): Promise<readonly Finding[]> {
  const ending = await tokensEnding(db, nowMs, nowMs + endingSoonMs, named);
  return ending.map((token) => finding('tokens', 'warning', 'tokenEnds', endOf(token, nowMs)));
}

export function endingInWords(token: ProvisioningToken, nowMs: number): string {
  return findingWords.tokenEnds(endOf(token, nowMs));
}

function endOf(
  { id, accountId, name, expiresAtMs }: ProvisioningToken,
  nowMs: number,
): FindingValues<'tokenEnds'> {
  return { id, account: accountId, name, days: Math.floor((expiresAtMs - nowMs) / dayMs) };
}
