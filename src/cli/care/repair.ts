// soundings repair: mends what an older release left undone when it erased responses, now, and says what it did (D-858).

import type { MendedSource } from '../../store/erasure/erasure-mending.ts';
import { verb } from '../frame/verb.ts';

export const repair = verb({
  about: 'mend what an older version left undone when it erased responses',
  help: `
After a roll-back, an older version erases without taking comments out of the search, without a change in the feed, and without
keeping digests of days true; "soundings backup" then refuses. "soundings serve" finds and mends it by itself when it starts;
this command does it now, also looks through all comments, and says what it did. The audit log names the days whose digest
has changed: whoever compares those with a copy reads them again.
Example:
  soundings repair
`,
  load: () => import('../../store/erasure/erasure-mending.ts'),
  async act({ terminal, context, stamp, isJson }, { mendAll }) {
    const { config, db, now, newId } = context;
    const mended: MendedSource[] = [];
    for await (const source of mendAll({ config, db, now, newId }, stamp())) {
      mended.push(source);
      if (!isJson) terminal.print(inWords(source));
    }
    return mended;
  },
  json: (mended) => ({ mended }),
  says: (mended) => (mended.length === 0 ? 'There is nothing to repair.' : null),
});

function inWords({ accountId, name, responses, comments, daysWithNewDigest }: MendedSource): string {
  const digests =
    daysWithNewDigest.length === 0
      ? 'no digest has changed'
      : `the digests of these days have changed: ${daysWithNewDigest.join(', ')}`;
  return `Account ${accountId}, ${name}: ${responses} erased responses mended, ${comments} comments taken out; ${digests}.`;
}
