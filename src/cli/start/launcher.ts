// Who started the service, where that is npm. npm runs a script in a shell and hands a signal to that shell alone; a
// shell that dies of it leaves its child behind, and so does an npm that is killed. So the service finds the processes
// between itself and npm, and stops when one of them has ended (D-196). So it does for our own starter, which passes signals on
// but can be killed. Started by anybody else, it hears signals itself.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const lookEveryMs = 250;
const ancestorsMax = 8;
const psPatienceMs = 2_000;

const shells = new Set(['sh', 'ash', 'bash', 'busybox', 'dash', 'ksh', 'zsh']);
const packageManager = /(^|\/)(npm|npx|pnpm|yarn)(-cli)?(\.[cm]?js)?$/;
const ownStarter = /(^|\/)soundings(\.js)?$/;

/** What the system says of a process: who started it, and the words of its command line. */
export interface ProcessFacts {
  readonly parentPid: number;
  readonly words: readonly string[];
}

/** Resolves when npm, or what stands between it and this process, has gone; never where npm did not start us. */
export function untilLauncherGone(): Promise<void> {
  return new Promise((resolve) => {
    // Windows tells a process nothing of its ancestors, and has no signals that could be lost.
    const line = process.platform === 'win32' ? null : lineToLauncher(process.ppid, lookAt);
    if (line === null) return;
    const timer = setInterval(() => {
      if (process.ppid === line[0] && isWhole(line)) return;
      clearInterval(timer);
      resolve();
    }, lookEveryMs);
    // The process may end while this timer runs.
    timer.unref();
  });
}

/**
 * The ancestors up to npm, the nearest first, where there is nobody else among them but shells that run one command, and our own
 * starter; otherwise up to our own starter, and null without one.
 */
export function lineToLauncher(
  parentPid: number,
  look: (pid: number) => ProcessFacts | null,
): readonly number[] | null {
  const line: number[] = [];
  let own: readonly number[] | null = null;
  let pid = parentPid;
  while (line.length < ancestorsMax) {
    const facts = look(pid);
    if (facts === null) return own;
    line.push(pid);
    const start = facts.words.slice(0, 2);
    if (start.some((word) => packageManager.test(word))) return line;
    const isScript = shells.has(basename(start[0] ?? '')) && facts.words.slice(1, 4).includes('-c');
    const isOwn = start.some((word) => ownStarter.test(word));
    if (!isScript && !isOwn) return own;
    if (isOwn) own = [...line];
    pid = facts.parentPid;
  }
  return own;
}

function lookAt(pid: number): ProcessFacts | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return null;
  }
}

function fromProc(pid: number): ProcessFacts {
  // A process that names itself, as npm does, parts its words by blanks.
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]+/);
  return { parentPid: parentOf(pid), words };
}

function parentOf(pid: number): number {
  // The name in brackets may hold anything, brackets too; behind the last one come the state and the parent.
  const facts = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(facts.slice(facts.lastIndexOf(')') + 2).split(' ')[1]);
}

function fromPs(pid: number): ProcessFacts {
  const text = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: psPatienceMs,
  });
  const [parentPid, ...words] = text.trim().split(/\s+/);
  return { parentPid: Number(parentPid), words };
}

/**
 * Whether every process of the line still runs. On Linux each must still have its parent: a process whose parent ended
 * gets another one at once, while the parent itself may be listed for as long as nobody asks for its exit status.
 */
function isWhole(line: readonly number[]): boolean {
  try {
    if (process.platform === 'linux')
      return line.slice(1).every((parentPid, index) => parentOf(line[index]!) === parentPid);
    for (const pid of line) process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
