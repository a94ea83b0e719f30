// Which sections of the help hold the words that somebody looks for, the best first.

/** As scripts/build-help.ts writes it. */
export interface HelpIndex {
  readonly pages: readonly (readonly [
    address: string,
    title: string,
    group: string,
    isForDevelopers: 0 | 1,
  ])[];
  readonly sections: readonly (readonly [page: number, id: string, heading: string, text: string])[];
}

export interface FoundSection {
  readonly address: string;
  readonly heading: string;
  readonly page: string;
  readonly group: string;
  /** A piece of the text; every second part is what was looked for. */
  readonly excerpt: readonly string[];
}

const shownMax = 20;
const wordsMax = 8;
const excerptLength = 160;

/** Made once for an index: its texts without capitals and accents. */
export class SectionFinder {
  readonly #index: HelpIndex;
  readonly #folded: readonly { readonly title: string; readonly heading: string; readonly text: string }[];

  constructor(index: HelpIndex) {
    this.#index = index;
    this.#folded = index.sections.map(([page, , heading, text]) => ({
      title: folded(index.pages[page]![1]),
      heading: folded(heading),
      text: folded(text),
    }));
  }

  find(query: string): { readonly found: readonly FoundSection[]; readonly count: number } {
    const words = wordsOf(query);
    if (words.length === 0) return { found: [], count: 0 };
    const scored = this.#folded
      .map((_, number) => ({ number, score: this.#score(number, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.number - other.number);
    return {
      found: scored.slice(0, shownMax).map(({ number }) => this.#shown(number, words)),
      count: scored.length,
    };
  }

  /** Every word must be there; 0 where one is not. */
  #score(number: number, words: readonly string[]): number {
    const { title, heading, text } = this.#folded[number]!;
    const [page, id] = this.#index.sections[number]!;
    let score = 0;
    for (const word of words) {
      const ofWord = 12 * weight(heading, word) + 6 * weight(title, word) + 2 * weight(text, word);
      if (ofWord === 0) return 0;
      score += ofWord;
    }
    const phrase = words.join(' ');
    if (heading === phrase || (id === '' && title === phrase)) score += 60;
    // The more of a heading was typed, the more likely it is the one.
    else if (heading.includes(phrase)) score += 10 + (20 * phrase.length) / heading.length;
    else if (words.length > 1 && text.includes(phrase)) score += 10;
    // The beginning of a page before its parts, and what users read before what developers read.
    if (id === '') score *= 1.2;
    return this.#index.pages[page]![3] === 1 ? score * 0.4 : score;
  }

  #shown(number: number, words: readonly string[]): FoundSection {
    const [page, id, heading, text] = this.#index.sections[number]!;
    const [address, title, group] = this.#index.pages[page]!;
    return {
      address: id === '' ? address : `${address}#${id}`,
      heading,
      page: title,
      group,
      excerpt: excerptOf(text, words),
    };
  }
}

function wordsOf(query: string): readonly string[] {
  const words = folded(query)
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, wordsMax);
}

/** Of the same length as the text, so that places in one are places in the other. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  const plain = lower.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return plain.length === text.length ? plain : lower;
}

/** 1 for a word, less for the beginning of one, a little for the middle. */
function weight(text: string, word: string): number {
  let best = 0;
  for (let at = text.indexOf(word), count = 0; at !== -1 && count < 50; count++) {
    if (isWithinWord(text[at - 1])) best = Math.max(best, 0.2);
    else if (isWithinWord(text[at + word.length])) best = Math.max(best, 0.6);
    else return 1;
    at = text.indexOf(word, at + 1);
  }
  return best;
}

function isWithinWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function excerptOf(text: string, words: readonly string[]): readonly string[] {
  const lower = folded(text);
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first < 50 ? 0 : text.lastIndexOf(' ', first - 40) + 1;
  const end = from + excerptLength;
  const to = end >= text.length ? text.length : Math.max(text.lastIndexOf(' ', end), from + 1);
  const piece = `${from === 0 ? '' : '… '}${text.slice(from, to)}${to === text.length ? '' : ' …'}`;
  const pattern = words.map((word) => RegExp.escape(word)).join('|');
  // What was looked for is compared as it is written; an accent too many only leaves a mark out.
  return piece.split(new RegExp(`(${pattern})`, 'giu'));
}
