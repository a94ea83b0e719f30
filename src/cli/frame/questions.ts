// Questions to somebody at the terminal. They are asked on standard error, so that standard output holds facts alone.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { withoutControls } from './terminal.ts';

/** What was typed, without its end of line; null where it was given up (Ctrl+C, Ctrl+D). */
export function ask(question: string): Promise<string | null> {
  return answerTo(question, process.stderr);
}

/** The same for what nobody must see: nothing that is typed is shown. */
export function askHidden(question: string): Promise<string | null> {
  return answerTo(question, new Writable({ write: (_chunk, _encoding, done) => done() }));
}

async function answerTo(question: string, echo: NodeJS.WritableStream): Promise<string | null> {
  const prompt = `${withoutControls(question)}: `;
  const lines = createInterface({ input: process.stdin, output: echo, terminal: true, historySize: 0 });
  const isHidden = echo !== process.stderr;
  let answer: string | null = null;
  try {
    answer = await new Promise<string | null>((resolve) => {
      lines.question(prompt, resolve);
      lines.once('SIGINT', () => resolve(null)).once('close', () => resolve(null));
      // Only now: what is typed from here on is not shown.
      if (isHidden) process.stderr.write(prompt);
    });
    return answer;
  } finally {
    lines.close();
    // What is said next begins a line of its own.
    if (isHidden || answer === null) process.stderr.write('\n');
  }
}
