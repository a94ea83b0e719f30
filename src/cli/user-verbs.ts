// The verbs for users, and what they say of themselves.

import type { Command } from 'commander';
import type { Invitation } from '../scim/invitation.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { Terminal } from './terminal.ts';
import type { FindOptions } from './user-finding.ts';
import { namesPerson, namesUser, userHelp, userToShowHelp } from './user-options.ts';

interface ListOptions {
  readonly filter?: string;
  readonly start?: string;
  readonly count?: string;
}

export function userVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const user = root.command('user').description('the users of an account').exitOverride();
  const ofAccount = (name: string, description: string): Command =>
    addVerb(name, description, user).requiredOption('--account <id>', 'the account they belong to');

  ofAccount('list', 'list the users in order of creation, or those whom a text may mean')
    .argument('[user]', 'id, externalId, userName or mail address')
    .option('--filter <filter>', 'filter as in the API, such as \'userName eq "ada"\'')
    .option('--start <number>', 'first one to show, counting from 1')
    .option('--count <number>', 'how many to show (default: 100, at most 200)')
    .addHelpText(
      'after',
      '\nExamples:\n  soundings user list ada@acme.example\n  soundings user list --account 4001 --filter \'name.familyName sw "Lov"\'\n',
    )
    .action(async (user: string | undefined, options: OfAccount & ListOptions) => {
      const { listUsers } = await import('./user.ts');
      await listUsers(terminal, flagsOf(options), options, user);
    });
  namesUser(ofAccount('show', 'show one user in full'), 'shows')
    .addHelpText(
      'after',
      `${userToShowHelp}Examples:\n  soundings user show ada\n  soundings user show e-1001 --account 4001\n`,
    )
    .action(async (address: string, options: OfAccount & FindOptions) => {
      const { showUser } = await import('./user.ts');
      await showUser(terminal, flagsOf(options), address, options);
    });
  for (const [name, active, what] of [
    ['suspend', false, 'deprovision a user: active becomes false, nothing is deleted'],
    ['reactivate', true, 'make a suspended user active again'],
  ] as const) {
    namesUser(ofAccount(name, what))
      .addHelpText('after', `${userHelp}Example:\n  soundings user ${name} e-1001 --account 4001\n`)
      .action(async (address: string, options: OfAccount & FindOptions) => {
        const { setUserActive } = await import('./user.ts');
        await setUserActive(terminal, flagsOf(options), address, { ...options, active });
      });
  }
  namesPerson(ofAccount('delete', 'delete a user for good, with everything stored about them'))
    .addHelpText(
      'after',
      `${userHelp}Their userName and externalId become available again and their memberships end. This cannot be undone; to keep the user,\nuse "suspend".\nExample:\n  soundings user delete e-1001 --account 4001\n`,
    )
    .action(async (address: string, options: OfAccount & FindOptions) => {
      const { removeUser } = await import('./user.ts');
      await removeUser(terminal, flagsOf(options), address, options);
    });
  ofAccount('import', 'create users from a CSV or NDJSON file')
    .argument('<file>', 'file whose name ends in .csv or .ndjson')
    .option('--dry-run', 'check the file without creating anything')
    .addHelpText(
      'after',
      '\nIf the file has any fault, nothing is created; every fault is listed with its line number. Users whose userName or\nexternalId is taken are listed and skipped (exit status 2).\nCSV columns: userName, externalId, active, name.givenName, name.familyName, emails, phoneNumbers, clientId,\nauthenticationProvider; lists also by type: emails.work, phoneNumbers.mobile.\nExample:\n  soundings user import people.csv --account 4001 --dry-run\n',
    )
    .action(async (file: string, options: OfAccount & { dryRun?: boolean }) => {
      const { importUsers } = await import('./user-import.ts');
      await importUsers(terminal, flagsOf(options), file, options);
    });
  adminVerbs(ofAccount, terminal);
  accessVerbs(ofAccount, terminal);
}

/** What only concerns users who are admin. */
function adminVerbs(ofAccount: (name: string, description: string) => Command, terminal: Terminal): void {
  namesPerson(
    ofAccount(
      'confirm-admin',
      'confirm that a user is the one who was made admin, after the externalId was changed',
    ),
  )
    .addHelpText('after', `${userHelp}Example:\n  soundings user confirm-admin e-1001 --account 4001\n`)
    .action(async (address: string, options: OfAccount & FindOptions) => {
      const { confirmUserAdmin } = await import('./user-admin.ts');
      await confirmUserAdmin(terminal, flagsOf(options), address, options);
    });
  namesUser(ofAccount('refused', 'show suspensions and deletions of an admin that were refused'))
    .option('--drop', 'drop them: they are not meant')
    .addHelpText('after', `${userHelp}Example:\n  soundings user refused e-1001 --account 4001 --drop\n`)
    .action(async (address: string, options: OfAccount & FindOptions & { drop?: boolean }) => {
      const { refusedOfUser } = await import('./user-admin.ts');
      await refusedOfUser(terminal, flagsOf(options), address, options);
    });
}

/** How users without an identity provider come in, and where they are. */
function accessVerbs(ofAccount: (name: string, description: string) => Command, terminal: Terminal): void {
  ofAccount('invite', 'create a user, and print a link that signs them in once')
    .requiredOption('--user-name <name>', 'the name they sign in with')
    .option('--external-id <id>', 'the id by which an identity provider will know them')
    .option('--given-name <name>', 'their first name')
    .option('--family-name <name>', 'their last name')
    .option('--email <address>', 'their email address; nothing is sent')
    .addHelpText(
      'after',
      '\nThe link works once, within 7 days. Hand it over in a way that nobody else can read; whoever opens it adds a passkey or\na password to sign in with later. For roles, see "soundings user roles".\nExample:\n  soundings user invite --account 4001 --user-name ada --email ada@acme.example\n',
    )
    .action(async (options: OfAccount & Invitation) => {
      const { inviteUser } = await import('./user-access.ts');
      await inviteUser(terminal, flagsOf(options), options);
    });
  namesPerson(
    ofAccount('link', 'create a link that signs in a user once, for one who lost their passkey or password'),
  )
    .addHelpText(
      'after',
      `${userHelp}It works for 24 hours, and ends the previous link.\nExample:\n  soundings user link e-1001 --account 4001\n`,
    )
    .action(async (address: string, options: OfAccount & FindOptions) => {
      const { linkUser } = await import('./user-access.ts');
      await linkUser(terminal, flagsOf(options), address, options);
    });
  namesUser(ofAccount('sessions', 'show where a user is signed in'), 'shows')
    .addHelpText('after', `${userToShowHelp}Example:\n  soundings user sessions e-1001 --account 4001\n`)
    .action(async (address: string, options: OfAccount & FindOptions) => {
      const { showUserSessions } = await import('./user-access.ts');
      await showUserSessions(terminal, flagsOf(options), address, options);
    });
  namesUser(ofAccount('sign-out', 'end every session of a user; to keep somebody out, suspend them'))
    .addHelpText('after', `${userHelp}Example:\n  soundings user sign-out e-1001 --account 4001\n`)
    .action(async (address: string, options: OfAccount & FindOptions) => {
      const { signUserOut } = await import('./user-access.ts');
      await signUserOut(terminal, flagsOf(options), address, options);
    });
}
