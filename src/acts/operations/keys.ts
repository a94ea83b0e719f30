// The keys that sign access tokens and those that seal secrets in the store, as operators see and change them: by commands and
// in the console alike.

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import { keysOfSettings } from '../../store/access/sealer.ts';
import { addSealingKey, lastingMs, revokeSealingKey, sealingKeys } from '../../store/access/sealing-keys.ts';
import { addSigningKey, revokeSigningKey, signingKeys } from '../../store/access/signing-keys.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { sealedBy } from '../../store/operations/sealed-things.ts';
import { retiredBeforeMs } from '../access/access-token.ts';

type KeyContext = Pick<Context, 'db' | 'config' | 'now' | 'newId' | 'newSecret'>;

// Every replica looks at the keys more often than this, so all of them know a key before it signs (D-13).
const signsAfterMs = 10_000;
const shortlyMs = 3 * 86_400_000;

export interface ShownSigningKey {
  readonly kid: string;
  readonly state: 'signs' | 'waits' | 'over' | 'retired';
  readonly signsFrom: string;
  readonly signsUntil: string | null;
}

export async function shownSigningKeys({ db, now }: KeyContext): Promise<readonly ShownSigningKey[]> {
  const nowMs = now();
  const keys = await signingKeys(db);
  // As the replicas choose: the newest that is due, or the newest of all where none is.
  const signing = keys.find(({ signsFromMs }) => signsFromMs <= nowMs) ?? keys[0];
  return keys.map(({ kid, signsFromMs }, index) => {
    const untilMs = keys[index - 1]?.signsFromMs ?? null;
    const isWaiting = kid !== signing?.kid && signsFromMs > nowMs;
    const isOver = untilMs !== null && untilMs < retiredBeforeMs(nowMs);
    const state = kid === signing?.kid ? 'signs' : isWaiting ? 'waits' : isOver ? 'over' : 'retired';
    return {
      kid,
      state,
      signsFrom: timeOf(signsFromMs),
      signsUntil: untilMs === null ? null : timeOf(untilMs),
    };
  });
}

export interface ShownSealingKey {
  readonly kid: string;
  readonly state: 'seals' | 'missing' | 'opens';
  readonly keptIn: 'settings' | 'store';
  /** A moment, or `further notice`; null where it has sealed nothing. */
  readonly neededUntil: string | null;
  /** How many things of each kind it has sealed. */
  readonly sealed: Readonly<Record<string, number>>;
}

export async function shownSealingKeys({ db, config }: KeyContext): Promise<readonly ShownSealingKey[]> {
  const ofSettings = await keysOfSettings(config);
  const kept = await sealingKeys(db);
  const newest = kept.find(({ secret }) => secret !== null);
  const sealing = ofSettings[0]?.kid ?? newest?.kid;
  const named = [
    ...ofSettings.map(({ kid }) => kid),
    ...kept.map(({ kid }) => kid).filter((kid) => ofSettings.every((key) => key.kid !== kid)),
  ];
  return Promise.all(
    named.map(async (kid): Promise<ShownSealingKey> => {
      const row = kept.find((key) => key.kid === kid);
      const isOfSettings = ofSettings.some((key) => key.kid === kid);
      const isMissing = !isOfSettings && row?.secret === null;
      return {
        kid,
        state: kid === sealing ? 'seals' : isMissing ? 'missing' : 'opens',
        keptIn: isOfSettings || isMissing ? 'settings' : 'store',
        neededUntil: neededUntil(row?.lastEndMs ?? 0),
        sealed: await sealedBy(db, kid),
      };
    }),
  );
}

function neededUntil(lastEndMs: number): string | null {
  return lastEndMs === 0 ? null : lastEndMs >= lastingMs ? 'further notice' : timeOf(lastEndMs);
}

/** What a key has sealed, such as `3 secrets of webhooks`; empty where that is nothing. */
export function sealedInWords(sealed: Readonly<Record<string, number>>): string {
  return Object.entries(sealed)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

export async function rotateSigningKey(
  context: KeyContext,
  stamp: ChangeStamp,
): Promise<{ readonly kid: string; readonly signsFrom: string }> {
  const kid = context.newId();
  const signsFromMs = stamp.nowMs + signsAfterMs;
  await context.db.write(addSigningKey, {
    ...stamp,
    kid,
    keySecret: context.newSecret(),
    signsFromMs,
    retiredBeforeMs: retiredBeforeMs(stamp.nowMs),
  });
  return { kid, signsFrom: timeOf(signsFromMs) };
}

export async function rotateSealingKey(
  context: KeyContext,
  stamp: ChangeStamp,
): Promise<{ readonly kid: string; readonly sealsFrom: string }> {
  if (context.config.sealKey !== '')
    throw new Problem(
      'CONFLICT',
      'The sealing key is that of SOUNDINGS_SEAL_KEY: put a new one before it there ("openssl rand -base64 32"), separated by a comma, and restart the service.',
    );
  const kid = context.newId();
  await context.db.write(addSealingKey, { ...stamp, kid, secret: context.newSecret() });
  return { kid, sealsFrom: timeOf(stamp.nowMs) };
}

/** Thrown where something would be lost with a key; whoever forces it is not held up. */
export class KeyNeeded extends Problem {
  constructor(message: string) {
    super('CONFLICT', message);
  }
}

export interface RevokedKey {
  readonly revoked: readonly string[];
  /** Of the key that signs from now on, where none was left to sign. */
  readonly newKid: string | null;
  /** What a sealing key had sealed, which can no longer be opened. */
  readonly ends?: Readonly<Record<string, number>>;
  /** Pages of surveys that are open, and invitations, which a sealing key has sealed, are refused. */
  readonly endsLinks?: boolean;
}

export async function revokeAnyKey(
  context: KeyContext,
  stamp: ChangeStamp,
  { kid, isForced }: { readonly kid: string; readonly isForced: boolean },
): Promise<RevokedKey> {
  const isOfSettings = (await keysOfSettings(context.config)).some((key) => key.kid === kid);
  const isSealing = (await sealingKeys(context.db)).some((key) => key.kid === kid) || isOfSettings;
  if (!isSealing) {
    const newKid = context.newId();
    const { revoked, isReplaced } = await context.db.write(revokeSigningKey, {
      ...stamp,
      kid,
      newKid,
      newSecret: context.newSecret(),
    });
    return { revoked, newKid: isReplaced ? newKid : null };
  }
  if (isOfSettings)
    throw new Problem(
      'CONFLICT',
      `The key ${kid} is one of SOUNDINGS_SEAL_KEY: take it out there and restart the service. It then opens nothing any more.`,
    );
  return endSealingKey(context, stamp, { kid, isForced });
}

/** What a sealing key has sealed is lost with it, so what that is must be read first. */
async function endSealingKey(
  context: KeyContext,
  stamp: ChangeStamp,
  { kid, isForced }: { readonly kid: string; readonly isForced: boolean },
): Promise<RevokedKey> {
  const ends = await sealedBy(context.db, kid);
  const lost = sealedInWords(ends);
  const neededMs = await neededByLinksMs(context, kid);
  // Tokens of pages live for a day, so a key of a service with pages is always needed for a little longer.
  if (lost === '' && neededMs > stamp.nowMs + shortlyMs && !isForced)
    throw new KeyNeeded(
      `The key ${kid} has sealed what is good until ${timeOf(neededMs)}, such as invitations to surveys, and without it these links open nothing. Let them end first.`,
    );
  if (lost !== '' && !isForced)
    throw new KeyNeeded(
      `The key ${kid} has sealed ${lost}, and without it they can never be opened again. Replace them first.`,
    );
  await context.db.write(revokeSealingKey, { ...stamp, kid });
  return { revoked: [kid], newKid: null, ends, endsLinks: neededMs > stamp.nowMs };
}

/** Until when links are good that the key may have sealed, of which the store keeps nothing (D-446); 0 where there are none. */
async function neededByLinksMs({ db }: KeyContext, kid: string): Promise<number> {
  const lastEndMs = (await sealingKeys(db)).find((key) => key.kid === kid)?.lastEndMs ?? 0;
  return lastEndMs >= lastingMs ? 0 : lastEndMs;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
