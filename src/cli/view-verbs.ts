// The verbs over shared views, and what they say of themselves.

import type { Command } from 'commander';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { Terminal } from './terminal.ts';

export function viewVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const view = root
    .command('view')
    .description('shared views: pages of figures for whoever has a link')
    .exitOverride();
  addVerb('list', 'list the shared views of an account, including those that have ended', view)
    .requiredOption('--account <id>', 'the account')
    .addHelpText('after', '\nExample:\n  soundings view list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listViews } = await import('./view.ts');
      await listViews(terminal, flagsOf(options), options);
    });
  addVerb('revoke', 'revoke a shared view: its link shows nothing any more', view)
    .argument('<id>', 'id of the view, as listed')
    .requiredOption('--account <id>', 'the account')
    .addHelpText(
      'after',
      '\nExample:\n  soundings view revoke 0199c8f4-7d3a-7c11-9a52-000000000001 --account 4001\n',
    )
    .action(async (id: string, options: OfAccount) => {
      const { revokeView } = await import('./view.ts');
      await revokeView(terminal, flagsOf(options), id, options);
    });
}
