// soundings backup: a copy of the embedded store that is known to restore; for a database server, what to do instead.

import { randomUUIDv7 } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { programVersion } from '../domain/version.ts';
import { mebibytes } from '../store/engine/sqlite/backup-copy.ts';
import { storeFileOf } from '../store/engine/sqlite/store-file.ts';
import { backupPriority, lowerPriority } from '../store/engine/work/low-priority.ts';
import { type MadeBackup, makeBackup } from '../store/operations/backup.ts';
import { removeUnfinished } from '../store/operations/backup-files.ts';
import { hasBackupRecords, type RecordBackup, recordBackup } from '../store/operations/backup-records.ts';
import { changeStamp } from './change-stamp.ts';
import { onInterrupt } from './interrupt.ts';
import { type Flags, openStore, readSettings, withContext } from './open-context.ts';
import { LateProgress, numberText, withProgress } from './progress.ts';
import { serverAdvice } from './server-backup.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface BackupOptions {
  readonly target: string | undefined;
  readonly keep: string | undefined;
  readonly at: string | undefined;
  readonly note: string | undefined;
  readonly isJson: boolean;
}

const patienceMs = 60_000;
const keepMax = 100_000;
const noteLengthMax = 500;
const earliestMs = Date.UTC(2000, 0, 1);
// What grew by less is not worth a word.
const walWorthSaying = 64 * 1024 ** 2;

export async function backup(terminal: Terminal, flags: Flags, options: BackupOptions): Promise<void> {
  const { target, at, note, isJson } = options;
  if (at !== undefined || note !== undefined)
    throw new CommandError('--at and --note belong to --record: a backup that is made now is of now.');
  const { config } = await readSettings(terminal, flags);
  if (!config.databaseUrl.startsWith('sqlite:')) return adviseOnServer(terminal, config, isJson);
  const storePath = storeFileOf(config.databaseUrl);
  if (storePath === null)
    throw new CommandError('The store is in memory and ends with its process: there is nothing to back up.');
  const place = target ?? (config.backupFolder === '' ? '' : `${config.backupFolder}/`);
  if (place === '')
    throw new CommandError('Name a file or a folder for the backup, or set SOUNDINGS_BACKUP_FOLDER.');
  const keep = keepOf(options, config, place);
  const made = await copied(terminal, {
    storePath,
    target: place,
    keep,
    version: programVersion,
    atMs: Date.now(),
  });
  const isRecorded = await record(config, made);
  if (isJson) {
    const { file, manifest, walBytes, removed } = made;
    terminal.print(JSON.stringify({ file, ...manifest, walBytes, removed, isRecorded }));
    return;
  }
  terminal.print(made.file);
  for (const name of made.removed) terminal.tell(`Deleted an older one: ${name}`);
  if (!isRecorded)
    terminal.tell(
      'It is not recorded in the store, whose schema is of before there were records: "soundings migrate" brings it up to date.',
    );
}

function keepOf({ keep }: BackupOptions, config: Config, place: string): number | null {
  if (keep === undefined) {
    const isUsualFolder = config.backupFolder !== '' && resolve(place) === resolve(config.backupFolder);
    return isUsualFolder ? config.backupKeep : null;
  }
  const count = Number(keep);
  if (/^\d{1,6}$/.test(keep) && count >= 1 && count <= keepMax) return count;
  throw new CommandError(`--keep must be a number from 1 to ${numberText(keepMax)}, not "${keep}".`);
}

type Request = Parameters<typeof makeBackup>[0];

async function copied(terminal: Terminal, request: Request): Promise<MadeBackup> {
  const interrupted = onInterrupt();
  let unfinished: string | null = null;
  // A progress bar ends the process by itself when somebody interrupts it.
  const tidy = (): void => {
    if (unfinished !== null) removeUnfinished(unfinished);
  };
  process.on('exit', tidy);
  try {
    let made = 0;
    const mebi = (bytes: number): number => Math.floor(bytes / 1024 ** 2);
    const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const storeBytes = bytesOf(request.storePath) + bytesOf(`${request.storePath}-wal`);
    const checks = new LateProgress(terminal);
    return await withProgress(
      terminal,
      { title: `Backing up ${request.storePath}, MiB`, total: mebi(storeBytes) },
      (advance) =>
        makeBackup(request, {
          isStopped: () => interrupted.isSet(),
          onUnfinished(file) {
            unfinished = file;
          },
          onProgress(done) {
            advance(mebi(done) - made);
            made = mebi(done);
          },
          onCheck(check) {
            // It takes a processor for as long as it lasts: whoever answers callers comes first.
            if (terminal.isOfProcess === true) lowerPriority(backupPriority);
            checks.say(() => `Checking: ${check}`);
          },
        }),
      said,
    );
  } catch (error) {
    if (interrupted.isSet())
      throw new CommandError('Interrupted; nothing is left of the backup.', { exitCode: 130, cause: error });
    throw error;
  } finally {
    process.off('exit', tidy);
    interrupted.forget();
  }
}

function said({ manifest, walBytes }: MadeBackup): string {
  const { responses, users } = manifest.counts;
  const grown =
    walBytes > walWorthSaying ? ` Meanwhile the log of the store grew to ${mebibytes(walBytes)}.` : '';
  return `${mebibytes(manifest.bytes)} with ${numberText(responses)} responses and ${numberText(users)} users, as of ${manifest.at}; checked.${grown}`;
}

/** Without bringing the schema up to date: a backup before an upgrade must leave the store as it is. */
async function record(config: Config, { file, manifest }: MadeBackup): Promise<boolean> {
  const db = await openStore(config, patienceMs);
  try {
    if (!(await hasBackupRecords(db))) return false;
    const input: RecordBackup = {
      kind: 'made',
      atMs: Date.parse(manifest.at),
      place: file,
      bytes: manifest.bytes,
      detail: null,
      ...changeStamp({ newId: randomUUIDv7, now: Date.now }),
    };
    await db.write(recordBackup, input);
    return true;
  } finally {
    await db.close();
  }
}

function adviseOnServer(terminal: Terminal, config: Config, isJson: boolean): never {
  const advice = serverAdvice(config.databaseUrl, new Date());
  if (isJson) terminal.print(JSON.stringify(advice));
  else terminal.print(advice.text);
  throw new CommandError(
    'No backup was made: the tools of PostgreSQL make it, and "soundings backup --record" says so.',
  );
}

export async function reportBackup(terminal: Terminal, flags: Flags, options: BackupOptions): Promise<void> {
  const { target, keep, at, note, isJson } = options;
  if (target !== undefined || keep !== undefined)
    throw new CommandError('--record copies nothing: leave out the file and --keep, or leave out --record.');
  if (note !== undefined && (note.trim() === '' || note.length > noteLengthMax))
    throw new CommandError(`--note must have 1 to ${noteLengthMax} characters.`);
  await withContext(terminal, flags, async (context) => {
    const atMs = at === undefined ? context.now() : momentOf(at, context.now());
    const stamp = changeStamp(context);
    const record = { atMs, place: note ?? null, bytes: null, detail: null };
    await context.db.write(recordBackup, { ...record, ...stamp, kind: 'reported' });
    const time = new Date(atMs).toISOString();
    if (isJson) terminal.print(JSON.stringify({ kind: 'reported', at: time, note: note ?? null }));
    else terminal.print(`Recorded a backup of ${time}.`);
  });
}

function momentOf(text: string, nowMs: number): number {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const atMs = isMoment ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs) || atMs < earliestMs)
    throw new CommandError(`--at must be a moment such as 2026-01-31T02:00:00Z, not "${text}".`);
  if (atMs > nowMs)
    throw new CommandError(`--at must not be in the future: it is ${new Date(nowMs).toISOString()} now.`);
  return atMs;
}
