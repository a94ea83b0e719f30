// Processor time of all threads of a process and of all processes under it, and when they have come to rest. Linux keeps count of it.

import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Of its own threads, and of children that have ended and were seen to end. */
  readonly seconds: number;
}

function fieldsOf(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name of the program, in brackets, and may itself hold spaces.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function rowOf(pid: number): ProcessRow | null {
  try {
    const fields = fieldsOf(pid);
    const [user = 0, system = 0, ofChildren = 0, systemOfChildren = 0] = fields.slice(11, 15).map(Number);
    return {
      pid,
      parent: Number(fields[1]),
      seconds: (user + system + ofChildren + systemOfChildren) / ticksPerSecond,
    };
  } catch {
    // It has ended.
    return null;
  }
}

/** Seconds that the process and everything under it have used so far. */
export function processorSecondsOf(pid: number): number {
  const rows = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => rowOf(Number(name)) ?? []);
  const under = new Set([pid]);
  // A child has been made after its parent, but numbers begin anew some time.
  for (let before = 0; before !== under.size; ) {
    before = under.size;
    for (const { pid: child, parent } of rows) if (under.has(parent)) under.add(child);
  }
  return rows.reduce((sum, { pid: one, seconds }) => sum + (under.has(one) ? seconds : 0), 0);
}

/** Seconds that processes have used which this one started and which have ended. */
export function endedChildrenSeconds(): number {
  const [ofChildren = 0, systemOfChildren = 0] = fieldsOf(process.pid).slice(13, 15).map(Number);
  return (ofChildren + systemOfChildren) / ticksPerSecond;
}

const lookMs = 250;
/** A service at rest looks at its store every second and does little else: in a second it uses less than this. */
const restingSeconds = 0.04;
const looksAtRest = 4;
const patienceMs = 60_000;
/** By the process: what it had used when it was last at rest, and when that was. */
const lastRests = new Map<number, { readonly seconds: number; readonly atMs: number }>();

/** Waits until the processes have come to rest; false where they do not. Whoever has rested since the last time is not waited for. */
export async function comeToRest(pids: readonly number[]): Promise<boolean> {
  if (pids.every(hasRestedSince)) return true;
  const untilMs = performance.now() + patienceMs;
  const used = (): number => pids.reduce((sum, pid) => sum + processorSecondsOf(pid), 0);
  const looks = [used()];
  for (;;) {
    await new Promise((resume) => setTimeout(resume, lookMs));
    const now = used();
    looks.push(now);
    if (now - (looks.at(-1 - looksAtRest) ?? Number.NEGATIVE_INFINITY) <= restingSeconds) break;
    if (performance.now() > untilMs) return false;
  }
  for (const pid of pids) lastRests.set(pid, { seconds: processorSecondsOf(pid), atMs: performance.now() });
  return true;
}

function hasRestedSince(pid: number): boolean {
  const last = lastRests.get(pid);
  if (last === undefined) return false;
  const passedSeconds = (performance.now() - last.atMs) / 1_000;
  return processorSecondsOf(pid) - last.seconds <= restingSeconds * passedSeconds;
}

/** Memory of a process, in which what it shares with others is divided among them. */
export function proportionalBytesOf(pid: number): number {
  const line = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  if (line === null) throw new Error(`The process ${pid} says nothing of its memory.`);
  return Number(line[1]) * 1024;
}
