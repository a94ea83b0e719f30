// What a password must be: long, and none that is tried first. No kinds of characters are demanded; they make passwords
// harder to remember and not harder to guess (D-330, D-331).

import { fold } from '../fold.ts';
import type { Fault } from '../problem.ts';
import { commonPhrases, commonWords } from './common-passwords.ts';
import { isKnownPassword } from './known-passwords.ts';
import { isGuessable, lookAlikes } from './password-guesses.ts';

export const passwordLengthMin = 15;
export const passwordLengthMax = 256;
/** Of one that is composed: four characters of two units. */
const unitsOfCharacterMax = 8;

/** What is hashed: however a keyboard composes a letter, it is the same password (D-330). */
export function normalPassword(text: string): string {
  // Whatever it is composed to has more characters than a password may, and composing many marks takes long (D-741).
  if (text.length > passwordLengthMax * unitsOfCharacterMax) return text;
  return text.normalize('NFC');
}

/** Everything that is wrong with a password; the names are those of the person and of where they work. */
export function passwordFaults(text: string, names: readonly string[]): readonly Fault[] {
  const characters = [...normalPassword(text)];
  if (characters.length < passwordLengthMin)
    return [
      fault(
        'INVALID_LENGTH',
        `has ${characters.length} characters and needs ${passwordLengthMin} at least. Some words that do not belong together are easy to remember.`,
      ),
    ];
  if (characters.length > passwordLengthMax)
    return [
      fault(
        'INVALID_LENGTH',
        `has ${characters.length} characters, and ${passwordLengthMax} at most are taken.`,
      ),
    ];
  if (/\p{Cc}/u.test(text))
    return [fault('INVALID_TEXT', 'has a control character, such as a tab or a line break.')];
  const why = whyCommon(text, names);
  return why === null ? [] : [fault('TOO_COMMON', why)];
}

function fault(code: 'INVALID_LENGTH' | 'INVALID_TEXT' | 'TOO_COMMON', message: string): Fault {
  return { field: 'password', code, message };
}

// So many characters must be left when everything that is tried first is taken out.
const ownCharactersMin = 5;
const piecesMax = 3;
// Three runs.
const ownInRunsMax = 6;
const differentMin = 5;

function whyCommon(text: string, names: readonly string[]): string | null {
  const folded = fold(text);
  const characters = [...folded];
  if (new Set(characters).size < differentMin) return `has fewer than ${differentMin} different characters.`;
  if (ownCharacters(characters) <= ownInRunsMax)
    return 'runs along the alphabet, the digits or the keyboard.';
  const period = periodOf(characters);
  if (period < passwordLengthMin && period * 3 <= characters.length * 2)
    return `says the same ${period} characters again and again.`;
  const readings = readingsOf(text);
  if (readings.some(isCommonPhrase)) return 'is one of those that are tried first.';
  if (readings.some((reading) => isMadeOf(reading, partsOf(names))))
    return 'is little more than your name or that of the account.';
  if (readings.some((reading) => isMadeOf(reading, [...partsOf(names), ...commonWords])))
    return 'is made of words that are tried first. Take some that do not belong together.';
  if (isKnownPassword(folded)) return 'is one that many others have, and is tried first.';
  if (isGuessable(text, partsOf(names)))
    return 'can be guessed: names, dates, and a word or two are tried first. Take four words that do not belong together, or what a password manager makes.';
  return null;
}

/** The shortest beginning that makes the whole when it is said again and again; the end may be cut off. */
function periodOf(characters: readonly string[]): number {
  // The longest end that is also a beginning, as in the search of Knuth, Morris and Pratt.
  const border = new Array<number>(characters.length).fill(0);
  for (let at = 1; at < characters.length; at += 1) {
    let length = border[at - 1]!;
    while (length > 0 && characters[at] !== characters[length]) length = border[length - 1]!;
    border[at] = characters[at] === characters[length] ? length + 1 : 0;
  }
  return characters.length - border.at(-1)!;
}

const keyboardRows = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
];
const neighbours = new Set(
  keyboardRows.flatMap((row) => [...row].slice(1).flatMap((key, at) => [row[at]! + key, key + row[at]!])),
);

/** How many characters do not follow from the one before: a run counts by its first two. */
function ownCharacters(characters: readonly string[]): number {
  let own = Math.min(2, characters.length);
  for (let at = 2; at < characters.length; at += 1) {
    const follows =
      isStep(characters[at - 2]!, characters[at - 1]!) && isStep(characters[at - 1]!, characters[at]!);
    if (!follows) own += 1;
  }
  return own;
}

function isStep(one: string, next: string): boolean {
  return Math.abs(one.codePointAt(0)! - next.codePointAt(0)!) <= 1 || neighbours.has(one + next);
}

/** The password as letters and digits, as it stands and with what looks like a letter read as one. */
function readingsOf(text: string): readonly string[] {
  const folded = fold(text);
  const alike = [...folded].map((character) => lookAlikes[character] ?? character).join('');
  return [...new Set([folded, alike].map(lettersOf))];
}

/** Without marks above letters: motdepassé is no other word. */
function lettersOf(text: string): string {
  return text.normalize('NFD').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const phrases = new Set(commonPhrases);

/** A known phrase, also with some digits before or after it. */
function isCommonPhrase(reading: string): boolean {
  return phrases.has(reading) || phrases.has(reading.replaceAll(/^\d{1,8}|\d{1,8}$/g, ''));
}

/** The parts of names that somebody who knows them would try: ada.lovelace@example.com, ada, lovelace, example. */
function partsOf(names: readonly string[]): readonly string[] {
  return names
    .flatMap((name) => [name, ...name.split('@'), ...name.split(/[^\p{L}\p{N}]+/u)])
    .map((name) => lettersOf(fold(name)))
    .filter((part) => part.length >= 3);
}

/** Whether some of the parts make up a text, but for a few characters such as a year. */
function isMadeOf(text: string, parts: readonly string[]): boolean {
  const longestFirst = [...new Set(parts)].sort((one, other) => other.length - one.length);
  let rest = text;
  let pieces = 0;
  for (const part of longestFirst) {
    if (pieces >= piecesMax) break;
    if (!rest.includes(part)) continue;
    // What was beside the part on either side must not make a new one.
    rest = rest.replaceAll(part, ' ');
    pieces += 1;
  }
  if (pieces === 0) return false;
  const left = rest.split(' ').reduce((sum, piece) => sum + ownCharacters([...piece]), 0);
  return left < ownCharactersMin;
}
