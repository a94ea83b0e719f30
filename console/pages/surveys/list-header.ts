// The names of the columns of a CSV file, as far as they are needed to ask which of them are copied. The service reads the file itself
// and judges all of it.

/** Of the first record; empty where the bytes are no text, which the service will say. */
export function headerOf(bytes: Uint8Array): readonly string[] {
  const columns: string[] = [];
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return [];
  }
  let column = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (isQuoted) {
      if (character !== '"') column += character;
      else if (text[at + 1] === '"') {
        column += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && column === '') isQuoted = true;
    else if (character === ',') {
      columns.push(column);
      column = '';
    } else if (character === '\n' || character === '\r') break;
    else column += character;
  }
  columns.push(column);
  return columns.length > 1 || columns[0] !== '' ? columns : [];
}

/** Of a list of links that was made here: the first of them, for a look. */
export function firstLinks(text: string, count: number): readonly string[] {
  return [...text.slice(0, 200_000).matchAll(/https?:\/\/[^\s,"]+\?i=[\w.-]+/g)]
    .slice(0, count)
    .map(([link]) => link);
}
