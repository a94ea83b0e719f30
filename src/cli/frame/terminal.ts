// What a command sees of the terminal, and how it speaks: facts on standard output, the rest on standard error.

import type { StyledLine, TextStyle } from '../../domain/insight/report-text.ts';

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isInteractive: boolean;
  /** Whether somebody looks at standard error: then progress is a bar, else lines. */
  readonly isWatched: boolean;
  /** How wide standard output is shown; left out where it is no terminal. */
  readonly columns?: number;
  /** One line of facts. */
  print(line: string): void;
  /** One line about what is going on. */
  tell(line: string): void;
  /** One line of facts with colours; only where somebody looks at it and wants them (D-514). */
  readonly printStyled?: (line: StyledLine) => void;
  /** Whether the process is the command's own, so that work which nobody waits for may leave the processors to others. */
  readonly isOfProcess?: boolean;
}

/** How the styles are said to a terminal; its own palette decides what they look like. */
const styleCodes: Readonly<Record<TextStyle, string>> = {
  strong: '1',
  soft: '2',
  good: '32',
  bad: '31',
  mark: '33',
  accent: '36',
};

/** Whatever is in the text itself stays text. */
export function styledText(line: StyledLine): string {
  return line
    .map(({ text, style }) => {
      const shown = withoutControls(text);
      return style === undefined || shown === '' ? shown : `\x1b[${styleCodes[style]}m${shown}\x1b[0m`;
    })
    .join('');
}

/** A failure that the person at the terminal can do something about: one sentence, and the next step. */
export class CommandError extends Error {
  readonly exitCode: number;
  /** What --json prints of it, beside the sentence. */
  readonly facts: object | undefined;

  constructor(message: string, options: { exitCode?: number; facts?: object; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CommandError';
    this.exitCode = options.exitCode ?? 1;
    this.facts = options.facts;
  }
}

export function processTerminal(env: Terminal['env']): Terminal {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader who has seen enough ("| head") is no failure; facts that cannot be written are.
    if (code === 'EPIPE') return;
    process.stderr.write(`soundings: standard output cannot be written (${code}). Give it another place.\n`);
    process.exit(1);
  });
  // Node knows NO_COLOR, FORCE_COLOR and terminals that have none.
  const hasColours = process.stdout.isTTY === true && process.stdout.hasColors({ ...env });
  return {
    env,
    isOfProcess: true,
    ...(process.stdout.isTTY === true && process.stdout.columns > 0 && { columns: process.stdout.columns }),
    ...(hasColours && {
      printStyled: (line: StyledLine) => void process.stdout.write(`${styledText(line)}\n`),
    }),
    isInteractive: process.stdout.isTTY === true && process.stdin.isTTY === true,
    // A terminal that does not say how wide it is cannot be drawn on.
    isWatched: process.stderr.isTTY === true && process.stdin.isTTY === true && process.stderr.columns > 0,
    print: (line) => void process.stdout.write(`${withoutControls(line)}\n`),
    tell: (line) => void process.stderr.write(`${withoutControls(line)}\n`),
  };
}

// What a terminal obeys instead of showing: control characters, the marks that turn the direction of writing, and the
// two separators that some take for the end of a line.
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A text from elsewhere (a name, an answer, a line of a file) as part of a line: what a terminal would obey is written
 * as an escape of JSON, so that JSON stays what it says (D-197).
 */
export function visible(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for whole lines, whose ends stay. Whatever reaches a terminal passes through here. */
export function withoutControls(lines: string): string {
  // Almost nothing has any.
  if (lines.search(controls) === -1) return lines;
  return lines.split('\n').map(visible).join('\n');
}

/** Names and values below one another, as a block under the sentence that they belong to. */
export function factLines(facts: readonly (readonly [name: string, value: string])[]): string {
  return table(facts)
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** Columns that line up, for people; scripts use --json. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(visible));
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
