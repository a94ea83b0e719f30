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
  return lowerEach(lowerEach(text.normalize('NFKC')).toUpperCase()).normalize('NFKC');
}

function lowerEach(text: string): string {
  let lower = '';
  for (const character of text) lower += character.toLowerCase();
  return lower;
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

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);
