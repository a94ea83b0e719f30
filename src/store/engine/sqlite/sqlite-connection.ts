// One SQLite connection: pragmas, a bounded statement cache, and transactions that carry many changes.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Sql } from 'sql-template-tag';
import { digestOfBody, digestOfContentHash } from '../../../domain/feedback/digest.ts';
import {
  type Change,
  type Fields,
  isManyRows,
  isTogether,
  isWhole,
  type ManyRows,
  type Row,
  type Statement,
  type StatementResult,
  type Steps,
} from '../db.ts';
import { Cache } from '../work/cache.ts';
import { sqliteDialect } from './dialect-sqlite.ts';
import { makeStoreFile } from './store-file.ts';

// Some 256 statements of the usual length; the working set of the service is far below it.
const statementsBytesMax = 4 * 1024 * 1024;
const statementBytes = 16 * 1024;
const openPatienceMs = 5_000;
const openStepMs = 5;

/** The primary result codes of SQLite that we tell apart. */
export const resultCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  full: 13,
  cannotOpen: 14,
  corrupt: 11,
  notADatabase: 26,
  constraint: 19,
};
// A virtual table that contradicts itself, such as the index of name parts: the rest of the store is whole.
const corruptIndexCode = 267;
const uniqueConstraintCodes = new Set([1555, 2067]);

interface SqliteFailure extends Error {
  readonly errcode: number;
}

export function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && typeof (error as { errcode?: unknown }).errcode === 'number';
}

export function primaryCode(error: SqliteFailure): number {
  return error.errcode & 0xff;
}

export function isUniqueViolation(error: SqliteFailure): boolean {
  return uniqueConstraintCodes.has(error.errcode);
}

/** The file is not what SQLite wrote: nothing that this process could do mends it. */
export function isDamage(error: SqliteFailure): boolean {
  const code = primaryCode(error);
  return code === resultCodes.corrupt || code === resultCodes.notADatabase;
}

/** Whether so much is broken that no further change should be made. */
export function isDamageOfAll(error: SqliteFailure): boolean {
  return isDamage(error) && error.errcode !== corruptIndexCode;
}

/** The same for every thread of the process, and never set back. */
export function sharedClockMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

interface Prepared {
  readonly statement: StatementSync;
  /** The names of what it returns; none for a statement that returns nothing. */
  readonly columns: readonly string[];
}

/** What SQLite cannot do by itself and PostgreSQL can, for the dialect. */
const functions = {
  sha256_hex: (text: string | null) => (text === null ? null : digestOfBody(text)),
  base64url_hex: (text: string | null) => (text === null ? null : digestOfContentHash(text)),
};

/** Every connection on which statements of the dialect are run needs them. */
export function addFunctions(database: DatabaseSync): void {
  for (const [name, work] of Object.entries(functions))
    database.function(name, { deterministic: true }, work as (...values: unknown[]) => string | null);
}

type Value = null | number | string | Uint8Array;

/** How one change of a batch ended. */
type Outcome<T> = { readonly value: T } | { readonly error: unknown };

export class SqliteConnection {
  readonly #database: DatabaseSync;
  #logEnd: StatementSync | null = null;
  readonly #prepared = new Cache<string, Prepared>({
    bytesMax: statementsBytesMax,
    bytesOf: () => statementBytes,
  });

  /** One that is for reading alone changes nothing of the file, and makes none. */
  constructor(path: string, busyTimeoutMs: number, readOnly = false) {
    if (path !== ':memory:' && !readOnly) makeStoreFile(path);
    this.#database = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly });
    if (!readOnly) this.#configure();
    addFunctions(this.#database);
  }

  /** Whoever opens a store first, or closes it last, has it alone for a moment; SQLite itself does not wait for that. */
  #configure(): void {
    const deadlineMs = sharedClockMs() + openPatienceMs;
    for (;;) {
      try {
        // How free pages are given back can only be said before there is a table (D-275); afterwards saying it would wait
        // for whoever writes.
        const isNew = this.#database.prepare('pragma page_count').get()?.page_count === 0;
        const ofNew = isNew ? 'pragma page_size = 8192; pragma auto_vacuum = incremental;' : '';
        // FULL, not NORMAL: only FULL survives a power cut once an answer has been given, and with many changes
        // in one commit it costs a few percent. With the first question SQLite makes the log and its index.
        return this.#database.exec(
          `${ofNew} pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; select count(*) from sqlite_schema`,
        );
      } catch (error) {
        const isBusy = isSqliteFailure(error) && primaryCode(error) === resultCodes.busy;
        if (!isBusy || sharedClockMs() > deadlineMs) {
          this.#database.close();
          throw error;
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openStepMs);
      }
    }
  }

  run(query: Sql): StatementResult {
    const { statement, columns } = this.#prepare(query.sql);
    const values = query.values as Value[];
    if (columns.length > 0) {
      const rows = (statement.all(...values) as unknown as Value[][]).map((row) => named(row, columns));
      return { rows, changed: rows.length };
    }
    return { rows: [], changed: Number(statement.run(...values).changes) };
  }

  /** As `run`, for an answer whose rows have a form of their own; it ends behind the row that reaches so many bytes. */
  runLarge<R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number): R[] {
    const { statement } = this.#prepare(query.sql);
    const fields = new ArrayFields();
    const values = query.values as Value[];
    // All rows in one call take a third less time than one call a row.
    if (bytesMax === undefined)
      return (statement.all(...values) as unknown as Value[][]).map((row) => rowOf(fields.of(row)));
    const rows: R[] = [];
    let bytes = 0;
    for (const row of statement.iterate(...values) as Iterable<unknown> as Iterable<Value[]>) {
      rows.push(rowOf(fields.of(row)));
      // A text of one character a byte, nearly always; what is beyond ASCII makes a slice somewhat larger.
      for (const value of row) if (typeof value === 'string') bytes += value.length;
      if (bytes >= bytesMax) break;
    }
    return rows;
  }

  #runStatement(statement: Statement): StatementResult {
    if (isManyRows(statement)) return this.#runMany(statement);
    if (isWhole(statement)) return this.run(statement.whole);
    if (!isTogether(statement)) return this.run(statement);
    let changed = 0;
    for (const one of statement.together) changed += this.#runStatement(one).changed;
    return { rows: [], changed };
  }

  #runMany({ table, columns, rows, onConflict = '' }: ManyRows): StatementResult {
    const names = columns.map(([name]) => name).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const { statement } = this.#prepare(`insert into ${table} (${names}) values (${marks}) ${onConflict}`);
    let changed = 0;
    for (const row of rows) changed += Number(statement.run(...(row as Value[])).changes);
    return { rows: [], changed };
  }

  /** Begins a transaction with the write lock in hand; false when another process still has it. */
  begin(): boolean {
    try {
      this.#database.exec('begin immediate');
      return true;
    } catch (error) {
      if (isSqliteFailure(error) && primaryCode(error) === resultCodes.busy) return false;
      throw error;
    }
  }

  /** Ends a transaction in which nothing was done. */
  rollback(): void {
    this.#database.exec('rollback');
  }

  /**
   * Runs every change in the transaction that was begun and ends it. Each has a savepoint of its own, so that one
   * that fails takes nothing with it. Nothing is awaited between begin and commit: one connection serves everyone,
   * so a pause here would let another statement slip in. Throws only when the transaction as a whole fails, or where
   * whoever is asked before the commit does.
   */
  runTogether(
    changes: readonly { change: Change<object, unknown>; input: object }[],
    beforeCommit: () => void = () => {},
  ): Outcome<unknown>[] {
    try {
      const outcomes = changes.map(({ change, input }) => this.#runOne(change, input, changes.length > 1));
      const failedAlone = changes.length === 1 && outcomes[0] !== undefined && 'error' in outcomes[0];
      if (!failedAlone) beforeCommit();
      this.#database.exec(failedAlone ? 'rollback' : 'commit');
      return outcomes;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  #runOne(change: Change<object, unknown>, input: object, isShared: boolean): Outcome<unknown> {
    if (isShared) this.#database.exec('savepoint one');
    try {
      const value = drive(change(input, sqliteDialect), (statement) => this.#runStatement(statement));
      if (isShared) this.#database.exec('release one');
      return { value };
    } catch (error) {
      // A full disk or a broken file concerns everyone in the batch, and SQLite may have rolled back already.
      if (!this.#database.isTransaction || (isSqliteFailure(error) && !isFaultOfOne(error))) throw error;
      if (isShared) this.#database.exec('rollback to one; release one');
      return { error };
    }
  }

  /** Moves the write-ahead log into the file of the store and truncates it, which frees its room on the disk. */
  checkpoint(): void {
    this.#database.exec('pragma wal_checkpoint(truncate)');
  }

  /** How many frames the log has, and how many of them are in the file of the store; null where nobody can say just now. */
  logEnd(): { readonly frames: number; readonly backfilled: number } | null {
    this.#logEnd ??= this.#database.prepare('pragma wal_checkpoint(noop)');
    try {
      const { log, checkpointed } = this.#logEnd.get() as { log: number; checkpointed: number };
      return { frames: Math.max(0, log), backfilled: Math.max(0, checkpointed) };
    } catch (error) {
      if (isSqliteFailure(error) && primaryCode(error) === resultCodes.busy) return null;
      throw error;
    }
  }

  /** What the pages of the store take. */
  bytes(): number {
    return Number(this.pragma('page_count')) * Number(this.pragma('page_size'));
  }

  /** The same for whoever asks whether the file is long enough: of one that cannot be read, nothing is. */
  bytesNeeded(): number {
    try {
      return this.bytes();
    } catch (error) {
      if (!isSqliteFailure(error)) throw error;
      return isDamage(error) ? Number.POSITIVE_INFINITY : 0;
    }
  }

  /** Writes a copy of the store, as this connection sees it, into a file that is empty. */
  copyInto(path: string): void {
    this.#database.prepare('vacuum into ?').run(path);
  }

  /** Moves what it can of the log into the file of the store, and leaves the log as it is. */
  backfill(): void {
    this.#database.exec('pragma wal_checkpoint(passive)');
  }

  pragma(name: string): unknown {
    return Object.values(this.#database.prepare(`pragma ${name}`).get() ?? {})[0];
  }

  close(): void {
    this.#logEnd = null;
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    if (prepared.columns.length > 0) statement.setReturnArrays(true);
    // What returns no rows still tells the last row id, and the driver throws when that is no safe integer. Full-text
    // tables that mark deleted rows use ids near 2^63, and from then on every statement on the connection reports one.
    else statement.setReadBigInts(true);
    this.#prepared.set(text, prepared);
    return prepared;
  }
}

/**
 * A row as an object. The driver's own objects share no layout, so that reading a member is a search every time;
 * these are all made alike, and cost half of it.
 */
function named(values: readonly Value[], columns: readonly string[]): Row {
  const row: Record<string, Value> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index]!] = values[index]!;
  return row;
}

class ArrayFields implements Fields {
  #row: readonly Value[] = [];
  #next = 0;

  of(row: readonly Value[]): this {
    this.#row = row;
    this.#next = 0;
    return this;
  }

  integer(): number {
    return this.#value() as number;
  }

  text(): string {
    return this.#value() as string;
  }

  textOrNull(): string | null {
    return this.#value() as string | null;
  }

  // Texts are what the driver hands over, and it takes longer to ask it for bytes than to write a text as bytes.
  textOrBytes(): string {
    return this.#value() as string;
  }

  textOrBytesOrNull(): string | null {
    return this.#value() as string | null;
  }

  #value(): Value | undefined {
    this.#next += 1;
    return this.#row[this.#next - 1];
  }
}

function isFaultOfOne(error: SqliteFailure): boolean {
  const code = primaryCode(error);
  const isOfDisk = code === resultCodes.full || code === resultCodes.ioError || code === resultCodes.readOnly;
  return !isOfDisk && !isDamageOfAll(error);
}

function drive<T>(steps: Steps<T>, run: (statement: Statement) => StatementResult): T {
  let step = steps.next();
  while (!step.done) step = steps.next(run(step.value));
  return step.value;
}
