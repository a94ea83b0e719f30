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
  addVerb('list', 'the last responses that were refused, with the paths and codes of their faults', refused)
    .requiredOption('--account <id>', 'the account; none for what belongs to no account')
    .option('--count <number>', 'how many: 1 to 1000', '20')
    .addHelpText(
      'after',
      `
Kept for 30 days, at most 1,000 an account, a second after they were answered; of a flood, 20 a second from each process.
What was answered is not kept: fields are named, values are not. A refusal is its survey's, or else the caller's; what
came without a token for no public survey belongs to no account.

Example:
  soundings refused list --account 4001 --count 100
`,
    )
    .action(async (options: ListOptions) => {
      const { listRefused } = await import('./refused.ts');
      await listRefused(terminal, flagsOf(options), options);
    });
  addVerb('counts', 'how many responses were refused, by day, survey and cause', refused)
    .requiredOption('--account <id>', 'the account; none for what belongs to no account')
    .option('--days <count>', 'how many days back, with today: 1 to 400', '7')
    .addHelpText(
      'after',
      `
Every refusal is counted once, under its code; a response that is not valid, under the code of its first fault. Days are
those of UTC. Surveys that the sender could not know are one line. QUARANTINED are those whose bodies were kept
(quarantine: true in the catalogue).

Example:
  soundings refused counts --account 4001 --days 30
`,
    )
    .action(async (options: CountOptions) => {
      const { countRefused } = await import('./refused.ts');
      await countRefused(terminal, flagsOf(options), options);
    });
  addVerb('redrive', 'judge the refused responses of the quarantine once more, by the survey as it is now')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--survey <id>', 'the survey definition that they name')
    .option('--as <id>', 'judge them by this version of the same measure or project instead')
    .option('--dry-run', 'say what would become of them, and change nothing')
    .addHelpText(
      'after',
      `
Surveys with quarantine: true keep the bodies that they refuse, sealed, for 7 days. Each goes the way of ingestion: what is
accepted is a response like any other, under its own responseId, at the end of its log, on the day on which it was
submitted or else received. What is still refused stays, with its new cause. Doing it twice keeps nothing twice.
A version that has responses keeps its questions: write a new one, and name it with --as.
Exit status: 0 all accepted, 2 some are still refused.

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
