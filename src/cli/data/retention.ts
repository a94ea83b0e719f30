// soundings retention: what has been kept for as long as it should be, is emptied now.

import { numberText } from '../frame/progress.ts';
import { accountIfNamed, toggle } from '../frame/takes.ts';
import { table } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

const run = verb({
  about: 'erase the content of responses older than retainDays in the catalogue',
  takes: {
    account: accountIfNamed('only this account'),
    dryRun: toggle('show how many there are without changing anything'),
  },
  help: `
A running service does this by itself, at most once a minute; use this command to count first, or to do it right away. A
response is erased in the same way as by "soundings erase", once that many whole days have passed after its own day:
position, day and scores are kept. Batches of 1,000 are all or nothing; if the command stops halfway, run it again to
continue.

Examples:
  soundings retention run --dry-run
  soundings retention run --account 4001
`,
  load: () => import('./retention-run.ts'),
  act: (call, { runRetention }) => runRetention(call),
  json: ({ emptied, sources }, { dryRun }) => ({ applied: !dryRun, emptied, sources }),
  says: ({ emptied, sources }, { dryRun }) =>
    sources.length === 0
      ? 'No account, measure or project has retainDays in its catalogue: everything is kept.'
      : [
          table([
            ['ACCOUNT', 'SOURCE', 'DAYS', 'KEPT FROM', dryRun ? 'TO EMPTY' : 'EMPTIED'],
            ...sources.map((one) => [
              String(one.accountId),
              `${one.kind} ${one.key}`,
              String(one.retainDays),
              one.keptFrom,
              numberText(one.emptied),
            ]),
          ]),
          dryRun
            ? `${numberText(emptied)} responses would be emptied; nothing was changed.`
            : `${numberText(emptied)} responses were emptied.`,
        ],
});

export const retentionFamily = family('retention', 'how long the content of responses is kept', { run });
