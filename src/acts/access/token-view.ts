// Provisioning tokens as the pages of identity providers show them: with their end, and what came by them.

import type { Context } from '../../context.ts';
import { tokenWarningDays } from '../../contract/access/provisioning-token.ts';
import { dayMs } from '../../domain/dates.ts';
import { shownToken } from '../../store/access/credential-views.ts';
import { type ListedToken, listProvisioningTokens } from '../../store/access/provisioning-tokens.ts';
import { settledTokens } from '../../store/access/token-marks.ts';
import { requestFigures } from '../../store/provisioning/provisioning-log.ts';

// Tokens that have ended are of interest for a while; more live ones than this nobody looks through.
const listedMax = 1_000;
const endedShownMs = 30 * dayMs;

/** Those that are live, and those that ended lately; the newest first. */
export async function watchedTokens(
  { db, now }: Pick<Context, 'db' | 'now'>,
  accountId: number,
  isWanted: (token: ListedToken) => boolean = () => true,
) {
  const nowMs = now();
  const listed = await settledTokens(
    db,
    await listProvisioningTokens(db, accountId, { after: '', take: listedMax }),
  );
  const tokens = listed.filter(
    (token) =>
      isWanted(token) && Math.min(token.expiresAtMs, token.revokedAtMs ?? Infinity) > nowMs - endedShownMs,
  );
  const figures = await requestFigures(
    db,
    accountId,
    tokens.map(({ id }) => id),
    nowMs,
  );
  const watched = tokens.map((token) => {
    const shown = shownToken(token, nowMs);
    const seen = figures.get(token.id);
    return {
      ...shown,
      endsSoon: shown.state === 'live' && token.expiresAtMs - nowMs < tokenWarningDays * dayMs,
      isHeard: token.usedAtMs !== null || seen !== undefined,
      requests: seen?.requests ?? 0,
      refused: seen?.refused ?? 0,
      firstRequest: seen === undefined ? null : new Date(seen.firstAtMs).toISOString(),
      lastRequest: seen === undefined ? null : new Date(seen.lastAtMs).toISOString(),
    };
  });
  return watched.toSorted((one, other) => (one.created < other.created ? 1 : -1));
}

export type WatchedToken = Awaited<ReturnType<typeof watchedTokens>>[number];

export function tokensOfConnection(
  context: Pick<Context, 'db' | 'now'>,
  accountId: number,
  connectionId: string,
): Promise<readonly WatchedToken[]> {
  return watchedTokens(context, accountId, (token) => token.connectionId === connectionId);
}
