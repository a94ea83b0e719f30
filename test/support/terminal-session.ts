// A command at a terminal of 80 columns, as somebody sits in front of one: `script` of util-linux makes the pseudo-terminal.

import { spawn, spawnSync } from 'node:child_process';
import { describe } from 'node:test';
import { endingWithUs, environment, startedProgram, until } from './service.ts';

const hasTerminals = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '');

/** A suite at a real terminal; where nothing makes one, it is left out and said. */
export function describeAtTerminal(title: string, suite: () => void): void {
  if (hasTerminals) describe(title, suite);
  else process.stdout.write(`Left out, because "script" of util-linux is not here: ${title}\n`);
}

export interface TerminalSession {
  /** All that was shown so far; what was drawn over is still in it. */
  shown(): string;
  /** Waits until something is shown. */
  sees(text: RegExp): Promise<string>;
  type(text: string): void;
  readonly exited: Promise<number | null>;
}

export function atTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  columns = 80,
): TerminalSession {
  const words = [process.execPath, startedProgram, ...args].map((word) => `'${word}'`).join(' ');
  const child = endingWithUs(
    spawn('script', ['-qec', `stty cols ${columns} rows 24 -echo; exec ${words}`, '/dev/null'], {
      env: { ...environment(env), TERM: 'dumb', SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part.replaceAll('\r\n', '\n');
  });
  child.stdin.on('error', () => {});
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    shown: () => text,
    sees: (wanted) =>
      until(
        async () => (child.exitCode === null || wanted.test(text) ? text : Promise.reject(new Error(text))),
        (now) => wanted.test(now),
        60_000,
      ),
    type: (typed) => void child.stdin.write(typed),
    exited,
  };
}

/** One command to its end, where nobody types anything. */
export async function shownAtTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const session = atTerminal(args, env);
  const code = await session.exited;
  return { code, shown: session.shown() };
}
