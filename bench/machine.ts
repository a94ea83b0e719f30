// What the machine says about processes and about itself. Linux tells it in files, exactly; elsewhere memory comes
// from ps, and processor time is not known.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';

const isLinux = process.platform === 'linux';
// The unit of processor time in /proc: fixed at a hundredth of a second for every program, whatever the kernel uses.
const ticksPerSecond = 100;

/** Processor seconds a process has used so far, all of its threads together; null where nobody says. */
export function cpuSecondsOf(pid: number): number | null {
  if (!isLinux) return null;
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name of the program, in brackets, and may itself hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process. */
export function residentBytesOf(pid: number): number {
  if (isLinux) {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB$/m);
    if (line === null) throw new Error(`The process ${pid} has no memory to speak of: it has ended.`);
    return Number(line[1]) * 1024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

/** Processor seconds of the whole machine so far: in use, and taken away by its host. */
export function machineSeconds(): { readonly busy: number; readonly stolen: number } | null {
  if (!isLinux) return null;
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return {
    busy: (user + nice + system + interrupts + softInterrupts) / ticksPerSecond,
    stolen: stolen / ticksPerSecond,
  };
}

/** Keeps every thread of a process, and those it starts later, on one core; false where that cannot be said. */
export function keepOnCore(pid: number, core: number): boolean {
  if (!isLinux || availableParallelism() < 2) return false;
  try {
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Machine {
  readonly platform: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly node: string;
}

export function describeMachine(): Machine {
  const [core] = cpus();
  return {
    platform: `${process.platform} ${process.arch}`,
    processor: core?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    node: process.version,
  };
}
