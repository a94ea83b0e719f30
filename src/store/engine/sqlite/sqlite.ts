// The embedded engine: questions on this thread, where the page cache makes them microseconds; changes on a
// writer thread. A store in memory belongs to one connection, so there both happen here.

import { dirname, resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Sql } from 'sql-template-tag';
import { Problem } from '../../../domain/problem.ts';
import { startThread } from '../../../installation.ts';
import {
  type Change,
  type Db,
  type DbFigures,
  type DbOptions,
  type Fields,
  type LargeAnswer,
  type Row,
  storeClosed,
  storeProblem,
  UniqueViolation,
  type WaitLimits,
  writesWaitingMax,
} from '../db.ts';
import { QueuePace } from '../work/queue-pace.ts';
import { Movement, waitLimits } from '../work/time-limit.ts';
import { type AnyChange, ChangeList } from './change-list.ts';
import { sqliteDialect } from './dialect-sqlite.ts';
import {
  isDamage,
  isDamageOfAll,
  isSqliteFailure,
  isUniqueViolation,
  primaryCode,
  resultCodes,
  SqliteConnection,
  sharedClockMs,
} from './sqlite-connection.ts';
import type { WriteOrder, WriteReport, WriterData } from './sqlite-writer.ts';
import { checkStoreFiles, partFault, refuseLostParts, refuseMissingFolder } from './store-check.ts';
import {
  identitiesOf,
  isFolder,
  isLostForGood,
  type LostPart,
  OpenedFiles,
  realStorePath,
} from './store-file.ts';
import { StoreFileFault } from './store-file-fault.ts';
import { lockFileOf, lockStore, type StoreLock } from './store-lock.ts';
import { emptyLog, readRecord, writeRecord } from './store-record.ts';
import type { SavedStore } from './store-saving.ts';

// A question hardly ever meets a lock (another process recovering the log). It waits in small steps, because
// each step stops the event loop.
const readBusyTimeoutMs = 20;
const lookAtFilesEveryMs = 1_000;
// How often it is looked whether a writer that starts has begun.
const startLookMs = 100;

// The thread holds what it is just writing. Left alone, its collector takes 64 MiB for objects that live for a moment,
// as long as nobody else asks for the memory (D-169).
const writerLimits = { maxYoungGenerationSizeMb: 24 };

/** The changes are all that it may be asked for; its writer thread has the same list. */
export function openSqlite(
  path: string,
  changes: Readonly<Record<string, AnyChange>>,
  options: DbOptions,
): Db {
  const list = new ChangeList(changes);
  return path === ':memory:' ? openInMemory(list, options) : new SqliteDb(resolve(path), list, options);
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly joinedAtMs: number;
  /** When whoever waits is told that it took too long; never a second time. */
  endsAtMs: number;
}

/** A file of the store that was lost while it was open. */
interface Loss {
  readonly lost: LostPart;
  readonly fault: StoreFileFault;
}

class SqliteDb implements Db {
  readonly engine = 'sqlite';
  readonly dialect = sqliteDialect;
  readonly limits: Db['limits'];
  readonly #path: string;
  readonly #list: ChangeList;
  /** Where its files are, whatever links lead there. */
  readonly #place: string;
  readonly #timeoutMs: number;
  readonly changing = new Movement();
  readonly #waitLimits: WaitLimits;
  readonly #pace: QueuePace;
  readonly #reader: SqliteConnection;
  readonly #inUse: StoreLock | null;
  readonly #files: OpenedFiles;
  readonly #lookingAtFiles: NodeJS.Timeout;
  readonly #waiting = new Map<number, Waiting>();
  #writer: Worker | null = null;
  /** Whether the writer has answered anything: nobody is told that it took too long while it starts (D-710). */
  #hasBegun = false;
  #ending: NodeJS.Timeout | null = null;
  #endsAtMs = Number.POSITIVE_INFINITY;
  #isClosing = false;
  #loss: Loss | null = null;
  /** Once part of the file was found broken, nothing is added to it any more. */
  #damage: Error | null = null;
  #nextId = 1;
  #batches = 0;
  #changes = 0;

  constructor(path: string, list: ChangeList, { timeoutMs, poolSize }: DbOptions) {
    this.#list = list;
    this.#path = path;
    this.#timeoutMs = timeoutMs;
    this.limits = { timeoutMs, poolSize };
    this.#waitLimits = waitLimits(timeoutMs);
    this.#pace = new QueuePace(this.#waitLimits);
    const { lock, isAlone, place } = holdInUse(path);
    this.#inUse = lock;
    this.#place = place;
    try {
      this.#reader = new SqliteConnection(place, readBusyTimeoutMs);
      this.#files = this.#openedFiles(isAlone);
    } catch (error) {
      this.#inUse?.release();
      const isDamaged = isSqliteFailure(error) && isDamage(error);
      throw storeProblem(isDamaged ? 'STORE_DAMAGED' : 'STORE_UNREACHABLE', error);
    }
    this.#lookingAtFiles = setInterval(() => this.#lookAtFiles(), lookAtFilesEveryMs).unref();
  }

  /** Those that SQLite has opened, or made; where others have the store open, they must be theirs. */
  #openedFiles(isAlone: boolean): OpenedFiles {
    const identities = identitiesOf(this.#place);
    if (isAlone || readRecord(this.#place) === null)
      writeRecord(this.#place, { ...emptyLog, ...readRecord(this.#place), ...identities });
    try {
      refuseLostParts(this.#place);
    } catch (error) {
      leaveOpen(this.#reader);
      throw error;
    }
    return new OpenedFiles(this.#path, this.#place, identities, () => this.#reader.bytesNeeded());
  }

  #lookAtFiles(): void {
    const lost = this.#files.look();
    if (lost !== null) return this.#lose(lost);
    if (this.#loss !== null && !isLostForGood(this.#loss.lost)) this.#loss = null;
  }

  #lose(lost: LostPart): void {
    if (this.#loss !== null && (isLostForGood(this.#loss.lost) || !isLostForGood(lost))) return;
    this.#loss = { lost, fault: partFault(this.#place, lost, { saved: '', reason: '' }) };
    // The writer may not have noticed, and only its connection saves the store.
    const nobody = { id: 0, sentAtMs: sharedClockMs(), limits: this.#waitLimits };
    this.#writer?.postMessage(nobody satisfies WriteOrder);
  }

  #noteSaved(outcome: SavedStore): void {
    if (this.#loss === null) return;
    const { lost } = this.#loss;
    this.#loss = { lost, fault: partFault(this.#place, lost, outcome) };
  }

  read<R = Row>(query: Sql): Promise<readonly R[]> {
    return this.#ask(() => this.#reader.run(query).rows as readonly R[]);
  }

  readLarge<R>(
    query: Sql,
    rowOf: (fields: Fields) => R,
    bytesMax?: number,
  ): LargeAnswer<R> | Promise<LargeAnswer<R>> {
    const question = () => largeAnswer(this.#reader.runLarge(query, rowOf, bytesMax));
    if (this.#isClosing || this.#loss !== null) return this.#ask(question);
    try {
      return question();
    } catch {
      // Asked once more by what tells the failures apart, and waits where that helps.
      return this.#ask(question);
    }
  }

  write<Input extends object, Output>(
    change: Change<Input, Output>,
    input: Input,
    limits = this.#waitLimits,
  ): Promise<Output> {
    return this.#order({ change: this.#list.nameOf(change), input }, limits) as Promise<Output>;
  }

  async probe(): Promise<void> {
    await this.#order({});
  }

  figures(): DbFigures {
    return {
      writesWaiting: this.#waiting.size,
      batches: this.#batches,
      changes: this.#changes,
      connections: this.#writer === null ? 1 : 2,
      connectionsIdle: 0,
      connectionsWaiting: 0,
    };
  }

  async #ask<T>(question: () => T): Promise<T> {
    if (this.#isClosing) throw storeClosed();
    if (this.#loss !== null) throw storeProblem('STORE_MOVED', this.#loss.fault);
    const deadlineMs = performance.now() + this.#timeoutMs;
    for (;;) {
      try {
        return question();
      } catch (error) {
        if (!isSqliteFailure(error)) throw error;
        if (isDamage(error)) {
          if (isDamageOfAll(error)) this.#damage = error;
          throw storeProblem('STORE_DAMAGED', error);
        }
        const code = primaryCode(error);
        if (code === resultCodes.ioError || code === resultCodes.cannotOpen)
          throw storeProblem('STORE_UNREACHABLE', error);
        if (code !== resultCodes.busy) throw error;
        if (performance.now() > deadlineMs) throw storeProblem('STORE_TIMEOUT', error);
        await new Promise((resume) => setTimeout(resume, readBusyTimeoutMs));
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#lookingAtFiles);
    if (this.#ending !== null) clearTimeout(this.#ending);
    const writer = this.#writer;
    if (writer !== null) {
      const exited = new Promise((done) => writer.once('exit', done));
      writer.ref();
      writer.postMessage('close');
      await exited;
    }
    // Whoever closes a store last moves its log into its file, which must not be that of somebody else.
    if (this.#loss !== null || this.#files.look() !== null) return leaveOpen(this.#reader);
    this.#reader.close();
    // Nobody has it open any more, and everything is in its file.
    const { file, log } = identitiesOf(this.#place);
    if (log === null) writeRecord(this.#place, { file, log, index: null, ...emptyLog });
    this.#inUse?.release();
  }

  #order(order: Pick<WriteOrder, 'change' | 'input'>, limits = this.#waitLimits): Promise<unknown> {
    if (this.#isClosing) return Promise.reject(storeClosed());
    if (this.#isQueueFull()) return Promise.reject(storeProblem('WRITE_QUEUE_FULL', null));
    if (this.#damage !== null) return Promise.reject(storeProblem('STORE_DAMAGED', this.#damage));
    // A writer that starts opens what is at the path, and would make a new store where there is none.
    if (this.#writer === null) this.#lookAtFiles();
    if (this.#loss !== null) return Promise.reject(storeProblem('STORE_MOVED', this.#loss.fault));
    this.#writer ??= this.#startWriter();
    const id = this.#nextId++;
    const joinedAtMs = performance.now();
    const endsAtMs = joinedAtMs + limits.inAllMs;
    const outcome = new Promise((resolve, reject) =>
      this.#waiting.set(id, { resolve, reject, joinedAtMs, endsAtMs }),
    );
    if (endsAtMs < this.#endsAtMs) this.#endAt(endsAtMs);
    // Only a change that waits keeps the process alive: a command may end as soon as its work is done.
    this.#writer.ref();
    this.#writer.postMessage({ id, sentAtMs: sharedClockMs(), limits, ...order } satisfies WriteOrder);
    return outcome;
  }

  #isQueueFull(): boolean {
    const { size } = this.#waiting;
    if (size === 0 || size >= writesWaitingMax) return size > 0;
    const [oldest] = this.#waiting.values();
    return this.#pace.isTooLong(size, oldest!.joinedAtMs);
  }

  /** The writer tells whoever waits too long, unless it is in the midst of something: then it is told here. */
  #endAt(endsAtMs: number): void {
    if (this.#ending !== null) clearTimeout(this.#ending);
    this.#endsAtMs = endsAtMs;
    this.#ending = setTimeout(
      // The timer may be late because this thread was: what has arrived meanwhile is read first.
      () => setImmediate(() => this.#endLate()),
      Math.max(1, endsAtMs - performance.now()),
    ).unref();
  }

  #endLate(): void {
    const nowMs = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting.values()) {
      if (waiting.endsAtMs <= nowMs && this.#hasBegun) {
        waiting.reject(storeProblem('STORE_TIMEOUT', new Error('The changes before it took too long.')));
        // It stays in the queue until the writer has done with it.
        waiting.endsAtMs = Number.POSITIVE_INFINITY;
      }
      nextMs = Math.min(nextMs, Math.max(waiting.endsAtMs, nowMs + startLookMs));
    }
    this.#ending = null;
    this.#endsAtMs = Number.POSITIVE_INFINITY;
    if (Number.isFinite(nextMs)) this.#endAt(nextMs);
  }

  #startWriter(): Worker {
    const { identities } = this.#files;
    this.#hasBegun = false;
    const data: WriterData = { path: this.#path, place: this.#place, identities };
    const writer = startThread('sqlite-writer', { workerData: data, resourceLimits: writerLimits });
    writer.on('message', (reports: WriteReport[] | SavedStore) =>
      Array.isArray(reports) ? this.#take(reports) : this.#noteSaved(reports),
    );
    // A writer that dies (its file became unreadable, say) fails what waits for it; the next change starts another.
    writer.on('error', (error) => this.#failAll(writer, error));
    writer.on('exit', () => this.#failAll(writer, new Error('The writer thread ended.')));
    writer.unref();
    return writer;
  }

  #take(reports: WriteReport[]): void {
    if (reports.some((report) => 'value' in report)) this.#batches += 1;
    this.#changes += reports.length;
    this.#hasBegun = true;
    this.#notePace(reports);
    for (const report of reports) {
      if ('failure' in report && report.failure.lost !== undefined) this.#lose(report.failure.lost);
      const waiting = this.#waiting.get(report.id);
      this.#waiting.delete(report.id);
      if (waiting === undefined) continue;
      if ('value' in report) {
        waiting.resolve(report.value);
        continue;
      }
      const error = errorOf(report, this.#loss?.fault);
      if ('failure' in report && report.failure.kind === 'damaged') this.#damage = error;
      waiting.reject(error);
    }
    if (this.#waiting.size === 0) this.#writer?.unref();
  }

  /** Whoever was refused says nothing of the pace. */
  #notePace(reports: readonly WriteReport[]): void {
    const done = reports.filter((report) => !('failure' in report));
    const joined = this.#waiting.get(done[0]?.id ?? 0)?.joinedAtMs;
    if (joined !== undefined) {
      this.#pace.stepped(done.length, joined);
      this.changing.stepped();
    }
    const isLate = (report: WriteReport): boolean => 'failure' in report && report.failure.kind === 'busy';
    if (reports.some(isLate)) this.changing.ended();
  }

  #failAll(writer: Worker, error: unknown): void {
    // A crashed writer thread emits both `error` and `exit`; by the second, the queue may already belong to its
    // replacement.
    if (this.#writer !== writer) return;
    this.#writer = null;
    for (const { reject } of this.#waiting.values()) reject(storeProblem('STORE_UNREACHABLE', error));
    this.#waiting.clear();
  }
}

interface InUse {
  readonly lock: StoreLock | null;
  /** Whether nobody else had the store open. */
  readonly isAlone: boolean;
  readonly place: string;
}

/** Tells others that somebody has the store open, before a file is made where there is none (D-294). */
function holdInUse(path: string): InUse {
  try {
    refuseMissingFolder(path);
    const place = realStorePath(path);
    // SQLite tells better that a folder is no store, and nothing is left beside it.
    if (isFolder(place)) return { lock: null, isAlone: true, place };
    const { isAlone, lock } = lockInUse(place);
    if (lock !== null) return { lock, isAlone, place };
  } catch (error) {
    throw storeProblem('STORE_UNREACHABLE', error);
  }
  throw storeProblem('STORE_UNREACHABLE', new Error('a backup is being restored there just now'));
}

/** Without its lock a store is not opened: a restore would not see that it is in use (D-840). */
function lockInUse(place: string): { readonly isAlone: boolean; readonly lock: StoreLock | null } {
  try {
    return { isAlone: checkStoreFiles(place), lock: lockStore(place, 'inUse') };
  } catch (error) {
    if (error instanceof StoreFileFault) throw error;
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    const values = { lock: lockFileOf(place), folder: dirname(place), reason };
    throw new StoreFileFault('storeLockFailed', values, error);
  }
}

const leftOpen = new Set<SqliteConnection>();

/** Until the process ends, and in a way that closes nothing: closing would write into the files that are there now. */
function leaveOpen(connection: SqliteConnection): void {
  if (leftOpen.size === 0) process.once('exit', () => process.exit());
  leftOpen.add(connection);
}

function errorOf(report: Exclude<WriteReport, { value: unknown }>, loss?: StoreFileFault): Error {
  if ('problem' in report) {
    const { code, message, details, headers } = report.problem;
    return new Problem(code, message, { details, headers });
  }
  const cause = new Error(report.failure.message);
  switch (report.failure.kind) {
    case 'unique':
      return new UniqueViolation(cause);
    case 'busy':
      return storeProblem('STORE_TIMEOUT', cause);
    case 'full':
      return storeProblem('STORE_FULL', cause);
    case 'broken':
      return storeProblem('STORE_UNREACHABLE', cause);
    case 'moved':
      return storeProblem('STORE_MOVED', loss ?? cause);
    case 'damaged':
    case 'damagedIndex':
      return storeProblem('STORE_DAMAGED', cause);
    case 'other':
      return cause;
  }
}

/** These rows have no memory but their own, so there is nothing to let go. */
function largeAnswer<R>(rows: readonly R[]): LargeAnswer<R> {
  return { rows, [Symbol.dispose]: () => {} };
}

function openInMemory(list: ChangeList, { timeoutMs, poolSize }: DbOptions): Db {
  const connection = new SqliteConnection(':memory:', 0);
  let batches = 0;
  return {
    engine: 'sqlite',
    dialect: sqliteDialect,
    limits: { timeoutMs, poolSize },
    async read<R = Row>(query: Sql) {
      return connection.run(query).rows as readonly R[];
    },
    readLarge<R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number) {
      return largeAnswer(connection.runLarge(query, rowOf, bytesMax));
    },
    async write<Input extends object, Output>(change: Change<Input, Output>, input: Input) {
      batches += 1;
      const known = list.named(list.nameOf(change));
      connection.begin();
      const [outcome] = connection.runTogether([{ change: known, input }]);
      if (outcome !== undefined && 'value' in outcome) return outcome.value as Output;
      const error = outcome?.error;
      throw isSqliteFailure(error) && isUniqueViolation(error) ? new UniqueViolation(error) : error;
    },
    changing: new Movement(),
    async probe() {
      connection.begin();
      connection.rollback();
    },
    figures: () => ({
      writesWaiting: 0,
      batches,
      changes: batches,
      connections: 1,
      connectionsIdle: 0,
      connectionsWaiting: 0,
    }),
    async close() {
      connection.close();
    },
  };
}
