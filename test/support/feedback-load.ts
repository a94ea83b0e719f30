// Callers who send responses to several replicas and try again until each is answered, as collectors do, and others who
// walk the data meanwhile.

import assert from 'node:assert/strict';
import { exchange } from './exchange.ts';
import { projectId, surveyId } from './feedback.ts';

export class FeedbackLoad {
  /** The ids that were answered with success. */
  readonly acknowledged: string[] = [];
  /** Answers that told the caller to try again, and requests that had no answer. */
  retried = 0;
  walks = 0;
  readonly #baseUrls: () => readonly string[];
  readonly #token: string;
  #sent = 0;
  #isEnding = false;
  #callers: Promise<void>[] = [];

  constructor(baseUrls: () => readonly string[], token: string) {
    this.#baseUrls = baseUrls;
    this.#token = token;
  }

  start(senders: number, walkers: number): void {
    this.#isEnding = false;
    this.#callers = [
      ...Array.from({ length: senders }, (_, number) => this.#send(number)),
      ...Array.from({ length: walkers }, (_, number) => this.#walk(number)),
    ];
  }

  /** Every caller gets the answer that it waits for. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#callers);
  }

  /** Once so many more are acknowledged. */
  async untilMore(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count;
    const deadlineMs = performance.now() + 60_000;
    while (this.acknowledged.length < wanted) {
      assert.ok(performance.now() < deadlineMs, 'No response is acknowledged any more.');
      await new Promise((resume) => setTimeout(resume, 10));
    }
  }

  async #send(number: number): Promise<void> {
    while (!this.#isEnding) {
      this.#sent += 1;
      const responseId = `load-${number}-${this.#sent}`;
      const body = JSON.stringify({
        surveyDefinitionId: surveyId,
        responseId,
        submissionTimestamp: `2026-01-${String(1 + (this.#sent % 28)).padStart(2, '0')}T12:00:00Z`,
        responses: { 'Q-STARS': ['5'] },
      });
      await this.#untilAnswered('/v1/surveys/ingestion', number, { method: 'POST', body });
      this.acknowledged.push(responseId);
    }
  }

  /** A walk sees each response once, and every one that was acknowledged before it began. */
  async #walk(number: number): Promise<void> {
    while (!this.#isEnding) {
      const before = [...this.acknowledged];
      const seen = await this.walk(number);
      assert.equal(new Set(seen).size, seen.length, 'A walk has seen a response twice.');
      const there = new Set(seen);
      assert.deepEqual(
        before.filter((id) => !there.has(id)),
        [],
      );
      this.walks += 1;
    }
  }

  async walk(number = 0): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const path = `/v1/projects/${projectId}/data?from=2026-01-01&to=2026-01-31&limit=500&offset=${ids.length}`;
      const { items, hasMore } = (await this.#untilAnswered(path, number)) as {
        items: { id: string }[];
        hasMore: boolean;
      };
      ids.push(...items.map(({ id }) => id));
      if (!hasMore) return ids;
      assert.ok(items.length > 0, 'A page that promises more has none.');
    }
  }

  async #untilAnswered(
    path: string,
    number: number,
    more: { readonly method?: string; readonly body?: string } = {},
  ): Promise<object> {
    const deadlineMs = performance.now() + 60_000;
    for (let attempt = number; ; attempt += 1) {
      const urls = this.#baseUrls();
      const url = urls[attempt % urls.length]!;
      const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
      const answer = await exchange(url + path, { headers, ...more }).catch(() => null);
      if (answer?.status === 200) return answer.body;
      const mayRetry = answer === null || answer.status === 502 || answer.status === 503;
      assert.ok(mayRetry, `${answer?.status} ${answer?.text}`);
      assert.ok(performance.now() < deadlineMs, `Still no answer: ${answer?.status} ${answer?.text}`);
      this.retried += 1;
      await new Promise((resume) => setTimeout(resume, 20));
    }
  }
}
