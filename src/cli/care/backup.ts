// soundings backup: a copy of the embedded store that is known to restore; for a database server, what to do instead.

import { option, optionalArgument, toggle } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { plainVerb } from '../frame/verb.ts';

const noteLengthMax = 500;

export const backup = plainVerb({
  about: 'copy the store while the service is running, and check the copy',
  takes: {
    target: optionalArgument('a new file, or a folder (default: SOUNDINGS_BACKUP_FOLDER)'),
    keep: option('<count>', 'in a folder: delete all but this many of the newest backups of this store'),
    record: toggle('only record that a backup was made by other means'),
    at: option('<time>', 'with --record: when it was started, such as 2026-01-31T02:00:00Z (default: now)'),
    note: option('<text>', 'with --record: where it is, or what it is called'),
  },
  help: `
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
  validate({ target, keep, record, at, note }) {
    if (!record && (at !== undefined || note !== undefined))
      throw new CommandError('--at and --note belong to --record: a backup that is made now is of now.');
    if (record && (target !== undefined || keep !== undefined))
      throw new CommandError(
        '--record copies nothing: leave out the file and --keep, or leave out --record.',
      );
    if (note !== undefined && (note.trim() === '' || note.length > noteLengthMax))
      throw new CommandError(`--note must have 1 to ${noteLengthMax} characters.`);
  },
  load: async () => ({
    ...(await import('./backup-copy.ts')),
    ...(await import('./backup-report.ts')),
  }),
  async act(call, { makeCopy, reportBackup }) {
    const { terminal, flags, input } = call;
    if (input.record) return { reported: await reportBackup(terminal, flags, input) };
    return makeCopy(call);
  },
  json(answer) {
    if ('reported' in answer) return { kind: 'reported', ...answer.reported };
    if ('advice' in answer) return answer.advice;
    const { file, manifest, walBytes, removed } = answer.made;
    return { file, ...manifest, walBytes, removed, isRecorded: answer.isRecorded };
  },
  says(answer) {
    if ('reported' in answer) return `Recorded a backup of ${answer.reported.at}.`;
    return 'advice' in answer ? answer.advice.text : answer.made.file;
  },
  hint: (answer) =>
    'made' in answer
      ? [
          ...answer.made.removed.map((name) => `Deleted an older one: ${name}`),
          ...(answer.isRecorded
            ? []
            : [
                'It is not recorded in the store, whose schema is of before there were records: "soundings migrate" brings it up to date.',
              ]),
        ]
      : null,
  failure: (answer) =>
    'advice' in answer
      ? 'No backup was made: the tools of PostgreSQL make it, and "soundings backup --record" says so.'
      : null,
});
