// Provisioning tokens as the pages of identity providers show them: with their end, and what came by them.

import type { Context } from '../../context.ts';
import { dayMs } from '../../domain/dates.ts';
import { shownToken, tokenStates } from '../../store/access/credential-views.ts';
import { type ListedToken, listProvisioningTokens } from '../../store/access/provisioning-tokens.ts';
import { settledTokens } from '../../store/access/token-marks.ts';
import { requestFigures } from '../../store/provisioning/provisioning-log.ts';
import { Type } from '../server/schema.ts';

/** So long before its end a token is worth a word (D-604). */
export const tokenWarningDays = 30;
// Tokens that have ended are of interest for a while; more live ones than this nobody looks through.
const listedMax = 1_000;
const endedShownMs = 30 * dayMs;

const moment = Type.String({ format: 'date-time' });

export const tokenSchema = Type.Object(
  {
    id: Type.String(),
    accountId: Type.Integer(),
    name: Type.String(),
    state: Type.Enum([...tokenStates]),
    readOnly: Type.Boolean({ description: 'It reads users, and changes none.' }),
    mayChangeAdmins: Type.Boolean({
      description: 'It changes users who are admin, and groups that carry admin; fixed when it was made.',
    }),
    connection: Type.Union([Type.String(), Type.Null()], {
      description: 'The connection that users belong to whom it makes.',
    }),
    created: moment,
    expires: moment,
    revoked: Type.Union([moment, Type.Null()]),
    lastUsed: Type.Union([moment, Type.Null()], {
      description: 'To the minute; null where it was never used.',
    }),
  },
  { $id: 'ProvisioningToken' },
);

export const watchedTokenSchema = Type.Object(
  {
    ...tokenSchema.properties,
    endsSoon: Type.Boolean({ description: `It is live and ends within ${tokenWarningDays} days.` }),
    isHeard: Type.Boolean({ description: 'Whether anything came by it, ever.' }),
    requests: Type.Integer({ description: 'Of the last 7 days, as far as they are kept.' }),
    refused: Type.Integer({ description: 'Of these, those that were refused.' }),
    firstRequest: Type.Union([moment, Type.Null()]),
    lastRequest: Type.Union([moment, Type.Null()]),
  },
  { $id: 'WatchedToken' },
);

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
