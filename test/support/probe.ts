// Asks a service over and over, from a process of its own, how long an ordinary caller waits: on connections that are
// kept open and on new ones. Whoever loads the service meanwhile does so from another process.

import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';

export interface ProbeOrder {
  readonly baseUrl: string;
  /** Of the service: what its event loop waited for a processor is the machine's fault, not the program's. */
  readonly pid: number;
  readonly token: string;
}

export type ProbeKind = 'measures' | 'measures, new connection' | 'livez' | 'livez, new connection';

export interface ProbeReport {
  readonly waitsMs: Readonly<Record<ProbeKind, readonly number[]>>;
  readonly failures: readonly string[];
}

const pauseMs = 10;
const patienceMs = 30_000;

process.once('message', (order: ProbeOrder) => {
  let isOver = false;
  const failures: string[] = [];
  const watch = async (path: string, headers: Record<string, string>, isKept: boolean): Promise<number[]> => {
    const agent = isKept ? new Agent({ keepAlive: true, maxSockets: 1 }) : false;
    const waitsMs: number[] = [];
    while (!isOver) {
      const waited = waitedMs(order.pid) + waitedMs(process.pid);
      const startedAtMs = performance.now();
      try {
        const status = await ask(`${order.baseUrl}${path}`, { agent, headers });
        if (status !== 200) failures.push(`${path} answered ${status}`);
      } catch (error) {
        failures.push(`${path} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      const unfairMs = waitedMs(order.pid) + waitedMs(process.pid) - waited;
      waitsMs.push(performance.now() - startedAtMs - unfairMs);
      await new Promise((resume) => setTimeout(resume, pauseMs));
    }
    return waitsMs;
  };
  const headers = { authorization: `Bearer ${order.token}`, accept: 'application/json' };
  const watching = Promise.all([
    watch('/v1/measures', headers, true),
    watch('/v1/measures', headers, false),
    watch('/livez', {}, true),
    watch('/livez', {}, false),
  ]);
  process.send?.('watching');
  process.once('message', async () => {
    isOver = true;
    const [measures, newMeasures, livez, newLivez] = await watching;
    const report: ProbeReport = {
      waitsMs: {
        measures,
        'measures, new connection': newMeasures,
        livez,
        'livez, new connection': newLivez,
      },
      failures,
    };
    process.send?.(report, () => process.exit(0));
  });
});

function ask(url: string, options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, timeout: patienceMs }, (incoming) => {
      incoming.on('error', reject);
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
      incoming.resume();
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** How long the first thread of a process has waited for a processor so far; Linux keeps count of it. */
function waitedMs(pid: number): number {
  try {
    const [, waitedNs = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
