// The verb for what has been kept long enough, and what it says of itself.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function retentionVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const retention = root
    .command('retention')
    .description('how long the content of responses is kept')
    .exitOverride();
  addVerb('run', 'erase the content of responses older than retainDays in the catalogue', retention)
    .option('--account <id>', 'only this account')
    .option('--dry-run', 'show how many there are without changing anything')
    .addHelpText(
      'after',
      `
A running service does this by itself, at most once a minute; use this command to count first, or to do it right away. A
response is erased in the same way as by "soundings erase", once that many whole days have passed after its own day:
position, day and scores are kept. Batches of 1,000 are all or nothing; if the command stops halfway, run it again to
continue.

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
