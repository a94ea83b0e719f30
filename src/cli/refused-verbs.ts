// The verbs for responses that were refused.

import type { Command } from 'commander';
import { type AddVerb, flagsOf } from './options.ts';
import type { RedriveOptions } from './redrive.ts';
import type { CountOptions, ListOptions } from './refused.ts';
import type { Terminal } from './terminal.ts';

export function refusedVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const refused = root
    .command('refused')
    .description('survey responses that were refused, and why')
    .exitOverride();
  addVerb('list', 'list the latest refused responses, with the paths and codes of their faults', refused)
    .requiredOption('--account <id>', 'the account; "none" for refusals that belong to no account')
    .option('--count <number>', 'how many: 1 to 1000', '20')
    .addHelpText(
      'after',
      `
Refusals are kept for 30 days, at most 1,000 per account, and are listed a second after they were answered; in a flood,
20 per second are kept from each process. The answers themselves are not kept: fields are named, values are not. A
refusal belongs to the account of its survey, or else of the caller; one sent without a token for no public survey
belongs to none.

Example:
  soundings refused list --account 4001 --count 100
`,
    )
    .action(async (options: ListOptions) => {
      const { listRefused } = await import('./refused.ts');
      await listRefused(terminal, flagsOf(options), options);
    });
  addVerb('counts', 'count refused responses by day, survey and cause', refused)
    .requiredOption('--account <id>', 'the account; "none" for refusals that belong to no account')
    .option('--days <count>', 'how many days back, including today: 1 to 400', '7')
    .addHelpText(
      'after',
      `
Every refusal is counted once, under its code; an invalid response is counted under the code of its first fault. Days
are in UTC. Surveys that the sender could not know share one line. QUARANTINED counts those whose bodies were kept
(quarantine: true in the catalogue).

Example:
  soundings refused counts --account 4001 --days 30
`,
    )
    .action(async (options: CountOptions) => {
      const { countRefused } = await import('./refused.ts');
      await countRefused(terminal, flagsOf(options), options);
    });
  addVerb('redrive', 'process quarantined responses again, using the survey as it is now')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--survey <id>', 'the survey definition that they name')
    .option('--as <id>', 'use this version of the same measure or project instead')
    .option('--dry-run', 'show what would happen to them without changing anything')
    .addHelpText(
      'after',
      `
Surveys with quarantine: true keep the bodies that they refuse, sealed, for 7 days. Each one goes through ingestion
again: if accepted, it is a response like any other, under its own responseId, at the end of its log, on the day it was
submitted or else received. Those still refused stay in quarantine, with their new cause. Running it twice stores
nothing twice.
The questions of a version that has responses cannot change: write a new version, and name it with --as.
Exit status: 0 all accepted, 2 some still refused.

Examples:
  soundings redrive --account 4001 --survey web-3 --dry-run
  soundings redrive --account 4001 --survey web-3 --as web-4
`,
    )
    .action(async (options: RedriveOptions) => {
      const { redrive } = await import('./redrive.ts');
      await redrive(terminal, flagsOf(options), options);
    });
}
