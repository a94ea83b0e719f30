// What a process remembers of the store. Everything that remembers uses this class, so that all of it has the same
// bounds: bytes in all, an age that no change of the wall clock can stretch, and the least recently used goes first.

import { LRUCache } from 'lru-cache';
import { apartFromRequests, withinWaits } from './request-waits.ts';

interface CacheLimits<Key, Value> {
  /** All values together; one that is larger by itself is not remembered. */
  readonly bytesMax: number;
  /** What a value takes in memory, roughly; its key is counted beside it. */
  readonly bytesOf: (value: Value, key: Key) => number;
  /** Counted from before the store was asked. Left out for what never changes. */
  readonly ageMaxMs?: number;
  /** What ages are told by, where a test has a clock of its own. It never goes backwards, and never says 0. */
  readonly elapsedMs?: () => number;
}

// An entry of the map and of the list of uses, and the key.
const entryBytes = 200;

export class Cache<Key extends string | number, Value extends NonNullable<unknown>> {
  readonly #values: LRUCache<Key, Value>;
  /** Questions under way: those who miss the same key meanwhile share the answer. */
  readonly #questions = new Map<Key, Promise<Value | null>>();

  readonly #elapsedMs: () => number;

  constructor({ bytesMax, bytesOf, ageMaxMs, elapsedMs = () => performance.now() }: CacheLimits<Key, Value>) {
    this.#elapsedMs = elapsedMs;
    this.#values = new LRUCache<Key, Value>({
      maxSize: bytesMax,
      sizeCalculation: (value, key) =>
        entryBytes + (typeof key === 'string' ? key.length * 2 : 8) + Math.ceil(bytesOf(value, key)),
      // Looked at each time: the clock that the library keeps for itself is a millisecond behind.
      ...(ageMaxMs === undefined ? {} : { ttl: ageMaxMs, ttlResolution: 0, perf: { now: elapsedMs } }),
    });
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  /** `askedAtMs`, by the same clock as the age: when the store was asked for it, if that is a while ago. */
  set(key: Key, value: Value, askedAtMs: number = this.#elapsedMs()): void {
    this.#values.set(key, value, { start: askedAtMs });
  }

  /** What is remembered, or what the question brings. What is not there is never remembered (D-13). */
  find(key: Key, ask: () => Promise<Value | null>): Value | Promise<Value | null> {
    return this.#values.get(key) ?? this.ask(key, ask);
  }

  /** Asks in any case, once for all who ask at the same time, and remembers the answer. */
  ask(key: Key, ask: () => Promise<Value | null>): Promise<Value | null> {
    const underWay = this.#questions.get(key);
    // It was asked before we came: what it did not find may be there by now, so those who came later ask once more.
    if (underWay !== undefined) return withinWaits(underWay.then((value) => value ?? this.#begin(key, ask)));
    return withinWaits(this.#begin(key, ask));
  }

  #begin(key: Key, ask: () => Promise<Value | null>): Promise<Value | null> {
    const underWay = this.#questions.get(key);
    if (underWay !== undefined) return underWay;
    const askedAtMs = this.#elapsedMs();
    const question = apartFromRequests(ask).then(
      (value) => {
        // Whoever forgot the key meanwhile knows better than the answer to an older question.
        if (this.#questions.get(key) !== question) return value;
        this.#questions.delete(key);
        if (value === null) this.#values.delete(key);
        else this.set(key, value, askedAtMs);
        return value;
      },
      (error: unknown) => {
        if (this.#questions.get(key) === question) this.#questions.delete(key);
        throw error;
      },
    );
    this.#questions.set(key, question);
    return question;
  }

  delete(key: Key): void {
    this.#questions.delete(key);
    this.#values.delete(key);
  }

  clear(): void {
    this.#questions.clear();
    this.#values.clear();
  }

  /** What is remembered now, for the metrics and for tests. */
  get bytes(): number {
    return this.#values.calculatedSize;
  }

  /** Those that are not too old. */
  freshValues(): Iterable<Value> {
    return this.#values.values();
  }

  get size(): number {
    return this.#values.size;
  }
}
