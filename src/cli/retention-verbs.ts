// The verb for what has been kept long enough, and what it says of itself.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function retentionVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const retention = root.command('retention').description('how long what people said is kept').exitOverride();
  addVerb('run', 'empty the responses that are older than the retainDays of the catalogue', retention)
    .option('--account <id>', 'only of this account')
    .option('--dry-run', 'say how many there are, and change nothing')
    .addHelpText(
      'after',
      `
A running service does this by itself, once a minute at most; here it can be counted before, or done at once. A response
is emptied as "soundings erase" does it, when so many whole days have passed after its own day: place, day and scores
stay. Slices of 1,000 are all or nothing; what stops half-way goes on when the command is run again.

Examples:
  soundings retention run --dry-run
  soundings retention run --account 4001
`,
    )
    .action(async (options: Common & { account?: string; dryRun?: boolean }) => {
      const { runRetention } = await import('./retention.ts');
      await runRetention(terminal, flagsOf(options), options);
    });
}
