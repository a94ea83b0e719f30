// What a kept row says, read by the version that explains it: the answers of every question, which questions were asked, and the
// passed parameters that came with it. It is the way back from row-values.ts, for figures; pages and exports have ways of their own.
//
// One reader reads many rows, one after the other, into the same arrays: millions of rows are read, and each is looked at once.

import { firstCode, namedCode } from '../feedback/row-values.ts';
import { standardFields } from '../feedback/standard-fields.ts';
import { type PreparedSurvey, settleVisibility } from '../feedback/survey.ts';

const headLines = 5;
const noLines: readonly string[] = [];

export class GivenRow {
  readonly survey: PreparedSurvey;
  /** The scores of a measure, or the members of a project entry. An erased row has it too (D-48). */
  head = '';
  isErased = true;
  /** By the index of the question: the answer of one that takes one, -1 for none. */
  readonly chosen: number[];
  /** By the index of the question: the answers of a check box. */
  readonly several: (readonly number[] | undefined)[];
  /** By the index of the question: open text. */
  readonly texts: (string | undefined)[];
  /** By the index of the question; after `settle` alone. */
  readonly isAsked: boolean[];
  readonly #answersOfShown: readonly (ReadonlyMap<string, number> | null)[];
  #lines: readonly string[] = noLines;
  #firstParameter = 0;

  constructor(survey: PreparedSurvey) {
    this.survey = survey;
    const count = survey.questions.length;
    this.chosen = new Array(count).fill(-1);
    this.several = new Array(count).fill(undefined);
    this.texts = new Array(count).fill(undefined);
    this.isAsked = new Array(count).fill(true);
    this.#answersOfShown = survey.questions.map(({ form, shown }) =>
      form === 'multiple' ? firstPlaces(shown.map((text) => JSON.parse(text) as string)) : null,
    );
  }

  /** Reads another row in the place of the last one. */
  read(values: string): void {
    const { survey, chosen } = this;
    const headEnd = values.indexOf('\n');
    this.isErased = headEnd < 0;
    this.head = headEnd < 0 ? values : values.slice(0, headEnd);
    this.#lines = noLines;
    const { singles, pieces } = survey;
    for (let place = 0; place < singles.length; place += 1)
      chosen[singles[place]!.index] =
        headEnd < 0 ? -1 : values.charCodeAt(headEnd + 1 + place) - firstCode - 1;
    for (const { index } of pieces) {
      this.several[index] = undefined;
      this.texts[index] = undefined;
    }
    if (headEnd < 0) return;
    this.#lines = values.split('\n');
    const answered = this.#lines[2]!;
    for (let at = 0; at < answered.length; at += 1)
      this.#readPiece(answered.charCodeAt(at) - firstCode, this.#lines[headLines + at]!);
    this.#firstParameter = headLines + answered.length;
  }

  #readPiece(place: number, piece: string): void {
    const { form, index } = this.survey.pieces[place]!;
    if (form === 'open') {
      this.texts[index] = JSON.parse(piece) as string;
      return;
    }
    const answers = this.#answersOfShown[index]!;
    // An answer is shown by its value; of two with the same one the first counts, as when it was sent.
    this.several[index] = (JSON.parse(`[${piece}]`) as string[]).map((shown) => answers.get(shown) ?? -1);
  }

  /** Works out which questions were asked; only surveys with rules need it. */
  settle(): void {
    const { survey, isAsked } = this;
    if (survey.conditional.length === 0) return;
    settleVisibility(survey, this.chosen, this.several, this.texts, isAsked);
  }

  /** The values of a passed parameter that came with the response, none where it was not sent. */
  parameter(name: string): readonly string[] {
    const piece = this.#piece(name);
    return piece === undefined ? noLines : (JSON.parse(`[${piece}]`) as string[]);
  }

  #piece(name: string): string | undefined {
    const lines = this.#lines;
    if (lines.length < headLines) return undefined;
    const declared = lines[3]!;
    const place = this.survey.customParameters.get(name);
    if (place !== undefined) {
      const at = declared.indexOf(String.fromCharCode(firstCode + place));
      return at < 0 ? undefined : lines[this.#firstParameter + at];
    }
    const others = lines[4]!;
    let next = this.#firstParameter + declared.length;
    for (let at = 0; at < others.length; at += 1) {
      const code = others.charCodeAt(at);
      if (code !== namedCode) {
        if (standardFields[code - firstCode]!.name === name) return lines[next];
        next += 1;
        continue;
      }
      if (JSON.parse(lines[next]!) === name) return lines[next + 1];
      next += 2;
    }
    return undefined;
  }
}

function firstPlaces(texts: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  texts.forEach((text, place) => {
    if (!places.has(text)) places.set(text, place);
  });
  return places;
}
