// Asks a service over and over, from a process of its own, how long an ordinary caller waits: on connections that are
// kept open and on new ones. It does so while nobody else asks anything, and then on; whoever loads the service after that
// does so from another process.

import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';

export interface ProbeOrder {
  readonly baseUrl: string;
  /** Of the service: what its event loop waited for a processor is the machine's fault, not the program's. */
  readonly pid: number;
  readonly token: string;
}

export type ProbeKind = 'measures' | 'measures, new connection' | 'livez' | 'livez, new connection';

export type Waits = Readonly<Record<ProbeKind, readonly number[]>>;

export interface ProbeReport {
  /** While nobody else asked anything. */
  readonly quietMs: Waits;
  readonly waitsMs: Waits;
  readonly failures: readonly string[];
}

const pauseMs = 10;
const patienceMs = 30_000;
/** So many answers of each kind, after the first, for which this process and the service have yet to load something. */
const quietAnswers = 20;

process.once('message', async (order: ProbeOrder) => {
  let isOver = false;
  const failures: string[] = [];
  const askFor = async (path: string, options: RequestOptions): Promise<number> => {
    const waited = waitedMs(order.pid) + waitedMs(process.pid);
    const startedAtMs = performance.now();
    try {
      const status = await ask(`${order.baseUrl}${path}`, options);
      if (status !== 200) failures.push(`${path} answered ${status}`);
    } catch (error) {
      failures.push(`${path} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    const unfairMs = waitedMs(order.pid) + waitedMs(process.pid) - waited;
    const waitMs = performance.now() - startedAtMs - unfairMs;
    await new Promise((resume) => setTimeout(resume, pauseMs));
    return waitMs;
  };
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${order.token}`, accept: 'application/json' };
  const questions: Readonly<Record<ProbeKind, readonly [string, RequestOptions]>> = {
    measures: ['/v1/measures', { agent: kept, headers }],
    'measures, new connection': ['/v1/measures', { agent: false, headers }],
    livez: ['/livez', { agent: new Agent({ keepAlive: true, maxSockets: 1 }) }],
    'livez, new connection': ['/livez', { agent: false }],
  };
  /** Asks every question again and again, until all of them have been asked long enough. */
  const watch = async (isEnough: (answers: number) => boolean): Promise<Waits> => {
    const watched = Object.entries(questions).map(async ([kind, [path, options]]) => {
      const waitsMs: number[] = [];
      while (!isEnough(waitsMs.length)) waitsMs.push(await askFor(path, options));
      return [kind, waitsMs] as const;
    });
    return Object.fromEntries(await Promise.all(watched)) as unknown as Waits;
  };
  await watch((answers) => answers === 1);
  const quietMs = await watch((answers) => answers === quietAnswers);
  process.once('message', () => {
    isOver = true;
  });
  process.send?.('watching');
  const report: ProbeReport = { quietMs, waitsMs: await watch(() => isOver), failures };
  process.send?.(report, () => process.exit(0));
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
