// What callers see of a response: a Respondent (D-36) or a ProjectEntry (D-39), as JSON text. The half that all
// responses of a version share is prepared once; the other half is the row's values (row-values.ts). Reading is
// joining the two, so nothing is parsed, and what a toggle excludes is simply not joined.
//
// The joining is done in bytes: a page has thousands of pieces, and as strings they would be copied three times
// (joined, flattened, encoded) before they are sent. Measured on a page of 762 KB: 1.3 ms as strings.

import type { ByteSpan, ByteWriter } from './byte-writer.ts';
import { momentBytes, writeMoment } from './dates.ts';
import type { Parameter, SurveyDefinition } from './definition.ts';
import { firstCode, namedCode } from './row-values.ts';
import { standardFields } from './standard-fields.ts';
import { type PreparedQuestion, prepareSurvey } from './survey.ts';

/** A row of the log, as far as it is shown. */
export interface ShownRow {
  readonly responseId: string;
  readonly submittedAtMs: number;
  /** A text, or its bytes in UTF-8. */
  readonly values: string | ByteSpan;
  /** External parameters (parameters.ts), or null. */
  readonly external: string | null;
}

/** What a caller of measure data may leave out. */
export interface RespondentToggles {
  readonly excludeResponseDetails: boolean;
  readonly excludeMQ: boolean;
  readonly excludeCQ: boolean;
  readonly excludePassedParams: boolean;
  readonly excludeLatentScores: boolean;
}

export const excludeNothing: RespondentToggles = {
  excludeResponseDetails: false,
  excludeMQ: false,
  excludeCQ: false,
  excludePassedParams: false,
  excludeLatentScores: false,
};

const lineFeed = 10;
const quote = 34;
const comma = 44;
const backslash = 92;
const openingBracket = 91;
const closingBracket = 93;
const closingBrace = 125;
const longPiece = 32;
const headLines = 5;
const dateBytes = 10;
const idBegin = encode('{"id":');
const timeBegin = encode(',"responseTime":"');
const dateBegin = encode('","experienceDate":"');
const scoresBegin = encode(',"latentScores":[');
const scoresEnd = encode('}]');
const scoresNone = encode(']');
const responsesBegin = encode(',"responses":');
const erased = encode(',"erased":true');
const namedRowParts = [',{"id":', ',"name":', ',"phrase":', ',"type":"CPP","label":'].map(encode);
const namedRowEnd = encode(',"responseType":"TEXT","answers":[');
const standardRows = standardFields.map(({ name }) =>
  encode(rowBegin({ id: name, name, phrase: name, label: name }, 'CPP', 'TEXT')),
);

/** The constant half of every row of one version. Each row begins with the comma that parts rows. */
export interface VersionTexts {
  /** What stands behind the date of a response. */
  readonly modelInstance: Uint8Array;
  /** From the score before it up to the score itself, by latent. */
  readonly scores: readonly Uint8Array[];
  /** The whole row of a question that takes one answer, by place and then by answer; empty for no answer. */
  readonly choices: readonly (readonly Uint8Array[])[];
  /** How many of them are measured questions: those come first. */
  readonly measuredCount: number;
  /** The rows of two measured questions in one, by pair and then by both answers; made when first written. */
  readonly pairs: readonly (Uint8Array | undefined)[][];
  /** Custom questions in order: which place among the choices, or among the pieces. */
  readonly custom: readonly {
    readonly isChoice: boolean;
    readonly place: number;
    readonly row: Uint8Array;
  }[];
  /** Rows up to the answers. */
  readonly customParameters: readonly Uint8Array[];
  readonly externalParameters: readonly Uint8Array[];
  /** How many bytes the constant half of one response can have at most, undeclared parameters aside. */
  readonly maxBytes: number;
}

export function prepareTexts(definition: SurveyDefinition): VersionTexts {
  // Whether the source takes responses has no bearing on how its rows look.
  const survey = prepareSurvey(definition, { kind: 'measure', active: true });
  const scores = definition.latents.map(({ id, name, type }, index) =>
    encode(`${index === 0 ? '' : '},'}${JSON.stringify({ id, name, type }).slice(0, -1)},"score":`),
  );
  const choices = survey.singles.map((prepared) => [
    encode(''),
    ...prepared.shown.map((answer) => encode(`${questionRow(prepared)}${answer}]}`)),
  ]);
  const custom = survey.questions
    .filter(({ isMeasured }) => !isMeasured)
    .map((prepared) => ({
      isChoice: prepared.form === 'single',
      place: prepared.place,
      row: encode(questionRow(prepared)),
    }));
  const parameterRow = (type: 'CPP' | 'EPP') => (parameter: Parameter) =>
    encode(rowBegin(parameter, type, 'TEXT'));
  const customParameters = definition.parameters.custom.map(parameterRow('CPP'));
  const externalParameters = definition.parameters.external.map(parameterRow('EPP'));
  const measuredCount = survey.singles.filter(({ isMeasured }) => isMeasured).length;
  const modelInstance = encode(`","modelInstanceId":${JSON.stringify(definition.modelInstanceId)}`);
  const longest = [
    modelInstance,
    ...scores,
    ...choices.map((rows) => rows.reduce((one, other) => (one.length > other.length ? one : other))),
    ...custom.map(({ row }) => row),
    ...customParameters,
    ...externalParameters,
    ...standardRows,
  ];
  return {
    modelInstance,
    scores,
    choices,
    measuredCount,
    pairs: Array.from({ length: measuredCount >> 1 }, () => []),
    custom,
    customParameters,
    externalParameters,
    maxBytes: longest.reduce((sum, { length }) => sum + length + 2, 1024),
  };
}

/** Writes a response of a measure as JSON. */
export function writeRespondent(
  writer: ByteWriter,
  texts: VersionTexts,
  row: ShownRow,
  toggles: RespondentToggles,
): void {
  let position = beginItem(writer, texts, row);
  if (!toggles.excludeLatentScores) {
    writer.put(scoresBegin);
    for (const score of texts.scores) {
      writer.put(score);
      position = copyUntil(comma, writer, position);
    }
    writer.put(texts.scores.length === 0 ? scoresNone : scoresEnd);
  }
  if (!toggles.excludeResponseDetails) writeRows(writer, texts, row.external, toggles);
  endItem(writer);
}

/** Writes a response of a project as JSON. */
export function writeProjectEntry(writer: ByteWriter, texts: VersionTexts, row: ShownRow): void {
  const position = beginItem(writer, texts, row);
  writer.byte(comma);
  copyUntil(lineFeed, writer, position);
  writeRows(writer, texts, row.external, excludeNothing);
  endItem(writer);
}

// Begins an item, makes room for all of it, takes its values to hand, and says where they begin.
function beginItem(writer: ByteWriter, texts: VersionTexts, row: ShownRow): number {
  const { responseId, submittedAtMs, values, external } = row;
  const begin = takeValues(values);
  // A name of an undeclared parameter is written four times, with less than 128 bytes around it.
  writer.reserve(texts.maxBytes + (sourceEnd - begin) * 133 + (external?.length ?? 0) * 3);
  writer.put(idBegin);
  writeQuoted(writer, responseId);
  writer.put(timeBegin);
  const { target, end } = writer;
  writeMoment(target, end, submittedAtMs);
  writer.end += momentBytes;
  writer.put(dateBegin);
  const dateAt = writer.end;
  for (let index = 0; index < dateBytes; index += 1) target[dateAt + index] = target[end + index] as number;
  writer.end = dateAt + dateBytes;
  writer.put(texts.modelInstance);
  return begin;
}

function endItem(writer: ByteWriter): void {
  if (isErased) writer.put(erased);
  writer.byte(closingBrace);
}

// A text as JSON. Nearly every id is plain, and then its characters are its bytes.
function writeQuoted(writer: ByteWriter, text: string): void {
  const { target, end } = writer;
  target[end] = quote;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 32 || code > 126 || code === quote || code === backslash)
      return writer.text(JSON.stringify(text));
    target[end + 1 + index] = code;
  }
  target[end + 1 + text.length] = quote;
  writer.end = end + text.length + 2;
}

// ---- The row in hand. One is read at a time and nothing waits in between, so all rows share these.

/** Where texts become bytes. */
let scratch = Buffer.allocUnsafeSlow(16_384);
/** The bytes of the row, and where they end. */
let source: Buffer = scratch;
let sourceEnd = 0;
/** Lines 1 to 4 with their line feeds, a number for each character. */
let codes = new Uint16Array(1024);
let codesEnd = 0;
/** Where lines 2 and 3 begin among the codes; line 1 begins at 0. */
let answered = 0;
let declared = 0;
/** Where the pieces begin among the bytes. */
let pieces = 0;
/** Every row that was not erased has several lines (D-48). */
let isErased = false;

function takeValues(values: string | ByteSpan): number {
  if (typeof values === 'string') {
    if (scratch.length < values.length * 3) scratch = Buffer.allocUnsafeSlow(values.length * 6);
    source = scratch;
    sourceEnd = scratch.write(values, 0, 'utf8');
    readCodes(0);
    return 0;
  }
  source = values.source;
  sourceEnd = values.end;
  readCodes(values.begin);
  return values.begin;
}

function readCodes(begin: number): void {
  const end = sourceEnd;
  const bytes = source;
  if (codes.length < end - begin) codes = new Uint16Array(2 * (end - begin));
  const numbers = codes;
  let position = begin;
  while (position < end && bytes[position] !== lineFeed) position += 1;
  isErased = position === end;
  position += 1;
  let count = 0;
  for (let line = 1; line < headLines && position < end; position += 1) {
    let code = bytes[position] as number;
    if (code === lineFeed) {
      line += 1;
      if (line === 2) answered = count + 1;
      else if (line === 3) declared = count + 1;
    } else if (code >= 0b1110_0000) {
      code = ((code & 0b1111) << 12) | (continued(position + 1) << 6) | continued(position + 2);
      position += 2;
    } else if (code >= 0b1100_0000) {
      code = ((code & 0b1_1111) << 6) | continued(position + 1);
      position += 1;
    }
    numbers[count] = code;
    count += 1;
  }
  codesEnd = count;
  pieces = position;
}

// What a byte adds to the character that it belongs to, in UTF-8.
function continued(position: number): number {
  return (source[position] as number) & 0b11_1111;
}

// The number at a place among the codes.
function numberAt(place: number): number {
  return (codes[place] as number) - firstCode;
}

// ---- Its rows

// In the order MQ, CQ, CPP, EPP (D-36).
function writeRows(
  writer: ByteWriter,
  texts: VersionTexts,
  external: string | null,
  toggles: RespondentToggles,
): void {
  writer.put(responsesBegin);
  const begin = writer.end;
  // Nothing but scores is left of an erased response (D-48).
  if (!isErased) {
    if (!toggles.excludeMQ) writeMeasured(writer, texts);
    const position = toggles.excludeCQ
      ? skipLines(pieces, declared - 1 - answered)
      : writeCustom(writer, texts, pieces);
    if (!toggles.excludePassedParams) writeParameters(writer, texts, position, external);
  }
  // Every row brings its comma, and that of the first one becomes the bracket.
  if (writer.end === begin) writer.byte(openingBracket);
  else writer.target[begin] = openingBracket;
  writer.byte(closingBracket);
}

// Measured questions are most of the rows and nearly all answered, so they are written in pairs.
function writeMeasured(writer: ByteWriter, texts: VersionTexts): void {
  const { measuredCount, pairs } = texts;
  let place = 0;
  for (; place + 1 < measuredCount; place += 2) {
    const rows = pairs[place >> 1] as (Uint8Array | undefined)[];
    const width = (texts.choices[place + 1] as readonly Uint8Array[]).length;
    const pair = numberAt(place) * width + numberAt(place + 1);
    rows[pair] ??= Buffer.concat([choiceRow(texts, place), choiceRow(texts, place + 1)]);
    writer.put(rows[pair]);
  }
  if (place < measuredCount) writer.put(choiceRow(texts, place));
}

function choiceRow(texts: VersionTexts, place: number): Uint8Array {
  return (texts.choices[place] as readonly Uint8Array[])[numberAt(place)] as Uint8Array;
}

function writeCustom(writer: ByteWriter, texts: VersionTexts, firstPosition: number): number {
  let position = firstPosition;
  let next = answered;
  for (const { isChoice, place, row } of texts.custom) {
    if (isChoice) writer.put(choiceRow(texts, place));
    else if (numberAt(next) === place) {
      next += 1;
      position = writeRow(writer, row, position);
    }
  }
  return position;
}

function writeParameters(
  writer: ByteWriter,
  texts: VersionTexts,
  firstPosition: number,
  external: string | null,
): void {
  let position = firstPosition;
  let place = declared;
  for (; codes[place] !== lineFeed; place += 1) {
    position = writeRow(writer, texts.customParameters[numberAt(place)] as Uint8Array, position);
  }
  for (place += 1; place < codesEnd && codes[place] !== lineFeed; place += 1) {
    position =
      codes[place] === namedCode
        ? writeNamedRow(writer, position)
        : writeRow(writer, standardRows[numberAt(place)] as Uint8Array, position);
  }
  if (external === null) return;
  for (const [index, value] of external.split('\n').entries()) {
    const row = texts.externalParameters[index];
    if (value === '' || row === undefined) continue;
    writer.put(row);
    writer.text(value);
    writer.byte(closingBracket);
    writer.byte(closingBrace);
  }
}

function writeRow(writer: ByteWriter, row: Uint8Array, position: number): number {
  writer.put(row);
  const next = copyUntil(lineFeed, writer, position);
  const { target, end } = writer;
  target[end] = closingBracket;
  target[end + 1] = closingBrace;
  writer.end = end + 2;
  return next;
}

// A parameter that the definition does not declare has its name as id, phrase and label (D-36).
function writeNamedRow(writer: ByteWriter, position: number): number {
  let next = position;
  for (const part of namedRowParts) {
    writer.put(part);
    next = copyUntil(lineFeed, writer, position);
  }
  return writeRow(writer, namedRowEnd, next);
}

// Copies up to a byte, or the end of the line, and says where what follows begins.
function copyUntil(stop: number, writer: ByteWriter, position: number): number {
  const { target } = writer;
  const bytes = source;
  const nearEnd = stop === lineFeed ? Math.min(position + longPiece, sourceEnd) : sourceEnd;
  let { end } = writer;
  let from = position;
  while (from < nearEnd) {
    const byte = bytes[from] as number;
    if (byte === stop || byte === lineFeed) {
      writer.end = end;
      return from + 1;
    }
    target[end] = byte;
    end += 1;
    from += 1;
  }
  // All of the rest in one call: beyond so many bytes that is shorter than going on one by one.
  const to = endOfLine(from);
  writer.end = end + (to > from ? source.copy(target, end, from, to) : 0);
  return to + 1;
}

function endOfLine(position: number): number {
  const found = position < sourceEnd ? source.indexOf(lineFeed, position) : -1;
  return found < 0 || found > sourceEnd ? sourceEnd : found;
}

// Where the line behind so many others begins, or the end.
function skipLines(position: number, count: number): number {
  let from = position;
  for (let left = count; left > 0 && from < sourceEnd; left -= 1) from = endOfLine(from) + 1;
  return from;
}

function questionRow({ question, isMeasured }: PreparedQuestion): string {
  const responseType = 'responseType' in question ? question.responseType : 'MEASURED_QUESTION';
  return rowBegin(question, isMeasured ? 'MQ' : 'CQ', responseType);
}

function rowBegin(
  { id, name, phrase, label }: Pick<Parameter, 'id' | 'name' | 'phrase' | 'label'>,
  type: 'MQ' | 'CQ' | 'CPP' | 'EPP',
  responseType: string,
): string {
  return `,${JSON.stringify({ id, name, phrase, type, label, responseType }).slice(0, -1)},"answers":[`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
