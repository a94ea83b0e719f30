// A kept row of which little is looked at: a scan asks one or two things of each of very many rows, so nothing is cut or parsed that
// nobody asks for (given-answers.ts reads a row whole). The lines are those of row-values.ts.
//
// One of them is used for many rows, one after the other.

import { firstCode, namedCode } from '../feedback/row-values.ts';
import { standardSlots } from '../feedback/standard-fields.ts';
import type { PreparedQuestion, PreparedSurvey } from '../feedback/survey.ts';

const lineFeed = '\n';

/** Where a passed parameter stands in the rows of a version. */
export type ParameterPlace =
  | { readonly in: 'declared' | 'standard'; readonly code: number }
  | { readonly in: 'named'; readonly piece: string };

export function parameterPlace({ customParameters }: PreparedSurvey, name: string): ParameterPlace {
  const declared = customParameters.get(name);
  if (declared !== undefined) return { in: 'declared', code: firstCode + declared };
  const standard = standardSlots.get(name);
  if (standard !== undefined) return { in: 'standard', code: firstCode + standard };
  return { in: 'named', piece: JSON.stringify(name) };
}

export class RowText {
  /** The row as it is kept, and the external parameters beside it. */
  values = '';
  external: string | null = null;
  day = 0;
  /** Where the first line ends; -1 of an erased row, which has no other (D-48). */
  headEnd = -1;
  /** How many questions of the version take one answer: as many characters has the second line. */
  #singles = 0;
  // The ends of the three lines behind it, found when one of them is asked for.
  #answeredEnd = -1;
  #declaredEnd = -1;
  #othersEnd = -1;

  /** Takes another row in the place of the last one. */
  take(survey: PreparedSurvey, day: number, values: string, external: string | null): void {
    this.values = values;
    this.external = external;
    this.day = day;
    this.headEnd = values.indexOf(lineFeed);
    this.#singles = survey.singles.length;
    this.#answeredEnd = -1;
  }

  get isErased(): boolean {
    return this.headEnd < 0;
  }

  get head(): string {
    return this.headEnd < 0 ? this.values : this.values.slice(0, this.headEnd);
  }

  /** The answer of a question that takes one, -1 for none. Not of an erased row. */
  chosen({ place }: PreparedQuestion): number {
    return this.values.charCodeAt(this.headEnd + 1 + place) - firstCode - 1;
  }

  /** What was said to an open question or a check box: the inside of a JSON array of texts, or null. Not of an erased row. */
  answerPiece({ place }: PreparedQuestion): string | null {
    this.#findLines();
    const begin = this.headEnd + 2 + this.#singles;
    for (let at = begin; at < this.#answeredEnd; at += 1)
      if (this.values.charCodeAt(at) === firstCode + place) return this.#line(at - begin);
    return null;
  }

  /** The values of a passed parameter, as the inside of a JSON array of texts, or null. Not of an erased row. */
  parameterPiece(place: ParameterPlace): string | null {
    this.#findLines();
    const answered = this.#answeredEnd - (this.headEnd + 2 + this.#singles);
    const declaredBegin = this.#answeredEnd + 1;
    if (place.in === 'declared') {
      for (let at = declaredBegin; at < this.#declaredEnd; at += 1)
        if (this.values.charCodeAt(at) === place.code) return this.#line(answered + at - declaredBegin);
      return null;
    }
    let line = answered + this.#declaredEnd - declaredBegin;
    for (let at = this.#declaredEnd + 1; at < this.#othersEnd; at += 1) {
      const code = this.values.charCodeAt(at);
      if (code !== namedCode) {
        if (place.in === 'standard' && code === place.code) return this.#line(line);
        line += 1;
        continue;
      }
      if (place.in === 'named' && this.#line(line) === place.piece) return this.#line(line + 1);
      line += 2;
    }
    return null;
  }

  #findLines(): void {
    if (this.#answeredEnd >= 0) return;
    const { values } = this;
    this.#answeredEnd = values.indexOf(lineFeed, this.headEnd + 2 + this.#singles);
    this.#declaredEnd = values.indexOf(lineFeed, this.#answeredEnd + 1);
    const end = values.indexOf(lineFeed, this.#declaredEnd + 1);
    this.#othersEnd = end < 0 ? values.length : end;
  }

  /** One of the lines behind the fifth. */
  #line(index: number): string {
    const { values } = this;
    let begin = this.#othersEnd + 1;
    for (let skipped = 0; skipped < index; skipped += 1) begin = values.indexOf(lineFeed, begin) + 1;
    const end = values.indexOf(lineFeed, begin);
    return end < 0 ? values.slice(begin) : values.slice(begin, end);
  }
}

/** The texts of a piece. Nearly every piece is one text without escapes. */
export function textsOfPiece(piece: string): readonly string[] {
  const isPlain = piece.indexOf('"', 1) === piece.length - 1 && !piece.includes('\\');
  return isPlain ? [piece.slice(1, -1)] : (JSON.parse(`[${piece}]`) as string[]);
}
