// The thread of scan-thread.ts. It reads the store on a connection of its own. Scans take turns step by step, and accounts do so
// first: however many scans an account has, another one's is next.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Problem } from '../../domain/problem.ts';
import type { Db } from '../engine/db.ts';
import { openReadingDb } from '../engine/reading-db.ts';
import { sharedClockMs } from '../engine/sqlite/sqlite-connection.ts';
import { lowerThreadPriority } from '../engine/work/low-priority.ts';
import { threadCpuMs } from '../engine/work/thread-cpu.ts';
import { LogChanged } from '../feedback/log-places.ts';
import { Sources } from '../feedback/sources.ts';
import { KeptGroups } from './kept-groups.ts';
import { ScanJob, type ScanResult } from './scan-job.ts';
import type { ScanAnswer, ScanEnd, ScanMessage, ScanThreadData } from './scan-thread.ts';

/** Of definitions that scans have met. */
const definitionsMemoryBytes = 16 * 1024 * 1024;
const attemptsMax = 3;

interface Scan {
  readonly id: number;
  readonly request: Extract<ScanMessage, { what: 'scan' }>['request'];
  readonly deadlineMs: number;
  readonly workMs: number;
  /** The processor time that it has used. */
  threadMs: number;
  job: ScanJob | null;
  attempt: number;
}

const port = parentPort as MessagePort;
const { address, timeoutMs, steps } = workerData as ScanThreadData;
const scans = new Map<number, Scan>();
/** Accounts that have scans, the next one first, each with its scans, the next one first. */
const accounts = new Map<number, Scan[]>();
let opened: { readonly db: Db; readonly sources: Sources } | null = null;
let isRunning = false;
const kept = new KeptGroups();

lowerThreadPriority();

port.on('message', (message: ScanMessage) => {
  if (message.what === 'close') void close();
  else if (message.what === 'scan') add(message);
  else end(message);
});

function add({ id, request, deadlineMs, workMs }: Extract<ScanMessage, { what: 'scan' }>): void {
  const scan = { id, request, deadlineMs, workMs, threadMs: 0, job: null, attempt: 1 };
  scans.set(id, scan);
  const { accountId } = request.source;
  const own = accounts.get(accountId);
  if (own === undefined) accounts.set(accountId, [scan]);
  else own.push(scan);
  if (!isRunning) void run();
}

/** What a scan that is to end has by then, or nothing where nobody wants it. */
function end({ id, isWanted }: Extract<ScanMessage, { what: 'end' }>): void {
  const scan = scans.get(id);
  if (scan === undefined) return;
  if (isWanted && scan.job !== null) finish(scan, scan.job.result());
  else drop(scan, { ended: scan.job?.scanned ?? 0 });
}

async function run(): Promise<void> {
  isRunning = true;
  for (;;) {
    const [next] = accounts;
    if (next === undefined) break;
    const [accountId, own] = next;
    const scan = own.shift()!;
    accounts.delete(accountId);
    await step(scan);
    // Both go to the end of their lines, unless the scan is over.
    if (scans.has(scan.id)) own.push(scan);
    const since = accounts.get(accountId) ?? [];
    accounts.delete(accountId);
    if (own.length + since.length > 0) accounts.set(accountId, [...own, ...since]);
    // Messages are taken in between two steps.
    await new Promise((resume) => setImmediate(resume));
  }
  isRunning = false;
}

async function step(scan: Scan): Promise<void> {
  if (!scans.has(scan.id)) return;
  // There is one step at a time, and this thread does nothing else.
  const beganAtMs = threadCpuMs();
  try {
    const { db, sources } = await open();
    scan.job ??= await ScanJob.begin(db, sources, scan.request, kept);
    const { job } = scan;
    const hasTime = sharedClockMs() < scan.deadlineMs && scan.threadMs < scan.workMs;
    const goesOn = hasTime && (await job.step());
    Atomics.add(steps, 0, 1);
    scan.threadMs += threadCpuMs() - beganAtMs;
    if (!goesOn) finish(scan, job.result());
  } catch (error) {
    // A standby took over without the last rows: everything is read again.
    if (error instanceof LogChanged && scan.attempt < attemptsMax) {
      scan.attempt += 1;
      scan.job = null;
    } else drop(scan, failureOf(error));
  }
}

async function open(): Promise<{ readonly db: Db; readonly sources: Sources }> {
  if (opened !== null) return opened;
  const db = await openReadingDb(address, { timeoutMs, poolSize: 1 });
  if (db === null) throw new Error('A store in the memory of its process cannot be read by another thread.');
  opened = {
    db,
    sources: new Sources({ db, elapsedMs: () => performance.now(), config: { definitionsMemoryBytes } }),
  };
  return opened;
}

function finish(scan: Scan, result: ScanResult): void {
  const { result: figures } = result;
  const buffers = 'days' in figures ? [figures.days.figures.buffer as ArrayBuffer] : [];
  drop(scan, { result }, buffers);
}

function drop(scan: Scan, outcome: ScanEnd, buffers: ArrayBuffer[] = []): void {
  if (!scans.delete(scan.id)) return;
  const own = accounts.get(scan.request.source.accountId) ?? [];
  const left = own.filter((one) => one !== scan);
  if (left.length < own.length) {
    if (left.length === 0) accounts.delete(scan.request.source.accountId);
    else accounts.set(scan.request.source.accountId, left);
  }
  port.postMessage({ id: scan.id, threadMs: scan.threadMs, ...outcome } satisfies ScanAnswer, buffers);
}

function failureOf(error: unknown): ScanEnd {
  if (error instanceof Problem) {
    const { code, message, headers } = error;
    const cause = error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : null;
    return { problem: { code, message, headers, cause } };
  }
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

async function close(): Promise<void> {
  await opened?.db.close().catch(() => {});
  port.close();
}
