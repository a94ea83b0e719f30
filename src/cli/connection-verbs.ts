// The verbs for connections to identity providers, and what they say of themselves.

import type { Command } from 'commander';
import type { FactOptions } from './connection.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { Terminal } from './terminal.ts';

const secretHelp =
  'The client secret is read from SOUNDINGS_CONNECTION_SECRET, from the file named by SOUNDINGS_CONNECTION_SECRET_FILE or\n--secret-file, or with --secret-file - from standard input; it is never given as an argument.';

export function connectionVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const connection = root
    .command('connection')
    .description('how users of an account sign in with their identity provider (OpenID Connect)')
    .exitOverride();
  const account = ['--account <id>', 'the account it belongs to'] as const;
  const file = ['--secret-file <file>', 'file with the client secret; - for standard input'] as const;

  addVerb('create', 'connect an account to an identity provider', connection)
    .requiredOption(...account)
    .requiredOption('--name <name>', 'label of the button on the sign-in page; unique in the account')
    .requiredOption('--issuer <url>', 'the provider, as named in its own metadata')
    .requiredOption('--client-id <id>', 'client id of Soundings at the provider')
    .option('--claim <name>', 'the claim that matches the externalId of users: oid for Entra ID', 'sub')
    .option(...file)
    .addHelpText(
      'after',
      `\n${secretHelp}\nWithout a secret, nobody can sign in until "soundings connection secret" has set it.\nExample:\n  soundings connection create --account 4001 --name "Acme" --claim oid --client-id 1b5e... \\\n    --issuer https://login.microsoftonline.com/TENANT/v2.0 --secret-file - < secret.txt\n`,
    )
    .action(async (options: FactOptions & { name: string; issuer: string; clientId: string }) => {
      const { createOne } = await import('./connection.ts');
      await createOne(terminal, flagsOf(options), options);
    });
  addVerb('secret', 'set or replace the client secret of a connection', connection)
    .argument('<connection>', 'id of the connection')
    .requiredOption(...account)
    .option(...file)
    .addHelpText(
      'after',
      `\n${secretHelp}\nExample:\n  soundings connection secret cn_... --account 4001 < secret.txt\n`,
    )
    .action(async (id: string, options: OfAccount & { secretFile?: string }) => {
      const { setSecret } = await import('./connection.ts');
      await setSecret(terminal, flagsOf(options), id, options);
    });
  addVerb('change', 'change the name, issuer, client or claim of a connection', connection)
    .argument('<connection>', 'id of the connection')
    .requiredOption(...account)
    .option('--name <name>', 'label of the button on the sign-in page')
    .option('--issuer <url>', 'the provider')
    .option('--client-id <id>', 'client id of Soundings at the provider')
    .option('--claim <name>', 'the claim that matches the externalId of users')
    .addHelpText(
      'after',
      '\nA different issuer, client or claim identifies different people: sessions through the connection end, and it is no\nlonger the only way in.\nExample:\n  soundings connection change cn_... --account 4001 --claim oid\n',
    )
    .action(async (id: string, options: FactOptions) => {
      const { changeOne } = await import('./connection.ts');
      await changeOne(terminal, flagsOf(options), id, options);
    });
  addVerb('list', 'list the connections of an account, without their secrets', connection)
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings connection list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listAll } = await import('./connection.ts');
      await listAll(terminal, flagsOf(options), options);
    });
  addVerb(
    'test',
    'fetch the metadata of the provider, and count users who cannot sign in through it',
    connection,
  )
    .argument('<connection>', 'id of the connection')
    .requiredOption(...account)
    .addHelpText(
      'after',
      '\nExit status 1 if the provider does not answer as it should. Also shows what the provider needs to know.\nExample:\n  soundings connection test cn_... --account 4001\n',
    )
    .action(async (id: string, options: OfAccount) => {
      const { testOne } = await import('./connection.ts');
      await testOne(terminal, flagsOf(options), id, options);
    });
  addVerb('only', 'make a connection the only way into the account, or allow others again', connection)
    .argument('<connection>', 'id of the connection')
    .requiredOption(...account)
    .option('--on', 'links, passkeys, passwords and other connections stop working')
    .option('--off', 'they work again')
    .addHelpText(
      'after',
      '\nSomebody must have signed in through it before. Sessions started in other ways end; operators are not affected.\nExample:\n  soundings connection only cn_... --account 4001 --on\n',
    )
    .action(async (id: string, options: OfAccount & { on?: boolean; off?: boolean }) => {
      const { setOnly } = await import('./connection.ts');
      await setOnly(terminal, flagsOf(options), id, options);
    });
  addVerb('assign', 'set which connection a user belongs to', connection)
    .argument('<connection>', 'id of the connection, or "none" for the next one the user signs in through')
    .requiredOption(...account)
    .requiredOption('--user <id>', 'internal id of the user')
    .addHelpText(
      'after',
      '\nA user belongs to the connection of the provisioning token that created them, or else to the first one they signed in\nthrough.\nExample:\n  soundings connection assign cn_... --account 4001 --user 1000000123\n',
    )
    .action(async (id: string, options: OfAccount & { user: string }) => {
      const { assignUser } = await import('./connection.ts');
      await assignUser(terminal, flagsOf(options), id, options);
    });
  addVerb('remove', 'remove a connection; whoever signed in through it is signed out', connection)
    .argument('<connection>', 'id of the connection')
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings connection remove cn_... --account 4001\n')
    .action(async (id: string, options: OfAccount) => {
      const { removeOne } = await import('./connection.ts');
      await removeOne(terminal, flagsOf(options), id, options);
    });
}
