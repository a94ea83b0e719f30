// How many columns of a terminal a text takes: letters of Chinese, Japanese and Korean and most emoji take two, marks that are put
// on the letter before them none.

// Of Unicode's table of East Asian widths, those that are wide or full; scripts that hardly anybody writes are left out.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f251}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const plain = /^[\x20-\x7e]*$/;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += characterWidth(segment);
  return width;
}

function characterWidth(character: string): number {
  if (nothing.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Filled up with blanks; what is too long ends in an ellipsis. */
export function fitText(text: string, width: number, side: 'begin' | 'end' = 'begin'): string {
  const fitting = textWidth(text) <= width ? text : cutText(text, width);
  const blanks = ' '.repeat(Math.max(0, width - textWidth(fitting)));
  return side === 'begin' ? fitting + blanks : blanks + fitting;
}

function cutText(text: string, width: number): string {
  let cut = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const more = characterWidth(segment);
    if (used + more > width - 1) break;
    cut += segment;
    used += more;
  }
  return `${cut}…`;
}

/** Lines of at most this width, broken between words where there are any. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const end = (): void => {
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const paragraph of text.split(/\r\n?|\n/)) {
    for (const word of paragraph.split(/(?<= )/)) {
      // The blank behind a word may hang over the end of a line.
      if (used > 0 && used + textWidth(word.trimEnd()) > width) end();
      for (const { segment } of segmenter.segment(word)) {
        const more = characterWidth(segment);
        if (used + more > width && segment !== ' ') end();
        line += segment;
        used += more;
      }
    }
    end();
  }
  return lines;
}
