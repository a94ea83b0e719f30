// What the service answers, for the pages that show it. An answer that was shown is kept for a while, so that Back shows it at
// once; it is asked for anew whenever something moved in the account.

import { useEffect, useRef } from 'preact/hooks';
import { type AnswerTo, addressOf, type ConsoleKey, call, type InputArguments, Refusal } from '../call.ts';
import { moved } from './moved.ts';
import { takePreloaded } from './page-preload.ts';
import { type Signal, signal } from './signal.ts';

const keptMax = 60;

interface State {
  readonly data: unknown;
  readonly error: unknown;
  readonly isLoading: boolean;
}

const empty: State = { data: null, error: null, isLoading: true };

class Entry {
  /** How many places of the page show it. */
  viewers = 0;
  readonly state: Signal<State>;
  readonly #ask: () => Promise<unknown>;
  #round = -1;
  #asked = 0;

  constructor(path: string, ask: () => Promise<unknown>) {
    this.#ask = ask;
    const first = takePreloaded(path);
    this.state = signal<State>({ data: first ?? null, error: null, isLoading: first === undefined });
    if (first !== undefined) this.#round = moved.value;
  }

  /** Unless nothing has moved since it was asked for. */
  refresh(round: number): void {
    if (this.#round === round) return;
    this.#round = round;
    void this.load();
  }

  /** Whoever shows it next asks for it, and an answer that is still on its way is of before. */
  forget(): void {
    this.#round = -1;
    this.#asked += 1;
    this.state.value = empty;
  }

  async load(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.state.value = { ...this.state.value, isLoading: true };
    let state: State;
    try {
      state = { data: await this.#ask(), error: null, isLoading: false };
    } catch (error) {
      // Figures that were there stay, unless whoever looks may not see them any more.
      const isLasting = error instanceof Refusal && [401, 403, 404].includes(error.status);
      state = { data: isLasting ? null : this.state.value.data, error, isLoading: false };
      // The next round asks again, and so does the next visit.
      this.#round = -1;
    }
    if (asked === this.#asked) this.state.value = state;
  }
}

const entries = new Map<string, Entry>();

function entryOf(path: string, ask: () => Promise<unknown>): Entry {
  const entry = entries.get(path) ?? new Entry(path, ask);
  // The newest last, the oldest goes.
  entries.delete(path);
  entries.set(path, entry);
  for (const old of entries.keys()) {
    if (entries.size <= keptMax) break;
    entries.delete(old);
  }
  return entry;
}

export interface Answer<T> {
  readonly data: T | null;
  /** Why the last try failed; `data` may be of a try before. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** `data` is of the address before, until the new one is answered. */
  readonly isOld: boolean;
  readonly reload: () => Promise<void>;
}

/** The answer to a GET; an input of null asks for nothing. */
export function useAnswer<Key extends ConsoleKey & `GET ${string}`>(
  key: Key,
  ...input: InputArguments<Key, null>
): Answer<AnswerTo<Key>> {
  const given = input as InputArguments<Key>;
  const path = input[0] === null ? null : addressOf(key, ...given);
  const ask = (): Promise<unknown> => call(key, ...given);
  const round = moved.value;
  const before = useRef<unknown>(null);
  useEffect(() => {
    if (path === null) return;
    const entry = entryOf(path, ask);
    entry.viewers += 1;
    entry.refresh(round);
    return () => {
      entry.viewers -= 1;
    };
  }, [path, round]);
  if (path === null)
    return { data: null, error: null, isLoading: false, isOld: false, reload: async () => {} };
  const entry = entryOf(path, ask);
  const { data, error, isLoading } = entry.state.value;
  if (data !== null) before.current = data;
  const isOld = data === null && isLoading && before.current !== null;
  return {
    data: (isOld ? before.current : data) as AnswerTo<Key> | null,
    error,
    isLoading,
    isOld,
    reload: () => entry.load(),
  };
}

/**
 * After a change: of what was kept under paths that begin so, what is shown is asked for anew, and the rest is dropped. A person
 * who has opened many pages asks once for each that is in sight, and not for all that are kept.
 */
export function forget(...beginnings: readonly string[]): void {
  for (const [path, entry] of entries) {
    if (!beginnings.some((beginning) => path.startsWith(beginning))) continue;
    if (entry.viewers > 0) void entry.load();
    else entry.forget();
  }
}
