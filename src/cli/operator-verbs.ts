// The verbs for accounts and for the log of changes, and what they say of themselves.

import type { Command } from 'commander';
import type { AuditOptions } from './audit.ts';
import { type AddVerb, type Common, flagsOf, type OfSource } from './options.ts';
import type { Terminal } from './terminal.ts';

export function operatorVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  accountVerbs(
    root.command('account').description('the accounts in the store').exitOverride(),
    addVerb,
    terminal,
  );

  addVerb(
    'remove',
    'delete a measure or project with all of its responses',
    root.command('source').description('remove measures and projects').exitOverride(),
  )
    .requiredOption('--account <id>', 'the account')
    .option('--measure <key>', 'the measure')
    .option('--project <id>', 'or the project')
    .option('--dry-run', 'show what there is without deleting anything')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Its addresses answer "not found" at once on the replica that is asked next, and within 5 seconds on all; its feed
answers 410. Its rows are then deleted in batches of 1,000. If the command stops halfway, run it again to continue. A
new measure or project may have the same number; the ids of its surveys are never reused.

Examples:
  soundings source remove --account 4001 --measure 8840868 --dry-run
  soundings source remove --account 4001 --project 3223 --yes
`,
    )
    .action(async (options: OfSource & { dryRun?: boolean; yes?: boolean }) => {
      const { removeSource } = await import('./removal.ts');
      await removeSource(terminal, flagsOf(options), options);
    });

  addVerb('audit', 'show who changed what, when and from where: the newest entries, oldest first')
    .option('--account <id>', 'only this account; "store" for what concerns all of them')
    .option('--actor <id>', 'only this API client or provisioning token; "operator" for the command line')
    .option('--action <action>', 'only this action, such as user.suspend, or user for all actions on users')
    .option('--subject <subject>', 'only what was done to this, such as "user 1000000001"')
    .option('--from <time>', 'from this day or time on, UTC')
    .option('--to <time>', 'up to this day or time, inclusive')
    .option('--limit <count>', 'how many entries: 1 to 10000', '100')
    .option('--all', 'every entry, starting with the oldest')
    .addHelpText(
      'after',
      `
Attribute names and member ids are shown; values are not kept. Only the first 20 members are named. With --json, each
entry is one line, for log collectors. Entries are kept for SOUNDINGS_AUDIT_KEEP_DAYS, 400 days by default.

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
  addVerb('list', 'list the accounts, with how many API clients and provisioning tokens each has', account)
    .addHelpText('after', '\nExample:\n  soundings account list\n')
    .action(async (options: Common) => {
      const { showAccounts } = await import('./account.ts');
      await showAccounts(terminal, flagsOf(options), options);
    });
  addVerb('create', 'create an account without measures or projects', account)
    .argument('<id>', 'number of the account, which callers see as the clientId of users')
    .requiredOption('--name <name>', 'name of the account')
    .addHelpText(
      'after',
      '\nFor an account that only has users, or before its catalogue is written; "soundings apply" creates accounts too.\nExample:\n  soundings account create 4002 --name "Acme"\n',
    )
    .action(async (id: string, options: Common & { name: string }) => {
      const { addAccount } = await import('./account.ts');
      await addAccount(terminal, flagsOf(options), id, options);
    });
  addVerb(
    'remove',
    'delete an account with everything in it: measures, projects, responses, users, credentials',
    account,
  )
    .argument('<id>', 'number of the account')
    .option('--dry-run', 'show what there is without deleting anything')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Its API clients and tokens stop working within 5 seconds and its surveys accept nothing more; then its rows are deleted
in batches of 1,000 while everybody else is served. If the command stops halfway, run it again to continue. The account
number and the ids of its surveys are never reused; audit log entries are kept until they expire.

Examples:
  soundings account remove 4001 --dry-run
  soundings account remove 4001 --yes
`,
    )
    .action(async (id: string, options: Common & { dryRun?: boolean; yes?: boolean }) => {
      const { removeAccount } = await import('./removal.ts');
      await removeAccount(terminal, flagsOf(options), id, options);
    });
  addVerb('guard', 'show or lift the guard against mass deprovisioning', account)
    .argument('<id>', 'number of the account')
    .option('--lift', 'let providers suspend and delete users for a while; counting then restarts from zero')
    .option('--minutes <count>', 'how long to lift it: 1 to 1440', '60')
    .addHelpText(
      'after',
      `
The guard is set by SOUNDINGS_GUARD_PERCENT, or by limits.deprovisionedPercentPerHour of the account in the catalogue.
Once identity providers have suspended or deleted that percentage of users, and at least 20, within an hour, they are
refused with 403. "soundings user suspend" and "soundings user delete" are never refused.

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
