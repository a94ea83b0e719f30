// What callers see of a response: a Respondent (D-36) or a ProjectEntry (D-39), as JSON text. The half that all
// responses of a version share is prepared once; the other half is the row's values (row-values.ts). Reading is
// joining the two, so nothing is parsed, and what a toggle excludes is simply not joined.
//
// The joining is done in bytes: a page has thousands of pieces, and as strings they would be copied three times
// (joined, flattened, encoded) before they are sent. Measured on a page of 762 KB: 1.3 ms as strings.

import type { ByteWriter } from './byte-writer.ts';
import { momentText } from './dates.ts';
import type { Parameter, SurveyDefinition } from './definition.ts';
import { firstCode, isErased, namedCode } from './row-values.ts';
import { standardFields } from './standard-fields.ts';
import { type PreparedQuestion, prepareSurvey } from './survey.ts';

/** A row of the log, as far as it is shown. */
export interface ShownRow {
  readonly responseId: string;
  readonly submittedAtMs: number;
  readonly values: string;
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
const comma = 44;
const closingBracket = 93;
const closingBrace = 125;
const scoresBegin = encode(',"latentScores":[');
const responsesBegin = encode(',"responses":[');
const erased = encode(',"erased":true');
const namedRowParts = [',{"id":', ',"name":', ',"phrase":', ',"type":"CPP","label":'].map(encode);
const namedRowEnd = encode(',"responseType":"TEXT","answers":[');
const standardRows = standardFields.map(({ name }) =>
  encode(rowBegin({ id: name, name, phrase: name, label: name }, 'CPP', 'TEXT')),
);

/** The constant half of every row of one version. Each row begins with the comma that parts rows. */
export interface VersionTexts {
  readonly modelInstanceId: string;
  /** Up to the score itself, by latent. */
  readonly scores: readonly Uint8Array[];
  /** The whole row of a question that takes one answer, by place and then by answer; empty for no answer. */
  readonly choices: readonly (readonly Uint8Array[])[];
  /** How many of them are measured questions: those come first. */
  readonly measuredCount: number;
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
    encode(`${index === 0 ? '' : ','}${JSON.stringify({ id, name, type }).slice(0, -1)},"score":`),
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
  const longest = [
    ...scores,
    ...choices.map((rows) => rows.reduce((one, other) => (one.length > other.length ? one : other))),
    ...custom.map(({ row }) => row),
    ...customParameters,
    ...externalParameters,
    ...standardRows,
  ];
  return {
    modelInstanceId: JSON.stringify(definition.modelInstanceId),
    scores,
    choices,
    measuredCount: survey.singles.filter(({ isMeasured }) => isMeasured).length,
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
  const source = beginItem(writer, texts, row);
  let position = 0;
  if (!toggles.excludeLatentScores) {
    writer.bytes(scoresBegin);
    for (const score of texts.scores) {
      writer.bytes(score);
      position = copyUntil(comma, writer, source, position);
      writer.byte(closingBrace);
    }
    writer.byte(closingBracket);
  }
  if (!toggles.excludeResponseDetails) writeRows(writer, texts, row, toggles, source);
  if (isErased(row.values)) writer.bytes(erased);
  writer.byte(closingBrace);
}

/** Writes a response of a project as JSON. */
export function writeProjectEntry(writer: ByteWriter, texts: VersionTexts, row: ShownRow): void {
  const source = beginItem(writer, texts, row);
  writer.byte(comma);
  copyUntil(lineFeed, writer, source, 0);
  writeRows(writer, texts, row, excludeNothing, source);
  if (isErased(row.values)) writer.bytes(erased);
  writer.byte(closingBrace);
}

// Begins an item, makes room for all of it, and gives its values as bytes that end with a line feed.
function beginItem(writer: ByteWriter, texts: VersionTexts, row: ShownRow): Uint8Array {
  const { responseId, submittedAtMs, values, external } = row;
  const length = values.length * 3 + 1;
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length * 2);
  const written = scratch.write(values, 0, 'utf8');
  scratch[written] = lineFeed;
  // A name of an undeclared parameter is written four times, with less than 128 bytes around it.
  writer.reserve(texts.maxBytes + written * 133 + (external?.length ?? 0) * 3);
  const time = momentText(submittedAtMs);
  writer.text(
    `{"id":${JSON.stringify(responseId)},"responseTime":"${time}","experienceDate":"${time.slice(0, 10)}","modelInstanceId":${texts.modelInstanceId}`,
  );
  return scratch;
}

// One row is read at a time and nothing waits in between, so all rows share the place where values become bytes.
let scratch = Buffer.allocUnsafeSlow(16_384);

// The rows in the order MQ, CQ, CPP, EPP (D-36).
function writeRows(
  writer: ByteWriter,
  texts: VersionTexts,
  { values, external }: ShownRow,
  toggles: RespondentToggles,
  source: Uint8Array,
): void {
  writer.bytes(responsesBegin);
  const begin = writer.end;
  // The codes are read from the text, where each is one character; the pieces from the bytes.
  const choices = values.indexOf('\n') + 1;
  // Nothing but scores is left of an erased response (D-48).
  if (choices > 0) {
    const answered = values.indexOf('\n', choices) + 1;
    const declared = values.indexOf('\n', answered) + 1;
    if (!toggles.excludeMQ) {
      for (let place = 0; place < texts.measuredCount; place += 1) {
        writer.bytes(choiceRow(texts, values, choices, place));
      }
    }
    let position = skipLines(source, 0, 5);
    if (toggles.excludeCQ) position = skipLines(source, position, declared - 1 - answered);
    else {
      let next = answered;
      for (const { isChoice, place, row } of texts.custom) {
        if (isChoice) writer.bytes(choiceRow(texts, values, choices, place));
        else if (values.charCodeAt(next) - firstCode === place) {
          next += 1;
          position = writeRow(writer, row, source, position);
        }
      }
    }
    if (!toggles.excludePassedParams)
      writeParameters(writer, texts, values, declared, source, position, external);
  }
  // Every row brings its comma, and the first one has to give it back.
  if (writer.end > begin) {
    writer.target.copyWithin(begin, begin + 1, writer.end);
    writer.end -= 1;
  }
  writer.byte(closingBracket);
}

function choiceRow(texts: VersionTexts, values: string, choices: number, place: number): Uint8Array {
  return (texts.choices[place] as readonly Uint8Array[])[
    values.charCodeAt(choices + place) - firstCode
  ] as Uint8Array;
}

function writeParameters(
  writer: ByteWriter,
  texts: VersionTexts,
  values: string,
  declared: number,
  source: Uint8Array,
  firstPosition: number,
  external: string | null,
): void {
  let position = firstPosition;
  let code = declared;
  for (; values.charCodeAt(code) !== lineFeed; code += 1) {
    const row = texts.customParameters[values.charCodeAt(code) - firstCode] as Uint8Array;
    position = writeRow(writer, row, source, position);
  }
  for (code += 1; code < values.length && values.charCodeAt(code) !== lineFeed; code += 1) {
    if (values.charCodeAt(code) === namedCode) position = writeNamedRow(writer, source, position);
    else
      position = writeRow(
        writer,
        standardRows[values.charCodeAt(code) - firstCode] as Uint8Array,
        source,
        position,
      );
  }
  if (external === null) return;
  for (const [index, value] of external.split('\n').entries()) {
    const row = texts.externalParameters[index];
    if (value === '' || row === undefined) continue;
    writer.bytes(row);
    writer.text(value);
    writer.byte(closingBracket);
    writer.byte(closingBrace);
  }
}

function writeRow(writer: ByteWriter, row: Uint8Array, source: Uint8Array, position: number): number {
  writer.bytes(row);
  const next = copyUntil(lineFeed, writer, source, position);
  writer.byte(closingBracket);
  writer.byte(closingBrace);
  return next;
}

// A parameter that the definition does not declare has its name as id, phrase and label (D-36).
function writeNamedRow(writer: ByteWriter, source: Uint8Array, position: number): number {
  let next = position;
  for (const part of namedRowParts) {
    writer.bytes(part);
    next = copyUntil(lineFeed, writer, source, position);
  }
  return writeRow(writer, namedRowEnd, source, next);
}

// Copies up to a byte, or the end of the line, and says where what follows begins.
function copyUntil(stop: number, writer: ByteWriter, source: Uint8Array, position: number): number {
  const { target } = writer;
  let { end } = writer;
  let from = position;
  for (let byte = source[from] as number; byte !== stop && byte !== lineFeed; byte = source[from] as number) {
    target[end] = byte;
    end += 1;
    from += 1;
  }
  writer.end = end;
  return from + 1;
}

function skipLines(source: Uint8Array, position: number, count: number): number {
  let from = position;
  for (let left = count; left > 0; from += 1) if (source[from] === lineFeed) left -= 1;
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
