// The verbs for API clients, and what they say of themselves.

import { type Command, Option } from 'commander';
import { grants } from '../domain/access/account.ts';
import { type AddVerb, type Common, flagsOf, type OfAccount } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

export function clientVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const client = root
    .command('client')
    .description('API clients, which call the service on behalf of an account')
    .exitOverride();
  const grantOption = (): Option =>
    new Option('--grant <scope>', 'scope to grant; may be repeated')
      .choices([...grants])
      .argParser(collect)
      .default([], 'all of them');

  addVerb('create', 'create an API client; its secret is shown once', client)
    .requiredOption('--account <id>', 'the account it acts for')
    .requiredOption('--name <name>', 'what it is for')
    .addOption(grantOption())
    .option(
      '--may-change-admins',
      'with w_cx_users: also change users who are admin and groups that carry admin',
    )
    .addHelpText(
      'after',
      `\nWithout --grant, it is granted all of ${grants.join(', ')}.\nExample:\n  soundings client create --account 4001 --name "nightly export" --grant r_cx_measures\n`,
    )
    .action(async (options: OfAccount & { name: string; grant: string[]; mayChangeAdmins?: boolean }) => {
      const { createApiClient } = await import('./client.ts');
      await createApiClient(terminal, flagsOf(options), options);
    });
  addVerb('list', 'list the API clients, without their secrets', client)
    .option('--account <id>', 'only this account')
    .addHelpText('after', '\nExample:\n  soundings client list --account 4001\n')
    .action(async (options: Common & { account?: string }) => {
      const { listApiClients } = await import('./client.ts');
      await listApiClients(terminal, flagsOf(options), options);
    });
  addVerb(
    'rotate',
    'create a second secret; the old one keeps working until you run this with --finish',
    client,
  )
    .argument('<client>', 'id of the API client')
    .option('--finish', 'stop accepting the old secret')
    .addHelpText(
      'after',
      '\nExample:\n  soundings client rotate sc_...             prints the new secret; both work\n  soundings client rotate sc_... --finish    the old one ends\n',
    )
    .action(async (id: string, options: Common & { finish?: boolean }) => {
      const { rotateApiClient } = await import('./client.ts');
      await rotateApiClient(terminal, flagsOf(options), {
        id,
        isFinish: options.finish === true,
        isJson: options.json === true,
      });
    });
  for (const [name, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    const what = disabled
      ? 'disable an API client: its credentials and tokens stop working within 5 seconds'
      : 're-enable an API client: its credentials work again';
    addVerb(name, what, client)
      .argument('<client>', 'id of the API client')
      .addHelpText('after', `\nExample:\n  soundings client ${name} sc_...\n`)
      .action(async (id: string, options: Common) => {
        const { setApiClientDisabled } = await import('./client.ts');
        await setApiClientDisabled(terminal, flagsOf(options), {
          id,
          disabled,
          isJson: options.json === true,
        });
      });
  }
  for (const name of ['grant', 'revoke'] as const) {
    addVerb(
      name,
      name === 'grant' ? 'grant scopes to an API client' : 'revoke scopes of an API client',
      client,
    )
      .argument('<client>', 'id of the API client')
      .argument('<scopes...>', `one or more of ${grants.join(', ')}`)
      .addHelpText('after', `\nExample:\n  soundings client ${name} sc_... r_cx_users w_cx_users\n`)
      .action(async (id: string, scopes: string[], options: Common) => {
        const { changeGrants } = await import('./client.ts');
        await changeGrants(terminal, flagsOf(options), {
          id,
          scopes,
          isGrant: name === 'grant',
          isJson: options.json === true,
        });
      });
  }
}

function collect(value: string, before: string[]): string[] {
  if (!(grants as readonly string[]).includes(value))
    throw new CommandError(`There is no grant "${value}"; there are ${grants.join(', ')}.`);
  return [...before, value];
}
