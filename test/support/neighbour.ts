// One account asks for as much as it can; how long do the others wait? Measured from a process of its own (probe.ts), and judged by
// shares, because a machine may stand still for a moment, and against what the same machine needed just before, when nobody asked
// for much: where it has other work that takes everything longer. What a server that does nothing was late with in the same moment
// is nobody's fault (D-403).

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProbeKind, ProbeOrder, ProbeReport } from './probe.ts';
import type { Service } from './service.ts';

const boundsMs: Readonly<Record<ProbeKind, number>> = {
  measures: 250,
  'measures, new connection': 250,
  livez: 100,
  'livez, new connection': 100,
};
/** Or so many times as long as nine in ten answers took while nobody was noisy: on a machine of its own far less than the bound. */
const quietTimes = 10;
/** So many answers are needed, or one for so many of a server that does nothing: where that one had few, the machine stood still. */
const answersMin = 20;
const idleAnswersForEach = 10;
/** One process under every load (D-910). */
export const memoryMaxMiB = 400;

/** How a load is looked at while it is put on a service. */
export type Watch = (service: Pick<Service, 'baseUrl' | 'pid'>, work: () => Promise<void>) => Promise<void>;

/** Asks for the neighbour all the while the work is done, and holds the service to what neighbours are promised. */
export async function neighbourIsServedWhile(
  service: Pick<Service, 'baseUrl' | 'pid'>,
  token: string,
  work: () => Promise<void>,
): Promise<void> {
  assert.notEqual(service.pid, process.pid, 'What a service uses is seen in a process of its own.');
  const probe = fork(fileURLToPath(new URL('./probe.ts', import.meta.url)), { stdio: 'inherit' });
  try {
    const order: ProbeOrder = { baseUrl: service.baseUrl, pid: service.pid, token };
    probe.send(order);
    await once(probe, 'message');
    await work();
    const reported = once(probe, 'message');
    probe.send('stop');
    const [report] = (await reported) as [ProbeReport];
    judge(report);
    const memoryMiB = peakMemoryMiB(service.pid);
    assert.ok(memoryMiB < memoryMaxMiB, `The service has used ${Math.round(memoryMiB)} MiB of memory.`);
  } finally {
    probe.kill('SIGKILL');
  }
}

function judge({ quietMs, waitsMs, idleAnswers, failures }: ProbeReport): void {
  assert.deepEqual([...new Set(failures)], []);
  for (const kind of Object.keys(boundsMs) as ProbeKind[]) {
    const waits = waitsMs[kind];
    const quiet = quietMs[kind].toSorted((a, b) => a - b);
    const quietNine = quiet[Math.floor(quiet.length * 0.9)] ?? 0;
    const bound = Math.max(boundsMs[kind], quietTimes * quietNine);
    const needed = Math.max(1, Math.min(answersMin, Math.floor(idleAnswers / idleAnswersForEach)));
    assert.ok(
      waits.length >= needed,
      `${kind}: only ${waits.length} answers were measured, and ${idleAnswers} of a server that does nothing.`,
    );
    const late = waits.filter((ms) => ms > bound);
    // One in a hundred, or two among few: a machine may stand still for a moment.
    const lateMax = Math.max(2, Math.floor(waits.length / 100));
    assert.ok(
      late.length <= lateMax,
      `${kind}: ${late.length} of ${waits.length} answers took longer than ${Math.round(bound)} ms (quiet: ${Math.round(quietNine)} ms): ${late
        .sort((a, b) => b - a)
        .slice(0, 10)
        .map(Math.round)
        .join(', ')}`,
    );
  }
}

/** The most memory that a process had at any time; Linux keeps count of it. */
export function peakMemoryMiB(pid: number): number {
  try {
    const [, kilobytes = '0'] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmHWM:\s+(\d+)/m) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}
