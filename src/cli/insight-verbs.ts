// The verbs for figures that are added up ahead, and what they say of themselves.

import type { Command } from 'commander';
import type { InsightOptions } from './insight.ts';
import { type AddVerb, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function insightVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const insight = root
    .command('insight')
    .description('precomputed figures of measures and projects')
    .exitOverride();
  addVerb('status', 'show how many responses are included in the figures, and how many are pending', insight)
    .option('--account <id>', 'show each measure and project of this account')
    .addHelpText(
      'after',
      `
A running service includes new responses within a second or two. Pending ones are added whenever figures are requested,
so figures are always exact.

Examples:
  soundings insight status
  soundings insight status --account 4001 --json
`,
    )
    .action(async (options: InsightOptions) => {
      const { insightStatus } = await import('./insight.ts');
      await insightStatus(terminal, flagsOf(options), options);
    });
  addVerb('rebuild', 'recompute all figures from the responses', insight)
    .option('--account <id>', 'only this account')
    .option('--measure <key>', 'only this measure')
    .option('--project <id>', 'only this project')
    .addHelpText(
      'after',
      `
Only needed if "soundings insight verify" has found a difference. The existing figures are used until the new ones are
ready. A running service shares the work, and continues it if this command is stopped.

Examples:
  soundings insight rebuild --account 4001 --measure 8840868
  soundings insight rebuild
`,
    )
    .action(async (options: InsightOptions) => {
      const { insightRebuild } = await import('./insight.ts');
      await insightRebuild(terminal, flagsOf(options), options);
    });
  addVerb('verify', 'recount the responses and list every figure that differs', insight)
    .option('--account <id>', 'only this account')
    .option('--measure <key>', 'only this measure')
    .option('--project <id>', 'only this project')
    .addHelpText(
      'after',
      `
Reads every response that the figures include, with or without a running service, and changes nothing. Exit status 1 if
a figure or a comment does not match the responses.

Examples:
  soundings insight verify
  soundings insight verify --account 4001
`,
    )
    .action(async (options: InsightOptions) => {
      const { insightVerify } = await import('./insight.ts');
      await insightVerify(terminal, flagsOf(options), options);
    });
}
