// The verbs over set-up links, and what they say of themselves.

import type { Command } from 'commander';
import { setupLinkDays } from '../domain/access/setup-link.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { SetupLinkOptions } from './setup-link.ts';
import type { Terminal } from './terminal.ts';

export function setupLinkVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const link = root
    .command('setup-link')
    .description('links that let whoever manages an identity provider set it up')
    .exitOverride();
  const account = ['--account <id>', 'the account'] as const;
  const { min, usual, max } = setupLinkDays;
  addVerb('create', 'create a link to a page where somebody who is not a user connects the provider', link)
    .requiredOption(...account)
    .option('--kind <kind>', 'kind of the new connection: entra, okta or other (default: other)')
    .option('--connection <id>', 'an existing connection, instead of a new one')
    .option('--days <n>', `how many days it works: ${min} to ${max} (default: ${usual})`)
    .option(
      '--may-change-admins',
      'the token that is made with it also changes users who are admin and groups that carry admin',
    )
    .addHelpText(
      'after',
      '\nAn account has one link at a time: a new one ends the previous one. It is shown once; hand it over in a way that nobody\nelse can read.\nExample:\n  soundings setup-link create --account 4001 --kind entra\n',
    )
    .action(async (options: SetupLinkOptions) => {
      const { createLink } = await import('./setup-link.ts');
      await createLink(terminal, flagsOf(options), options);
    });
  addVerb('list', 'show the current set-up link of an account, without its code', link)
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings setup-link list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listLinks } = await import('./setup-link.ts');
      await listLinks(terminal, flagsOf(options), options);
    });
  addVerb('revoke', 'revoke the set-up link of an account', link)
    .requiredOption(...account)
    .addHelpText(
      'after',
      '\nWhat was set up with it stays.\nExample:\n  soundings setup-link revoke --account 4001\n',
    )
    .action(async (options: OfAccount) => {
      const { revokeLink } = await import('./setup-link.ts');
      await revokeLink(terminal, flagsOf(options), options);
    });
}
