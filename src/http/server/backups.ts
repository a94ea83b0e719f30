// Backups that the service makes by itself (SOUNDINGS_BACKUP_EVERY), and what it knows of all of them. When the next one
// is due, is told by the store: however many processes serve it, and however often they are started, one is made.

import { dirname, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { programVersion } from '../../domain/version.ts';
import { storeFileOf } from '../../store/engine/sqlite/store-file.ts';
import { type KnownBackups, knownBackups, recordBackup } from '../../store/operations/backup-records.ts';
import type { BackupThread, ThreadOutcome } from '../../store/operations/backup-thread.ts';

const lookEveryMs = 2_000;
// After a failure: soon enough to matter, seldom enough not to fill the log.
const retryPart = 0.1;
const retryMs = { atLeast: 60_000, atMost: 900_000 };
// Another process makes one; by then it is on record.
const othersMs = 10_000;
const stopPatienceMs = 5_000;
const detailMax = 500;

type Known = Pick<KnownBackups, 'lastGood' | 'lastFailure'>;

export class Backups {
  /** Made and failed by this process. */
  made = 0;
  failed = 0;
  readonly #context: Context;
  #known: Known | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #thread: BackupThread | null = null;
  #isStopping = false;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Seconds since the last good backup was begun; null where none is known. */
  get ageSeconds(): number | null {
    const atMs = this.#known?.lastGood?.atMs;
    return atMs === undefined ? null : Math.max(0, this.#context.now() - atMs) / 1_000;
  }

  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /** Whether the last one that the service tried to make has failed. */
  get hasFailed(): boolean {
    return this.#known?.lastFailure != null;
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#timer = setInterval(() => void this.#look(), lookEveryMs);
    this.#timer.unref();
    void this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#thread?.stop();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resume) => {
      timer = setTimeout(resume, stopPatienceMs);
    });
    await Promise.race([this.#looking, patience]);
    clearTimeout(timer);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    try {
      const known = await knownBackups(this.#context.db, this.#context.now());
      this.#known = known;
      if (known === null || this.#isStopping || !this.#isDue(known)) return;
    } catch {
      // Requests and the heartbeat tell that the store is away; what was last read stays.
      return;
    }
    await this.#make();
  }

  #isDue({ records }: KnownBackups): boolean {
    const { backupEverySeconds, backupFolder } = this.#context.config;
    if (backupEverySeconds === null || this.#context.elapsedMs() < this.#notBeforeMs) return false;
    const folder = resolve(backupFolder);
    // The last that was written down, whatever its time: one of the future says that the clock was set back.
    const last = records.find(
      ({ kind, place }) => kind === 'made' && place !== null && dirname(place) === folder,
    );
    if (last === undefined) return true;
    const ageMs = this.#context.now() - last.atMs;
    return ageMs < 0 || ageMs >= backupEverySeconds * 1_000;
  }

  async #make(): Promise<void> {
    const { databaseUrl, backupFolder, backupKeep, backupEverySeconds } = this.#context.config;
    // Few services make backups, and none should start later for it.
    const { startBackupThread } = await import('../../store/operations/backup-thread.ts');
    const storePath = storeFileOf(databaseUrl);
    if (storePath === null || backupEverySeconds === null || this.#isStopping) return;
    this.#thread = startBackupThread({
      storePath,
      // With a slash it is a folder, even where it is not there.
      target: `${backupFolder}/`,
      keep: backupKeep,
      version: programVersion,
      atMs: this.#context.now(),
      unlessYoungerMs: backupEverySeconds * 1_000,
    });
    const outcome = await this.#thread.outcome;
    this.#thread = null;
    if (this.#isStopping) return;
    if ('isUnderWay' in outcome) {
      this.#notBeforeMs = this.#context.elapsedMs() + othersMs;
      return;
    }
    await this.#note(outcome, backupEverySeconds * 1_000);
  }

  async #note(outcome: Exclude<ThreadOutcome, { isUnderWay: true }>, everyMs: number): Promise<void> {
    const { db, log, now, newId, config, elapsedMs } = this.#context;
    const stamp = { changeId: newId(), nowMs: now(), actor: 'service' };
    const pauseMs = Math.min(retryMs.atMost, Math.max(retryMs.atLeast, everyMs * retryPart), everyMs);
    try {
      if ('made' in outcome) {
        this.made += 1;
        const { file, manifest, walBytes } = outcome.made;
        const atMs = Date.parse(manifest.at);
        const record = { kind: 'made', atMs, place: file, bytes: manifest.bytes, detail: null } as const;
        await db.write(recordBackup, { ...record, ...stamp });
        log.info({ file, bytes: manifest.bytes, walBytes }, 'backup made');
      } else {
        this.failed += 1;
        this.#notBeforeMs = elapsedMs() + pauseMs;
        log.error({ code: 'BACKUP_FAILED', reason: outcome.failure }, 'The backup failed.');
        const detail = outcome.failure.slice(0, detailMax);
        const place = resolve(config.backupFolder);
        const record = { kind: 'failed', atMs: stamp.nowMs, place, bytes: null, detail } as const;
        await db.write(recordBackup, { ...record, ...stamp });
      }
      this.#known = await knownBackups(db, now());
    } catch (error) {
      // A backup that is not recorded would be made again at the next look.
      this.#notBeforeMs = elapsedMs() + pauseMs;
      log.error({ code: 'BACKUP_FAILED', err: error }, 'The backup could not be recorded.');
    }
  }
}
