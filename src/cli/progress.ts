// How far a long piece of work has come: a bar for somebody who watches, plain lines for a log, both on standard
// error, so that standard output holds facts alone.

import type { Terminal } from './terminal.ts';

export interface Work {
  /** What is being done: "Exporting measure 8840868". */
  readonly title: string;
  /** How many steps there are; null when nobody knows beforehand. */
  readonly total: number | null;
}

export type Advance = (steps: number) => void;

const lineEveryMs = 1_000;
// What a shell gives a command that was interrupted.
const interruptedExitCode = 130;

/** Carries out the work and says how far it has come, then the sentence that it ends with. */
export async function withProgress<T>(
  terminal: Terminal,
  work: Work,
  carryOut: (advance: Advance) => Promise<T>,
  said: (result: T) => string,
): Promise<T> {
  const progress = terminal.isWatched ? await bar(work) : lines(terminal, work);
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

async function bar({ title, total }: Work): Promise<Progress> {
  const { progress } = await import('@clack/prompts');
  let done = 0;
  // The bar takes the keyboard and the signals while it is there; whoever stops it must not be told of success.
  const onExit = (): void => {
    process.exitCode = interruptedExitCode;
  };
  process.on('exit', onExit);
  const shown = progress({
    max: total ?? 1,
    output: process.stderr,
    withGuide: false,
    onCancel: () => process.exit(interruptedExitCode),
  });
  shown.start(title);
  return {
    advance(steps) {
      done += steps;
      shown.advance(steps, `${title}: ${countText(done, total)}`);
    },
    end(sentence) {
      process.off('exit', onExit);
      shown.stop(sentence);
    },
    giveUp() {
      process.off('exit', onExit);
      shown.error(`${title}: not done`);
    },
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
