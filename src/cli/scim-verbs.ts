// The verbs for identity providers: what lets them in, what they did, and whether they would be served.

import type { Command } from 'commander';
import { type Common, flagsOf } from './common-flags.ts';
import type { Terminal } from './terminal.ts';

type Verb = (name: string, description: string, parent?: Command) => Command;

interface OfAccount extends Common {
  readonly account: string;
}

export function provisioningVerbs(root: Command, verb: Verb, terminal: Terminal): void {
  tokenVerbs(
    root
      .command('provisioning-token')
      .description('long-lived tokens for identity providers, for users alone')
      .exitOverride(),
    verb,
    terminal,
  );
}

function tokenVerbs(token: Command, verb: Verb, terminal: Terminal): void {
  verb('create', 'a new provisioning token; it is shown once', token)
    .requiredOption('--account <id>', 'the account whose users it opens')
    .requiredOption('--name <name>', 'who will use it')
    .option('--days <count>', 'how long it works: 1 to 3650', '365')
    .addHelpText(
      'after',
      '\nIt opens /scim/v2 and /v1/scim and nothing else. Paste it where the provider asks for a secret token.\nExample:\n  soundings provisioning-token create --account 4001 --name "Entra ID"\n',
    )
    .action(async (options: OfAccount & { name: string; days: string }) => {
      const { createToken } = await import('./provisioning-token.ts');
      await createToken(terminal, flagsOf(options), options);
    });
  verb('list', 'the provisioning tokens, without their secrets', token)
    .requiredOption('--account <id>', 'the account they belong to')
    .addHelpText('after', '\nExample:\n  soundings provisioning-token list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listTokens } = await import('./provisioning-token.ts');
      await listTokens(terminal, flagsOf(options), options);
    });
  verb('revoke', 'a token stops working within 5 seconds, for good', token)
    .argument('<token>', 'its id')
    .requiredOption('--account <id>', 'the account it belongs to')
    .addHelpText('after', '\nExample:\n  soundings provisioning-token revoke pt_... --account 4001\n')
    .action(async (id: string, options: OfAccount) => {
      const { revokeToken } = await import('./provisioning-token.ts');
      await revokeToken(terminal, flagsOf(options), id, options);
    });
}
