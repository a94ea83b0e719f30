// Comparing text without regard to case, alike in code and on both engines: text is folded here, kept in
// `..._key` columns, and compared there byte by byte.

import type { Interruptible } from './interruptible.ts';

/**
 * The form under which texts that differ only in case or compatibility count as the same (D-51). Whole upper
 * case, because only it makes straße and STRASSE meet; then lower case code point by code point, because the
 * lower case of a whole word would treat a final sigma differently; NFKC before and after. Lower case comes
 * first too, for the capital ẞ alone: it is its own upper case and would never become SS.
 */
export function fold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : foldPart(text, composerFor(text));
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

function foldPart(text: string, compose: (text: string) => string): string {
  return compose(lowerEach(lowerEach(compose(text)).toUpperCase()));
}

/** A longer text takes a millisecond or more, and one of letters that become eighteen characters far more. */
const sliceLength = 4_096;

/** The same, in slices that fold each by itself: whoever folds texts as long as they may be gives way in between (D-775). */
export function* foldInSlices(text: string): Interruptible<string> {
  if (text.length <= sliceLength || isAscii(text)) return fold(text);
  const compose = composerFor(text);
  let folded = '';
  for (let begin = 0; begin < text.length; ) {
    const end = endOfSlice(text, begin + sliceLength);
    folded += foldPart(text.slice(begin, end), compose);
    begin = end;
    yield;
  }
  return folded;
}

/** The first place at or behind this one where a character begins that joins none before it. */
function endOfSlice(text: string, from: number): number {
  // Within a pair of surrogates no character begins.
  let end = /[\udc00-\udfff]/.test(text.charAt(from)) ? from + 1 : from;
  while (end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end)!);
    if (!joinsBefore(character)) return end;
    end += character.length;
  }
  return text.length;
}

// Marks, the later letters of a Hangul syllable, the half-width forms of both, and two vowels of Kirat Rai.
const joining = /^[\p{M}\u1160-\u11ff\uff9e\uff9f\uffa0-\uffdc\u{16d63}\u{16d67}]/u;
// None of them stands before this one.
const firstMark = 0x300;

/** Whether a character joins the one before it when a text is brought to its composed form. */
export function joinsBefore(character: string): boolean {
  if (character.charCodeAt(0) < firstMark) return false;
  return joining.test(character) || joining.test(character.normalize('NFKD'));
}

/** The lower case of each character by itself: the final sigma is the only one whose lower case depends on its neighbours. */
function lowerEach(text: string): string {
  return text.replaceAll('\u03a3', '\u03c3').toLowerCase();
}

/** No name is longer. */
const wholeLengthMax = 1_024;
// Those of half-width kana are letters that become marks.
const fewMarks = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{0,64}/gu;

/**
 * NFKC. It brings the marks of a letter into an order, in a time that grows with the square of their number: a hundred thousand of
 * them, which one response may have, would hold everybody up for half a minute. So in a long text only so many of a letter are
 * ordered at once, and the next ones by themselves (D-741).
 */
function composerFor(text: string): (text: string) => string {
  return text.length > wholeLengthMax ? (long) => long.replace(fewMarks, composed) : composed;
}

function composed(text: string): string {
  return text.normalize('NFKC');
}

/** The order of code points, which is the order of UTF-8 bytes; `<` on strings puts emoji before U+E000. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // Surrogates stand below U+E000 as code units and above it as characters.
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
