// The verbs for identity providers: what lets them in, what they did, and whether they would be served.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf, type OfAccount } from './options.ts';
import type { TokenOptions } from './provisioning-token.ts';
import type { Terminal } from './terminal.ts';

export function provisioningVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  tokenVerbs(
    root
      .command('provisioning-token')
      .description('long-lived tokens for identity providers, for users alone')
      .exitOverride(),
    addVerb,
    terminal,
  );
  scimVerbs(
    root
      .command('scim')
      .description('what identity providers did, and whether they are served')
      .exitOverride(),
    addVerb,
    terminal,
  );
}

function scimVerbs(scim: Command, addVerb: AddVerb, terminal: Terminal): void {
  addVerb(
    'log',
    'the last requests of each identity provider: what came, what it meant, what became of it',
    scim,
  )
    .requiredOption('--account <id>', 'the account')
    .option('--count <number>', 'how many of each provider: 1 to 1000', '20')
    .option('--refused', 'only what was refused')
    .addHelpText(
      'after',
      `
Kept for 7 days, at most 1,000 requests an account, a second after they were answered. Names of attributes, ids and
states are shown; other values, such as names and addresses of people, are not kept.

Example:
  soundings scim log --account 4001 --refused
`,
    )
    .action(async (options: OfAccount & { count: string; refused?: boolean }) => {
      const { showLog } = await import('./scim-log.ts');
      await showLog(terminal, flagsOf(options), options);
    });
  addVerb('check', 'play what Entra ID, Okta and others send against a running service', scim)
    .requiredOption('--url <address>', 'what the provider gets, such as https://soundings.example/scim/v2')
    .option('--token <token>', 'a provisioning token or an access token')
    .option('--provider <name>', 'only one of entra, okta, pocket-id, ssosync, authentik')
    .addHelpText(
      'after',
      `
Without --token it is read from SOUNDINGS_PROVISIONING_TOKEN, where other users of the machine do not see it.
Users and groups are made under names of their own and removed again. Exit status 1 where a step fails.

Example:
  soundings scim check --url http://127.0.0.1:8080/scim/v2 --provider entra
`,
    )
    .action(async (options: Common & { url: string; token?: string; provider?: string }) => {
      const { checkService } = await import('./scim-check.ts');
      await checkService(terminal, options);
    });
}

function tokenVerbs(token: Command, addVerb: AddVerb, terminal: Terminal): void {
  addVerb('create', 'a new provisioning token; it is shown once', token)
    .requiredOption('--account <id>', 'the account whose users it opens')
    .requiredOption('--name <name>', 'who will use it')
    .option('--days <count>', 'how long it works: 1 to 3650', '365')
    .option('--read-only', 'it reads and searches users and groups, and changes none')
    .option('--connection <id>', 'users whom it makes sign in through this connection alone')
    .addHelpText(
      'after',
      '\nIt opens /scim/v2 and /v1/scim and nothing else. Paste it where the provider asks for a secret token.\nExample:\n  soundings provisioning-token create --account 4001 --name "Entra ID"\n',
    )
    .action(async (options: TokenOptions) => {
      const { createToken } = await import('./provisioning-token.ts');
      await createToken(terminal, flagsOf(options), options);
    });
  addVerb(
    'list',
    'the provisioning tokens, without their secrets: when they were used last, and when they end',
    token,
  )
    .requiredOption('--account <id>', 'the account they belong to')
    .addHelpText('after', '\nExample:\n  soundings provisioning-token list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listTokens } = await import('./provisioning-token.ts');
      await listTokens(terminal, flagsOf(options), options);
    });
  addVerb('revoke', 'a token stops working within 5 seconds, for good', token)
    .argument('<token>', 'its id')
    .requiredOption('--account <id>', 'the account it belongs to')
    .addHelpText('after', '\nExample:\n  soundings provisioning-token revoke pt_... --account 4001\n')
    .action(async (id: string, options: OfAccount) => {
      const { revokeToken } = await import('./provisioning-token.ts');
      await revokeToken(terminal, flagsOf(options), id, options);
    });
}
