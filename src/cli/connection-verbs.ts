// The verbs for connections to identity providers, and what they say of themselves.

import type { Command } from 'commander';
import type { FactOptions } from './connection.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { Terminal } from './terminal.ts';

const secretHelp =
  'The client secret comes from SOUNDINGS_CONNECTION_SECRET, from the file that SOUNDINGS_CONNECTION_SECRET_FILE or\n--secret-file names, or with --secret-file - from what is piped in; never as an argument.';

export function connectionVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const connection = root
    .command('connection')
    .description('how users of an account sign in by their identity provider (OpenID Connect)')
    .exitOverride();
  const account = ['--account <id>', 'the account it belongs to'] as const;
  const file = ['--secret-file <file>', 'a file with the client secret; - for what is piped in'] as const;

  addVerb('create', 'connect an account to an identity provider', connection)
    .requiredOption(...account)
    .requiredOption('--name <name>', 'what the button on the sign-in page says; unique in the account')
    .requiredOption('--issuer <url>', 'the provider, as it names itself in its metadata')
    .requiredOption('--client-id <id>', 'what the provider calls Soundings')
    .option('--claim <name>', 'the claim that equals the externalId of users: oid for Entra ID', 'sub')
    .option(...file)
    .addHelpText(
      'after',
      `\n${secretHelp}\nWithout a secret nobody signs in until "soundings connection secret" has set it.\nExample:\n  soundings connection create --account 4001 --name "Acme" --claim oid --client-id 1b5e... \\\n    --issuer https://login.microsoftonline.com/TENANT/v2.0 --secret-file - < secret.txt\n`,
    )
    .action(async (options: FactOptions & { name: string; issuer: string; clientId: string }) => {
      const { createOne } = await import('./connection.ts');
      await createOne(terminal, flagsOf(options), options);
    });
  addVerb('secret', 'set the client secret of a connection, or another one', connection)
    .argument('<connection>', 'its id')
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
  addVerb('change', 'another name, issuer, client or claim', connection)
    .argument('<connection>', 'its id')
    .requiredOption(...account)
    .option('--name <name>', 'what the button on the sign-in page says')
    .option('--issuer <url>', 'the provider')
    .option('--client-id <id>', 'what the provider calls Soundings')
    .option('--claim <name>', 'the claim that equals the externalId of users')
    .addHelpText(
      'after',
      '\nAnother issuer, client or claim names other people: sessions through it end, and it is not the only way in any more.\nExample:\n  soundings connection change cn_... --account 4001 --claim oid\n',
    )
    .action(async (id: string, options: FactOptions) => {
      const { changeOne } = await import('./connection.ts');
      await changeOne(terminal, flagsOf(options), id, options);
    });
  addVerb('list', 'the connections of an account, without their secrets', connection)
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings connection list --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listAll } = await import('./connection.ts');
      await listAll(terminal, flagsOf(options), options);
    });
  addVerb('test', 'ask the provider for its metadata, and count users who have no way in', connection)
    .argument('<connection>', 'its id')
    .requiredOption(...account)
    .addHelpText(
      'after',
      '\nExit status 1 where nobody could sign in. It also says what the provider must be told.\nExample:\n  soundings connection test cn_... --account 4001\n',
    )
    .action(async (id: string, options: OfAccount) => {
      const { testOne } = await import('./connection.ts');
      await testOne(terminal, flagsOf(options), id, options);
    });
  addVerb('only', 'make a connection the only way into the account, or open the others again', connection)
    .argument('<connection>', 'its id')
    .requiredOption(...account)
    .option('--on', 'links, passkeys, passwords and other connections let nobody in')
    .option('--off', 'they do again')
    .addHelpText(
      'after',
      '\nSomebody must have signed in through it before. Sessions of other ways end; operators are not concerned.\nExample:\n  soundings connection only cn_... --account 4001 --on\n',
    )
    .action(async (id: string, options: OfAccount & { on?: boolean; off?: boolean }) => {
      const { setOnly } = await import('./connection.ts');
      await setOnly(terminal, flagsOf(options), id, options);
    });
  addVerb('assign', 'say which connection a user belongs to', connection)
    .argument('<connection>', 'its id, or "none": the next one that they sign in by')
    .requiredOption(...account)
    .requiredOption('--user <id>', 'the internal id of the user')
    .addHelpText(
      'after',
      '\nA user belongs to the connection of the provisioning token that made them, else to the first that they signed in by.\nExample:\n  soundings connection assign cn_... --account 4001 --user 1000000123\n',
    )
    .action(async (id: string, options: OfAccount & { user: string }) => {
      const { assignUser } = await import('./connection.ts');
      await assignUser(terminal, flagsOf(options), id, options);
    });
  addVerb('remove', 'end a connection; whoever signed in through it is out', connection)
    .argument('<connection>', 'its id')
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings connection remove cn_... --account 4001\n')
    .action(async (id: string, options: OfAccount) => {
      const { removeOne } = await import('./connection.ts');
      await removeOne(terminal, flagsOf(options), id, options);
    });
}
