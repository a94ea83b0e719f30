// soundings keys list, rotate and revoke: of the keys that sign access tokens, and of those that seal secrets in the store.

import type { Context } from '../context.ts';
import { retiredBeforeMs } from '../http/access/access-token.ts';
import { sealedBy } from '../store/access/sealed-things.ts';
import { keysOfSettings } from '../store/access/sealer.ts';
import { addSealingKey, lastingMs, revokeSealingKey, sealingKeys } from '../store/access/sealing-keys.ts';
import { addSigningKey, revokeSigningKey, signingKeys } from '../store/access/signing-keys.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

// Every replica looks at the keys more often than this, so all of them know a key before it signs (D-13).
const signsAfterMs = 10_000;

export async function listKeys(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const keys = await shownSigningKeys(context);
    const sealing = await shownSealingKeys(context);
    if (isJson) return terminal.print(JSON.stringify({ keys, sealingKeys: sealing }));
    for (const { kid, state, signsFrom, signsUntil } of keys) {
      const until = signsUntil === null ? '' : ` until ${signsUntil}`;
      terminal.print(`${kid}  ${state.padEnd(7)}  from ${signsFrom}${until}`);
    }
    for (const { kid, state, keptIn, neededUntil, sealed } of sealing) {
      const needed = neededUntil === null ? 'has sealed nothing' : `needed until ${neededUntil}`;
      const holds = inWords(sealed);
      terminal.print(
        `${kid}  ${state.padEnd(7)}  in the ${keptIn}, ${needed}${holds === '' ? '' : `: ${holds}`}`,
      );
    }
  });
}

async function shownSigningKeys({ db, now }: Context) {
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

async function shownSealingKeys({ db, config }: Context) {
  const ofSettings = await keysOfSettings(config);
  const kept = await sealingKeys(db);
  const newest = kept.find(({ secret }) => secret !== null);
  const sealing = ofSettings[0]?.kid ?? newest?.kid;
  const named = [
    ...ofSettings.map(({ kid }) => kid),
    ...kept.map(({ kid }) => kid).filter((kid) => ofSettings.every((key) => key.kid !== kid)),
  ];
  return Promise.all(
    named.map(async (kid) => {
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

function inWords(sealed: Readonly<Record<string, number>>): string {
  return Object.entries(sealed)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

export async function rotateKeys(
  terminal: Terminal,
  flags: Flags,
  { isSealing, isJson }: { readonly isSealing: boolean; readonly isJson: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    if (isSealing) return rotateSealingKey(terminal, context, isJson);
    const nowMs = context.now();
    const kid = context.newId();
    const signsFromMs = nowMs + signsAfterMs;
    await context.db.write(addSigningKey, {
      ...changeStamp(context),
      kid,
      keySecret: context.newSecret(),
      nowMs,
      signsFromMs,
      retiredBeforeMs: retiredBeforeMs(nowMs),
    });
    const signsFrom = timeOf(signsFromMs);
    terminal.print(
      isJson
        ? JSON.stringify({ kid, signsFrom })
        : `Key ${kid} signs new tokens from ${signsFrom}; old tokens live out their time.`,
    );
  });
}

async function rotateSealingKey(terminal: Terminal, context: Context, isJson: boolean): Promise<void> {
  if (context.config.sealKey !== '')
    throw new CommandError(
      'The sealing key is that of SOUNDINGS_SEAL_KEY: put a new one before it there ("openssl rand -base64 32"), separated by a comma, and restart the service.',
    );
  const kid = context.newId();
  const nowMs = context.now();
  await context.db.write(addSealingKey, {
    changeId: context.newId(),
    kid,
    secret: context.newSecret(),
    nowMs,
  });
  terminal.print(
    isJson
      ? JSON.stringify({ kid, sealsFrom: timeOf(nowMs) })
      : `Key ${kid} seals from now on; older ones open until the last thing that they sealed has ended.`,
  );
}

export async function revokeKey(
  terminal: Terminal,
  flags: Flags,
  { kid, isForced, isJson }: { readonly kid: string; readonly isForced: boolean; readonly isJson: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const isSealing =
      (await sealingKeys(context.db)).some((key) => key.kid === kid) ||
      (await keysOfSettings(context.config)).some((key) => key.kid === kid);
    if (isSealing) return endSealingKey(terminal, context, { kid, isForced, isJson });
    const newKid = context.newId();
    const { revoked, isReplaced } = await context.db.write(revokeSigningKey, {
      ...changeStamp(context),
      kid,
      newKid,
      newSecret: context.newSecret(),
    });
    if (isJson) return terminal.print(JSON.stringify({ revoked, newKid: isReplaced ? newKid : null }));
    terminal.print(
      `Revoked ${revoked.join(', ')}: tokens signed by it are refused everywhere within 5 seconds.`,
    );
    if (isReplaced) terminal.print(`Key ${newKid} signs from now on.`);
  });
}

/** What a sealing key has sealed is lost with it, so what that is must be read first. */
async function endSealingKey(
  terminal: Terminal,
  context: Context,
  { kid, isForced, isJson }: { readonly kid: string; readonly isForced: boolean; readonly isJson: boolean },
): Promise<void> {
  if ((await keysOfSettings(context.config)).some((key) => key.kid === kid))
    throw new CommandError(
      `The key ${kid} is one of SOUNDINGS_SEAL_KEY: take it out there and restart the service. It then opens nothing any more.`,
    );
  const ends = await sealedBy(context.db, kid);
  const lost = inWords(ends);
  const neededMs = await neededByLinksMs(context, kid);
  // Tokens of pages live for a day, so a key of a service with pages is always needed for a little longer.
  if (lost === '' && neededMs > context.now() + shortlyMs && !isForced)
    throw new CommandError(
      `The key ${kid} has sealed what is good until ${timeOf(neededMs)}, such as invitations to surveys, and without it these links open nothing. Let them end first, or say --force.`,
    );
  if (lost !== '' && !isForced)
    throw new CommandError(
      `The key ${kid} has sealed ${lost}, and without it they can never be opened again. Replace them first, or say --force.`,
    );
  await context.db.write(revokeSealingKey, { changeId: context.newId(), kid, nowMs: context.now() });
  terminal.print(
    isJson
      ? JSON.stringify({ revoked: [kid], newKid: null, ends })
      : `Revoked ${kid}: ${lost !== '' ? `${lost} can no longer be opened` : neededMs > context.now() ? 'pages of surveys that are open and invitations that it sealed are refused' : 'nothing was sealed by it'}.`,
  );
}

const shortlyMs = 3 * 86_400_000;

/** Until when links are good that the key may have sealed, of which the store keeps nothing (D-446); 0 where there are none. */
async function neededByLinksMs({ db }: Context, kid: string): Promise<number> {
  const lastEndMs = (await sealingKeys(db)).find((key) => key.kid === kid)?.lastEndMs ?? 0;
  return lastEndMs >= lastingMs ? 0 : lastEndMs;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
