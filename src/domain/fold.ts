// Comparing text without regard to case, alike in code and on both engines: text is folded here, kept in
// `..._key` columns, and compared there byte by byte.

/**
 * The form under which texts that differ only in case or compatibility count as the same (D-51). Whole upper
 * case, because only it makes straße and STRASSE meet; then lower case code point by code point, because the
 * lower case of a whole word would treat a final sigma differently; NFKC before and after. Lower case comes
 * first too, for the capital ẞ alone: it is its own upper case and would never become SS.
 */
export function fold(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
  return composed(lowerEach(lowerEach(composed(text)).toUpperCase()));
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
function composed(text: string): string {
  const compose = (part: string): string => part.normalize('NFKC');
  return text.length > wholeLengthMax ? text.replace(fewMarks, compose) : compose(text);
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
