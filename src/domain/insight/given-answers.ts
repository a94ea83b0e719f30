// What a kept row says, read by the version that explains it: the answers of every question, which questions were asked, and the
// passed parameters that came with it. It is the way back from row-values.ts, for figures; pages and exports have ways of their own.
//
// One reader reads many rows, one after the other, into the same arrays: millions of rows are read, and each is looked at once.

import { firstCode, namedCode } from '../feedback/row-values.ts';
import { type PreparedSurvey, settleVisibility } from '../feedback/survey.ts';
import { type ParameterPlace, parameterPlace } from './row-text.ts';

const noValues: readonly string[] = [];
const lineFeed = '\n';
/** Few ways of ticking a question come again and again; so many of them are remembered. */
const waysMax = 1_000;

export class GivenRow {
  readonly survey: PreparedSurvey;
  /** The scores of a measure, or the members of a project entry. An erased row has it too (D-48). */
  head = '';
  isErased = true;
  /** By the index of the question: the answer of one that takes one, -1 for none. */
  readonly chosen: number[];
  /**
   * By the index of the question: the answers of a check box. A row has them as they are shown, so of two that are shown alike the
   * first counts.
   */
  readonly several: (readonly number[] | undefined)[];
  /**
   * The same with every answer that may have been meant. Rules look at these: then no question that was answered counts as not
   * asked (D-509).
   */
  readonly severalMeant: (readonly number[] | undefined)[];
  /** By the index of the question: open text. */
  readonly texts: (string | undefined)[];
  /** By the index of the question; after `settle` alone. */
  readonly isAsked: boolean[];
  readonly #answersOfShown: readonly (ReadonlyMap<string, readonly number[]> | null)[];
  readonly #waysOfTicking: readonly Map<string, Ticked>[];
  readonly #places = new Map<string, ParameterPlace>();
  #values = '';
  // Lines 3 and 4, which say which parameters came with it, and where the first of them stands.
  #declared = '';
  #others = '';
  #parametersAt = 0;

  constructor(survey: PreparedSurvey) {
    this.survey = survey;
    const count = survey.questions.length;
    this.chosen = new Array(count).fill(-1);
    this.several = new Array(count).fill(undefined);
    this.severalMeant = new Array(count).fill(undefined);
    this.texts = new Array(count).fill(undefined);
    this.isAsked = new Array(count).fill(true);
    this.#answersOfShown = survey.questions.map(({ form, shown }) =>
      form === 'multiple' ? placesOf(shown.map((text) => JSON.parse(text) as string)) : null,
    );
    this.#waysOfTicking = survey.questions.map(() => new Map());
  }

  /** Reads another row in the place of the last one. */
  read(values: string): void {
    const { chosen, several, severalMeant, texts } = this;
    const { singles, pieces } = this.survey;
    const headEnd = values.indexOf(lineFeed);
    this.isErased = headEnd < 0;
    this.head = headEnd < 0 ? values : values.slice(0, headEnd);
    for (let place = 0; place < pieces.length; place += 1) {
      const { index } = pieces[place]!;
      several[index] = undefined;
      severalMeant[index] = undefined;
      texts[index] = undefined;
    }
    if (headEnd < 0) {
      for (let place = 0; place < singles.length; place += 1) chosen[singles[place]!.index] = -1;
      this.#declared = '';
      this.#others = '';
      return;
    }
    const choicesAt = headEnd + 1;
    for (let place = 0; place < singles.length; place += 1)
      chosen[singles[place]!.index] = values.charCodeAt(choicesAt + place) - firstCode - 1;
    const answeredAt = choicesAt + singles.length + 1;
    const answeredEnd = values.indexOf(lineFeed, answeredAt);
    const declaredEnd = values.indexOf(lineFeed, answeredEnd + 1);
    let othersEnd = values.indexOf(lineFeed, declaredEnd + 1);
    if (othersEnd < 0) othersEnd = values.length;
    let at = othersEnd + 1;
    for (let announced = answeredAt; announced < answeredEnd; announced += 1) {
      let end = values.indexOf(lineFeed, at);
      if (end < 0) end = values.length;
      this.#readPiece(values.charCodeAt(announced) - firstCode, values, at, end);
      at = end + 1;
    }
    this.#values = values;
    this.#declared = values.slice(answeredEnd + 1, declaredEnd);
    this.#others = values.slice(declaredEnd + 1, othersEnd);
    this.#parametersAt = at;
  }

  #readPiece(place: number, values: string, at: number, end: number): void {
    const { form, index } = this.survey.pieces[place]!;
    if (form === 'open') {
      const text = values.slice(at + 1, end - 1);
      this.texts[index] = text.includes('\\') ? (JSON.parse(values.slice(at, end)) as string) : text;
      return;
    }
    const piece = values.slice(at, end);
    const ways = this.#waysOfTicking[index]!;
    let ticked = ways.get(piece);
    if (ticked === undefined) {
      const places = this.#answersOfShown[index]!;
      const meant = (JSON.parse(`[${piece}]`) as string[]).map((shown) => places.get(shown) ?? none);
      ticked = { answers: meant.map(([first = -1]) => first), meant: meant.flat() };
      if (ways.size >= waysMax) ways.clear();
      ways.set(piece, ticked);
    }
    this.several[index] = ticked.answers;
    this.severalMeant[index] = ticked.meant;
  }

  /** Works out which questions were asked; only surveys with rules need it. */
  settle(): void {
    const { survey, isAsked } = this;
    if (survey.conditional.length === 0) return;
    settleVisibility(survey, this.chosen, this.severalMeant, this.texts, isAsked);
  }

  /** The values of a passed parameter that came with the response, none where it was not sent. */
  parameter(name: string): readonly string[] {
    const piece = this.parameterPiece(name);
    return piece === undefined ? noValues : (JSON.parse(`[${piece}]`) as string[]);
  }

  /** The same as it is kept: the inside of a JSON array. */
  parameterPiece(name: string): string | undefined {
    if (this.#declared === '' && this.#others === '') return undefined;
    let place = this.#places.get(name);
    if (place === undefined) {
      place = parameterPlace(this.survey, name);
      this.#places.set(name, place);
    }
    const declared = this.#declared;
    if (place.in === 'declared') {
      const at = declared.indexOf(String.fromCharCode(place.code));
      return at < 0 ? undefined : this.#line(at);
    }
    const others = this.#others;
    let line = declared.length;
    for (let at = 0; at < others.length; at += 1) {
      const code = others.charCodeAt(at);
      if (code !== namedCode) {
        if (place.in === 'standard' && code === place.code) return this.#line(line);
        line += 1;
        continue;
      }
      if (place.in === 'named' && this.#line(line) === place.piece) return this.#line(line + 1);
      line += 2;
    }
    return undefined;
  }

  /** One of the lines from the first parameter on. */
  #line(number: number): string {
    const values = this.#values;
    let at = this.#parametersAt;
    for (let left = number; left > 0; left -= 1) at = values.indexOf(lineFeed, at) + 1;
    const end = values.indexOf(lineFeed, at);
    return end < 0 ? values.slice(at) : values.slice(at, end);
  }
}

interface Ticked {
  readonly answers: readonly number[];
  readonly meant: readonly number[];
}

const none: readonly number[] = [];

/** By each text, where it stands. */
function placesOf(texts: readonly string[]): ReadonlyMap<string, readonly number[]> {
  return new Map(
    [...Map.groupBy(texts.keys(), (place) => texts[place]!)].map(([text, places]) => [text, [...places]]),
  );
}
