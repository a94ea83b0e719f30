// Programs of the machine that tests use where they are there, with the very lines that docs/scaling.md gives.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findTool } from './find-tool.ts';
import { endingWithUs } from './service.ts';

/** The lines of a tool in docs/scaling.md, with other values in place of some; each must be there. */
export function documentedLines(tool: string, replaced: Readonly<Record<string, string>>): string {
  const page = readFileSync(fileURLToPath(new URL('../../docs/scaling.md', import.meta.url)), 'utf8');
  let lines = new RegExp(`^\`\`\`${tool}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1];
  if (lines === undefined) throw new Error(`docs/scaling.md has no lines of ${tool}.`);
  for (const [from, to] of Object.entries(replaced)) {
    if (!lines.includes(from)) throw new Error(`The lines of ${tool} do not say ${from}.`);
    lines = lines.replaceAll(from, to);
  }
  return lines;
}

export interface RunningTool {
  output(): string;
  /** Types into the tool. */
  type(text: string): void;
  stop(): Promise<void>;
}

/** Some programs refuse to be root; then they are nobody. */
export function startTool(name: string, args: readonly string[], mayBeRoot = true): RunningTool {
  const path = findTool(name);
  if (path === null) throw new Error(`${name} is not on this machine.`);
  const as = !mayBeRoot && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child: ChildProcess = endingWithUs(spawn(path, args, { ...as, stdio: ['pipe', 'pipe', 'pipe'] }));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    output: () => output,
    type: (text) => void child.stdin?.write(text),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
