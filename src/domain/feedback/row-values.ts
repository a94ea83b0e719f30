// The values of a row: all that a response has of its own, as one text that is cut and joined when it is read,
// never parsed. Its lines are separated by line feeds, which JSON text never contains unescaped.
//
//   line 0   measure: the latent scores, separated by commas; project: the members url, locale, rating, topic
//   line 1   choices: one character for each question that takes one answer
//   line 2   which open questions and check boxes are answered, one character each
//   line 3   which declared custom parameters were sent, one character each
//   line 4   which other parameters were sent: one character for a standard field, a blank for any other name
//   line 5.. the pieces that lines 2 to 4 announce, in their order; a blank has its name before its piece
//
// What speaks against a response stands in a line behind all of them, which ends with a mark (`withQuality`). Hardly any row
// has it, and the last byte says whether there is one; whoever does not know of it never reads that far.
//
// A piece is the inside of a JSON array of strings: `"Too slow"` or `"1","3"`. A character stands for a number:
// `codeOf`. Choices are kept as numbers of answers, because the whole entry of `responses` with that
// answer is a constant text of the version. An erased row has line 0 alone (D-48).

import type { Quality } from '../pages/quality.ts';

/** The character that stands for a small number: '0' for 0, and up from there. */
export function codeOf(number: number): number {
  return firstCode + number;
}

/** A choice: no answer is 0, the first answer 1. */
export function choiceCode(answer: number): number {
  return firstCode + 1 + answer;
}

export const firstCode = 48;
export const namedCode = 32;

/** Ends the line of what speaks against a response: nothing else that is kept ends in this character. */
export const qualityCode = 33;
const qualityMark = String.fromCharCode(qualityCode);

/** The values with what speaks against the response behind them. */
export function withQuality(values: string, quality: Quality | null): string {
  if (quality === null) return values;
  return `${values}\n${quality.suspect.map((suspicion) => `"${suspicion}"`).join(',')}${qualityMark}`;
}

/** The piece that says what speaks against the response; null where nothing does. */
export function suspectPiece(values: string): string | null {
  return values.endsWith(qualityMark) ? values.slice(values.lastIndexOf('\n') + 1, -1) : null;
}

/** The values of a response once it is erased: its scores stay, its answers and parameters go, and its quality (D-48). */
export function eraseValues(values: string, kind: 'measure' | 'project'): string {
  return kind === 'measure' ? headOf(values) : emptyProjectHead;
}

function headOf(values: string): string {
  const end = values.indexOf('\n');
  return end < 0 ? values : values.slice(0, end);
}

const emptyProjectHead = '"url":null,"locale":null,"rating":null,"topic":null';
