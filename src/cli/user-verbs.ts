// The verbs for users, and what they say of themselves.

import type { Command } from 'commander';
import type { Invitation } from '../scim/invitation.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { Terminal } from './terminal.ts';

export function userVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const user = root.command('user').description('the users of an account').exitOverride();
  const ofAccount = (name: string, description: string): Command =>
    addVerb(name, description, user).requiredOption('--account <id>', 'the account they belong to');
  const addressHelp = '\nADDRESS is the externalId, or the internal id of a user who has none.\n';

  ofAccount('list', 'the users, in the order of creation')
    .option('--filter <filter>', 'as the interface takes it, such as \'userName eq "ada"\'')
    .option('--start <number>', 'the first to show, from 1')
    .option('--count <number>', 'how many to show: 100 unless given, at most 200')
    .addHelpText(
      'after',
      '\nExample:\n  soundings user list --account 4001 --filter \'name.familyName sw "Lov"\'\n',
    )
    .action(async (options: OfAccount & { filter?: string; start?: string; count?: string }) => {
      const { listUsers } = await import('./user.ts');
      await listUsers(terminal, flagsOf(options), options);
    });
  ofAccount('show', 'one user, whole')
    .argument('<address>', 'its externalId, or its id where it has none')
    .addHelpText('after', `${addressHelp}Example:\n  soundings user show e-1001 --account 4001\n`)
    .action(async (address: string, options: OfAccount) => {
      const { showUser } = await import('./user.ts');
      await showUser(terminal, flagsOf(options), address, options);
    });
  for (const [name, active, what] of [
    ['suspend', false, 'de-provision a user: active becomes false, nothing is deleted'],
    ['reactivate', true, 'a suspended user becomes active again'],
  ] as const) {
    ofAccount(name, what)
      .argument('<address>', 'its externalId, or its id where it has none')
      .addHelpText('after', `${addressHelp}Example:\n  soundings user ${name} e-1001 --account 4001\n`)
      .action(async (address: string, options: OfAccount) => {
        const { setUserActive } = await import('./user.ts');
        await setUserActive(terminal, flagsOf(options), address, { ...options, active });
      });
  }
  ofAccount('delete', 'a user goes for good, with all that is kept of it')
    .argument('<address>', 'its externalId, or its id where it has none')
    .addHelpText(
      'after',
      `${addressHelp}Its userName and externalId are free again, its memberships end, and nothing brings it back: "suspend" keeps it.\nExample:\n  soundings user delete e-1001 --account 4001\n`,
    )
    .action(async (address: string, options: OfAccount) => {
      const { removeUser } = await import('./user.ts');
      await removeUser(terminal, flagsOf(options), address, options);
    });
  ofAccount('import', 'create the users of a CSV or NDJSON file')
    .argument('<file>', 'its name ends in .csv or .ndjson')
    .option('--dry-run', 'judge the file, and create nothing')
    .addHelpText(
      'after',
      '\nOne fault in the file, and nothing is created; every fault is listed with its line. Users whose userName or\nexternalId is taken are listed and passed over (exit status 2).\nCSV columns: userName, externalId, active, name.givenName, name.familyName, emails, phoneNumbers, clientId,\nauthenticationProvider; lists also by type: emails.work, phoneNumbers.mobile.\nExample:\n  soundings user import people.csv --account 4001 --dry-run\n',
    )
    .action(async (file: string, options: OfAccount & { dryRun?: boolean }) => {
      const { importUsers } = await import('./user-import.ts');
      await importUsers(terminal, flagsOf(options), file, options);
    });
  accessVerbs(ofAccount, addressHelp, terminal);
}

/** How users without an identity provider come in, and where they are. */
function accessVerbs(
  ofAccount: (name: string, description: string) => Command,
  addressHelp: string,
  terminal: Terminal,
): void {
  ofAccount('invite', 'create a user, and print a link that signs them in once')
    .requiredOption('--user-name <name>', 'the name that they sign in with')
    .option('--external-id <id>', 'by which an identity provider will know them')
    .option('--given-name <name>', 'their first name')
    .option('--family-name <name>', 'their last name')
    .option('--email <address>', 'where to write to them; nothing is sent')
    .addHelpText(
      'after',
      '\nThe link works once, within 7 days. Hand it over by a way that nobody else reads; who opens it adds a passkey or a\npassword to come back. Roles: soundings user roles.\nExample:\n  soundings user invite --account 4001 --user-name ada --email ada@acme.example\n',
    )
    .action(async (options: OfAccount & Invitation) => {
      const { inviteUser } = await import('./user-access.ts');
      await inviteUser(terminal, flagsOf(options), options);
    });
  const address = (command: Command): Command =>
    command.argument('<address>', 'its externalId, or its id where it has none');
  address(ofAccount('link', 'a link that signs a user in once, for one who lost passkey or password'))
    .addHelpText(
      'after',
      `${addressHelp}It works within 24 hours, and ends the link before it.\nExample:\n  soundings user link e-1001 --account 4001\n`,
    )
    .action(async (address: string, options: OfAccount) => {
      const { linkUser } = await import('./user-access.ts');
      await linkUser(terminal, flagsOf(options), address, options);
    });
  address(ofAccount('sessions', 'where a user is signed in'))
    .addHelpText('after', `${addressHelp}Example:\n  soundings user sessions e-1001 --account 4001\n`)
    .action(async (address: string, options: OfAccount) => {
      const { showUserSessions } = await import('./user-access.ts');
      await showUserSessions(terminal, flagsOf(options), address, options);
    });
  address(ofAccount('sign-out', 'end every session of a user; to keep somebody out, suspend them'))
    .addHelpText('after', `${addressHelp}Example:\n  soundings user sign-out e-1001 --account 4001\n`)
    .action(async (address: string, options: OfAccount) => {
      const { signUserOut } = await import('./user-access.ts');
      await signUserOut(terminal, flagsOf(options), address, options);
    });
}
