// The store as the rest of the house sees it: questions and changes.
//
// A question is one SQL statement. A change is a generator that yields SQL statements and is driven from
// begin to commit by the engine, next to its connection: on the writer thread for SQLite, on one pooled
// connection for PostgreSQL. So a change is written once for both engines, nothing foreign can be awaited
// while a transaction is open, and an engine may run it again after a conflict, because all it depends on
// is its input: clock, ids and randomness are handed in.

import type { Sql } from 'sql-template-tag';

export type Row = Readonly<Record<string, unknown>>;

/** What a yielded statement gives back: the rows it returned, and how many it touched. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changed: number;
}

export type Change<Input, Output> = (input: Input) => Generator<Sql, Output, StatementResult>;

export interface Db {
  readonly engine: 'sqlite' | 'postgres';
  /** One question; its rows are plain objects with numbers, texts and nulls. */
  read<R = Row>(query: Sql): Promise<readonly R[]>;
  /** One change, all or nothing; resolves after it is durable. */
  write<Input, Output>(change: Change<Input, Output>, input: Input): Promise<Output>;
  /** Whether a change could be made now: asks for the write lock or a connection, and lets go. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
