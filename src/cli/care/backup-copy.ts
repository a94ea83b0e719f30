// A copy of the embedded store that is known to restore; for a database server, what to do instead.

import { randomUUIDv7 } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { programVersion } from '../../domain/version.ts';
import { mebibytes } from '../../store/engine/sqlite/backup-copy.ts';
import { storeFileOf } from '../../store/engine/sqlite/store-file.ts';
import { backupPriority, lowerPriority } from '../../store/engine/work/low-priority.ts';
import { type MadeBackup, makeBackup } from '../../store/operations/backup.ts';
import { removeUnfinished } from '../../store/operations/backup-files.ts';
import { hasBackupRecords, type RecordBackup, recordBackup } from '../../store/operations/backup-records.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { onInterrupt } from '../frame/interrupt.ts';
import { openStore, readSettings } from '../frame/open-context.ts';
import { LateProgress, numberText, withProgress } from '../frame/progress.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import type { Call } from '../frame/verb.ts';
import { serverAdvice } from './server-backup.ts';

export interface WantedBackup {
  readonly target: string | undefined;
  readonly keep: string | undefined;
}

const patienceMs = 60_000;
const keepMax = 100_000;
// What grew by less is not worth a word.
const walWorthSaying = 64 * 1024 ** 2;

/** The copy; of a store that is on a server, what makes one there. */
export async function makeCopy({ terminal, flags, input }: Call<WantedBackup>) {
  const { config } = await readSettings(terminal, flags);
  if (!config.databaseUrl.startsWith('sqlite:'))
    return { advice: serverAdvice(config.databaseUrl, new Date()) };
  const storePath = storeFileOf(config.databaseUrl);
  if (storePath === null)
    throw new CommandError('The store is in memory and ends with its process: there is nothing to back up.');
  const target = input.target ?? (config.backupFolder === '' ? '' : `${config.backupFolder}/`);
  if (target === '')
    throw new CommandError('Name a file or a folder for the backup, or set SOUNDINGS_BACKUP_FOLDER.');
  const keep = keepOf(input, config, target);
  const request = { storePath, target, keep, version: programVersion, atMs: Date.now() };
  const made = await copied(terminal, request);
  return { made, isRecorded: await record(config, made) };
}

function keepOf({ keep }: WantedBackup, config: Config, place: string): number | null {
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
