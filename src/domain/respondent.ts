// What callers see of a response: a Respondent (D-36) or a ProjectEntry (D-39), as JSON text. The half that all
// responses of a version share is prepared once; the other half is the row's values (row-values.ts). Reading is
// joining the two, so nothing is parsed, and what a toggle excludes is simply not joined.
//
// The joining is done in bytes: a page has thousands of pieces, and as strings they would be copied three times
// (joined, flattened, encoded) before they are sent. Measured on a page of 762 KB: 1.3 ms as strings.

import type { ByteSpan, ByteWriter } from './byte-writer.ts';
import { momentBytes, writeMoment } from './dates.ts';
import type { Parameter, SurveyDefinition } from './definition.ts';
import { firstCode, isErased, namedCode } from './row-values.ts';
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
const closingBracket = 93;
const closingBrace = 125;
const longPiece = 32;
const headLines = 5;
const idBegin = encode('{"id":');
const timeBegin = encode(',"responseTime":"');
const dateBegin = encode('","experienceDate":"');
const scoresBegin = encode(',"latentScores":[');
const scoresEnd = encode('}]');
const scoresNone = encode(']');
const responsesBegin = encode(',"responses":[');
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
  const head = beginItem(writer, texts, row);
  let position = 0;
  if (!toggles.excludeLatentScores) {
    writer.put(scoresBegin);
    for (const score of texts.scores) {
      writer.put(score);
      position = copyUntil(comma, writer, scratch, position);
    }
    writer.put(texts.scores.length === 0 ? scoresNone : scoresEnd);
  }
  if (!toggles.excludeResponseDetails) writeRows(writer, texts, head, row.external, toggles);
  if (isErased(head)) writer.put(erased);
  writer.byte(closingBrace);
}

/** Writes a response of a project as JSON. */
export function writeProjectEntry(writer: ByteWriter, texts: VersionTexts, row: ShownRow): void {
  const head = beginItem(writer, texts, row);
  writer.byte(comma);
  copyUntil(lineFeed, writer, scratch, 0);
  writeRows(writer, texts, head, row.external, excludeNothing);
  if (isErased(head)) writer.put(erased);
  writer.byte(closingBrace);
}

// Begins an item, makes room for all of it, takes its values to hand, and gives the lines before the pieces as text.
function beginItem(writer: ByteWriter, texts: VersionTexts, row: ShownRow): string {
  const { responseId, submittedAtMs, values, external } = row;
  const head = takeValues(values);
  // A name of an undeclared parameter is written four times, with less than 128 bytes around it.
  writer.reserve(texts.maxBytes + scratchEnd * 133 + (external?.length ?? 0) * 3);
  writer.put(idBegin);
  writeQuoted(writer, responseId);
  writer.put(timeBegin);
  const { target, end } = writer;
  writeMoment(target, end, submittedAtMs);
  writer.end += momentBytes;
  writer.put(dateBegin);
  target.copyWithin(writer.end, end, end + 10);
  writer.end += 10;
  writer.put(texts.modelInstance);
  return head;
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

// One row is read at a time and nothing waits in between, so all rows share the place where values are bytes, with a
// line feed at their end.
let scratch = Buffer.allocUnsafeSlow(16_384);
let scratchEnd = 0;
/** Where the pieces begin among the bytes; -1 for values that came as a text, where that is found through the text. */
let piecesAt = -1;

// A text is its own head: what stands behind the first lines does no harm there.
function takeValues(values: string | ByteSpan): string {
  if (typeof values === 'string') {
    makeRoom(values.length * 3);
    scratchEnd = scratch.write(values, 0, 'utf8');
    scratch[scratchEnd] = lineFeed;
    piecesAt = -1;
    return values;
  }
  const { source, begin, end } = values;
  makeRoom(end - begin);
  scratchEnd = source.copy(scratch, 0, begin, end);
  scratch[scratchEnd] = lineFeed;
  piecesAt = skipLines(scratch, 0, headLines, scratchEnd);
  return scratch.toString('utf8', 0, piecesAt);
}

function makeRoom(count: number): void {
  if (scratch.length <= count) scratch = Buffer.allocUnsafeSlow(count * 2);
}

// The rows in the order MQ, CQ, CPP, EPP (D-36).
function writeRows(
  writer: ByteWriter,
  texts: VersionTexts,
  head: string,
  external: string | null,
  toggles: RespondentToggles,
): void {
  writer.put(responsesBegin);
  const begin = writer.end;
  // The codes are read from the text, where each is one character; the pieces from the bytes.
  const choices = head.indexOf('\n') + 1;
  // Nothing but scores is left of an erased response (D-48).
  if (choices > 0) {
    const answered = head.indexOf('\n', choices) + 1;
    const declared = head.indexOf('\n', answered) + 1;
    if (!toggles.excludeMQ) writeMeasured(writer, texts, head, choices);
    let position = piecesAt < 0 ? piecesBegin(head, declared) : piecesAt;
    if (toggles.excludeCQ) position = skipLines(scratch, position, declared - 1 - answered, scratchEnd);
    else {
      let next = answered;
      for (const { isChoice, place, row } of texts.custom) {
        if (isChoice) writer.put(choiceRow(texts, head, choices, place));
        else if (head.charCodeAt(next) - firstCode === place) {
          next += 1;
          position = writeRow(writer, row, scratch, position);
        }
      }
    }
    if (!toggles.excludePassedParams) writeParameters(writer, texts, head, declared, position, external);
  }
  // Every row brings its comma, and the first one has to give it back.
  if (writer.end > begin) {
    writer.target.copyWithin(begin, begin + 1, writer.end);
    writer.end -= 1;
  }
  writer.byte(closingBracket);
}

// Measured questions are most of the rows and nearly all answered, so they are written in pairs.
function writeMeasured(writer: ByteWriter, texts: VersionTexts, head: string, choices: number): void {
  const { measuredCount, pairs } = texts;
  let place = 0;
  for (; place + 1 < measuredCount; place += 2) {
    const rows = pairs[place >> 1] as (Uint8Array | undefined)[];
    const width = (texts.choices[place + 1] as readonly Uint8Array[]).length;
    const first = head.charCodeAt(choices + place) - firstCode;
    const pair = first * width + head.charCodeAt(choices + place + 1) - firstCode;
    rows[pair] ??= Buffer.concat([
      choiceRow(texts, head, choices, place),
      choiceRow(texts, head, choices, place + 1),
    ]);
    writer.put(rows[pair]);
  }
  if (place < measuredCount) writer.put(choiceRow(texts, head, choices, place));
}

function choiceRow(texts: VersionTexts, head: string, choices: number, place: number): Uint8Array {
  return (texts.choices[place] as readonly Uint8Array[])[
    head.charCodeAt(choices + place) - firstCode
  ] as Uint8Array;
}

function writeParameters(
  writer: ByteWriter,
  texts: VersionTexts,
  head: string,
  declared: number,
  firstPosition: number,
  external: string | null,
): void {
  let position = firstPosition;
  let code = declared;
  for (; head.charCodeAt(code) !== lineFeed; code += 1) {
    const row = texts.customParameters[head.charCodeAt(code) - firstCode] as Uint8Array;
    position = writeRow(writer, row, scratch, position);
  }
  for (code += 1; code < head.length && head.charCodeAt(code) !== lineFeed; code += 1) {
    if (head.charCodeAt(code) === namedCode) position = writeNamedRow(writer, scratch, position);
    else
      position = writeRow(
        writer,
        standardRows[head.charCodeAt(code) - firstCode] as Uint8Array,
        scratch,
        position,
      );
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

function writeRow(writer: ByteWriter, row: Uint8Array, source: Buffer, position: number): number {
  writer.put(row);
  const next = copyUntil(lineFeed, writer, source, position);
  const { target, end } = writer;
  target[end] = closingBracket;
  target[end + 1] = closingBrace;
  writer.end = end + 2;
  return next;
}

// A parameter that the definition does not declare has its name as id, phrase and label (D-36).
function writeNamedRow(writer: ByteWriter, source: Buffer, position: number): number {
  let next = position;
  for (const part of namedRowParts) {
    writer.put(part);
    next = copyUntil(lineFeed, writer, source, position);
  }
  return writeRow(writer, namedRowEnd, source, next);
}

// Copies up to a byte, or the end of the line, and says where what follows begins.
function copyUntil(stop: number, writer: ByteWriter, source: Buffer, position: number): number {
  const { target } = writer;
  let { end } = writer;
  let from = position;
  for (let byte = source[from] as number; byte !== stop && byte !== lineFeed; byte = source[from] as number) {
    // Beyond this a call that copies all of it at once is shorter than going on byte by byte.
    if (from - position === longPiece && stop === lineFeed) {
      const to = source.indexOf(lineFeed, from);
      writer.end = end + source.copy(target, end, from, to);
      return to + 1;
    }
    target[end] = byte;
    end += 1;
    from += 1;
  }
  writer.end = end;
  return from + 1;
}

// Where the pieces begin: behind five lines, of which the fourth begins at `declared`. In a row that is plain from end
// to end a character is a byte.
function piecesBegin(values: string, declared: number): number {
  return scratchEnd === values.length
    ? values.indexOf('\n', values.indexOf('\n', declared) + 1) + 1
    : skipLines(scratch, 0, headLines, scratchEnd);
}

// Where the line behind so many others begins, or the end.
function skipLines(source: Buffer, position: number, count: number, end: number): number {
  let from = position;
  for (let left = count; left > 0 && from < end; from += 1) if (source[from] === lineFeed) left -= 1;
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
