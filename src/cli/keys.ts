// soundings keys list, rotate and revoke: of the keys that sign access tokens, and of those that seal secrets in the store.

import {
  KeyNeeded,
  revokeAnyKey,
  rotateSealingKey,
  rotateSigningKey,
  sealedInWords,
  shownSealingKeys,
  shownSigningKeys,
} from '../acts/operations/keys.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

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
      const holds = sealedInWords(sealed);
      terminal.print(
        `${kid}  ${state.padEnd(7)}  in the ${keptIn}, ${needed}${holds === '' ? '' : `: ${holds}`}`,
      );
    }
  });
}

export async function rotateKeys(
  terminal: Terminal,
  flags: Flags,
  { isSealing, isJson }: { readonly isSealing: boolean; readonly isJson: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const stamp = changeStamp(context);
    if (isSealing) {
      const made = await rotateSealingKey(context, stamp);
      const says = `Key ${made.kid} seals from now on; older ones open until the last thing that they sealed has ended.`;
      return terminal.print(isJson ? JSON.stringify(made) : says);
    }
    const made = await rotateSigningKey(context, stamp);
    const says = `Key ${made.kid} signs new tokens from ${made.signsFrom}; old tokens live out their time.`;
    terminal.print(isJson ? JSON.stringify(made) : says);
  });
}

export async function revokeKey(
  terminal: Terminal,
  flags: Flags,
  { kid, isForced, isJson }: { readonly kid: string; readonly isForced: boolean; readonly isJson: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const outcome = await revokeAnyKey(context, changeStamp(context), { kid, isForced }).catch(
      (error: unknown) => {
        if (!(error instanceof KeyNeeded)) throw error;
        throw new CommandError(error.message.replace(/\.$/, ', or say --force.'));
      },
    );
    const { revoked, newKid, ends, endsLinks } = outcome;
    if (isJson)
      return terminal.print(JSON.stringify({ revoked, newKid, ...(ends === undefined ? {} : { ends }) }));
    if (ends !== undefined) {
      const lost = sealedInWords(ends);
      const links = 'pages of surveys that are open and invitations that it sealed are refused';
      const says =
        lost !== '' ? `${lost} can no longer be opened` : endsLinks ? links : 'nothing was sealed by it';
      return terminal.print(`Revoked ${kid}: ${says}.`);
    }
    terminal.print(
      `Revoked ${revoked.join(', ')}: tokens signed by it are refused everywhere within 5 seconds.`,
    );
    if (newKid !== null) terminal.print(`Key ${newKid} signs from now on.`);
  });
}
