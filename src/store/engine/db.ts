// The store as the rest of the code sees it: questions and changes.
//
// A question is one SQL statement. A change is a generator that yields SQL statements and is driven from
// begin to commit by the engine, next to its connection: on the writer thread for SQLite, on one pooled
// connection for PostgreSQL. So a change is written once for both engines, nothing foreign can be awaited
// while a transaction is open, and an engine may run it again after a conflict, because all it depends on
// is its input: clock, ids and randomness are handed in.

import sql, { type Sql } from 'sql-template-tag';
import type { ByteSpan } from '../../domain/byte-writer.ts';
import { type Code, Problem } from '../../domain/problem.ts';
import type { Dialect } from './dialect.ts';
import type { TextEncoding } from './postgres/text-encoding.ts';
import type { Movement } from './work/time-limit.ts';

export type Row = Readonly<Record<string, unknown>>;

/** What a yielded statement gives back: the rows it returned, and how many it touched. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changed: number;
}

/**
 * Many rows for one table. It is a thing of its own because the engines are quick in different ways: SQLite runs one
 * prepared insert again and again, PostgreSQL takes one array a column in a single statement.
 */
export interface ManyRows {
  readonly table: string;
  readonly columns: readonly (readonly [name: string, type: 'integer' | 'text'])[];
  readonly rows: readonly (readonly (number | string | null)[])[];
  /** What to do with rows that are there already; their keys must differ among the new ones. */
  readonly onConflict?: string;
}

/** What a column holds of a thing, for each column by its name. */
export type ColumnsOf<Item> = Readonly<
  Record<
    string,
    | readonly [type: 'integer', value: (item: Item) => number | null]
    | readonly [type: 'text', value: (item: Item) => string | null]
  >
>;

/** A row for each of many things. Each column stands beside what it holds, so that no value can come into another's place. */
export function insertInto<Item>(
  table: string,
  items: readonly Item[],
  columns: ColumnsOf<Item>,
  onConflict?: string,
): ManyRows {
  const values = Object.values(columns).map(([, value]) => value);
  return {
    table,
    columns: Object.entries(columns).map(([name, [type]]) => [name, type]),
    rows: items.map((item) => values.map((value) => value(item))),
    ...(onConflict !== undefined && { onConflict }),
  };
}

/**
 * Statements that need nothing of each other's outcome and touch no row twice. SQLite runs one after the other;
 * PostgreSQL takes them as one, because there each way to the server and back costs more than the work.
 */
export interface Together {
  readonly together: readonly (Sql | ManyRows)[];
}

/**
 * A statement that is a transaction by itself: PostgreSQL commits it without being told, and the ways for begin and commit
 * are saved. Only the first statements of a change can be such; what follows is a transaction as ever.
 */
export interface Whole {
  readonly whole: Sql;
}

export type Statement = Sql | ManyRows | Together | Whole;

/** The statements of a transaction, and what each gave back. */
export type Steps<Output> = Generator<Statement, Output, StatementResult>;

/**
 * The statements of one transaction. Its input must survive being posted to another thread; the dialect is handed in by
 * the engine that runs it.
 */
export type Change<Input, Output> = (input: Input, dialect: Dialect) => Steps<Output>;

export function isManyRows(statement: Statement): statement is ManyRows {
  return 'table' in statement;
}

export function isTogether(statement: Statement): statement is Together {
  return 'together' in statement;
}

export function isWhole(statement: Statement): statement is Whole {
  return 'whole' in statement;
}

/** Many rows may be none, and then there is nothing to do for them. */
export function together(...statements: readonly (Sql | ManyRows)[]): Together {
  return { together: statements.filter((one) => !isManyRows(one) || one.rows.length > 0) };
}

/** What a change hands in so that a commit whose answer was lost can be looked up (see `write`). */
export interface Identified {
  readonly changeId?: string;
  /** The account under which the audit log has it; where none is named, the whole log is looked through. */
  readonly accountId?: number;
}

/** The fields of one row, in the order of its columns. */
export interface Fields {
  integer(): number;
  text(): string;
  textOrNull(): string | null;
  /** A text in the form in which the engine has it at hand. */
  textOrBytes(): string | ByteSpan;
  textOrBytesOrNull(): string | ByteSpan | null;
}

/** Whoever has read the rows lets them go; what is bytes in them must not be looked at after that. */
export interface LargeAnswer<R> extends Disposable {
  readonly rows: readonly R[];
}

export interface Db {
  /** For people to read. Whatever differs between the engines is asked of the dialect. */
  readonly engine: 'sqlite' | 'postgres';
  readonly dialect: Dialect;
  /** The limits that it was opened with. */
  readonly limits: Pick<DbOptions, 'timeoutMs' | 'poolSize'>;
  /** Where it cannot hold every character: known after the first question or change. */
  readonly encoding?: TextEncoding | null;
  /**
   * One question; its rows are plain objects with numbers, texts and nulls. Whoever has waited already gives it less time than the
   * store's own limits.
   */
  read<R = Row>(query: Sql, limits?: WaitLimits): Promise<readonly R[]>;
  /**
   * A question whose answer is large and whose parameters are whole numbers, or lists of them by `isAmong`. What takes
   * its rows to pieces is handed in. With `bytesMax` the answer ends behind the row that reaches it, if the question is
   * one of the dialect's `withinBytes`. An engine within the process answers on the spot: what follows finds the rows in
   * the processor's caches.
   */
  readLarge<R>(
    query: Sql,
    rowOf: (fields: Fields) => R,
    bytesMax?: number,
    limits?: WaitLimits,
  ): LargeAnswer<R> | Promise<LargeAnswer<R>>;
  /**
   * One change, all or nothing; resolves after it is durable. When the connection breaks during the commit,
   * an input with a `changeId` is looked up in the audit log, where the change must have written under that
   * id, before it is tried again; an input without one says that running it twice does no harm. Whoever has waited
   * already gives it less time than the store's own limits.
   */
  write<Input extends object, Output>(
    change: Change<Input, Output>,
    input: Input,
    limits?: WaitLimits,
  ): Promise<Output>;
  /** Whether a change could be made now: asks for the write lock or a connection, and lets go. */
  probe(): Promise<void>;
  /** Whether changes move, for whoever has a queue of them. */
  readonly changing: Movement;
  /** Figures of the engine for the metrics page. */
  figures(): DbFigures;
  close(): Promise<void>;
}

export interface DbFigures {
  readonly writesWaiting: number;
  readonly batches: number;
  readonly changes: number;
  readonly connections: number;
  readonly connectionsIdle: number;
  /** Questions and changes that wait for a connection. */
  readonly connectionsWaiting: number;
}

/** How long one question or change may take. */
export interface WaitLimits {
  /** Without a step, such as in a wait for a lock. */
  readonly stillMs: number;
  /** Whatever moves. */
  readonly inAllMs: number;
}

export interface DbOptions {
  /** How long a question or a change may stand still; ten times that is how long it may take in all (D-900). */
  readonly timeoutMs: number;
  readonly poolSize: number;
  /** A server that is only read from: one that takes no changes is as good, or better. */
  readonly isStandby?: boolean;
}

/** Changes that may wait at once; one more is refused, because a queue without an end is a slow way to fail. See also QueuePace. */
export const writesWaitingMax = 10_000;

/**
 * What stands after `limit`. SQLite takes a bare parameter there into account when it plans, and so plans anew each
 * time one is bound, which takes longer than a small question itself; behind a cast it does not look.
 */
export function limitOf(count: number): Sql {
  return sql`cast(${count} as bigint)`;
}

/** A unique key is taken already: thrown by both engines alike, for the caller of `write` to explain. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('A unique key is taken.', { cause });
    this.name = 'UniqueViolation';
  }
}

const attemptsIfTaken = 5;

/**
 * A change that looks first whether a key is taken may still lose it to another one between the look and the write.
 * Made again, it sees that the key is taken, and says so in its own words.
 */
export async function againIfTaken<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || attempt >= attemptsIfTaken) throw error;
    }
  }
}

/** The failure of a store, in the words of the catalogue; its cause is for the log alone (D-23). */
export function storeProblem(code: Code, cause: unknown): Problem {
  const sentences: Partial<Record<Code, string>> = {
    STORE_UNREACHABLE: 'The store cannot be reached. Please retry.',
    STORE_TIMEOUT: 'The store did not answer in time. Please retry.',
    STORE_FULL: 'The store has no room left for changes.',
    WRITE_QUEUE_FULL: 'Too many requests are waiting for the store. Please retry.',
    STORE_MOVED: 'A file of the store is not the one that was opened. Nothing is changed until it is back.',
    STORE_DAMAGED: 'The store is damaged. It must be restored before it takes changes.',
  };
  const retryAfter: Partial<Record<Code, string>> = {
    STORE_FULL: '30',
    STORE_MOVED: '30',
    STORE_DAMAGED: '300',
    WRITE_QUEUE_FULL: '1',
  };
  const wait = retryAfter[code];
  return new Problem(code, sentences[code] ?? 'The store failed.', {
    cause,
    ...(wait === undefined ? {} : { headers: { 'retry-after': wait } }),
  });
}

/** Whoever asks a store that was closed has outlived it. */
export function storeClosed(): Problem {
  return storeProblem('STORE_UNREACHABLE', new Error('The store was closed.'));
}
