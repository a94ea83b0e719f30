// The writer thread of the embedded store. It owns the only connection that changes anything, so that waiting
// for a lock or for the disk stops this thread and not the event loop that answers callers. Everything that
// arrives while one commit runs shares the next one.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Problem } from '../domain/problem.ts';
import { changes } from './changes.ts';
import { DiskReserve } from './disk-reserve.ts';
import {
  isSqliteFailure,
  isUniqueViolation,
  primaryCode,
  resultCodes,
  SqliteConnection,
} from './sqlite-connection.ts';

/** What the main thread posts: a change of the list by its name, or a probe when there is none. */
export interface WriteOrder {
  readonly id: number;
  readonly change?: string;
  readonly input?: object;
}

/** What comes back: a value, a Problem taken apart, or the failure of SQLite by its code. */
export type WriteReport =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number;
      readonly problem: { code: Problem['code']; message: string; details: Problem['details'] };
    }
  | { readonly id: number; readonly failure: { kind: FailureKind; message: string } };

export type FailureKind = 'unique' | 'busy' | 'full' | 'broken' | 'other';

export interface WriterData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

const batchSizeMax = 1024;

const { path, busyTimeoutMs } = workerData as WriterData;
const port = parentPort as MessagePort;
const connection = new SqliteConnection(path, busyTimeoutMs);
const reserve = new DiskReserve(path);

port.on('message', (first: WriteOrder | 'close') => {
  if (first === 'close') {
    connection.close();
    reserve.close();
    port.close();
    return;
  }
  const orders = [first];
  let closing = false;
  while (orders.length < batchSizeMax) {
    const next = receiveMessageOnPort(port) as { message: WriteOrder | 'close' } | undefined;
    if (next === undefined) break;
    if (next.message === 'close') {
      closing = true;
      break;
    }
    orders.push(next.message);
  }
  port.postMessage(carryOut(orders));
  if (closing) {
    connection.close();
    reserve.close();
    port.close();
  }
});

function carryOut(orders: readonly WriteOrder[]): WriteReport[] {
  const work = orders.filter((order) => order.change !== undefined);
  try {
    reserve.refill();
    if (work.length === 0) {
      connection.probe();
      return orders.map(({ id }) => ({ id, value: null }));
    }
    const outcomes = connection.runTogether(
      work.map((order) => ({ change: changes.get(order.change as string)!, input: order.input ?? {} })),
    );
    const reports = work.map((order, index) => {
      const outcome = outcomes[index]!;
      return 'value' in outcome ? { id: order.id, value: outcome.value } : report(order.id, outcome.error);
    });
    // A probe that shared the transaction has its answer in the fact that it committed.
    return [
      ...reports,
      ...orders.filter((order) => order.change === undefined).map(({ id }) => ({ id, value: null })),
    ];
  } catch (error) {
    if (isSqliteFailure(error) && primaryCode(error) === resultCodes.full) reserve.release();
    return orders.map(({ id }) => report(id, error));
  }
}

function report(id: number, error: unknown): WriteReport {
  if (error instanceof Problem) {
    return { id, problem: { code: error.code, message: error.message, details: error.details } };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { id, failure: { kind: failureKind(error), message } };
}

function failureKind(error: unknown): FailureKind {
  if (!isSqliteFailure(error)) return 'other';
  if (isUniqueViolation(error)) return 'unique';
  const code = primaryCode(error);
  if (code === resultCodes.busy || code === resultCodes.locked) return 'busy';
  if (code === resultCodes.full) return 'full';
  const isBroken =
    code === resultCodes.ioError || code === resultCodes.cannotOpen || code === resultCodes.readOnly;
  return isBroken ? 'broken' : 'other';
}
