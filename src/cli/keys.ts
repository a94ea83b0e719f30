// soundings keys rotate.

import { addSigningKey } from '../store/keys.ts';
import { type Flags, withHouse } from './open-house.ts';
import type { Terminal } from './terminal.ts';

// Every replica looks at the keys more often than this, so all of them know a key before it signs (D-13).
const signsAfterMs = 10_000;
const tokenLifetimeMaxMs = 21_600_000;
const slackMs = 600_000;

export async function rotateKeys(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  await withHouse(terminal, flags, async (house) => {
    const nowMs = house.now();
    const kid = house.newId();
    const signsFromMs = nowMs + signsAfterMs;
    await house.db.write(addSigningKey, {
      changeId: house.newId(),
      kid,
      keySecret: house.newSecret(),
      nowMs,
      signsFromMs,
      uselessBeforeMs: nowMs - tokenLifetimeMaxMs - slackMs,
    });
    const signsFrom = new Date(signsFromMs).toISOString();
    terminal.print(
      isJson
        ? JSON.stringify({ kid, signsFrom })
        : `Key ${kid} signs new tokens from ${signsFrom}; old tokens live out their time.`,
    );
  });
}
