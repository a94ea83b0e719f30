// The verbs for identity providers: what lets them in, what they did, and whether they would be served.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf, type OfAccount } from './options.ts';
import type { TokenOptions } from './provisioning-token.ts';
import type { Terminal } from './terminal.ts';

export function provisioningVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  tokenVerbs(
    root
      .command('provisioning-token')
      .description('long-lived tokens for identity providers, for provisioning only')
      .exitOverride(),
    addVerb,
    terminal,
  );
  scimVerbs(
    root
      .command('scim')
      .description('what identity providers did, and whether the service works with them')
      .exitOverride(),
    addVerb,
    terminal,
  );
}

function scimVerbs(scim: Command, addVerb: AddVerb, terminal: Terminal): void {
  addVerb(
    'log',
    'show the latest requests of each identity provider: what came, what it meant, what the result was',
    scim,
  )
    .requiredOption('--account <id>', 'the account')
    .option('--count <number>', 'how many per provider: 1 to 1000', '20')
    .option('--refused', 'only refused requests')
    .addHelpText(
      'after',
      `
Requests are kept for 7 days, at most 1,000 per account, and are listed a second after they were answered. Attribute
names, ids and states are shown; other values, such as names and addresses of people, are not kept.

Example:
  soundings scim log --account 4001 --refused
`,
    )
    .action(async (options: OfAccount & { count: string; refused?: boolean }) => {
      const { showLog } = await import('./scim-log.ts');
      await showLog(terminal, flagsOf(options), options);
    });
  addVerb('check', 'send a running service the requests that Entra ID, Okta and others make', scim)
    .requiredOption(
      '--url <address>',
      'the address the provider uses, such as https://soundings.example/scim/v2',
    )
    .option('--token <token>', 'a provisioning token or an access token')
    .option('--provider <name>', 'only this one: entra, okta, pocket-id, ssosync or authentik')
    .addHelpText(
      'after',
      `
Without --token, the token is read from SOUNDINGS_PROVISIONING_TOKEN, where other users of the machine cannot see it.
Users and groups are created under separate names and removed again. Exit status 1 if a step fails.

Example:
  soundings scim check --url http://localhost:8080/scim/v2 --provider entra
`,
    )
    .action(async (options: Common & { url: string; token?: string; provider?: string }) => {
      const { checkService } = await import('./scim-check.ts');
      await checkService(terminal, options);
    });
}

function tokenVerbs(token: Command, addVerb: AddVerb, terminal: Terminal): void {
  addVerb('create', 'create a provisioning token; it is shown once', token)
    .requiredOption('--account <id>', 'the account whose users it gives access to')
    .requiredOption('--name <name>', 'who will use it')
    .option('--days <count>', 'how many days it is valid: 1 to 3650', '365')
    .option('--read-only', 'allow reading and searching users and groups, but no changes')
    .option('--may-change-admins', 'also change users who are admin and groups that carry admin')
    .option('--connection <id>', 'users it creates sign in only through this connection')
    .addHelpText(
      'after',
      '\nIt gives access to /scim/v2 and /v1/scim and nothing else. Paste it where the provider asks for a secret token.\nWithout --may-change-admins, it is refused to suspend or delete an admin, to change what an admin signs in by, and to change\nthe members of a group that carries admin.\nExample:\n  soundings provisioning-token create --account 4001 --name "Entra ID"\n',
    )
    .action(async (options: TokenOptions) => {
      const { createToken } = await import('./provisioning-token.ts');
      await createToken(terminal, flagsOf(options), options);
    });
  addVerb(
    'list',
    'list the provisioning tokens, without their secrets: when they were last used, and when they expire',
    token,
  )
    .requiredOption('--account <id>', 'the account they belong to')
    .addHelpText('after', '\nExample:\n  soundings provisioning-token list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listTokens } = await import('./provisioning-token.ts');
      await listTokens(terminal, flagsOf(options), options);
    });
  addVerb('revoke', 'revoke a token for good; it stops working within 5 seconds', token)
    .argument('<token>', 'id of the token')
    .requiredOption('--account <id>', 'the account it belongs to')
    .addHelpText('after', '\nExample:\n  soundings provisioning-token revoke pt_... --account 4001\n')
    .action(async (id: string, options: OfAccount) => {
      const { revokeToken } = await import('./provisioning-token.ts');
      await revokeToken(terminal, flagsOf(options), id, options);
    });
}
