// The CSV file of external parameters: a column responseId, then one column a declared parameter. Every fault of the
// file is found in one reading, with the line it stands in.

import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CsvError, Info } from 'csv-parse';
import type { ExternalLine } from '../store/feedback/external-parameters.ts';
import { reasonOf } from './open-context.ts';
import type { Advance } from './progress.ts';
import { CommandError } from './terminal.ts';

export interface LineFault {
  readonly line: number;
  readonly message: string;
}

/** What the file says, as far as it can be understood. */
export interface EppFile {
  readonly columns: readonly string[];
  readonly lines: readonly ExternalLine[];
  readonly faults: readonly LineFault[];
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: Info;
}

const idColumn = 'responseId';
const valueLengthMax = 4_000;
const advanceEvery = 1_000;

export async function readEppFile(
  file: string,
  declared: ReadonlySet<string>,
  advance: Advance,
): Promise<EppFile> {
  const { parse } = await import('csv-parse');
  const reader = new EppReader(declared);
  const parser = parse({ info: true, relax_column_count: true, skip_empty_lines: true });
  try {
    await pipeline(
      createReadStream(file),
      strictUtf8(),
      parser,
      async (records: AsyncIterable<CsvRecord>) => {
        let count = 0;
        for await (const { record, info } of records) {
          reader.take(record, firstLineOf(record, info));
          count += 1;
          if (count % advanceEvery === 0) advance(advanceEvery);
        }
      },
    );
  } catch (error) {
    throw explained(file, error);
  }
  return reader.result();
}

class EppReader {
  readonly #declared: ReadonlySet<string>;
  readonly #lines: ExternalLine[] = [];
  readonly #faults: LineFault[] = [];
  #header: readonly string[] | null = null;
  /** Which columns hold parameters that are declared; the others are faults of the header, said once. */
  #wanted: readonly number[] = [];
  #idIndex = -1;

  constructor(declared: ReadonlySet<string>) {
    this.#declared = declared;
  }

  take(record: readonly string[], line: number): void {
    if (this.#header === null) this.#takeHeader(record, line);
    else this.#takeLine(this.#header, record, line);
  }

  result(): EppFile {
    const header = this.#header ?? [];
    if (this.#header === null)
      this.#faults.push({ line: 1, message: `The file is empty; it begins with a line of column names.` });
    return {
      columns: this.#wanted.map((index) => header[index] ?? ''),
      lines: this.#lines,
      faults: this.#faults,
    };
  }

  #takeHeader(header: readonly string[], line: number): void {
    this.#header = header;
    this.#idIndex = header.indexOf(idColumn);
    const fault = (message: string): void => void this.#faults.push({ line, message });
    if (this.#idIndex < 0) {
      const hint = header.length === 1 && header[0]?.includes(';') ? ' Columns are separated by commas.' : '';
      fault(`There is no column ${idColumn}.${hint}`);
    }
    const wanted: number[] = [];
    for (const [index, column] of header.entries()) {
      if (header.indexOf(column) !== index) fault(`The column "${column}" stands there twice.`);
      else if (index === this.#idIndex) continue;
      else if (this.#declared.has(column)) wanted.push(index);
      else fault(`"${column}" is not an external parameter that a survey of the account declares.`);
    }
    if (header.length === 1 && this.#idIndex === 0) fault(`There is no column of a parameter.`);
    this.#wanted = wanted;
  }

  #takeLine(header: readonly string[], record: readonly string[], line: number): void {
    if (this.#idIndex < 0) return;
    const faults = this.#faults.length;
    const fault = (message: string): void => void this.#faults.push({ line, message });
    if (record.length !== header.length)
      fault(`The line has ${record.length} values, and the header has ${header.length}.`);
    const responseId = record[this.#idIndex] ?? '';
    if (responseId === '') fault(`${idColumn} is empty.`);
    for (const [index, value] of record.entries()) {
      const column = header[index] ?? `${index + 1}`;
      // PostgreSQL cannot keep it, and no body may hold it either (D-26).
      if (value.includes('\0')) fault(`The value of ${column} holds the character NUL.`);
      if (value.length > valueLengthMax)
        fault(`The value of ${column} is longer than ${valueLengthMax} characters.`);
    }
    if (this.#faults.length > faults) return;
    this.#lines.push({ line, responseId, values: this.#wanted.map((index) => record[index] ?? '') });
  }
}

// The parser counts the lines up to the end of a record; people look for its beginning.
function firstLineOf(record: readonly string[], { lines }: Info): number {
  let breaks = 0;
  for (const value of record) breaks += value.split('\n').length - 1;
  return lines - breaks;
}

/** Refuses what is not UTF-8 instead of putting question marks into people's data; drops a byte order mark. */
function strictUtf8(): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return new Transform({
    readableObjectMode: false,
    encoding: 'utf8',
    transform(chunk: Buffer, _encoding, done) {
      try {
        done(null, decoder.decode(chunk, { stream: true }));
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        done(null, decoder.decode());
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function explained(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '' } = error as { code?: string };
  if (code.startsWith('CSV_')) {
    const { lines } = error as CsvError & { lines?: number };
    return new CommandError(
      `The file is not CSV, and nothing was changed:\n  ${file}:${lines ?? '?'}: ${reasonOf(error)}.`,
      { cause: error },
    );
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new CommandError(`The file ${file} is not UTF-8, and nothing was changed. Save it as UTF-8.`, {
      cause: error,
    });
  if ('syscall' in error)
    return new CommandError(`The file ${file} cannot be read: ${reasonOf(error)}. Name a file that exists.`, {
      cause: error,
    });
  return error;
}
