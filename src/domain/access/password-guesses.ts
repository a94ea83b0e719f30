// How many guesses a password takes, as a power of two, by somebody who tries words, names, dates, walks over the keyboard and
// repeats before anything else. The cheapest way to put the password together counts: its bits are a floor for people and say
// little about what a machine drew, which is far above every limit here (D-823).

import { fold } from '../fold.ts';
import { commonWords } from './common-passwords.ts';

/**
 * What the next letter costs after a letter, in quarters of a bit, counted in the texts of this project in three languages: a row
 * a letter before, a character a letter after.
 */
const pairCosts = `
wkfgzritiwoeibymydfdjovvlx duxx7xqlgqzcswexxgnpfzxzjz fzkzczz9lzghxz9xziqemzzzuw doul6sqsbwzpoqfqxifpjxvymt
hqjfmopqkyuijbunrachonompq cxtycftx9zxlxsbzwerhfwxzry gvwx5zrigzzltgjyxdgkgzxzyv auyz7zzsczylrobwyhqfpzwztx
qnhienhuzxuhl8eqvkecykzuzu fxtx6xxttxtxtq9xxtdtcqnxxx hutn5spzfzwmxhguttcigvrxzv dutj7svvbztdwveswujijvwzkz
ajzx6tyydzxqgreezznumzzzvz hujccqcwizmptjguuueamnvzru spmksnoxmslig9kjycihdkivtv axwtbstrizxeuuchyajhkxzysz
yyyyyyyuyyyhuyyyyoyy1yyyuy esnj7tpufzoqoldwxmfglmuznv ixhx9vyiezlntthjsve9htmzrw exow8ttebzvjwwfrzgfjnzoznq
kllndnnukuyhjbthzbcdvpytzw czzz4zvz9zzzywezzozyszzzzz bxsv9zvcczypzfbvxjhrpwvzrz exhxgxxxcxxquxx9xsx5xxxxlx
ikrodurqltrjnhecyp8euqmyqp exus6uusfxsrxjixxxpg9xoxmq`
  .trim()
  .split(/\s+/)
  .map((row) => [...row].map((cost) => Number.parseInt(cost, 36) / 4));

// In bits. A letter that begins a word, a digit after another, what begins anew with another kind of character.
const firstLetter = 4;
const digit = 3.3;
const otherKind = 1;
const separator = 3;
const sameSeparator = 1;
const symbol = 5;
const alphabetLetter = 3.7;
const syllable = 6;
const foreignSymbol = 8;
// One of the words, of the names, or something that was there before, forwards or backwards.
const word = 9;
const name = 3;
const repeat = 4;
const repeatMin = 3;
const walk = 5;
const walkStep = 0.7;
const walkMin = 3;
const year = 7;
const dayOfYear = 8.5;
// A pattern as a whole, whatever kinds of characters it takes turns with: 1a2s3d4f5g6h.
const patternMax = 40;
const piecesUsual = 4;
const anotherPiece = 6;

/** So short that one word or two make it: only what looks drawn by a machine is taken. Four words of a list are longer. */
const shortMax = 17;
const lookedAtMax = 80;
const shortBitsMin = 72;
const longBitsMin = 60;
// Four different words that are told apart: one of a list is some ten bits, however short it is.
const phraseWordsMin = 4;
const phraseBitsMin = 50;

/** Whether somebody who knows how people choose would come to it. */
export function isGuessable(text: string, names: readonly string[]): boolean {
  const length = [...text.replaceAll(/[\s._-]/g, '')].length;
  const bitsMin = isPhrase(text) ? phraseBitsMin : length <= shortMax ? shortBitsMin : longBitsMin;
  return guessBits(text, names) < bitsMin;
}

/** By what stands between words, or by their capitals. */
function isPhrase(text: string): boolean {
  const words = text.split(/[\s._-]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((one) => /^\p{L}{3,}$/u.test(one));
  return new Set(words.map(fold)).size >= phraseWordsMin;
}

function guessBits(text: string, names: readonly string[] = []): number {
  // What comes after so many characters only makes it longer, and whoever sends thousands is not waited for.
  const folded = fold(text.slice(0, lookedAtMax)).normalize('NFD').replaceAll(/\p{M}/gu, '');
  const plain = [...folded];
  const alike = plain.map((character) => lookAlikes[character] ?? character);
  const typed = plain.flatMap((character) => [...(cyrillicKeys[character] ?? character)]);
  const bits = Math.min(bitsOf(plain, names), bitsOf(alike, names) + 1, bitsOf(typed, []) + 1);
  return bits < patternMax ? bits : bits + caseBits(text) + kindBits(text);
}

/** What Russian words become that are typed on a keyboard with Latin letters, the sounds beside the keys. */
const cyrillicKeys: Readonly<Record<string, string>> = {
  ...{ q: 'y', w: 'c', e: 'u', r: 'k', t: 'e', y: 'n', u: 'g', i: 'sh', o: 'sh', p: 'z', '[': 'h', ']': '' },
  ...{ a: 'f', s: 'y', d: 'v', f: 'a', g: 'p', h: 'r', j: 'o', k: 'l', l: 'd', ';': 'zh', "'": 'e' },
  ...{ z: 'ya', x: 'ch', c: 's', v: 'm', b: 'i', n: 't', m: '', ',': 'b', '.': 'yu' },
};

export const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '€': 'e',
};

/** People put a word beside a number; what changes its kind of character again and again was drawn by a machine. */
function kindBits(text: string): number {
  const pieces = text.match(/\p{Ll}+|\p{Lu}+|\d+|[^\p{L}\d\s._-]+/gu)?.length ?? 0;
  return Math.max(0, pieces - piecesUsual) * anotherPiece;
}

/** A capital at the beginning of a word is what everybody does; elsewhere each says something. */
function caseBits(text: string): number {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const small = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (capitals === 0 || small === 0) return capitals === 0 ? 0 : 1;
  const beginning = text.match(/(?<!\p{Lu})\p{Lu}(?=\p{Ll}{2})/gu)?.length ?? 0;
  return Math.min(capitals, small) - beginning + Math.min(beginning, 2);
}

/** The cheapest way to the end, place by place. */
function bitsOf(characters: readonly string[], names: readonly string[]): number {
  const whole = characters.join('');
  const backwards = characters.toReversed().join('');
  const isEven = whole.length === characters.length;
  const best = new Array<number>(characters.length + 1).fill(Number.POSITIVE_INFINITY);
  best[0] = 0;
  const separators = new Set<string>();
  for (let at = 0; at < characters.length; at += 1) {
    const here = best[at]!;
    const reach = (end: number, bits: number): void => {
      if (here + bits < best[end]!) best[end] = here + bits;
    };
    reach(at + 1, characterBits(characters, at, separators));
    if (/[\s._-]/.test(characters[at]!)) separators.add(characters[at]!);
    const walked = walkFrom(characters, at);
    for (let length = walkMin; length <= walked; length += 1)
      reach(at + length, walk + walkStep * (length - walkMin));
    // Two walks that take turns: 1a2s3d4f.
    const both = 2 * Math.min(walkFrom(characters, at, 2), walkFrom(characters, at + 1, 2));
    for (let length = 2 * walkMin; length <= both; length += 2) reach(at + length, 2 * walk);
    // Places are counted in characters, texts in units: what has others than the usual letters holds no word of ours.
    if (!isEven) continue;
    const repeated = repeatFrom(whole, backwards, at);
    for (let length = repeatMin; length <= repeated; length += 1) reach(at + length, repeat);
    for (const length of wordsFrom(whole, at)) reach(at + length, word);
    for (const one of names) if (whole.startsWith(one, at)) reach(at + one.length, name);
    for (const [length, bits] of datesFrom(whole, at)) reach(at + length, bits);
  }
  return best.at(-1)!;
}

function characterBits(characters: readonly string[], at: number, separators: ReadonlySet<string>): number {
  const character = characters[at]!;
  const before = characters[at - 1] ?? '';
  if (/[a-z]/.test(character))
    return /[a-z]/.test(before) ? pairCosts[letter(before)]![letter(character)]! : firstLetter;
  if (/\d/.test(character)) return /\d/.test(before) || before === '' ? digit : digit + otherKind;
  if (/[\s._-]/.test(character)) return separators.has(character) ? sameSeparator : separator;
  if (character <= '~') return symbol;
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(character)) return syllable;
  return /\p{L}/u.test(character) ? alphabetLetter : foreignSymbol;
}

function letter(character: string): number {
  return character.charCodeAt(0) - 97;
}

const keyboards = [
  ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'],
  ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ['abcdefghijklmnopqrstuvwxyz'],
  ['789', '456', '123', '0'],
].map((rows) => new Map(rows.flatMap((row, y) => [...row].map((key, x) => [key, { x, y }] as const))));

/** From one key to the next, on each keyboard: the same number each time along a row, a column or the alphabet; 0 for no step. */
function stepsOf(one: string, next: string): readonly number[] {
  if (one > '~' || next > '~') return one === next ? sameOnAll : noneOnAll;
  const pair = one + next;
  const known = stepsByPair.get(pair);
  if (known !== undefined) return known;
  const steps = one === next ? sameOnAll : keyboards.map((keys) => stepOn(keys, one, next));
  stepsByPair.set(pair, steps);
  return steps;
}

/** Of printable characters of ASCII, and so bounded. */
const stepsByPair = new Map<string, readonly number[]>();
const sameKey = 10;
const sameOnAll = keyboards.map(() => sameKey);
const noneOnAll = keyboards.map(() => 0);

function stepOn(keys: (typeof keyboards)[number], one: string, next: string): number {
  const [from, to] = [keys.get(one), keys.get(next)];
  if (from === undefined || to === undefined) return 0;
  const [x, y] = [to.x - from.x, to.y - from.y];
  return Math.abs(x) <= 1 && Math.abs(y) <= 1 ? 5 + x + 3 * y : 0;
}

/** How many characters from here on are one straight walk, taking every so many. */
function walkFrom(characters: readonly string[], at: number, every = 1): number {
  let directions: readonly number[] | null = null;
  let length = 1;
  for (let next = at + every; next < characters.length; next += every) {
    const steps = stepsOf(characters[next - every]!, characters[next]!);
    const before: readonly number[] = directions ?? steps;
    const kept = steps.map((step, index) => (step === before[index] ? step : 0));
    if (kept.every((step) => step === 0)) break;
    directions = kept;
    length += 1;
  }
  return length;
}

/** How many characters from here on were there before, as they are or backwards. */
function repeatFrom(whole: string, backwards: string, at: number): number {
  const mirrored = whole.length - at;
  let length = 0;
  while (at + length < whole.length) {
    const piece = whole.slice(at, at + length + 1);
    // What is said on and on may overlap with itself.
    if (whole.indexOf(piece) >= at && backwards.indexOf(piece, mirrored) < 0) break;
    length += 1;
  }
  return length;
}

const wordsByStart = Map.groupBy(commonWords, (one) => one.slice(0, 3));

function wordsFrom(whole: string, at: number): readonly number[] {
  const known = wordsByStart.get(whole.slice(at, at + 3)) ?? [];
  return known.filter((one) => whole.startsWith(one, at)).map(({ length }) => length);
}

/** Years, and days in the orders and lengths that people write them in. */
function datesFrom(whole: string, at: number): readonly (readonly [length: number, bits: number])[] {
  if (!/\d/.test(whole[at]!)) return [];
  const piece = whole.slice(at, at + 10);
  return datePatterns.flatMap(([pattern, bits]) => {
    const found = pattern.exec(piece);
    return found === null ? [] : [[found[0].length, bits] as const];
  });
}

const anyYear = '(?:19|20)\\d\\d';
const anyMonth = '(?:0[1-9]|1[0-2])';
const anyDay = '(?:0[1-9]|[12]\\d|3[01])';
const datePatterns: readonly (readonly [pattern: RegExp, bits: number])[] = (
  [
    [anyYear, year],
    [`${anyDay}[./-]?${anyMonth}[./-]?${anyYear}`, dayOfYear + year],
    [`${anyMonth}[./-]?${anyDay}[./-]?${anyYear}`, dayOfYear + year],
    [`${anyYear}[./-]?${anyMonth}[./-]?${anyDay}`, dayOfYear + year],
    [`${anyDay}[./-]?${anyMonth}[./-]?\\d\\d`, dayOfYear + year],
  ] as const
).map(([pattern, bits]) => [new RegExp(`^${pattern}`), bits]);
