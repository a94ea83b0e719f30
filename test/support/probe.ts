// Asks a service over and over, from a process of its own, how long an ordinary caller waits: on connections that are
// kept open and on new ones. It does so while nobody else asks anything, and then on; whoever loads the service after that
// does so from another process. A server that does nothing is asked in the same way: what it needs too long for is the machine's fault.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { fairWaits, type Span, type WaitSpan } from './fair-waits.ts';

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
  /** How often the server that does nothing answered meanwhile. */
  readonly idleAnswers: number;
  readonly failures: readonly string[];
}

const pauseMs = 10;
const patienceMs = 30_000;
/** So many answers of each kind, after the first, for which this process and the service have yet to load something. */
const quietAnswers = 20;
/** A server that does nothing answers far sooner; when it needs longer, the machine stands still or has other work. */
const standstillMs = 20;

process.once('message', async (order: ProbeOrder) => {
  let isOver = false;
  const failures: string[] = [];
  const askFor = async (url: string, options: RequestOptions): Promise<WaitSpan> => {
    const unscheduled = waitedMs(order.pid) + waitedMs(process.pid);
    const fromMs = performance.now();
    try {
      const status = await ask(url, options);
      if (status !== 200) failures.push(`${url} answered ${status}`);
    } catch (error) {
      failures.push(`${url} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    const toMs = performance.now();
    const unscheduledMs = waitedMs(order.pid) + waitedMs(process.pid) - unscheduled;
    await new Promise((resume) => setTimeout(resume, pauseMs));
    return { fromMs, toMs, unscheduledMs };
  };
  const kept = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${order.token}`, accept: 'application/json' };
  const measures = `${order.baseUrl}/v1/measures`;
  const livez = `${order.baseUrl}/livez`;
  const questions: Readonly<Record<ProbeKind, readonly [string, RequestOptions]>> = {
    measures: [measures, { agent: kept(), headers }],
    'measures, new connection': [measures, { agent: false, headers }],
    livez: [livez, { agent: kept() }],
    'livez, new connection': [livez, { agent: false }],
  };
  const idleUrl = await startIdleServer();
  const idleAgent = kept();
  /** Asks every question again and again, until all of them have been asked long enough. */
  const watch = async (
    isEnough: (answers: number) => boolean,
  ): Promise<{ waitsMs: Waits; idleAnswers: number }> => {
    let questionsLeft = Object.keys(questions).length;
    const watched = Object.entries(questions).map(async ([kind, [url, options]]) => {
      const waits: WaitSpan[] = [];
      while (!isEnough(waits.length)) waits.push(await askFor(url, options));
      questionsLeft -= 1;
      return [kind, waits] as const;
    });
    const standstills: Span[] = [];
    let idleAnswers = 0;
    while (questionsLeft > 0) {
      const idle = await askFor(idleUrl, { agent: idleAgent });
      idleAnswers += 1;
      if (idle.toMs - idle.fromMs > standstillMs) standstills.push(idle);
    }
    const waitsMs = (await Promise.all(watched)).map(([kind, waits]) => [
      kind,
      fairWaits(waits, standstills),
    ]);
    return { waitsMs: Object.fromEntries(waitsMs) as Waits, idleAnswers };
  };
  await watch((answers) => answers === 1);
  const { waitsMs: quietMs } = await watch((answers) => answers === quietAnswers);
  process.once('message', () => {
    isOver = true;
  });
  process.send?.('watching');
  const report: ProbeReport = { quietMs, ...(await watch(() => isOver)), failures };
  process.send?.(report, () => process.exit(0));
});

/** The address of a thread that answers at once, whatever is asked. */
async function startIdleServer(): Promise<string> {
  const idle = new Worker(new URL('./idle-server.ts', import.meta.url));
  const [port] = (await once(idle, 'message')) as [number];
  return `http://127.0.0.1:${port}/`;
}

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
