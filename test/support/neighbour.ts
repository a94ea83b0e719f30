// One account asks for as much as it can; how long do the others wait? Measured from a process of its own (probe.ts), and judged by
// shares, because a machine may stand still for a moment, and against what the same machine needed just before, when nobody asked
// for much: where it has other work that takes everything longer (D-403).

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
  livez: 150,
  'livez, new connection': 150,
};
/** Or so many times as long as nine in ten answers took while nobody was noisy: on a machine of its own far less than the bound. */
const quietTimes = 10;
const samplesMin = 20;
const memoryMaxMiB = 450;

/** Asks for the neighbour all the while the work is done, and holds the service to what neighbours are promised. */
export async function neighbourIsServedWhile(
  service: Pick<Service, 'baseUrl' | 'pid'>,
  token: string,
  work: () => Promise<void>,
): Promise<void> {
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

function judge({ quietMs, waitsMs, failures }: ProbeReport): void {
  assert.deepEqual([...new Set(failures)], []);
  for (const kind of Object.keys(boundsMs) as ProbeKind[]) {
    const waits = waitsMs[kind];
    const quiet = quietMs[kind].toSorted((a, b) => a - b);
    const quietNine = quiet[Math.floor(quiet.length * 0.9)] ?? 0;
    const bound = Math.max(boundsMs[kind], quietTimes * quietNine);
    assert.ok(waits.length >= samplesMin, `${kind}: only ${waits.length} answers were measured.`);
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
