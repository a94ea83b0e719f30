// The values of a row as the cells of a table. They are cut by the lines of row-values.ts: what a version says once (which
// question stands in which column, what each of its answers is shown as) is worked out once, so that a row of choices is
// a few look-ups.

import { dayOf } from '../dates.ts';
import type { Answer, SurveyDefinition } from './definition.ts';
import { firstCode, namedCode, suspectPiece } from './row-values.ts';
import { standardFields } from './standard-fields.ts';
import { type PreparedQuestion, prepareSurvey } from './survey.ts';
import { type Cell, type ColumnType, isParameterColumn, type Table } from './table.ts';

/** A row of the log, with the number of the version that explains it. */
export interface NumberedRow {
  /** Its position in the log. */
  readonly seq: number;
  readonly surveyNumber: number;
  readonly responseId: string;
  readonly submittedAtMs: number;
  readonly values: string;
  readonly external: string | null;
  /** Of its body, the same before and after it is erased. */
  readonly digest: string;
}

/** Where the values of a version go; -1 for what has no column. */
interface VersionColumns {
  readonly version: number;
  readonly modelInstanceId: string;
  readonly scores: readonly number[];
  /** Of questions that take one answer, by their place: the column, and what each answer is shown as. */
  readonly choices: readonly { readonly column: number; readonly shown: readonly Cell[] }[];
  readonly pieces: readonly { readonly column: number; readonly isList: boolean }[];
  readonly custom: readonly number[];
  readonly external: readonly number[];
}

interface ProjectHead {
  readonly url: string | null;
  readonly locale: string | null;
  readonly rating: number | null;
  readonly topic: string | null;
}

/** Between several answers in one cell of text. */
export const answersApart = ';';
const headLines = 5;

export class RowCells {
  readonly #table: Table;
  readonly #versions = new Map<number, VersionColumns>();
  readonly #standard: readonly number[];
  readonly #item: Readonly<Record<ItemName, number>>;

  constructor(table: Table) {
    this.#table = table;
    this.#standard = standardFields.map(({ name }) => table.find('CPP', name));
    this.#item = Object.fromEntries(itemNames.map((name) => [name, table.find('item', name)])) as Record<
      ItemName,
      number
    >;
  }

  /** Writes the cells of a row at a place of each column. Every cell there must be null before. */
  write(row: NumberedRow, columns: readonly Cell[][], at: number): void {
    const version = this.#versionOf(row.surveyNumber);
    const item = this.#item;
    const lines = row.values.split('\n');
    const isErased = lines.length < headLines;
    columns[item.id]![at] = row.responseId;
    columns[item.responseTime]![at] = row.submittedAtMs;
    columns[item.experienceDate]![at] = dayOf(row.submittedAtMs);
    columns[item.modelInstanceId]![at] = version.modelInstanceId;
    columns[item.position]![at] = row.seq;
    columns[item.surveyVersion]![at] = version.version;
    columns[item.erased]![at] = isErased;
    columns[item.digest]![at] = row.digest;
    if (this.#table.kind === 'measure') writeScores(lines[0] as string, version.scores, columns, at);
    else this.#writeHead(lines[0] as string, columns, at);
    // Nothing but scores is left of an erased response (D-48).
    if (isErased) return;
    writeChoices(lines[1] as string, version.choices, columns, at);
    this.#writePieces(lines, version, columns, at);
    const suspect = suspectPiece(row.values);
    if (suspect !== null) columns[item.quality]![at] = textsOf(suspect);
    if (row.external !== null) writeExternal(row.external, version.external, columns, at);
  }

  #writeHead(line: string, columns: readonly Cell[][], at: number): void {
    const head = JSON.parse(`{${line}}`) as ProjectHead;
    const item = this.#item;
    columns[item.url]![at] = head.url;
    columns[item.locale]![at] = head.locale;
    columns[item.rating]![at] = head.rating;
    columns[item.topic]![at] = head.topic;
  }

  #writePieces(
    lines: readonly string[],
    { pieces, custom }: VersionColumns,
    columns: readonly Cell[][],
    at: number,
  ): void {
    const [, , answered = '', declared = '', others = ''] = lines;
    let next = headLines;
    for (let index = 0; index < answered.length; index += 1) {
      const { column, isList } = pieces[answered.charCodeAt(index) - firstCode]!;
      const piece = lines[next++]!;
      if (column >= 0) columns[column]![at] = isList ? textsOf(piece) : textOf(piece);
    }
    for (let index = 0; index < declared.length; index += 1)
      addText(columns, custom[declared.charCodeAt(index) - firstCode]!, at, lines[next++]!);
    let named: [string, readonly string[]][] | null = null;
    for (let index = 0; index < others.length; index += 1) {
      const code = others.charCodeAt(index);
      if (code !== namedCode) {
        addText(columns, this.#standard[code - firstCode]!, at, lines[next++]!);
        continue;
      }
      const name = JSON.parse(lines[next++]!) as string;
      const piece = lines[next++]!;
      const column = this.#table.find('CPP', name);
      if (column >= 0) addText(columns, column, at, piece);
      else if (isParameterColumn(this.#table.kind, name)) {
        named ??= [];
        named.push([name, textsOf(piece)]);
      }
    }
    const column = this.#item.otherParameters;
    // From entries, because a name may be one that an object literal would not keep.
    if (named !== null && column >= 0) columns[column]![at] = JSON.stringify(Object.fromEntries(named));
  }

  #versionOf(number: number): VersionColumns {
    let version = this.#versions.get(number);
    if (version === undefined) {
      const survey = this.#table.surveys.find((one) => one.number === number);
      if (survey === undefined) throw new Error('A row of the log names a version that is not there.');
      version = columnsOf(this.#table, survey.definition);
      this.#versions.set(number, version);
    }
    return version;
  }
}

const itemNames = [
  ...([
    'id',
    'responseTime',
    'experienceDate',
    'modelInstanceId',
    'position',
    'surveyVersion',
    'digest',
    'quality',
  ] as const),
  ...(['url', 'locale', 'rating', 'topic', 'otherParameters', 'erased'] as const),
];
type ItemName = (typeof itemNames)[number];

function columnsOf(table: Table, definition: SurveyDefinition): VersionColumns {
  // Whether the source takes responses has no bearing on how they are shown.
  const survey = prepareSurvey(definition, { kind: 'measure', active: true });
  const columnOf = ({ id, isMeasured }: PreparedQuestion): number => table.find(isMeasured ? 'MQ' : 'CQ', id);
  const typeOf = (column: number): ColumnType => table.columns[column]?.type ?? 'text';
  const { custom, external } = definition.parameters;
  return {
    version: definition.version,
    modelInstanceId: definition.modelInstanceId,
    scores: definition.latents.map(({ id }) => table.find('score', id)),
    choices: survey.singles.map((question) => {
      const column = columnOf(question);
      return { column, shown: question.answers.map((answer) => shownAnswer(typeOf(column), answer)) };
    }),
    pieces: survey.pieces.map((question) => {
      const column = columnOf(question);
      return { column, isList: typeOf(column) === 'texts' };
    }),
    custom: custom.map(({ id }) => table.find('CPP', id)),
    external: external.map(({ id }) => table.find('EPP', id)),
  };
}

/** Its value or else its text (D-36), in the form that the column has. */
function shownAnswer(type: ColumnType, { value, text }: Answer): Cell {
  const isNumber = type === 'measured' || type === 'number';
  if (isNumber && typeof value === 'number') return value;
  const shown = value === null ? text : `${value}`;
  return type === 'texts' ? [shown] : shown;
}

function writeScores(line: string, scores: readonly number[], columns: readonly Cell[][], at: number): void {
  let begin = 0;
  for (const column of scores) {
    const comma = line.indexOf(',', begin);
    const end = comma < 0 ? line.length : comma;
    // A latent without a score is null (D-33).
    if (column >= 0 && end > begin && line[begin] !== 'n')
      columns[column]![at] = Number(line.slice(begin, end));
    begin = end + 1;
  }
}

function writeChoices(
  codes: string,
  choices: VersionColumns['choices'],
  columns: readonly Cell[][],
  at: number,
): void {
  for (let place = 0; place < codes.length; place += 1) {
    // No answer is 0, the first answer 1.
    const answer = codes.charCodeAt(place) - firstCode;
    if (answer === 0) continue;
    const { column, shown } = choices[place]!;
    if (column >= 0) columns[column]![at] = shown[answer - 1]!;
  }
}

function writeExternal(
  external: string,
  places: readonly number[],
  columns: readonly Cell[][],
  at: number,
): void {
  for (const [index, piece] of external.split('\n').entries()) {
    const column = places[index] ?? -1;
    if (piece !== '' && column >= 0) columns[column]![at] = textOf(piece);
  }
}

/** A declared parameter may have the name of a standard field as its id: then the column has the answers of both. */
function addText(columns: readonly Cell[][], column: number, at: number, piece: string): void {
  if (column < 0) return;
  const cells = columns[column]!;
  const known = cells[at];
  cells[at] = known === null ? textOf(piece) : `${known}${answersApart}${textOf(piece)}`;
}

/** The answers of a piece as one text. */
function textOf(piece: string): string {
  return isPlain(piece) ? piece.slice(1, -1) : textsOf(piece).join(answersApart);
}

function textsOf(piece: string): readonly string[] {
  return isPlain(piece) ? [piece.slice(1, -1)] : (JSON.parse(`[${piece}]`) as string[]);
}

/** Whether it is one text without escapes: nearly every piece is. */
function isPlain(piece: string): boolean {
  return piece.indexOf('"', 1) === piece.length - 1 && !piece.includes('\\');
}
