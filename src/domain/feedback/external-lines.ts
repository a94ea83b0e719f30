// Lines of external parameters as they are sent, in a CSV file or as NDJSON: a response, and values by the names of
// parameters. Every fault of form is named with its line, in one reading.

import type { Interruptible } from '../interruptible.ts';
import { parsedInPieces, shapeOfText } from '../json-pieces.ts';

/** One line: values by the place of their column; an empty one says nothing. */
export interface ExternalLine {
  readonly line: number;
  readonly responseId: string;
  readonly values: readonly string[];
}

export interface LineFault {
  readonly line: number;
  readonly message: string;
}

const idColumn = 'responseId';
const valueLengthMax = 4_000;
// More than any survey declares; a hostile line could have as many as it has bytes.
const columnsMax = 1_000;
const lineFaultsMax = 20;

/** What is done with a line that can be understood. */
type TakeLine = (line: ExternalLine) => void;

/** The parameters that lines may name, and whose surveys declare them. */
interface DeclaredNames {
  readonly names: ReadonlySet<string>;
  readonly of: 'account' | 'measure';
}

/** A form of lines: how they are read, and what was found out when all of them are. */
interface LineReader {
  readonly columns: readonly string[];
  readonly faults: LineFault[];
  /** At the end of the lines. */
  end(): void;
}

/** A header with the names of the columns, then a record a line. */
export class CsvLines implements LineReader {
  readonly faults: LineFault[] = [];
  columns: readonly string[] = [];
  readonly #declared: DeclaredNames;
  readonly #take: TakeLine;
  #header: readonly string[] | null = null;
  /** Which columns hold parameters that are declared; the others are faults of the header, said once. */
  #wanted: readonly number[] = [];
  #idIndex = -1;

  constructor(declared: DeclaredNames, take: TakeLine) {
    this.#declared = declared;
    this.#take = take;
  }

  record(record: readonly string[], line: number): void {
    if (this.#header === null) this.#readHeader(record, line);
    else this.#readLine(this.#header, record, line);
  }

  end(): void {
    if (this.#header === null)
      this.faults.push({ line: 1, message: `The file is empty; it begins with a line of column names.` });
  }

  #readHeader(header: readonly string[], line: number): void {
    this.#header = header;
    this.#idIndex = header.indexOf(idColumn);
    const fault = (message: string): void => void this.faults.push({ line, message });
    if (header.length > columnsMax) {
      this.#idIndex = -1;
      return fault(`There are more than ${columnsMax} columns.`);
    }
    if (this.#idIndex < 0) {
      const hint = header.length === 1 && header[0]?.includes(';') ? ' Columns are separated by commas.' : '';
      fault(`There is no column ${idColumn}.${hint}`);
    }
    const seen = new Set<string>();
    const wanted: number[] = [];
    for (const [index, column] of header.entries()) {
      if (seen.has(column)) fault(`The column "${column}" stands there twice.`);
      else if (index !== this.#idIndex) {
        if (this.#declared.names.has(column)) wanted.push(index);
        else fault(notDeclared(column, this.#declared));
      }
      seen.add(column);
    }
    if (header.length === 1 && this.#idIndex === 0) fault(`There is no column of a parameter.`);
    this.#wanted = wanted;
    this.columns = wanted.map((index) => header[index] ?? '');
  }

  #readLine(header: readonly string[], record: readonly string[], line: number): void {
    if (this.#idIndex < 0) return;
    const before = this.faults.length;
    const fault = (message: string): void => void this.faults.push({ line, message });
    if (record.length !== header.length)
      return fault(`The line has ${record.length} values, and the header has ${header.length}.`);
    const responseId = record[this.#idIndex] ?? '';
    if (responseId === '') fault(`${idColumn} is empty.`);
    for (const [index, value] of record.entries()) checkValue(header[index] ?? `${index + 1}`, value, fault);
    if (this.faults.length > before) return;
    this.#take({ line, responseId, values: this.#wanted.map((index) => record[index] ?? '') });
  }
}

/** A JSON object a line: `responseId`, and a member for each parameter. */
export class JsonLines implements LineReader {
  readonly columns: string[] = [];
  readonly faults: LineFault[] = [];
  readonly #declared: DeclaredNames;
  readonly #take: TakeLine;
  #isEmpty = true;

  constructor(declared: DeclaredNames, take: TakeLine) {
    this.#declared = declared;
    this.#take = take;
  }

  text(text: string, line: number): void {
    if (text.trim() === '') return;
    this.#members(objectOf(text), line);
  }

  /** The same for a line of any length, some of it at a time: what can be told of it before it is read is refused by that (D-933). */
  *longText(text: string, line: number): Interruptible<void> {
    const refused = (message: string): void => {
      this.#isEmpty = false;
      this.faults.push({ line, message });
    };
    const trimmed = text.trimStart();
    if (!trimmed.startsWith('{')) return trimmed === '' ? undefined : refused(notAnObject);
    const shape = yield* shapeOfText(text, lineLimits);
    if (shape === 'manyNames')
      return refused(`The line has more than ${lineLimits.names} different member names.`);
    if (shape === 'deep')
      return refused('The line holds lists or objects: a value is a text, a number, true or false.');
    this.#members(shape === 'unclosed' ? null : yield* longObjectOf(text), line);
  }

  #members(members: Record<string, unknown> | null, line: number): void {
    this.#isEmpty = false;
    const before = this.faults.length;
    const fault = (message: string): void => void this.faults.push({ line, message });
    if (members === null) return fault(notAnObject);
    const { [idColumn]: responseId, ...others } = members;
    if (typeof responseId !== 'string') fault(`${idColumn} must be a text.`);
    else if (responseId === '') fault(`${idColumn} is empty.`);
    else checkValue(idColumn, responseId, fault);
    const values: string[] = this.columns.map(() => '');
    for (const [column, value] of Object.entries(others)) {
      if (this.faults.length - before >= lineFaultsMax) break;
      if (!this.#declared.names.has(column)) {
        fault(notDeclared(column, this.#declared));
        continue;
      }
      if (value === null) continue;
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        fault(`The value of ${column} must be a text, a number, true or false.`);
        continue;
      }
      checkValue(column, String(value), fault);
      values[this.#place(column)] = String(value);
    }
    if (this.faults.length > before) return;
    this.#take({ line, responseId: String(responseId), values: Array.from(values, (value) => value ?? '') });
  }

  end(): void {
    if (this.#isEmpty) this.faults.push({ line: 1, message: 'There is no line.' });
  }

  #place(column: string): number {
    const place = this.columns.indexOf(column);
    return place >= 0 ? place : this.columns.push(column) - 1;
  }
}

function notDeclared(column: string, { of }: DeclaredNames): string {
  return `"${column.slice(0, 200)}" is not an external parameter that a survey of the ${of} declares.`;
}

const notAnObject = 'The line is not a JSON object.';

/** Of a long line: its object holds texts and numbers alone, and no survey declares so many parameters. */
const lineLimits = {
  names: 2 * columnsMax,
  values: Number.POSITIVE_INFINITY,
  containers: Number.POSITIVE_INFINITY,
  textLength: Number.POSITIVE_INFINITY,
  depth: 1,
};

function* longObjectOf(text: string): Interruptible<Record<string, unknown> | null> {
  try {
    return (yield* parsedInPieces(text, () => {})) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function checkValue(column: string, value: string, fault: (message: string) => void): void {
  // PostgreSQL cannot keep it, and no body may hold it either (D-26).
  if (value.includes('\0')) fault(`The value of ${column} holds the character NUL.`);
  if (!value.isWellFormed()) fault(`The value of ${column} holds half a character.`);
  if (value.length > valueLengthMax)
    fault(`The value of ${column} is longer than ${valueLengthMax} characters.`);
}
