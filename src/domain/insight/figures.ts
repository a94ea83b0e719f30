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
    addMoments(figures, moments, micros, 1);
    if (pair >= 0 && satisfied !== null) addPair(figures, pair, micros, satisfied, 1);
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
  for (const question of layout.questions) figures[placeOf(question, row, figures, sign)]! += sign;
  const [time, another] = row.parameter('completionTimeInMs');
  const bin = another === undefined ? completionBin(time) : -1;
  if (bin >= 0) figures[layout.completion + bin]! += sign;
  const { rating, topic } = layout.survey;
  if (layout.topics < 0 || rating === null || topic === null) return;
  const stars = row.chosen[rating.index]!;
  const about = row.chosen[topic.index]!;
  if (stars >= 0 && about >= 0) figures[layout.topics + about * rating.answers.length + stars]! += sign;
}

/** The figure that a row counts in, of all that one question has; a check box counts in those of its answers too. */
function placeOf(
  { question: { form, index }, unanswered, notAsked, answers, answered }: QuestionLayout,
  row: GivenRow,
  figures: Float64Array,
  sign: 1 | -1,
): number {
  if (!row.isAsked[index]) return notAsked;
  if (form === 'single') {
    const chosen = row.chosen[index]!;
    return chosen < 0 ? unanswered : answers + chosen;
  }
  if (form === 'open') return row.texts[index] === undefined ? unanswered : answers;
  const several = row.several[index];
  if (several === undefined) return unanswered;
  for (const answer of several) if (answer >= 0) figures[answers + answer]! += sign;
  return answered;
}

// ---- as text

const runMark = '*';

/** Numbers in base 36, separated by blanks; a run of zeros is its length behind a mark, and those at the end are left out. */
export function packFigures(figures: Float64Array): string {
  const parts: string[] = [];
  let zeros = 0;
  for (const figure of figures) {
    if (figure === 0) {
      zeros += 1;
      continue;
    }
    if (zeros > 0) parts.push(zeros === 1 ? '0' : `${runMark}${zeros.toString(36)}`);
    zeros = 0;
    parts.push(figure.toString(36));
  }
  return parts.join(' ');
}

/** Adds figures that were packed to others of the same version. */
export function addPacked(figures: Float64Array, packed: string): void {
  let at = 0;
  for (const part of packed === '' ? [] : packed.split(' ')) {
    if (part.startsWith(runMark)) at += Number.parseInt(part.slice(1), 36);
    else figures[at++]! += Number.parseInt(part, 36);
  }
  if (at > figures.length) throw new Error('Figures were packed for another version.');
}
