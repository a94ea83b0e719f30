// The writer thread of the embedded store. It owns the only connection that changes anything, so that waiting
// for a lock or for the disk stops this thread and not the event loop that answers callers. Everything that
// arrives while one commit runs shares the next one.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Problem } from '../../domain/problem.ts';
import { type ChangeName, changeNamed } from '../changes.ts';
import { DiskReserve } from './disk-reserve.ts';
import {
  isDamage,
  isDamageOfAll,
  isSqliteFailure,
  isUniqueViolation,
  primaryCode,
  resultCodes,
  SqliteConnection,
  sharedClockMs,
} from './sqlite-connection.ts';
import { OpenedFile } from './store-file.ts';

/** What the main thread posts: a change of the list by its name, or a probe when there is none. */
export interface WriteOrder {
  readonly id: number;
  /** By the clock that all threads share; what has not begun by then is not begun at all. */
  readonly deadlineMs: number;
  readonly change?: ChangeName;
  readonly input?: object;
}

/** What comes back: a value, a Problem taken apart, or the failure of SQLite by its code. */
export type WriteReport =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number;
      readonly problem: Pick<Problem, 'code' | 'message' | 'details' | 'headers'>;
    }
  | { readonly id: number; readonly failure: { kind: FailureKind; message: string } };

export type FailureKind =
  | 'unique'
  | 'busy'
  | 'full'
  | 'broken'
  | 'moved'
  | 'damaged'
  | 'damagedIndex'
  | 'other';

export interface WriterData {
  readonly path: string;
  /** Which file the path meant when the store was opened. */
  readonly opened: string | null;
}

const batchSizeMax = 1024;
// The wait for a foreign lock is made of steps: between them late orders are answered and new ones join.
const lockStepMs = 25;

const { path, opened } = workerData as WriterData;
const port = parentPort as MessagePort;
const lockHeld = { kind: 'busy', message: 'Another process holds the write lock.' } as const;
const tooBusy = { kind: 'busy', message: 'The changes before it took too long.' } as const;
const noRoom = { kind: 'full', message: 'The disk has no room for the reserve.' } as const;
const moved = { kind: 'moved', message: 'The file at the path is not the one that is open.' } as const;
const connection = new SqliteConnection(path, lockStepMs);
const file = new OpenedFile(path, opened);
const reserve = new DiskReserve(path);
// What is waiting when this thread begins may have waited for the thread alone, long on a busy machine: it is tried once (D-710).
let isBeginning = true;

port.on('message', (first: WriteOrder | 'close') => {
  let isClosing = first === 'close';
  let isLockHeld = false;
  let orders = first === 'close' ? [] : [first];
  const gather = (): void => {
    while (!isClosing && orders.length < batchSizeMax) {
      const next = receiveMessageOnPort(port) as { message: WriteOrder | 'close' } | undefined;
      if (next === undefined) return;
      if (next.message === 'close') isClosing = true;
      else orders.push(next.message);
    }
  };
  do {
    gather();
    const nowMs = sharedClockMs();
    const late = isBeginning ? [] : orders.filter(({ deadlineMs }) => deadlineMs <= nowMs);
    isBeginning = false;
    if (late.length > 0) {
      const failure = isLockHeld ? lockHeld : tooBusy;
      port.postMessage(late.map(({ id }): WriteReport => ({ id, failure })));
      orders = orders.filter(({ deadlineMs }) => deadlineMs > nowMs);
    }
    const reports = orders.length === 0 ? [] : carryOut(orders);
    isLockHeld = reports.length === 0;
    if (reports.length > 0) {
      orders = [];
      port.postMessage(reports);
    }
  } while (orders.length > 0);
  if (!isClosing) return;
  connection.close();
  reserve.close();
  port.close();
});

/** Makes the changes of all orders in one transaction and reports each; an empty list when the lock is not free. */
function carryOut(orders: readonly WriteOrder[]): WriteReport[] {
  const work = orders.filter((order) => order.change !== undefined);
  const probes = orders.filter((order) => order.change === undefined);
  try {
    if (!file.isInPlace()) return orders.map(({ id }) => ({ id, failure: moved }));
    if (work.length > 0 && !reserve.isInPlace()) return orders.map(({ id }) => ({ id, failure: noRoom }));
    if (!connection.begin()) return [];
    if (work.length === 0) {
      connection.rollback();
      return probes.map(({ id }) => ({ id, value: null }));
    }
    const outcomes = connection.runTogether(
      work.map((order) => ({ change: changeNamed(order.change!), input: order.input ?? {} })),
    );
    // It may have gone while the change was made: then the change went with it.
    if (!file.isInPlace()) return orders.map(({ id }) => ({ id, failure: moved }));
    const reports = work.map((order, index) => {
      const outcome = outcomes[index]!;
      return 'value' in outcome ? { id: order.id, value: outcome.value } : report(order.id, outcome.error);
    });
    // A probe that shared the transaction has its answer in the fact that it committed.
    return [...reports, ...probes.map(({ id }) => ({ id, value: null }))];
  } catch (error) {
    if (isSqliteFailure(error) && primaryCode(error) === resultCodes.full) makeRoom();
    return orders.map(({ id }) => report(id, error));
  }
}

/** Gives up the reserve, so that at least a checkpoint can be made; changes wait until the reserve fits again. */
function makeRoom(): void {
  reserve.release();
  try {
    connection.checkpoint();
  } catch {
    // A reader is in the way, or there is still no room: the next change that fails tries again.
  }
}

function report(id: number, error: unknown): WriteReport {
  if (error instanceof Problem) {
    const { code, message, details, headers } = error;
    return { id, problem: { code, message, details, headers } };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { id, failure: { kind: failureKind(error), message } };
}

function failureKind(error: unknown): FailureKind {
  if (!isSqliteFailure(error)) return 'other';
  if (isUniqueViolation(error)) return 'unique';
  if (isDamage(error)) return isDamageOfAll(error) ? 'damaged' : 'damagedIndex';
  const code = primaryCode(error);
  if (code === resultCodes.busy || code === resultCodes.locked) return 'busy';
  if (code === resultCodes.full) return 'full';
  const isBroken =
    code === resultCodes.ioError || code === resultCodes.cannotOpen || code === resultCodes.readOnly;
  return isBroken ? 'broken' : 'other';
}
