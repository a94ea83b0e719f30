// The verbs for users, and what they say of themselves.

import type { Command } from 'commander';
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
}
