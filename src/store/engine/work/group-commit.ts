// Group commit: items that arrive while a commit is under way share the next commit, and each is answered after its own.
//
// Batches mix accounts, because a commit costs more than what is in it. They never wait for a row that another
// transaction holds: what is held up leaves its batch and waits in a lane of its account, on a connection of its own, so
// that one account (or one process that stopped in the middle of a commit) does not hold the other accounts up. The
// same lanes take a batch that failed, split by account, so that only the items at fault fail. An account has at most
// one lane, and while it has a lane, all further items of the account go there too. Everything is bounded: in number, in
// bytes, and in the time that an item waits: without a batch being written, and in all (D-900).
//
// Where accounts are spread over machines every account goes through its lane from the start: a batch of many would need
// all of their machines, and one that is lost would fail them all (D-221).

import { Problem } from '../../../domain/problem.ts';
import { type Db, storeProblem, type WaitLimits } from '../db.ts';
import { QueuePace } from './queue-pace.ts';
import { apartFromRequests, withinOneWait } from './request-waits.ts';
import { waitLimits } from './time-limit.ts';

/** Of one item of a batch that did not wait: another transaction holds what it needs. */
export const heldUp = 'heldUp';

export interface AttemptLimits extends WaitLimits {
  /** Whether to wait for rows that another transaction holds; if not, their items are `heldUp`. */
  readonly mayWait: boolean;
}

interface GroupTraits {
  readonly batchMax: number;
  /** Whether a batch may be written again when it is not known whether it was committed. */
  readonly isRepeatable: boolean;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly sinceMs: number;
  /** Whether its batch failed and is tried again in parts. */
  wasSplit: boolean;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane<Item, Outcome> {
  readonly accountId: number;
  queue: Waiting<Item, Outcome>[];
  isRunning: boolean;
}

const waitingMax = 10_000;
const waitingBytesMax = 64 * 2 ** 20;
const batchBytesMax = 8 * 2 ** 20;
// The share of the queue that one account may have in its lane: the rest is for the other accounts.
const laneShare = 1 / 4;
// Of the connections: what lanes have beside the batches of everybody, and what they have where there are none of those.
const laneConnections = 1 / 4;
const spreadShare = 1 / 2;
// Of the time that the store is given: what an attempt gets at least, and what a batch gets that may be split after it.
const attemptShareMin = 1 / 4;
const mixedShare = 2 / 3;

/** A subclass says how large an item is, and how a batch of them is written. */
export abstract class GroupCommit<Item extends { readonly accountId: number }, Outcome> {
  protected readonly db: Db;
  readonly #traits: GroupTraits;
  readonly #onBatchSplit: (error: unknown) => void;
  readonly #limits: WaitLimits;
  readonly #pace: QueuePace;
  /** When a batch was last written, of everybody or of a lane, or seen to be worked on. */
  #steppedAtMs = 0;
  readonly #hasMoved: () => boolean;
  #waiting: Waiting<Item, Outcome>[] = [];
  #isUnderWay = false;
  #isScheduled = false;
  /** Of all items that were not answered yet, in batches, lanes and the queue. */
  #bytes = 0;
  readonly #lanes = new Map<number, Lane<Item, Outcome>>();
  #lanesRunning = 0;
  #laneItems = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `onBatchSplit` is called with the error of a batch that failed and is tried again in parts; its callers wait on. */
  constructor(db: Db, traits: GroupTraits, onBatchSplit: (error: unknown) => void) {
    this.db = db;
    this.#traits = traits;
    this.#onBatchSplit = onBatchSplit;
    this.#limits = waitLimits(db.limits.timeoutMs);
    this.#pace = new QueuePace(this.#limits);
    this.#hasMoved = db.changing.since();
  }

  /** What runs at once. Questions and other changes have the rest of the connections. */
  #lanesMax(): number {
    const share = this.db.dialect.isSpread ? spreadShare : laneConnections;
    return Math.max(1, Math.floor(this.db.limits.poolSize * share));
  }

  protected abstract bytesOf(item: Item): number;

  /** The outcomes of the items, in their order. */
  protected abstract write(
    items: readonly Item[],
    limits: AttemptLimits,
  ): Promise<readonly (Outcome | typeof heldUp)[]>;

  /** How many items wait for a batch. */
  get waiting(): number {
    return this.#waiting.length + this.#laneItems;
  }

  add(item: Item): Promise<Outcome> {
    const bytes = this.bytesOf(item);
    const lane = this.#lanes.get(item.accountId);
    const isFull =
      this.waiting >= waitingMax ||
      this.#bytes + bytes > waitingBytesMax ||
      this.#isTooLong(lane?.queue ?? this.#waiting) ||
      (lane !== undefined && lane.queue.length >= waitingMax * laneShare);
    if (isFull) return Promise.reject(storeProblem('WRITE_QUEUE_FULL', null));
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#bytes += bytes;
    const settled = (): void => {
      this.#bytes -= bytes;
    };
    const waiting: Waiting<Item, Outcome> = {
      item,
      sinceMs: performance.now(),
      wasSplit: false,
      resolve: (outcome) => {
        settled();
        resolve(outcome);
      },
      reject: (error) => {
        settled();
        reject(error);
      },
    };
    if (lane !== undefined) this.#addToLane(lane, waiting);
    else {
      this.#waiting.push(waiting);
      this.#scheduleSend();
    }
    // Its item may be written all the same, as with every change that is late.
    return withinOneWait(promise);
  }

  #isTooLong([oldest]: readonly Waiting<Item, Outcome>[]): boolean {
    return oldest !== undefined && this.#pace.isTooLong(this.waiting, oldest.sinceMs);
  }

  /** Everything that is added in this turn of the event loop goes into one batch. */
  #scheduleSend(): void {
    if (this.#isScheduled || this.#isUnderWay) return;
    this.#isScheduled = true;
    apartFromRequests(() =>
      setImmediate(() => {
        this.#isScheduled = false;
        this.#send();
      }),
    );
  }

  #send(): void {
    if (this.#isUnderWay || this.#waiting.length === 0) return;
    if (this.db.dialect.isSpread) return this.#toLanes(this.#waiting.splice(0));
    this.#waiting = this.#withoutLate(this.#waiting);
    if (this.#waiting.length === 0) return;
    const batch = this.#take(this.#waiting);
    this.#waiting = this.#waiting.slice(batch.length);
    this.#isUnderWay = true;
    void this.#carryOut(batch).finally(() => {
      this.#isUnderWay = false;
      this.#send();
    });
  }

  #take(queue: readonly Waiting<Item, Outcome>[]): Waiting<Item, Outcome>[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(queue.length, this.#traits.batchMax); count += 1) {
      bytes += this.bytesOf(queue[count]!.item);
      if (bytes > batchBytesMax && count > 0) break;
    }
    return queue.slice(0, count);
  }

  async #carryOut(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const accountId = batch[0]!.item.accountId;
    const isMixed = batch.some(({ item }) => item.accountId !== accountId);
    const limits = this.#leftOf(batch, isMixed ? mixedShare : 1);
    try {
      await this.#writeAndAnswer(batch, { mayWait: false, ...limits });
    } catch (error) {
      if (this.#maySplit(error, batch.length, isMixed)) {
        this.#noteSplit(batch, error);
        return this.#toLanes(batch);
      }
      for (const { reject } of batch) reject(error);
      // Items that came while the store was given its time have waited for it too: a second wait would be too long.
      if (isStoreFailure(error)) for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }

  /** Answers the items that were written, and lets the items that are held up wait in the lanes of their accounts. */
  async #writeAndAnswer(batch: readonly Waiting<Item, Outcome>[], limits: AttemptLimits): Promise<void> {
    const outcomes = await this.write(
      batch.map(({ item }) => item),
      limits,
    );
    this.#steppedAtMs = performance.now();
    this.#pace.stepped(batch.length, batch[0]!.sinceMs);
    const held: Waiting<Item, Outcome>[] = [];
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index]!;
      if (outcome === heldUp) held.push(waiting);
      else waiting.resolve(outcome as Outcome);
    }
    if (held.length > 0) this.#toLanes(held);
  }

  /**
   * Whether a batch that failed is tried once more, split by account. A failure that is no Problem is the fault of one
   * item. A store that took too long may have waited for rows that another transaction has of one account; where one
   * lock is for all rows, it was the store itself.
   */
  #maySplit(error: unknown, count: number, isMixed: boolean): boolean {
    if (!(error instanceof Problem)) return count > 1;
    return (
      isMixed && error.code === 'STORE_TIMEOUT' && this.db.dialect.hasRowLocks && this.#traits.isRepeatable
    );
  }

  /** What is left of the time of the item that waited longest, but never too little to try. */
  #leftOf([first]: readonly Waiting<Item, Outcome>[], share = 1): WaitLimits {
    const { stillMs, inAllMs } = this.#limits;
    const nowMs = performance.now();
    const leftMs = stillMs - (nowMs - Math.max(first!.sinceMs, this.#steppedAtMs));
    const leftInAllMs = inAllMs - (nowMs - first!.sinceMs);
    return {
      stillMs: Math.max(leftMs * share, stillMs * attemptShareMin),
      inAllMs: Math.max(leftInAllMs, stillMs),
    };
  }

  /** Tells those who have not the time for one more attempt. */
  #withoutLate(queue: readonly Waiting<Item, Outcome>[]): Waiting<Item, Outcome>[] {
    const { stillMs, inAllMs } = this.#limits;
    const before = performance.now() - (inAllMs - stillMs);
    for (const { reject } of queue.filter(({ sinceMs }) => sinceMs <= before))
      reject(storeProblem('STORE_TIMEOUT', new Error('The batches before it took too long.')));
    return queue.filter(({ sinceMs }) => sinceMs > before);
  }

  #toLanes(batch: readonly Waiting<Item, Outcome>[]): void {
    for (const waiting of batch) {
      const accountId = waiting.item.accountId;
      let lane = this.#lanes.get(accountId);
      if (lane === undefined) {
        lane = { accountId, queue: [], isRunning: false };
        this.#lanes.set(accountId, lane);
      }
      this.#addToLane(lane, waiting);
    }
    // Items of these accounts that came meanwhile follow, so that they do not overtake.
    this.#waiting = this.#waiting.filter((waiting) => {
      const lane = this.#lanes.get(waiting.item.accountId);
      if (lane === undefined) return true;
      this.#addToLane(lane, waiting);
      return false;
    });
    this.#runLanes();
  }

  #addToLane(lane: Lane<Item, Outcome>, waiting: Waiting<Item, Outcome>): void {
    lane.queue.push(waiting);
    this.#laneItems += 1;
    this.#armTimer();
  }

  #runLanes(): void {
    for (const lane of this.#lanes.values()) {
      if (this.#lanesRunning >= this.#lanesMax()) return;
      if (lane.isRunning) continue;
      lane.isRunning = true;
      this.#lanesRunning += 1;
      void this.#runLane(lane).finally(() => {
        this.#lanesRunning -= 1;
        lane.isRunning = false;
        this.#lanes.delete(lane.accountId);
        // Behind the lanes that wait for their turn.
        if (lane.queue.length > 0) this.#lanes.set(lane.accountId, lane);
        this.#runLanes();
      });
    }
  }

  /** One batch of a lane: then it is the turn of another lane. */
  async #runLane(lane: Lane<Item, Outcome>): Promise<void> {
    const batch = this.#take(lane.queue);
    if (batch.length === 0) return;
    lane.queue = lane.queue.slice(batch.length);
    this.#laneItems -= batch.length;
    const error = await this.#carryOutAlone(batch);
    if (isStoreFailure(error)) this.#failLane(lane, error, () => true);
  }

  /** A batch that fails for another reason than the store is halved, until the item at fault stands alone. */
  async #carryOutAlone(batch: readonly Waiting<Item, Outcome>[]): Promise<unknown> {
    try {
      await this.#writeAndAnswer(batch, { mayWait: true, ...this.#leftOf(batch) });
      return null;
    } catch (error) {
      if (batch.length === 1 || error instanceof Problem) {
        for (const { reject } of batch) reject(error);
        return error;
      }
      this.#noteSplit(batch, error);
      const middle = batch.length >> 1;
      const first = await this.#carryOutAlone(batch.slice(0, middle));
      return (await this.#carryOutAlone(batch.slice(middle))) ?? first;
    }
  }

  /** Once for each batch, however often its parts are parted; with Citus every batch is of a lane (D-790). */
  #noteSplit(batch: readonly Waiting<Item, Outcome>[], error: unknown): void {
    if (batch.every(({ wasSplit }) => !wasSplit)) this.#onBatchSplit(error);
    for (const waiting of batch) waiting.wasSplit = true;
  }

  #failLane(
    lane: Lane<Item, Outcome>,
    error: unknown,
    isLate: (waiting: Waiting<Item, Outcome>) => boolean,
  ): void {
    const late = lane.queue.filter(isLate);
    lane.queue = lane.queue.filter((waiting) => !isLate(waiting));
    this.#laneItems -= late.length;
    for (const { reject } of late) reject(error);
  }

  /** There may be more lanes than may run; items that wait in them too long are refused in time. */
  #armTimer(): void {
    if (this.#timer !== null || this.#laneItems === 0) return;
    this.#timer = setTimeout(
      // The timer may be late because this thread was: what has arrived meanwhile is read first.
      () => setImmediate(() => this.#endLate()),
      this.#limits.stillMs * attemptShareMin,
    );
    // Nothing may wait any more long before it is due, and the process may end then.
    this.#timer.unref();
  }

  #endLate(): void {
    const { stillMs, inAllMs } = this.#limits;
    const nowMs = performance.now();
    if (this.#hasMoved()) this.#steppedAtMs = nowMs;
    const isLate = ({ sinceMs }: Waiting<Item, Outcome>): boolean =>
      nowMs - Math.max(sinceMs, this.#steppedAtMs) >= stillMs || nowMs - sinceMs >= inAllMs - stillMs;
    this.#timer = null;
    for (const lane of this.#lanes.values())
      this.#failLane(lane, storeProblem('STORE_TIMEOUT', null), isLate);
    this.#armTimer();
  }
}

function isStoreFailure(error: unknown): boolean {
  return (
    error instanceof Problem &&
    (error.condition === 'downstreamError' || error.condition === 'serviceUnavailable')
  );
}
