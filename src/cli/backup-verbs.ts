// The verbs for backups, and what they say of themselves.

import { type AddVerb, type Common, flagsOf } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

export function backupVerbs(addVerb: AddVerb, terminal: Terminal): void {
  addVerb('repair', 'mend what an older version left undone when it erased responses')
    .addHelpText(
      'after',
      `
After a roll-back, an older version erases without taking comments out of the search, without a change in the feed, and without
keeping digests of days true; "soundings backup" then refuses. "soundings serve" finds and mends it by itself when it starts;
this command does it now, also looks through all comments, and says what it did. The audit log names the days whose digest
has changed: whoever compares those with a copy reads them again.
Example:
  soundings repair
`,
    )
    .action(async (options: Common) => {
      const { repair } = await import('./repair.ts');
      await repair(terminal, flagsOf(options), options.json === true);
    });

  addVerb('backup', 'copy the store while the service is running, and check the copy')
    .argument('[target]', 'a new file, or a folder (default: SOUNDINGS_BACKUP_FOLDER)')
    .option('--keep <count>', 'in a folder: delete all but this many of the newest backups of this store')
    .option('--record', 'only record that a backup was made by other means')
    .option('--at <time>', 'with --record: when it was started, such as 2026-01-31T02:00:00Z (default: now)')
    .option('--note <text>', 'with --record: where it is, or what it is called')
    .addHelpText(
      'after',
      `
The copy is a single file with mode 0600. It contains everything that was acknowledged before the command was started,
and the keys of the store: keep it as secret as the store itself. It gets its name once it is complete, on disk and has
passed the checks of "soundings verify"; its manifest, FILE.json, says what is in it. The store's schema is not touched,
so the new version can make a backup before an upgrade.
For PostgreSQL, the commands to use are shown and no backup is made: the exit status is 1.

Examples:
  soundings backup before-upgrade.db
  soundings backup /var/backups/soundings --keep 14
  soundings backup --record --at 2026-01-31T02:00:00Z --note "base backup 31"
`,
    )
    .action(
      async (
        target: string | undefined,
        options: Common & { keep?: string; record?: boolean; at?: string; note?: string },
      ) => {
        const { backup, reportBackup } = await import('./backup.ts');
        const { keep, record, at, note } = options;
        const isJson = options.json === true;
        if (record === true)
          await reportBackup(terminal, flagsOf(options), { target, keep, at, note, isJson });
        else await backup(terminal, flagsOf(options), { target, keep, at, note, isJson });
      },
    );

  addVerb('verify', 'check a backup without restoring it, or compare two stores day by day')
    .argument('[file]', 'the backup; the store of DATABASE_URL if only --against is given')
    .option('--against <other>', 'what to compare with: a backup, a store, a service, or a file of figures')
    .option('--strict', 'without --against: a backup without its manifest is a failure')
    .option('--account <id>', 'with --against: only this account')
    .option('--client <id>', 'with the address of a service: the API client (default: SOUNDINGS_CLIENT_ID)')
    .option(
      '--from-rows',
      'with --against: compute every digest from the responses instead of using stored ones',
    )
    .addHelpText(
      'after',
      `
Without --against: compares the file with the SHA-256 in its manifest, reads every page of it, and recomputes its
counters from its rows. Nothing is written, not even next to the file. Without a manifest (FILE.json) it says what it could
not check: whether a byte has changed since, and which version, store and moment it is of.
Exit status: 0 it can be restored, 1 it cannot, 3 with --strict: it can, but there is no manifest.

With --against: compares the count and digest of every day (docs/digests.md) and lists the days that differ. The other
side is a backup file, a store in use (sqlite:FILE or postgres://...), a service (https://..., called as an API client
whose secret is read from SOUNDINGS_CLIENT_SECRET or the file named by SOUNDINGS_CLIENT_SECRET_FILE), or a file of
figures computed by a warehouse: CSV with the columns source, day, count, digest, or the same as NDJSON.
Exit status: 0 nothing differs, 1 could not compare, 2 days differ.

Examples:
  soundings verify /var/backups/soundings/soundings-000042-20260131T020000Z.db
  soundings verify --against /var/backups/soundings/soundings-000042-20260131T020000Z.db
  soundings verify --against https://feedback.example --client sc_...
  soundings verify --against warehouse.csv --account 4001
`,
    )
    .action(
      async (
        file: string | undefined,
        options: Common & {
          against?: string;
          strict?: boolean;
          account?: string;
          client?: string;
          fromRows?: boolean;
        },
      ) => {
        const { against, strict, account, client, fromRows } = options;
        const isJson = options.json === true;
        const isFromRows = fromRows === true;
        if (against !== undefined && strict === true)
          throw new CommandError('--strict goes without --against, which has an exit status of its own.');
        if (against !== undefined) {
          const { verifyAgainst } = await import('./verify-against.ts');
          const asked = { file, against, account, client, isFromRows, isJson };
          await verifyAgainst(terminal, flagsOf(options), asked);
          return;
        }
        const { verify } = await import('./verify.ts');
        await verify(terminal, {
          file,
          isJson,
          isStrict: strict === true,
          hasOthers: account !== undefined || client !== undefined || isFromRows,
        });
      },
    );

  addVerb('restore', 'restore a backup to a place where there is no store')
    .argument('<file>', 'the backup')
    .option('--to <path>', 'file of the new store (default: that of DATABASE_URL)')
    .option('--compare <path>', 'the old store, moved away: show what it has that the backup does not')
    .addHelpText(
      'after',
      `
Nothing is overwritten: if there is a store already, the command says what it has that the backup does not, and how to
move it out of the way. The backup is checked first, and the store only appears once it is complete. Its schema is
brought up to date. Everything done after the backup is undone: responses, users, erasures, revoked keys and tokens.

Examples:
  soundings restore soundings-000042-20260131T020000Z.db
  soundings restore soundings-000042-20260131T020000Z.db --to /tmp/drill.db
  soundings restore yesterday.db --compare data/soundings.db.old
`,
    )
    .action(async (file: string, options: Common & { to?: string; compare?: string }) => {
      const { restore } = await import('./restore.ts');
      const { to, compare } = options;
      await restore(terminal, flagsOf(options), { file, to, compare, isJson: options.json === true });
    });
}
