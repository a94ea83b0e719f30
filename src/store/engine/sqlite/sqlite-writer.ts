// The writer thread of the embedded store. It owns the only connection that changes anything, so that waiting
// for a lock or for the disk stops this thread and not the event loop that answers callers. Everything that
// arrives while one commit runs shares the next one.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Problem } from '../../../domain/problem.ts';
import type { WaitLimits } from '../db.ts';
import { type AnyChange, ChangeList } from './change-list.ts';
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
import { type FileIdentities, isLostForGood, type LostPart, lostPartOf, OpenedFiles } from './store-file.ts';
import { LogWatch } from './store-log-watch.ts';
import { RecordWriter } from './store-record.ts';
import { type SavedStore, saveStore } from './store-saving.ts';

/** What the main thread posts: a change of the list by its name, or a probe when there is none. */
export interface WriteOrder {
  readonly id: number;
  /** By the clock that all threads share. */
  readonly sentAtMs: number;
  /** How long it may wait for a lock, and in all: what has not begun by then is not begun at all. */
  readonly limits: WaitLimits;
  readonly change?: string;
  readonly input?: object;
}

/** What comes back, in lists (and once a SavedStore, when files were lost): a value, a Problem taken apart, or the failure of SQLite by its code. */
export type WriteReport =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number;
      readonly problem: Pick<Problem, 'code' | 'message' | 'details' | 'headers'>;
    }
  | { readonly id: number; readonly failure: { kind: FailureKind; message: string; lost?: LostPart } };

type FailureKind = 'unique' | 'busy' | 'full' | 'broken' | 'moved' | 'damaged' | 'damagedIndex' | 'other';

export interface WriterData {
  /** As it was named. */
  readonly path: string;
  /** The one that it leads to. */
  readonly place: string;
  /** Which files these were when the store was opened. */
  readonly identities: FileIdentities;
}

const batchSizeMax = 1024;
// The wait for a foreign lock is made of steps: between them late orders are answered and new ones join.
const lockStepMs = 25;
const lookAgainMs = 10;

const { path, place, identities } = workerData as WriterData;
const port = parentPort as MessagePort;
const lockHeld = { kind: 'busy', message: 'Another process holds the write lock.' } as const;
const tooBusy = { kind: 'busy', message: 'The changes before it took too long.' } as const;
const noRoom = { kind: 'full', message: 'The disk has no room for the reserve.' } as const;
// SQLite would make anew what is missing.
if (lostPartOf(place, identities) !== null)
  throw new Error('A file of the store is not the one that is open.');
const connection = new SqliteConnection(place, lockStepMs);
const files = new OpenedFiles(path, place, identities, () => connection.bytesNeeded());
const log = new LogWatch(`${place}-wal`, connection);
const record = RecordWriter.open(place);
const reserve = new DiskReserve(place);
/** Once it is cut, or its index is lost, a file that comes back does not mend the store. */
let lostForGood: LostPart | null = null;
let isSaved = false;
let lookedAtMs = Number.NEGATIVE_INFINITY;
/** When the last batch was done. */
let steppedAtMs = Number.NEGATIVE_INFINITY;
// What is waiting when this thread begins may have waited for the thread alone, long on a busy machine: it is tried once (D-710).
let isBeginning = true;

/** The changes are those that the main thread names. */
export function serveOrders(changes: Readonly<Record<string, AnyChange>>): void {
  const list = new ChangeList(changes);
  port.on('message', (first: WriteOrder | 'close') => {
    let isClosing = first === 'close';
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
      if (!isBeginning)
        orders = withoutLate(orders, tooBusy, ({ sentAtMs, limits }) => sentAtMs + limits.inAllMs);
      isBeginning = false;
      const reports = orders.length === 0 ? [] : carryOut(orders, list);
      if (reports.length === 0) {
        // Only now: this thread may itself have been late, and the lock free since.
        const stillSince = ({ sentAtMs }: WriteOrder): number => Math.max(sentAtMs, steppedAtMs);
        orders = withoutLate(orders, lockHeld, (order) => stillSince(order) + order.limits.stillMs);
      } else {
        steppedAtMs = sharedClockMs();
        orders = [];
        port.postMessage(reports);
        const lost = reports.map((report) => 'failure' in report && report.failure.lost).find(Boolean);
        if (lost) save(lost);
      }
    } while (orders.length > 0);
    if (!isClosing) return;
    connection.close();
    log.close();
    record?.close();
    reserve.close();
    port.close();
  });
}

/** Answers those whose time is over, and gives the others. */
function withoutLate(
  orders: readonly WriteOrder[],
  failure: typeof lockHeld | typeof tooBusy,
  endsAtMs: (order: WriteOrder) => number,
): WriteOrder[] {
  const nowMs = sharedClockMs();
  const late = orders.filter((order) => endsAtMs(order) <= nowMs);
  if (late.length > 0) port.postMessage(late.map(({ id }): WriteReport => ({ id, failure })));
  return orders.filter((order) => endsAtMs(order) > nowMs);
}

/** Thrown within a transaction, which is then not made. */
class FilesLost extends Error {
  readonly lost: LostPart;

  constructor(lost: LostPart) {
    super('A file of the store is not the one that is open.');
    this.lost = lost;
  }
}

function refuseLostFiles(lost: LostPart | null): void {
  if (lost === null) return;
  if (isLostForGood(lost)) lostForGood = lost;
  throw new FilesLost(lost);
}

/** Under load the look behind one batch is the look before the next, which looks again within its transaction. */
function lookBefore(isChange: boolean): LostPart | null {
  if (isChange && sharedClockMs() - lookedAtMs < lookAgainMs) return null;
  return files.look() ?? log.lookAtSize(files.logBytes);
}

/** Makes the changes of all orders in one transaction and reports each; an empty list when the lock is not free. */
function carryOut(orders: readonly WriteOrder[], list: ChangeList): WriteReport[] {
  const work = orders.filter((order) => order.change !== undefined);
  const probes = orders.filter((order) => order.change === undefined);
  try {
    refuseLostFiles(lostForGood ?? lookBefore(work.length > 0));
    isSaved = false;
    if (work.length > 0 && !reserve.isInPlace()) return orders.map(({ id }) => ({ id, failure: noRoom }));
    if (!connection.begin()) return [];
    if (work.length === 0) {
      connection.rollback();
      return probes.map(({ id }) => ({ id, value: null }));
    }
    const outcomes = connection.runTogether(
      work.map((order) => ({ change: list.named(order.change!), input: order.input ?? {} })),
      // What would go where nobody finds it is not written at all.
      () => refuseLostFiles(files.lookAtNames()),
    );
    // They may have gone while the change was made: then the change went with them.
    refuseLostFiles(files.look() ?? log.lookAtFrames(files.logBytes));
    lookedAtMs = sharedClockMs();
    record?.write(identities, log.end);
    const reports = work.map((order, index) => {
      const outcome = outcomes[index]!;
      return 'value' in outcome ? { id: order.id, value: outcome.value } : report(order.id, outcome.error);
    });
    // A probe that shared the transaction has its answer in the fact that it committed.
    return [...reports, ...probes.map(({ id }) => ({ id, value: null }))];
  } catch (error) {
    if (isSqliteFailure(error) && primaryCode(error) === resultCodes.full) makeRoom();
    // What SQLite could not read may be what somebody has cut off.
    const lost = error instanceof FilesLost ? error.lost : isSqliteFailure(error) ? lostNow() : null;
    if (lost === null) return orders.map(({ id }) => report(id, error));
    const failure = { kind: 'moved', message: 'A file of the store is lost.', lost } as const;
    return orders.map(({ id }) => ({ id, failure }));
  }
}

function lostNow(): LostPart | null {
  const lost = files.look() ?? log.lookAtSize(files.logBytes);
  if (lost !== null && isLostForGood(lost)) lostForGood = lost;
  return lost;
}

/** Once for each loss. To touch an index that was cut would end the process, and nothing else is missing then. */
function save(lost: LostPart): void {
  if (isSaved || (lost.part === 'index' && lost.fault === 'cut')) return;
  isSaved = true;
  const outcome = saveStore(connection, place, Date.now());
  // With the file and the index in place, and so the locks, all that the lost log has can still go where it belongs; but not
  // where another log lies at its path, whose frames would then be taken for newer.
  if (lost.part === 'log' && lost.fault === 'missing') backfillLog();
  port.postMessage(outcome satisfies SavedStore);
}

function backfillLog(): void {
  try {
    connection.backfill();
    const end = connection.logEnd();
    if (end !== null) record?.write(identities, { ...log.end, ...end });
  } catch {
    // Then what was saved has it.
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
