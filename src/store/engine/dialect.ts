// Where the two engines need different SQL, or are quick in different ways. Each difference is a member here, with its
// reason; dialect-sqlite.ts and dialect-postgres.ts say what it is on either engine. Whoever asks a question takes the
// dialect from the store (`db.dialect`), and a change is handed the dialect of the engine that runs it, so that outside
// this folder nothing asks which engine it is.

import type { Sql } from 'sql-template-tag';
import type { ManyRows, Row, Steps } from './db.ts';
import type { Types } from './migrations/steps.ts';

/** The rows of a table with these keys; the columns of a key are whole numbers. */
export interface RowsToHold {
  readonly table: string;
  readonly key: readonly string[];
  readonly keys: readonly (readonly number[])[];
  readonly columns: readonly string[];
  /** Whether to wait for rows that another transaction holds; if not, they are left out. */
  readonly mayWait: boolean;
}

/** The rows of a table of the account whose column has one of these values. */
interface RowsWith {
  readonly table: string;
  readonly accountId: number;
  readonly column: string;
  readonly values: readonly (string | number)[];
  readonly type: 'text' | 'integer';
}

/** The rows of a table, of any account, with these keys. */
interface RowsWithKeys {
  readonly table: string;
  readonly key: readonly (readonly [column: string, type: 'text' | 'integer'])[];
  readonly keys: readonly (readonly (string | number)[])[];
}

/** The rows of a table of the account that have the ids of a query (its column `id`), if they pass a check. */
interface RowsOfIds {
  readonly ids: Sql;
  readonly table: string;
  readonly accountId: number;
  readonly columns: Sql;
  readonly check: Sql;
}

/** Other values for rows of one log: each begins with its number, and then has a value for each column. */
interface RowsToChange {
  readonly table: string;
  readonly accountId: number;
  readonly sourceId: number;
  readonly columns: readonly (readonly [name: string, type: 'integer' | 'text'])[];
  readonly rows: readonly (readonly [seq: number, ...values: (number | string | null)[]])[];
  /** What a row must still be like to be changed. */
  readonly check: Sql;
}

/** A query over rows of known columns, of which some are long texts. */
interface LongRows {
  readonly query: Sql;
  readonly columns: readonly string[];
  readonly texts: readonly string[];
  readonly orderBy: string;
}

/** The table that finds users by parts of their names: a full-text table on SQLite, an indexed array on PostgreSQL. */
export interface NamePartTable {
  /** The ids of the users of the account who have all of these parts. */
  idsWith(accountId: number, parts: readonly string[]): Sql;
  /** For each user its id and its parts, separated by spaces. */
  rows(accountId: number, users: readonly (readonly [id: number, parts: string])[]): ManyRows;
  deleteOf(accountId: number, ids: readonly number[]): Sql;
}

export interface Dialect {
  /** What traces call it, by the conventions of OpenTelemetry. */
  readonly systemName: string;
  /** The words of the schema's steps. */
  readonly types: Types;

  // ---- What the engines are

  /** Whether every statement costs a way to a server and back, so that few large ones are better than many small ones. */
  readonly hasRoundTrips: boolean;
  /** Whether an append, or new users, can be one statement for all tables that commits by itself (`Whole`, db.ts). */
  readonly hasWholeWrites: boolean;
  /** Whether a change may be committed and its answer lost on the way, so that it has to be recognised when made again. */
  readonly mayLoseAnswers: boolean;
  /** Whether a change can be held up by another one that holds the same rows; if not, one lock is for all rows. */
  readonly hasRowLocks: boolean;
  /**
   * Whether the accounts are spread over machines (Citus): then every statement names its account, and a batch of the group
   * commit is of one account.
   */
  readonly isSpread: boolean;
  /** How long one slice of a long search should take. */
  readonly sliceMs: { readonly atLeast: number; readonly atMost: number };

  // ---- Parts of statements

  /** `expression in (values)`, with the whole list as one parameter: its text is the same for any number of values. */
  isAmong(expression: Sql, values: readonly (string | number)[], type: 'text' | 'integer'): Sql;
  /** To stand behind `from`, under the name of the table. */
  rowsWith(rows: RowsWith): Sql;
  rowsOfIds(rows: RowsOfIds): Sql;
  /** To stand behind `from`, where nothing else stands. */
  rowsWithKeys(rows: RowsWithKeys): Sql;
  /** A column that is compared without its index, because few rows are in question and they are at hand. */
  withoutIndex(column: string): Sql;
  /** Whether a text contains another, byte by byte. */
  contains(text: Sql, part: string): Sql;
  /** The text before the first line break of a text. */
  firstLine(text: Sql): Sql;
  /** The SHA-256 of a text's bytes in UTF-8, as hexadecimal digits. */
  sha256(text: Sql): Sql;
  /** Bytes that are written as base64url, as hexadecimal digits; of 32 bytes only, because their form has no padding. */
  hexOfHash(base64url: Sql): Sql;
  /** A question for `readLarge` with a limit of bytes. */
  withinBytes(rows: LongRows, bytesMax: number): Sql;
  readonly nameParts: NamePartTable;

  // ---- Steps of changes

  /** Reads rows by their keys, in the order of these, and holds them to the commit. */
  holdRows(rows: RowsToHold): Steps<readonly Row[]>;
  /** Gives rows other values, and says which of them, by their numbers. */
  changeRows(rows: RowsToChange): Steps<readonly number[]>;
  /** From here to the commit, what is deleted is also gone from the disk. */
  overwriteDeleted(): Steps<void>;

  // ---- Questions about the store itself

  /** One row with a name when there is such a table. */
  hasTable(name: string): Sql;
  /** Says "ok" or what is broken; null where the server looks after its files. */
  readonly fileCheck: Sql | null;
  /** Every table and index by the name of its table, with the bytes that it takes; null where that cannot be known now. */
  readonly tableSizes: Sql;
  /** Free pages of the file, all pages, how large one is, and how free ones are given back; null where the server looks after its files. */
  readonly freePages: Sql | null;
  /** Lets the planner count the rows of these tables anew; null where it plans without such counts. */
  countAnew(tables: readonly string[]): Sql | null;
  /** The server's time in milliseconds; null where there is no server. */
  readonly clock: Sql | null;
}
