// soundings keys list, rotate and revoke.

import { retiredBeforeMs } from '../http/access/access-token.ts';
import { addSigningKey, revokeSigningKey, signingKeys } from '../store/access/signing-keys.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import type { Terminal } from './terminal.ts';

// Every replica looks at the keys more often than this, so all of them know a key before it signs (D-13).
const signsAfterMs = 10_000;

export async function listKeys(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const nowMs = context.now();
    const keys = await signingKeys(context.db);
    // As the replicas choose: the newest that is due, or the newest of all where none is.
    const signing = keys.find(({ signsFromMs }) => signsFromMs <= nowMs) ?? keys[0];
    const shown = keys.map(({ kid, signsFromMs }, index) => {
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
    if (isJson) return terminal.print(JSON.stringify({ keys: shown }));
    for (const { kid, state, signsFrom, signsUntil } of shown) {
      const until = signsUntil === null ? '' : ` until ${signsUntil}`;
      terminal.print(`${kid}  ${state.padEnd(7)}  from ${signsFrom}${until}`);
    }
  });
}

export async function rotateKeys(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  await withContext(terminal, flags, async (context) => {
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

export async function revokeKey(
  terminal: Terminal,
  flags: Flags,
  { kid, isJson }: { readonly kid: string; readonly isJson: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
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

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
