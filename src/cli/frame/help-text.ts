// The help of a verb in the width of the terminal. What is written about verbs is wrapped by hand, for a page of the docs.

/** Where nobody says how wide it is. */
export const helpColumns = 80;

const heading = /^[A-Z][A-Za-z ]*:$/;

/** Paragraphs are filled anew; examples, lists of options and headings stay as they are. */
export function helpText(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  const lines: string[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0) lines.push(...filled(paragraph.join(' '), columns));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    const isProse = line !== '' && !line.startsWith(' ') && !heading.test(line) && !line.startsWith('Usage:');
    if (isProse) paragraph.push(line);
    else {
      end();
      lines.push(line);
    }
  }
  end();
  return lines.join('\n');
}

function filled(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
