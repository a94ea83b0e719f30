// What differs between two texts, line by line.

interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** In the old text and in the new one; null where it is not there. */
  readonly before: number | null;
  readonly after: number | null;
}

// The table of the middle part; beyond it all of the middle is shown as replaced.
const cellsMax = 4_000_000;

export function diffLines(oldText: string, newText: string): readonly DiffLine[] {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  let begin = 0;
  while (begin < before.length && begin < after.length && before[begin] === after[begin]) begin += 1;
  let end = 0;
  while (
    end < before.length - begin &&
    end < after.length - begin &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const lines: DiffLine[] = [];
  const same = (one: number, other: number): void => {
    lines.push({ sign: ' ', text: before[one]!, before: one + 1, after: other + 1 });
  };
  for (let index = 0; index < begin; index += 1) same(index, index);
  const [rows, columns] = [before.length - begin - end, after.length - begin - end];
  const lengths = rows * columns <= cellsMax ? commonLengths(before, after, begin, rows, columns) : null;
  let row = 0;
  let column = 0;
  while (row < rows || column < columns) {
    const one = begin + row;
    const other = begin + column;
    const at = (r: number, c: number): number => lengths?.[r * (columns + 1) + c] ?? 0;
    if (row < rows && column < columns && lengths !== null && before[one] === after[other]) {
      same(one, other);
      row += 1;
      column += 1;
    } else if (row < rows && (column >= columns || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ sign: '-', text: before[one]!, before: one + 1, after: null });
      row += 1;
    } else {
      lines.push({ sign: '+', text: after[other]!, before: null, after: other + 1 });
      column += 1;
    }
  }
  for (let index = end; index > 0; index -= 1) same(before.length - index, after.length - index);
  return lines;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** How many lines the rests behind each pair of places have in common, in order. */
function commonLengths(
  before: readonly string[],
  after: readonly string[],
  begin: number,
  rows: number,
  columns: number,
): Uint32Array {
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[begin + row] === after[begin + column]
          ? lengths[(row + 1) * width + column + 1]! + 1
          : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
  return lengths;
}

/** Lines that stay, far from any that changed, are left out: null stands for them. */
export function withoutFarLines(lines: readonly DiffLine[], near = 3): readonly (DiffLine | null)[] {
  const shown = new Set<number>();
  for (const [index, { sign }] of lines.entries())
    if (sign !== ' ') for (let at = index - near; at <= index + near; at += 1) shown.add(at);
  const result: (DiffLine | null)[] = [];
  for (const [index, line] of lines.entries())
    if (shown.has(index)) result.push(line);
    else if (result.at(-1) !== null) result.push(null);
  return result;
}
