// The figures of one day and version: what its responses add up to (layout.ts says where each stands), and the text in which they
// are kept. Adding and taking away a response are the same work with another sign, so an erased response leaves no trace of what it
// answered; its scores stay, as they do in the summary of the interface (D-48).

import { completionBin } from './completion-times.ts';
import type { GivenRow } from './given-answers.ts';
import { type FigureLayout, fullPlace, type QuestionLayout, responsesPlace } from './layout.ts';
import { addMoments, addPair } from './moments.ts';
import { readMicros } from './score-text.ts';

export function newFigures({ length }: FigureLayout): Float64Array {
  return new Float64Array(length);
}

/** Adds a row that was read, erased or not. */
export function addRow(layout: FigureLayout, figures: Float64Array, row: GivenRow): void {
  figures[responsesPlace]! += 1;
  if (layout.survey.source.kind === 'measure') addScores(layout, figures, row.head);
  if (!row.isErased) changeAnswers(layout, figures, row, 1);
}

/** Takes away what an erasure takes: the row is read as it was before. */
export function takeAnswers(layout: FigureLayout, figures: Float64Array, row: GivenRow): void {
  if (!row.isErased) changeAnswers(layout, figures, row, -1);
}

const scratch: (number | null)[] = [];

function addScores({ latents, satisfaction }: FigureLayout, figures: Float64Array, head: string): void {
  if (latents.length === 0) return;
  const scores = readScores(head, latents.length);
  const satisfied = satisfaction < 0 ? null : scores[satisfaction]!;
  for (let index = 0; index < latents.length; index += 1) {
    const micros = scores[index]!;
    if (micros === null) continue;
    const { moments, pair } = latents[index]!;
    addMoments(figures, moments, micros);
    if (pair >= 0 && satisfied !== null) addPair(figures, pair, micros, satisfied);
  }
}

/**
 * The micro-scores of a row, in the order of the latents; the list is used again for the next row. They stand at the beginning of a
 * text that may go on.
 */
export function readScores(text: string, count: number, headEnd = text.length): readonly (number | null)[] {
  let begin = 0;
  for (let index = 0; index < count; index += 1) {
    const comma = index === count - 1 ? -1 : text.indexOf(',', begin);
    const end = comma < 0 || comma > headEnd ? headEnd : comma;
    scratch[index] = readMicros(text, begin, end);
    begin = Math.min(end + 1, headEnd);
  }
  return scratch;
}

function changeAnswers(layout: FigureLayout, figures: Float64Array, row: GivenRow, sign: 1 | -1): void {
  figures[fullPlace]! += sign;
  row.settle();
  const { chosen, isAsked } = row;
  const { singles, others } = layout;
  for (let at = 0; at < singles.length; at += 1) {
    const { index, unanswered, notAsked, answers } = singles[at]!;
    const answer = chosen[index]!;
    const place = !isAsked[index] ? notAsked : answer < 0 ? unanswered : answers + answer;
    figures[place]! += sign;
  }
  for (let at = 0; at < others.length; at += 1) figures[placeOf(others[at]!, row, figures, sign)]! += sign;
  const bin = completionBin(row.parameterPiece('completionTimeInMs'));
  if (bin >= 0) figures[layout.completion + bin]! += sign;
  const { rating, topic } = layout.survey;
  if (layout.topics < 0 || rating === null || topic === null) return;
  const stars = chosen[rating.index]!;
  const about = chosen[topic.index]!;
  if (stars >= 0 && about >= 0) figures[layout.topics + about * rating.answers.length + stars]! += sign;
}

/** The figure that a row counts in, of all that an open question or a check box has; the latter counts in those of its answers too. */
function placeOf(
  { question: { form, index }, unanswered, notAsked, answers, answered }: QuestionLayout,
  row: GivenRow,
  figures: Float64Array,
  sign: 1 | -1,
): number {
  if (!row.isAsked[index]) return notAsked;
  if (form === 'open') return row.texts[index] === undefined ? unanswered : answers;
  const several = row.several[index];
  if (several === undefined) return unanswered;
  for (const answer of several) if (answer >= 0) figures[answers + answer]! += sign;
  return answered;
}

// ---- as text

const blank = 32;
const zero = 48;
const runMark = 42;
const minus = 45;
const radix = 36;
const smallA = 97;
/** A number below 2^53 has eleven digits, beside a sign and a blank. */
const bytesOfNumber = 13;
let packing = new Uint8Array(16_384);
/** As many characters as are made of codes at once. */
const codesAtOnce = 8_192;

/** Numbers in base 36, separated by blanks; a run of zeros is its length behind a mark, and those at the end are left out. */
export function packFigures(figures: Float64Array): string {
  if (packing.length < figures.length * bytesOfNumber)
    packing = new Uint8Array(figures.length * bytesOfNumber);
  let length = 0;
  let zeros = 0;
  for (let at = 0; at < figures.length; at += 1) {
    const figure = figures[at]!;
    if (figure === 0) {
      zeros += 1;
      continue;
    }
    if (zeros > 0) {
      if (length > 0) packing[length++] = blank;
      if (zeros > 1) packing[length++] = runMark;
      length = packNumber(zeros === 1 ? 0 : zeros, length);
      zeros = 0;
    }
    if (length > 0) packing[length++] = blank;
    if (figure < 0) packing[length++] = minus;
    length = packNumber(Math.abs(figure), length);
  }
  let packed = '';
  for (let at = 0; at < length; at += codesAtOnce)
    packed += String.fromCharCode.apply(
      null,
      packing.subarray(at, Math.min(length, at + codesAtOnce)) as unknown as number[],
    );
  return packed;
}

function packNumber(number: number, at: number): number {
  let digits = 1;
  for (let rest = number; rest >= radix; rest = Math.floor(rest / radix)) digits += 1;
  let rest = number;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const next = Math.floor(rest / radix);
    const digit = rest - next * radix;
    packing[place] = digit < 10 ? zero + digit : smallA + digit - 10;
    rest = next;
  }
  return at + digits;
}

/** Adds figures that were packed to others of the same version. */
export function addPacked(figures: Float64Array, packed: string): void {
  if (packed === '') return;
  let place = 0;
  let number = 0;
  let sign = 1;
  let isRun = false;
  for (let at = 0; at <= packed.length; at += 1) {
    const code = at === packed.length ? blank : packed.charCodeAt(at);
    if (code >= smallA) number = number * radix + (code - smallA + 10);
    else if (code >= zero) number = number * radix + (code - zero);
    else if (code === runMark) isRun = true;
    else if (code === minus) sign = -1;
    else {
      if (isRun) place += number;
      else if (place < figures.length) figures[place++]! += sign * number;
      else place += 1;
      number = 0;
      sign = 1;
      isRun = false;
    }
  }
  if (place > figures.length) throw new Error('Figures were packed for another version.');
}
