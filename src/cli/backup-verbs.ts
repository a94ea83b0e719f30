// The verbs for backups, and what they say of themselves.

import { type AddVerb, type Common, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function backupVerbs(addVerb: AddVerb, terminal: Terminal): void {
  addVerb('backup', 'copy the store while the service runs, and check the copy')
    .argument('[target]', 'a new file, or a folder; SOUNDINGS_BACKUP_FOLDER otherwise')
    .option('--keep <count>', 'in a folder: delete all but so many of the newest backups of this store')
    .option('--record', 'only record that a backup was made by other means')
    .option('--at <time>', 'with --record: when it was begun, such as 2026-01-31T02:00:00Z; now otherwise')
    .option('--note <text>', 'with --record: where it is, or what it is called')
    .addHelpText(
      'after',
      `
The copy is one file of mode 0600. It holds everything that was acknowledged before the command was given, and the keys
of the store: keep it as secret as the store itself. It gets its name when it is whole, on the disk and has passed the checks
of "soundings verify"; its manifest, FILE.json, says what is in it. The schema of the store is not touched, so that a backup
can be made before an upgrade by the new version.
For PostgreSQL the commands to use are shown, and no backup is made: the exit status is 1.

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
    .argument('[file]', 'the backup; the store of DATABASE_URL where only --against is given')
    .option('--against <other>', 'compare with this: a backup, a store, a service, or a file of figures')
    .option('--account <id>', 'with --against: only this account')
    .option('--client <id>', 'with the address of a service: the API client; or SOUNDINGS_CLIENT_ID')
    .option(
      '--from-rows',
      'with --against: work out every digest from the responses, and trust none that is kept',
    )
    .addHelpText(
      'after',
      `
Without --against: compares the file with the SHA-256 of its manifest, reads every page of it, and counts what it counts
once more from its rows. Nothing is written, not even beside the file.
Exit status: 0 it would restore, 1 it would not.

With --against: compares count and digest of every day (docs/digests.md) and names those that differ. The other side is
the file of a backup, a store that is in use (sqlite:FILE or postgres://...), a service (https://..., asked as an API
client whose secret comes from SOUNDINGS_CLIENT_SECRET or the file that SOUNDINGS_CLIENT_SECRET_FILE names), or a file of
figures that a warehouse has worked out: CSV with the columns source, day, count, digest, or the same as NDJSON.
Exit status: 0 nothing differs, 1 it could not be compared, 2 days differ.

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
        options: Common & { against?: string; account?: string; client?: string; fromRows?: boolean },
      ) => {
        const { against, account, client, fromRows } = options;
        const isJson = options.json === true;
        const isFromRows = fromRows === true;
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
          hasOthers: account !== undefined || client !== undefined || isFromRows,
        });
      },
    );

  addVerb('restore', 'put a backup in the place of a store that is not there')
    .argument('<file>', 'the backup')
    .option('--to <path>', 'the file of the new store; that of DATABASE_URL otherwise')
    .option('--compare <path>', 'the old store, moved away: say what it has that the backup has not')
    .addHelpText(
      'after',
      `
Nothing is overwritten: where a store is, the command says what it has that the backup has not, and how to move it away.
The backup is checked first, and the store appears when it is whole. Its schema is brought up to date. What was done after
the backup is undone: responses, users, erasures, revoked keys and tokens.

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
