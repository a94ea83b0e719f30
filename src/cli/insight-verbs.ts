// The verbs for figures that are added up ahead, and what they say of themselves.

import type { Command } from 'commander';
import type { InsightOptions } from './insight.ts';
import { type AddVerb, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function insightVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const insight = root
    .command('insight')
    .description('figures of measures and projects that are added up ahead')
    .exitOverride();
  addVerb('status', 'how many responses are added up, and how many are behind', insight)
    .option('--account <id>', 'each measure and project of this account')
    .addHelpText(
      'after',
      `
A running service adds up what comes in, within a second or two. What is behind is added by whoever asks, so figures are
exact in any case.

Examples:
  soundings insight status
  soundings insight status --account 4001 --json
`,
    )
    .action(async (options: InsightOptions) => {
      const { insightStatus } = await import('./insight.ts');
      await insightStatus(terminal, flagsOf(options), options);
    });
  addVerb('rebuild', 'add everything up anew from the responses', insight)
    .option('--account <id>', 'only of this account')
    .option('--measure <key>', 'only of this measure')
    .option('--project <id>', 'only of this project')
    .addHelpText(
      'after',
      `
Needed where "soundings insight verify" has found a difference, and never otherwise. The figures that are there answer until
the new ones are ready. A running service shares the work, and goes on with it where this command was stopped.

Examples:
  soundings insight rebuild --account 4001 --measure 8840868
  soundings insight rebuild
`,
    )
    .action(async (options: InsightOptions) => {
      const { insightRebuild } = await import('./insight.ts');
      await insightRebuild(terminal, flagsOf(options), options);
    });
  addVerb('verify', 'count the responses once more and name every figure that differs', insight)
    .option('--account <id>', 'only of this account')
    .option('--measure <key>', 'only of this measure')
    .option('--project <id>', 'only of this project')
    .addHelpText(
      'after',
      `
Reads every response that is added up, beside a running service or without one, and changes nothing. Exit status 1 where
a figure or a comment is not that of the responses.

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
