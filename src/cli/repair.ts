// soundings repair: mends what an older release left undone when it erased responses, now, and says what it did (D-858).

import { type MendedSource, mendAll } from '../store/erasure/erasure-mending.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import type { Terminal } from './terminal.ts';

export async function repair(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const { config, db, now, newId } = context;
    const mended: MendedSource[] = [];
    for await (const source of mendAll({ config, db, now, newId }, changeStamp(context))) {
      mended.push(source);
      if (!isJson) terminal.print(inWords(source));
    }
    if (isJson) terminal.print(JSON.stringify({ mended }));
    else if (mended.length === 0) terminal.print('There is nothing to repair.');
  });
}

function inWords({ accountId, name, responses, comments, daysWithNewDigest }: MendedSource): string {
  const digests =
    daysWithNewDigest.length === 0
      ? 'no digest has changed'
      : `the digests of these days have changed: ${daysWithNewDigest.join(', ')}`;
  return `Account ${accountId}, ${name}: ${responses} erased responses mended, ${comments} comments taken out; ${digests}.`;
}
