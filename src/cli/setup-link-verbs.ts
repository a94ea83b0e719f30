// The verbs over set-up links, and what they say of themselves.

import type { Command } from 'commander';
import { setupLinkDays } from '../domain/access/setup-link.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { SetupLinkOptions } from './setup-link.ts';
import type { Terminal } from './terminal.ts';

export function setupLinkVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const link = root
    .command('setup-link')
    .description('links that hand the set-up of an identity provider to whoever looks after it')
    .exitOverride();
  const account = ['--account <id>', 'the account'] as const;
  const { min, usual, max } = setupLinkDays;
  addVerb('create', 'a link to a page where somebody without a user connects the provider', link)
    .requiredOption(...account)
    .option('--kind <kind>', 'of a new connection: entra, okta or other (other unless given)')
    .option('--connection <id>', 'a connection that is there already, instead of a new one')
    .option('--days <n>', `how long it works, ${min} to ${max} (${usual} unless given)`)
    .addHelpText(
      'after',
      '\nAn account has one at a time: a new link ends the one before. It is shown once; hand it over by a way that nobody else reads.\nExample:\n  soundings setup-link create --account 4001 --kind entra\n',
    )
    .action(async (options: SetupLinkOptions) => {
      const { createLink } = await import('./setup-link.ts');
      await createLink(terminal, flagsOf(options), options);
    });
  addVerb('list', 'the set-up link of an account that works now, without its code', link)
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings setup-link list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listLinks } = await import('./setup-link.ts');
      await listLinks(terminal, flagsOf(options), options);
    });
  addVerb('revoke', 'the set-up link of an account opens nothing any more', link)
    .requiredOption(...account)
    .addHelpText(
      'after',
      '\nWhat was set up by it stays.\nExample:\n  soundings setup-link revoke --account 4001\n',
    )
    .action(async (options: OfAccount) => {
      const { revokeLink } = await import('./setup-link.ts');
      await revokeLink(terminal, flagsOf(options), options);
    });
}
