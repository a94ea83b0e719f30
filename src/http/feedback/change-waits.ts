// Callers who wait for the next change of a source. One question for all of them, every quarter of a second, tells where
// their logs end; whoever is behind goes on and reads its page. Nobody holds a connection to the store or room for a page
// while waiting (D-259).

import type { ServerResponse } from 'node:http';
import type { FeedPlace } from '../../domain/feedback/feed-cursor.ts';
import { Problem } from '../../domain/problem.ts';
import { apartFromRequests } from '../../store/engine/work/request-waits.ts';
import type { FollowedSource } from '../../store/feedback/change-reader.ts';
import type { SourceId } from '../../store/feedback/log-places.ts';

const waitersMax = 1_000;
const clientWaitersMax = 10;
// A thousand requests that go on at once would hold up everybody else: the next ones go on when these are answered, or
// when a caller takes too long to read its answer.
const wokenAtOnce = 20;
const answeredWithinMs = 50;
const askEveryMs = 250;

type AskEnds = (sources: readonly SourceId[]) => Promise<readonly FollowedSource[]>;

interface Waiter {
  readonly place: FeedPlace;
  readonly apiClientId: string;
  readonly answer: ServerResponse;
  readonly wake: () => void;
}

/** Where, for whom and how long somebody waits. */
interface Wait {
  readonly source: SourceId;
  readonly place: FeedPlace;
  readonly apiClientId: string;
  readonly seconds: number;
}

export class ChangeWaits {
  readonly #ask: AskEnds;
  /** By source. */
  readonly #waiters = new Map<string, { readonly source: SourceId; readonly waiting: Set<Waiter> }>();
  readonly #ofClient = new Map<string, number>();
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #isAsking = false;
  #isEnded = false;
  /** Of requests that went on and are not answered yet. */
  readonly #underWay = new Set<ServerResponse>();
  #onAnswered: () => void = () => {};

  constructor(ask: AskEnds) {
    this.#ask = ask;
  }

  get count(): number {
    return this.#count;
  }

  /** Resolves when the log no longer ends at the place, the time is over, or no one may wait any more. */
  wait(wait: Wait, answer: ServerResponse): Promise<void> {
    const { source, place, apiClientId } = wait;
    if (this.#isEnded) return Promise.resolve();
    const ofClient = this.#ofClient.get(apiClientId) ?? 0;
    if (ofClient >= clientWaitersMax || this.#count >= waitersMax)
      return Promise.reject(tooManyWaits(ofClient >= clientWaitersMax));
    return new Promise((resolve, reject) => {
      const key = keyOf(source);
      const group = this.#waiters.get(key) ?? { source, waiting: new Set<Waiter>() };
      const leave = (): void => {
        clearTimeout(timer);
        answer.off('close', abandon);
        group.waiting.delete(waiter);
        if (group.waiting.size === 0) this.#waiters.delete(key);
        this.#count -= 1;
        const left = (this.#ofClient.get(apiClientId) ?? 1) - 1;
        if (left === 0) this.#ofClient.delete(apiClientId);
        else this.#ofClient.set(apiClientId, left);
        if (this.#count === 0) this.#stopAsking();
      };
      const wake = (): void => {
        leave();
        resolve();
      };
      const abandon = (): void => {
        leave();
        reject(new Problem('REQUEST_ABANDONED', 'The caller went away while it waited for a change.'));
      };
      const waiter: Waiter = { place, apiClientId, answer, wake };
      const timer = setTimeout(wake, wait.seconds * 1_000);
      this.#waiters.set(key, group);
      group.waiting.add(waiter);
      this.#count += 1;
      this.#ofClient.set(apiClientId, ofClient + 1);
      if (answer.closed) return abandon();
      answer.once('close', abandon);
      this.#timer ??= apartFromRequests(() => setInterval(() => void this.#look(), askEveryMs));
    });
  }

  /** Everybody goes on now, and nobody waits from here on: the process is about to stop. */
  end(): void {
    this.#isEnded = true;
    for (const { waiting } of [...this.#waiters.values()]) for (const { wake } of [...waiting]) wake();
  }

  #stopAsking(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #goOn({ answer, wake }: Waiter): void {
    this.#underWay.add(answer);
    answer.once('close', () => {
      this.#underWay.delete(answer);
      this.#onAnswered();
    });
    wake();
  }

  /** Resolves when another request may go on. */
  async #room(): Promise<void> {
    if (this.#underWay.size < wokenAtOnce) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#underWay.clear();
        resolve();
      }, answeredWithinMs);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #look(): Promise<void> {
    // A store that takes longer is not asked twice at once.
    if (this.#isAsking) return;
    this.#isAsking = true;
    const asked = [...this.#waiters.values()];
    try {
      const ends = new Map(
        (await this.#ask(asked.map(({ source }) => source))).map((end) => [keyOf(end), end]),
      );
      const behind = asked.map(({ source, waiting }) => {
        const end = ends.get(keyOf(source));
        const isBehind = ({ place }: Waiter): boolean =>
          end?.seq !== place.seq || end.changeNo !== place.changeNo;
        return { waiting, due: [...waiting].filter(isBehind) };
      });
      // One of each source in turn: whoever waits alone does not stand behind a crowd.
      for (let turn = 0; behind.some(({ due }) => turn < due.length); turn += 1)
        for (const { waiting, due } of behind) {
          const waiter = due[turn];
          if (waiter === undefined) continue;
          await this.#room();
          // It may have left while others were woken.
          if (waiting.has(waiter)) this.#goOn(waiter);
        }
    } catch {
      // A store that is away is told to those who read a page; whoever waits goes on waiting.
    } finally {
      this.#isAsking = false;
    }
  }
}

function keyOf({ accountId, sourceId }: SourceId): string {
  return `${accountId} ${sourceId}`;
}

function tooManyWaits(isOfClient: boolean): Problem {
  return new Problem(
    'TOO_MANY_WAITS',
    isOfClient
      ? `This API client waits for changes in ${clientWaitersMax} requests already. Ask without wait, or wait for one of them.`
      : 'As many requests wait for changes as the service lets wait. Ask without wait, or come back in a moment.',
    { headers: { 'retry-after': '1' } },
  );
}
