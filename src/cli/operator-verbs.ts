// The verbs for accounts and for the log of changes, and what they say of themselves.

import type { Command } from 'commander';
import type { AuditOptions } from './audit.ts';
import { type AddVerb, type Common, flagsOf, type OfSource } from './options.ts';
import type { Terminal } from './terminal.ts';

export function operatorVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  accountVerbs(
    root.command('account').description('the accounts of the store').exitOverride(),
    addVerb,
    terminal,
  );

  addVerb(
    'remove',
    'delete a measure or project with its responses',
    root.command('source').description('measures and projects').exitOverride(),
  )
    .requiredOption('--account <id>', 'the account')
    .option('--measure <key>', 'the measure')
    .option('--project <id>', 'or the project')
    .option('--dry-run', 'say what there is, and delete nothing')
    .option('--yes', 'without being asked')
    .addHelpText(
      'after',
      `
Its addresses are not found at once on the replica that is asked next, within 5 seconds on all; its feed answers 410. Then
its rows go in slices of 1,000. What stops half-way goes on when the command is run again. A new measure or project may
have the same number; the ids of its surveys are not given again.

Examples:
  soundings source remove --account 4001 --measure 8840868 --dry-run
  soundings source remove --account 4001 --project 3223 --yes
`,
    )
    .action(async (options: OfSource & { dryRun?: boolean; yes?: boolean }) => {
      const { removeSource } = await import('./removal.ts');
      await removeSource(terminal, flagsOf(options), options);
    });

  addVerb('audit', 'who changed what, when and from where: the newest entries, oldest first')
    .option('--account <id>', 'of one account; "store" for what concerns all of them')
    .option('--actor <id>', 'of one API client or provisioning token; "operator" for the command line')
    .option('--action <action>', 'such as user.suspend, or user for all of users')
    .option('--subject <subject>', 'what was changed, such as "user 1000000001"')
    .option('--from <time>', 'from this day or time on, UTC')
    .option('--to <time>', 'up to this day or time, included')
    .option('--limit <count>', 'how many: 1 to 10000', '100')
    .option('--all', 'every entry, from the oldest on')
    .addHelpText(
      'after',
      `
Names of attributes and ids of members are shown, values are not kept. Of members the first 20 are named. With --json a
line an entry, for a log collector. Entries are kept as long as SOUNDINGS_AUDIT_KEEP_DAYS says, 400 days by default.

Examples:
  soundings audit --account 4001 --action user.suspend --from 2026-11-01
  soundings audit --all --json > audit.ndjson
`,
    )
    .action(async (options: AuditOptions) => {
      const { showAudit } = await import('./audit.ts');
      await showAudit(terminal, flagsOf(options), options);
    });
}

function accountVerbs(account: Command, addVerb: AddVerb, terminal: Terminal): void {
  addVerb('list', 'the accounts, with how many API clients and provisioning tokens each has', account)
    .addHelpText('after', '\nExample:\n  soundings account list\n')
    .action(async (options: Common) => {
      const { showAccounts } = await import('./account.ts');
      await showAccounts(terminal, flagsOf(options), options);
    });
  addVerb('create', 'a new account without measures or projects', account)
    .argument('<id>', 'its number, which callers see as clientId of users')
    .requiredOption('--name <name>', 'whose account it is')
    .addHelpText(
      'after',
      '\nFor users alone, or before its catalogue is written; "soundings apply" makes accounts too.\nExample:\n  soundings account create 4002 --name "Acme"\n',
    )
    .action(async (id: string, options: Common & { name: string }) => {
      const { addAccount } = await import('./account.ts');
      await addAccount(terminal, flagsOf(options), id, options);
    });
  addVerb(
    'remove',
    'delete an account with everything: measures, projects, responses, users, credentials',
    account,
  )
    .argument('<id>', 'the account')
    .option('--dry-run', 'say what there is, and delete nothing')
    .option('--yes', 'without being asked')
    .addHelpText(
      'after',
      `
Its API clients and tokens stop within 5 seconds, its surveys take nothing any more, then its rows go in slices of 1,000
while everybody else is served. What stops half-way goes on when the command is run again. The number of the account and
the ids of its surveys are not given again; entries of the audit log stay until their own end.

Examples:
  soundings account remove 4001 --dry-run
  soundings account remove 4001 --yes
`,
    )
    .action(async (id: string, options: Common & { dryRun?: boolean; yes?: boolean }) => {
      const { removeAccount } = await import('./removal.ts');
      await removeAccount(terminal, flagsOf(options), id, options);
    });
  addVerb('guard', 'the guard against mass deprovisioning: how it stands, and how to lift it', account)
    .argument('<id>', 'the account')
    .option('--lift', 'let providers suspend and delete for a while; then it counts from nothing')
    .option('--minutes <count>', 'how long it is lifted: 1 to 1440', '60')
    .addHelpText(
      'after',
      `
Where it is set, by SOUNDINGS_GUARD_PERCENT or by limits.deprovisionedPercentPerHour of the account in the catalogue, an
identity provider that has suspended or deleted so many of a hundred users within an hour, and 20 at least, is refused
with 403. "soundings user suspend" and "delete" never are.

Examples:
  soundings account guard 4001
  soundings account guard 4001 --lift --minutes 30
`,
    )
    .action(async (id: string, options: Common & { lift?: boolean; minutes: string }) => {
      const { accountGuard } = await import('./account-guard.ts');
      await accountGuard(terminal, flagsOf(options), id, options);
    });
}
