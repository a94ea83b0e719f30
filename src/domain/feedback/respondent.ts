// What callers see of a response: a Respondent (D-36) or a ProjectEntry (D-39), as JSON text. The half that all
// responses of a version share is prepared once; the other half is the row's values (row-values.ts). Reading is
// joining the two, so nothing is parsed, and what a toggle excludes is simply not joined.
//
// The joining is done in bytes: a page has thousands of pieces, and as strings they would be copied three times
// (joined, flattened, encoded) before they are sent. Measured on a page of 762 KB: 1.3 ms as strings.

import type { ByteSpan, ByteWriter } from '../byte-writer.ts';
import { momentBytes, writeMoment } from '../moment-text.ts';
import type { Parameter, SurveyDefinition } from './definition.ts';
import { firstCode, namedCode, qualityCode } from './row-values.ts';
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

/** The values of a row as text. */
export function valuesText(values: ShownRow['values']): string {
  return typeof values === 'string' ? values : values.source.toString('utf8', values.begin, values.end);
}

/**
 * What a caller of measure data may leave out. They are obeyed here, for each respondent; `excludeLatentScores` is also
 * obeyed in http/feedback/measures.ts, which leaves the scores out of the summary of the page.
 */
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
const longPiece = 16;
const longValues = 65_536;
const letterN = 110;
const colon = 58;
const headLines = 5;
const dateBytes = 10;
// The most that stands around the four names and the answer of an undeclared parameter.
const namedEntryBytes = 128;
// A row that may become larger than this is given its room piece by piece.
const roomAtOnceBytes = 256 * 1024;
const idBegin = encode('{"id":');
const timeBegin = encode(',"responseTime":"');
const dateBegin = encode('","experienceDate":"');
const scoresBegin = encode(',"latentScores"');
const scoresNone = encode(':[]');
const responsesBegin = encode(',"responses":');
const erased = encode(',"erased":true');
const qualityBegin = encode(',"quality":{"suspect":[');
const qualityEnd = encode(']}');
const namedEntryParts = [',{"id":', ',"name":', ',"phrase":', ',"type":"CPP","label":'].map(encode);
const namedEntryEnd = encode(',"responseType":"TEXT","answers":[');
const standardEntries = standardFields.map(({ name }) =>
  encode(entryBegin({ id: name, name, phrase: name, label: name }, 'CPP', 'TEXT')),
);

/**
 * The constant half of every response of one version. An entry is an entry of `responses`; it begins with the comma
 * that stands between entries.
 */
export interface VersionTexts {
  /** What stands behind the id of a response up to its entries, with room for the moment and the day. */
  readonly head: Uint8Array;
  /** Likewise up to its scores. */
  readonly headOfScores: Uint8Array;
  /** From the end of the score before it up to the score itself, by latent. */
  readonly scores: readonly Uint8Array[];
  /** The whole entry of a question that takes one answer, by place and then by answer; empty for no answer. */
  readonly choices: readonly (readonly Uint8Array[])[];
  /** How many of these questions are measured ones, which come first. */
  readonly measuredCount: number;
  /** Custom questions in order: the place of each among the choices, or among the pieces. */
  readonly custom: readonly {
    readonly isChoice: boolean;
    readonly place: number;
    readonly entry: Uint8Array;
  }[];
  /** Entries up to their answers. */
  readonly customParameters: readonly Uint8Array[];
  readonly externalParameters: readonly Uint8Array[];
  /** How many bytes the constant half of one response can have at most, undeclared parameters aside. */
  readonly maxBytes: number;
}

export function prepareTexts(definition: SurveyDefinition): VersionTexts {
  // Whether the source takes responses has no bearing on how they are shown.
  const survey = prepareSurvey(definition, { kind: 'measure', active: true });
  const scores = definition.latents.map(({ id, name, type }) =>
    encode(`},${JSON.stringify({ id, name, type }).slice(0, -1)},"score":`),
  );
  const choices = survey.singles.map((prepared) => [
    encode(''),
    ...prepared.shown.map((answer) => encode(`${questionEntry(prepared)}${answer}]}`)),
  ]);
  const custom = survey.questions
    .filter(({ isMeasured }) => !isMeasured)
    .map((prepared) => ({
      isChoice: prepared.form === 'single',
      place: prepared.place,
      entry: encode(questionEntry(prepared)),
    }));
  const parameterEntry = (type: 'CPP' | 'EPP') => (parameter: Parameter) =>
    encode(entryBegin(parameter, type, 'TEXT'));
  const customParameters = definition.parameters.custom.map(parameterEntry('CPP'));
  const externalParameters = definition.parameters.external.map(parameterEntry('EPP'));
  const measuredCount = survey.singles.filter(({ isMeasured }) => isMeasured).length;
  const modelInstance = encode(`","modelInstanceId":${JSON.stringify(definition.modelInstanceId)}`);
  const moment = new Uint8Array(momentBytes);
  const head = Buffer.concat([timeBegin, moment, dateBegin, moment.subarray(0, dateBytes), modelInstance]);
  const headOfScores = Buffer.concat([head, scoresBegin]);
  const longest = [
    headOfScores,
    ...scores,
    ...choices.map((entries) => entries.reduce((one, other) => (one.length > other.length ? one : other))),
    ...custom.map(({ entry }) => entry),
    ...customParameters,
    ...externalParameters,
    ...standardEntries,
  ];
  return {
    head,
    headOfScores,
    scores,
    choices,
    measuredCount,
    custom,
    customParameters,
    externalParameters,
    maxBytes: longest.reduce((sum, { length }) => sum + length + 2, 1024),
  };
}

/**
 * Reads rows, one at a time, and writes them as JSON. A row may be too large to be held in memory as a whole (its
 * parameters were not always bounded), so writing it may stop in between and go on once what was written has left.
 */
export class RowCursor {
  /** Where texts become bytes. */
  #scratch = Buffer.allocUnsafeSlow(4_096);
  /** The bytes of the row, and where they end. */
  #source: Buffer = this.#scratch;
  #sourceEnd = 0;
  /** Lines 1 to 4 with their line feeds, a number for each character. */
  #codes = new Uint16Array(512);
  #codesEnd = 0;
  /** Where lines 2 and 3 begin among the codes; line 1 begins at 0. */
  #answered = 0;
  #declared = 0;
  #namedCount = 0;
  /** Where the pieces begin among the bytes. */
  #pieces = 0;
  /** Every row that was not erased has several lines (D-48). */
  #isErased = false;
  /** Where the piece of what speaks against the response lies; both 0 where nothing does. */
  #suspectBegin = 0;
  #suspectEnd = 0;

  // What is left to write of a row whose writing stopped: which parameter is next, and where its piece begins.
  #texts: VersionTexts | null = null;
  #external: readonly string[] = noExternal;
  #place = 0;
  /** Whether that is a declared parameter, of line 3, or an undeclared one, of line 4. */
  #isDeclared = true;
  #position = 0;
  #nextExternal = 0;
  /** Whether the bracket of the list of entries is written. */
  #isOpened = false;
  /** Whether room for all of the row was made at the start. */
  #hasRoom = true;

  /** Writes a response of a measure; true when all of it is written, else `goOn` writes more. */
  writeRespondent(
    writer: ByteWriter,
    texts: VersionTexts,
    row: ShownRow,
    toggles: RespondentToggles,
    stopAt = Number.POSITIVE_INFINITY,
  ): boolean {
    // The summary of the page leaves them out too, in http/feedback/measures.ts.
    const hasScores = !toggles.excludeLatentScores;
    const begin = this.#beginItem(writer, texts, row, hasScores ? texts.headOfScores : texts.head);
    this.#readCodesBehind(begin, hasScores ? this.#writeScores(writer, texts, begin) : begin);
    if (toggles.excludeResponseDetails) {
      this.#endItem(writer);
      return true;
    }
    return this.#writeEntries(writer, texts, row, toggles, stopAt);
  }

  /** Writes a response of a project likewise. */
  writeProjectEntry(
    writer: ByteWriter,
    texts: VersionTexts,
    row: ShownRow,
    stopAt = Number.POSITIVE_INFINITY,
  ): boolean {
    const begin = this.#beginItem(writer, texts, row, texts.head);
    writer.byte(comma);
    this.#readCodesBehind(begin, this.#copyLine(writer, begin));
    return this.#writeEntries(writer, texts, row, excludeNothing, stopAt);
  }

  // Begins an item, makes room for what is written up to its entries, takes its values to hand, and says where they begin.
  #beginItem(writer: ByteWriter, texts: VersionTexts, row: ShownRow, head: Uint8Array): number {
    const { responseId, submittedAtMs, values } = row;
    const begin = this.#takeValues(values);
    writer.reserve(texts.maxBytes + this.#sourceEnd - begin);
    writer.putShort(idBegin);
    writeQuoted(writer, responseId);
    const { target, end } = writer;
    target.set(head, end);
    writer.end = end + head.length;
    const momentAt = end + timeBegin.length;
    const dateAt = momentAt + momentBytes + dateBegin.length;
    writeMoment(target, momentAt, submittedAtMs);
    for (let index = 0; index < dateBytes; index += 1)
      target[dateAt + index] = target[momentAt + index] as number;
    return begin;
  }

  #endItem(writer: ByteWriter): void {
    if (this.#suspectEnd > 0) this.#writeQuality(writer);
    if (this.#isErased) writer.put(erased);
    writer.byte(closingBrace);
  }

  // So few rows have it that room is made only here.
  #writeQuality(writer: ByteWriter): void {
    writer.bytes(qualityBegin);
    writer.bytes(this.#source.subarray(this.#suspectBegin, this.#suspectEnd));
    writer.bytes(qualityEnd);
  }

  // A latent without a score is left out (D-33). The text of a score begins with the end of the score before it; for the
  // first score this becomes the beginning of the list. Returns where the rest of the values begins.
  #writeScores(writer: ByteWriter, texts: VersionTexts, firstPosition: number): number {
    const { target, end: begin } = writer;
    const source = this.#source;
    const sourceEnd = this.#sourceEnd;
    let position = firstPosition;
    let end = begin;
    for (const score of texts.scores) {
      if (source[position] === letterN && position < sourceEnd) {
        position += nullBytes;
        continue;
      }
      target.set(score, end);
      end += score.length;
      while (position < sourceEnd) {
        const byte = source[position] as number;
        position += 1;
        if (byte === comma || byte === lineFeed) break;
        target[end] = byte;
        end += 1;
      }
    }
    if (end === begin) {
      writer.putShort(scoresNone);
      return position;
    }
    target[begin] = colon;
    target[begin + 1] = openingBracket;
    target[end] = closingBrace;
    target[end + 1] = closingBracket;
    writer.end = end + 2;
    return position;
  }

  // ---- The row in hand

  #takeValues(values: string | ByteSpan): number {
    const begin = this.#takeBytes(values);
    this.#suspectEnd = 0;
    if (this.#sourceEnd > begin && this.#source[this.#sourceEnd - 1] === qualityCode) this.#cutQuality();
    return begin;
  }

  // The rest is read as if this line were not there.
  #cutQuality(): void {
    const end = this.#sourceEnd - 1;
    const before = this.#source.lastIndexOf(lineFeed, end);
    this.#suspectBegin = before + 1;
    this.#suspectEnd = end;
    this.#sourceEnd = before;
  }

  #takeBytes(values: string | ByteSpan): number {
    if (typeof values === 'string') {
      const isLong = values.length > longValues;
      const needed = isLong ? Buffer.byteLength(values) : values.length * 3;
      // What one long row needed is not kept for the short ones behind it.
      if (this.#scratch.length < needed || (!isLong && this.#scratch.length > longValues * 4))
        this.#scratch = Buffer.allocUnsafeSlow(needed + 4_096);
      this.#source = this.#scratch;
      this.#sourceEnd = this.#scratch.write(values, 0, 'utf8');
      return 0;
    }
    this.#source = values.source;
    this.#sourceEnd = values.end;
    return values.begin;
  }

  // Of line 0, which begins the values, all was read up to a position, or all of it with its line feed.
  #readCodesBehind(begin: number, positionRead: number): void {
    const end = this.#sourceEnd;
    const bytes = this.#source;
    let numbers = this.#codes;
    let position = positionRead;
    const isBehindLine = position > begin && position <= end && bytes[position - 1] === lineFeed;
    if (!isBehindLine) position = this.#endOfLine(Math.min(position, end)) + 1;
    this.#isErased = position > end;
    let count = 0;
    let named = 0;
    for (let line = 1; line < headLines && position < end; position += 1) {
      let code = bytes[position] as number;
      if (code === lineFeed) {
        line += 1;
        if (line === 2) this.#answered = count + 1;
        else if (line === 3) this.#declared = count + 1;
      } else if (code === namedCode) named += 1;
      else if (code >= 0b1110_0000) {
        code =
          ((code & 0b1111) << 12) | (continued(bytes, position + 1) << 6) | continued(bytes, position + 2);
        position += 2;
      } else if (code >= 0b1100_0000) {
        code = ((code & 0b1_1111) << 6) | continued(bytes, position + 1);
        position += 1;
      }
      if (count === numbers.length) {
        const larger = new Uint16Array(count * 2);
        larger.set(numbers);
        this.#codes = larger;
        numbers = larger;
      }
      numbers[count] = code;
      count += 1;
    }
    this.#codesEnd = count;
    this.#namedCount = named;
    this.#pieces = position;
  }

  // The number at a place among the codes.
  #numberAt(place: number): number {
    return (this.#codes[place] as number) - firstCode;
  }

  // ---- Its entries

  #makeRoom(writer: ByteWriter, texts: VersionTexts, external: string | null): void {
    const length = this.#sourceEnd - this.#pieces;
    // A name of an undeclared parameter is written four times.
    const room =
      texts.maxBytes + length * 4 + this.#namedCount * namedEntryBytes + (external?.length ?? 0) * 3;
    this.#hasRoom = room <= roomAtOnceBytes;
    writer.reserve(this.#hasRoom ? room : texts.maxBytes);
  }

  // In the order MQ, CQ, CPP, EPP (D-36).
  #writeEntries(
    writer: ByteWriter,
    texts: VersionTexts,
    { external }: ShownRow,
    toggles: RespondentToggles,
    stopAt: number,
  ): boolean {
    this.#makeRoom(writer, texts, external);
    writer.putShort(responsesBegin);
    const begin = writer.end;
    this.#isOpened = false;
    this.#texts = texts;
    this.#external = noExternal;
    this.#nextExternal = 0;
    this.#isDeclared = true;
    // Nothing but scores is left of an erased response (D-48).
    this.#place = this.#codesEnd;
    if (!this.#isErased) {
      if (!toggles.excludeMQ) this.#writeMeasured(writer, texts);
      const position = toggles.excludeCQ
        ? this.#skipLines(this.#pieces, this.#declared - 1 - this.#answered)
        : this.#writeCustom(writer, texts, this.#pieces);
      if (!toggles.excludePassedParams) {
        this.#place = this.#declared;
        this.#position = position;
        if (external !== null) this.#external = external.split('\n');
      }
    }
    this.#open(writer, begin);
    return this.goOn(writer, stopAt);
  }

  /** Writes on where the writing of a row stopped, at least one parameter; true when all of the row is written. */
  goOn(writer: ByteWriter, stopAt = Number.POSITIVE_INFINITY): boolean {
    const begin = writer.end;
    const isWhole = this.#writeParameters(writer, this.#texts as VersionTexts, stopAt);
    this.#open(writer, begin);
    if (!isWhole) {
      // The writing may go on in another buffer, where no room was made.
      this.#hasRoom = false;
      return false;
    }
    if (!this.#isOpened) writer.byte(openingBracket);
    writer.byte(closingBracket);
    this.#endItem(writer);
    this.#texts = null;
    return true;
  }

  // Every entry brings its comma, and the comma of the first entry becomes the bracket.
  #open(writer: ByteWriter, begin: number): void {
    if (this.#isOpened || writer.end === begin) return;
    writer.target[begin] = openingBracket;
    this.#isOpened = true;
  }

  // Measured questions are most of the entries, so this loop looks nothing up twice.
  #writeMeasured(writer: ByteWriter, { choices, measuredCount }: VersionTexts): void {
    const codes = this.#codes;
    const { target } = writer;
    let { end } = writer;
    for (let place = 0; place < measuredCount; place += 1) {
      const entries = choices[place] as readonly Uint8Array[];
      const entry = entries[(codes[place] as number) - firstCode] as Uint8Array;
      target.set(entry, end);
      end += entry.length;
    }
    writer.end = end;
  }

  #choiceEntry(texts: VersionTexts, place: number): Uint8Array {
    return (texts.choices[place] as readonly Uint8Array[])[this.#numberAt(place)] as Uint8Array;
  }

  #writeCustom(writer: ByteWriter, texts: VersionTexts, firstPosition: number): number {
    let position = firstPosition;
    let next = this.#answered;
    for (const { isChoice, place, entry } of texts.custom) {
      if (isChoice) writer.put(this.#choiceEntry(texts, place));
      else if (this.#numberAt(next) === place) {
        next += 1;
        position = this.#writeEntry(writer, entry, position);
      }
    }
    return position;
  }

  #writeParameters(writer: ByteWriter, texts: VersionTexts, stopAt: number): boolean {
    const codes = this.#codes;
    const end = this.#codesEnd;
    let place = this.#place;
    let position = this.#position;
    let isWhole = true;
    let isDeclared = this.#isDeclared;
    while (place < end) {
      const code = codes[place] as number;
      place += 1;
      if (code === lineFeed) {
        if (!isDeclared) {
          place = end;
          break;
        }
        isDeclared = false;
        continue;
      }
      if (isDeclared)
        position = this.#writeEntry(writer, texts.customParameters[code - firstCode] as Uint8Array, position);
      else if (code === namedCode) position = this.#writeNamedEntry(writer, position);
      else position = this.#writeEntry(writer, standardEntries[code - firstCode] as Uint8Array, position);
      if (writer.end >= stopAt) {
        isWhole = false;
        break;
      }
    }
    this.#place = place;
    this.#position = position;
    this.#isDeclared = isDeclared;
    if (!isWhole) return false;
    const external = this.#external;
    while (this.#nextExternal < external.length) {
      const value = external[this.#nextExternal] as string;
      const entry = texts.externalParameters[this.#nextExternal];
      this.#nextExternal += 1;
      if (value === '' || entry === undefined) continue;
      writer.reserve(entry.length + 2);
      writer.put(entry);
      writer.text(value);
      writer.byte(closingBracket);
      writer.byte(closingBrace);
      if (writer.end >= stopAt) return false;
    }
    return true;
  }

  #writeEntry(writer: ByteWriter, entry: Uint8Array, position: number): number {
    if (!this.#hasRoom) writer.reserve(entry.length + this.#endOfLine(position) - position + 2);
    writer.put(entry);
    const next = this.#copyLine(writer, position);
    const { target, end } = writer;
    target[end] = closingBracket;
    target[end + 1] = closingBrace;
    writer.end = end + 2;
    return next;
  }

  // A parameter that the definition does not declare has its name as id, phrase and label (D-36).
  #writeNamedEntry(writer: ByteWriter, position: number): number {
    const nameEnd = this.#endOfLine(position);
    const known = namedEntries.find(this.#source, position, nameEnd);
    if (known !== null) return this.#writeEntry(writer, known, nameEnd + 1);
    if (!this.#hasRoom) writer.reserve((nameEnd - position) * 4 + namedEntryBytes);
    for (const part of namedEntryParts) {
      writer.put(part);
      this.#copyLine(writer, position);
    }
    return this.#writeEntry(writer, namedEntryEnd, nameEnd + 1);
  }

  // Copies up to the end of the line, and says where what follows begins.
  #copyLine(writer: ByteWriter, position: number): number {
    const { target } = writer;
    const bytes = this.#source;
    const sourceEnd = this.#sourceEnd;
    const nearEnd = Math.min(position + longPiece, sourceEnd);
    let { end } = writer;
    let from = position;
    while (from < nearEnd) {
      const byte = bytes[from] as number;
      if (byte === lineFeed) {
        writer.end = end;
        return from + 1;
      }
      target[end] = byte;
      end += 1;
      from += 1;
    }
    // All of the rest in one call: beyond so many bytes that is shorter than going on one by one.
    const to = this.#endOfFarLine(from);
    writer.end = end + (to > from ? bytes.copy(target, end, from, to) : 0);
    return to + 1;
  }

  #endOfLine(position: number): number {
    const end = this.#sourceEnd;
    const bytes = this.#source;
    const nearEnd = Math.min(position + longPiece, end);
    for (let near = position; near < nearEnd; near += 1) if (bytes[near] === lineFeed) return near;
    return this.#endOfFarLine(nearEnd);
  }

  #endOfFarLine(position: number): number {
    const end = this.#sourceEnd;
    const found = position < end ? this.#source.indexOf(lineFeed, position) : -1;
    return found < 0 || found > end ? end : found;
  }

  // Where the line behind so many others begins, or the end.
  #skipLines(position: number, count: number): number {
    let from = position;
    for (let left = count; left > 0 && from < this.#sourceEnd; left -= 1) from = this.#endOfLine(from) + 1;
    return from;
  }
}

/**
 * The entries of undeclared parameters up to their answers, by name: callers send the same few names over and over. The
 * hash of a name gives its place, and the last name that came to a place has it, so that the memory is bounded.
 */
class NamedEntries {
  readonly #names: (Buffer | undefined)[] = new Array(namedPlaces).fill(undefined);
  readonly #entries: (Uint8Array | undefined)[] = new Array(namedPlaces).fill(undefined);

  /** For a name with its quotes; null for a name that is too long to be remembered. */
  find(source: Buffer, begin: number, end: number): Uint8Array | null {
    const length = end - begin;
    if (length > namedBytesMax) return null;
    let hash = length;
    for (let position = begin; position < end; position += 1)
      hash = (Math.imul(hash, 31) + (source[position] as number)) | 0;
    const place = (hash ^ (hash >>> 15)) & (namedPlaces - 1);
    const known = this.#names[place];
    if (known !== undefined && known.length === length && isSame(known, source, begin))
      return this.#entries[place] as Uint8Array;
    const name = Buffer.from(source.subarray(begin, end));
    const entry = Buffer.concat([...namedEntryParts.flatMap((part) => [part, name]), namedEntryEnd]);
    this.#names[place] = name;
    this.#entries[place] = entry;
    return entry;
  }
}

function isSame(name: Buffer, source: Buffer, begin: number): boolean {
  for (let index = 0; index < name.length; index += 1)
    if (name[index] !== source[begin + index]) return false;
  return true;
}

const namedPlaces = 1024;
const namedBytesMax = 64;
const namedEntries = new NamedEntries();
const noExternal: readonly string[] = [];
// With the comma behind it, or the end of the line.
const nullBytes = 5;

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

// What a byte adds to the character that it belongs to, in UTF-8.
function continued(bytes: Buffer, position: number): number {
  return (bytes[position] as number) & 0b11_1111;
}

function questionEntry({ question, isMeasured }: PreparedQuestion): string {
  const responseType = 'responseType' in question ? question.responseType : 'MEASURED_QUESTION';
  return entryBegin(question, isMeasured ? 'MQ' : 'CQ', responseType);
}

function entryBegin(
  { id, name, phrase, label }: Pick<Parameter, 'id' | 'name' | 'phrase' | 'label'>,
  type: 'MQ' | 'CQ' | 'CPP' | 'EPP',
  responseType: string,
): string {
  return `,${JSON.stringify({ id, name, phrase, type, label, responseType }).slice(0, -1)},"answers":[`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
