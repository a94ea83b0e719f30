// Comparing text without regard to case, alike in code and on both engines: text is folded here, kept in
// `..._key` columns, and compared there byte by byte.

/**
 * The form under which texts that differ only in case or compatibility count as the same (D-51). Whole upper
 * case, because only it makes straße and STRASSE meet; then lower case code point by code point, because the
 * lower case of a whole word would treat a final sigma differently; NFKC before and after. Lower case comes
 * first too, for the capital ẞ alone: it is its own upper case and would never become SS.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return composed(lowerEach(lowerEach(composed(text)).toUpperCase()));
}

/** The lower case of each character by itself: the final sigma is the only one whose lower case depends on its neighbours. */
function lowerEach(text: string): string {
  return text.replaceAll('\u03a3', '\u03c3').toLowerCase();
}

/** No name is longer. */
const cutLengthMin = 1_024;
const marksMax = 64;
// Those of half-width kana are letters that become marks.
const marks = /[\p{M}\uff9e\uff9f]+/gu;

/**
 * NFKC. It brings the marks of a letter into an order, in a time that grows with the square of their number: a hundred thousand of
 * them, which one response may have, would hold everybody up for half a minute. So in a long text only so many of a letter are
 * ordered at once, and the next ones by themselves (D-741).
 */
function composed(text: string): string {
  if (text.length <= cutLengthMin) return text.normalize('NFKC');
  let whole = '';
  let from = 0;
  for (const { index, 0: run } of text.matchAll(marks)) {
    for (let end = index + marksMax; end < index + run.length; end += marksMax) {
      // Not within a character of two units.
      const at = isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end;
      whole += text.slice(from, at).normalize('NFKC');
      from = at;
    }
  }
  return whole + text.slice(from).normalize('NFKC');
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

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

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);
