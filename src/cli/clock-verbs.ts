// The verbs for the clock and the trusted time, and what they say of themselves.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function clockVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const clock = root
    .command('clock')
    .description('the clock of this machine, and the trusted time that rows are deleted by')
    .exitOverride();
  addVerb('status', 'show the clock of this machine beside the trusted time of the store', clock)
    .addHelpText(
      'after',
      `
Whatever deletes by time (retainDays, audit log, refused responses, ended sessions and links, given up messages) goes by the
trusted time. It follows the clock as long as both are less than a day apart.
Example:
  soundings clock status
`,
    )
    .action(async (options: Common) => {
      const { showClock } = await import('./clock.ts');
      await showClock(terminal, flagsOf(options), options.json === true);
    });
  addVerb('confirm', 'say that the clock of this machine is right, although it has jumped', clock)
    .option('--dry-run', 'show what would be deleted then, without changing anything')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
A clock that is more than a day from the trusted time is not believed, and nothing is deleted for it. That is so after a store
was not in use for a while, after the restore of a backup, and when a clock is wrong. Set a clock that is wrong; confirm one that
is right. Otherwise it is believed when the service has run by it for seven days.

Examples:
  soundings clock confirm --dry-run
  soundings clock confirm --yes
`,
    )
    .action(async (options: Common & { dryRun?: boolean; yes?: boolean }) => {
      const { confirmTime } = await import('./clock.ts');
      await confirmTime(terminal, flagsOf(options), options);
    });
}
