// Large answers of PostgreSQL as bytes. The driver makes a text of every field and an object of every row; for a page of
// a hundred respondents that and the garbage behind it cost more than all the rest of the request. What a copy sends is
// handed over as it came, so a field can stay bytes until it is written into the answer.

import type pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { type ByteSpan, type ByteWriter, WriterPool } from '../../../domain/byte-writer.ts';
import type { Fields, LargeAnswer } from '../db.ts';
import {
  type DriverConnection,
  limitsOpening,
  limitsText,
  type Sendable,
  type ServerLimits,
} from './postgres-connection.ts';

// The format begins with eleven bytes, a word of flags and the length of an extension, which no server sends yet.
const signatureBytes = 11;
const headerBytes = signatureBytes + 8;
const endOfRows = -1;
const nullLength = -1;
const writers = new WriterPool(8 * 1024 * 1024);

/** The text of `copy` for a question. It takes no parameters, so only whole numbers and lists of them can stand in it. */
export function copyText(query: Sql): string {
  const text = literalText(query, (value) => (Number.isSafeInteger(value) ? `(${value})` : null));
  if (text === null) throw new TypeError('Only whole numbers can stand in a copy.');
  return `copy (${text}) to stdout (format binary)`;
}

/**
 * A statement with its parameters written into it. Lists of whole numbers are known here; what `show` has no way to write
 * is null, and so is the whole then.
 */
export function literalText(
  { strings, values }: Sql,
  show: (value: unknown) => string | null,
): string | null {
  const literals: (string | null)[] = [];
  for (const value of values) {
    const isList = Array.isArray(value) && value.every(Number.isSafeInteger);
    const literal = isList ? `'{${value.join(',')}}'` : show(value);
    if (literal === null) return null;
    literals.push(literal);
  }
  const [first = '', ...rest] = strings;
  return rest.reduce((text, string, index) => text + literals[index] + string, first);
}

/** A copy under way, in the form that the driver takes besides its own queries. */
export class CopyOut implements Sendable<void> {
  /** Resolves when everything is there and the server is ready again. */
  readonly done: Promise<void>;
  // The driver calls it when the connection breaks.
  callback: (error: unknown) => void;
  readonly #text: string;
  readonly #limits: ServerLimits;
  readonly #isOneText: boolean;
  readonly #received = writers.lend();

  /** The limits of time go along in one text, or else as a statement of their own in the same message. */
  constructor(text: string, limits: ServerLimits, isOneText: boolean) {
    this.#text = text;
    this.#limits = limits;
    this.#isOneText = isOneText;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.callback = (error) => (error === null ? resolve() : reject(error));
  }

  submit(connection: pg.Connection): void {
    if (this.#isOneText) return connection.query(limitsText(this.#limits) + this.#text);
    const driver = connection as unknown as DriverConnection;
    for (const text of [limitsOpening(this.#limits), this.#text]) {
      driver.parse({ text });
      driver.bind({});
      driver.execute({});
    }
    driver.sync();
  }

  // The driver asks each statement for them; a copy has none.
  handleDataRow(): void {}

  // The driver goes on to use the memory that a chunk lies in, so what is kept is a copy.
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.#received.bytes(chunk);
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  /** The rows, in memory that another copy is given when they are let go. */
  answer<R>(rowOf: (fields: Fields) => R): LargeAnswer<R> {
    let received: ByteWriter | null = this.#received;
    const fields = new CopyFields(received.view());
    const rows: R[] = [];
    while (fields.beginRow()) rows.push(rowOf(fields));
    const letGo = (): void => {
      if (received !== null) writers.takeBack(received);
      received = null;
    };
    return { rows, [Symbol.dispose]: letGo };
  }
}

class CopyFields implements Fields {
  readonly #bytes: Buffer;
  #position: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#position = headerBytes + bytes.readInt32BE(signatureBytes + 4);
  }

  /** False behind the last row. A row says how many fields it has; so does whoever asks for them. */
  beginRow(): boolean {
    const count = this.#bytes.readInt16BE(this.#position);
    this.#position += 2;
    return count !== endOfRows;
  }

  // Of two, four or eight bytes; ours all fit a double.
  integer(): number {
    const begin = this.#begin();
    const length = this.#position - begin;
    if (length !== 8) return this.#bytes.readIntBE(begin, length);
    return this.#bytes.readInt32BE(begin) * 2 ** 32 + this.#bytes.readUInt32BE(begin + 4);
  }

  text(): string {
    const begin = this.#begin();
    return this.#bytes.toString('utf8', begin, this.#position);
  }

  textOrNull(): string | null {
    return this.#passNull() ? null : this.text();
  }

  textOrBytes(): ByteSpan {
    const begin = this.#begin();
    return { source: this.#bytes, begin, end: this.#position };
  }

  textOrBytesOrNull(): ByteSpan | null {
    return this.#passNull() ? null : this.textOrBytes();
  }

  // Goes behind a field if it is null.
  #passNull(): boolean {
    if (this.#bytes.readInt32BE(this.#position) !== nullLength) return false;
    this.#position += 4;
    return true;
  }

  // Goes behind a field and says where it begins.
  #begin(): number {
    const begin = this.#position + 4;
    const length = this.#bytes.readInt32BE(this.#position);
    if (length === nullLength) throw new Error('A field is null that was said never to be.');
    this.#position = begin + length;
    return begin;
  }
}
