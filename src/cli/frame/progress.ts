// How far a long piece of work has come: a bar for somebody who watches, plain lines for a log, both on standard
// error, so that standard output holds facts alone.

import { type Terminal, withoutControls } from './terminal.ts';

interface Work {
  /** What is being done: "Exporting measure 8840868". */
  readonly title: string;
  /** How many steps there are; null when nobody knows beforehand. */
  readonly total: number | null;
}

export type Advance = (steps: number) => void;

const lineEveryMs = 1_000;
const drawEveryMs = 100;
const barWidth = 20;
// Back to the start of the line, and what stands there goes.
const lineStart = '\r\x1b[K';

/** Carries out the work and says how far it has come, then the sentence that it ends with. */
export async function withProgress<T>(
  terminal: Terminal,
  work: Work,
  carryOut: (advance: Advance) => Promise<T>,
  said: (result: T) => string,
): Promise<T> {
  const progress = terminal.isWatched ? bar(work) : lines(terminal, work);
  try {
    const result = await carryOut(progress.advance);
    progress.end(said(result));
    return result;
  } catch (error) {
    progress.giveUp();
    throw error;
  }
}

interface Progress {
  readonly advance: Advance;
  end(sentence: string): void;
  giveUp(): void;
}

function lines(terminal: Terminal, { title, total }: Work): Progress {
  let done = 0;
  let saidAtMs = performance.now();
  terminal.tell(`${title} ...`);
  return {
    advance(steps) {
      done += steps;
      if (performance.now() - saidAtMs < lineEveryMs) return;
      saidAtMs = performance.now();
      terminal.tell(`${title}: ${countText(done, total)}`);
    },
    end: (sentence) => terminal.tell(sentence),
    giveUp: () => {},
  };
}

/** One line that is drawn anew in its place; what is written when the work ends takes its place. */
function bar({ title, total }: Work): Progress {
  let done = 0;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    if (performance.now() - drawnAtMs < drawEveryMs) return;
    drawnAtMs = performance.now();
    const filled = total === null ? 0 : Math.round((barWidth * Math.min(done, total)) / Math.max(total, 1));
    const shown = total === null ? '' : `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} `;
    // A line that the terminal breaks could not be drawn over.
    const line = withoutControls(`${shown}${title}: ${countText(done, total)}`);
    process.stderr.write(`${lineStart}${line.slice(0, process.stderr.columns - 1)}`);
  };
  const last = (sentence: string): void =>
    void process.stderr.write(`${lineStart}${withoutControls(sentence)}\n`);
  draw();
  return {
    advance(steps) {
      done += steps;
      draw();
    },
    end: last,
    giveUp: () => last(`${title}: not done`),
  };
}

function countText(done: number, total: number | null): string {
  return total === null ? numberText(done) : `${numberText(done)} of ${numberText(total)}`;
}

/** 12,345: for people; scripts use --json. */
export function numberText(number: number): string {
  return number.toLocaleString('en-US');
}

const quietMs = 2_000;

/** For work that is usually done at once: nothing is said of it in the first two seconds, then a line a second. */
export class LateProgress {
  readonly #terminal: Terminal;
  #nextAtMs = performance.now() + quietMs;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  say(line: () => string): void {
    if (performance.now() < this.#nextAtMs) return;
    this.#nextAtMs = performance.now() + lineEveryMs;
    this.#terminal.tell(line());
  }
}
