// How far webhooks are behind: the age of the oldest event that is still on its way to any of them. Webhooks are asked in
// turn, for a moment at a time, so that thousands of them hold up nothing.

import type { Context } from '../../context.ts';
import { oldestWaiting } from '../../store/webhooks/deliveries.ts';
import type { Webhook } from '../../store/webhooks/webhooks.ts';

const roundEveryMs = 5_000;
const askForMs = 20;
const secondMs = 1_000;

export class WebhookLag {
  readonly #context: Context;
  /** Of the round that is under way: which are still to be asked. */
  #left: readonly Webhook[] = [];
  #oldestOfRoundMs: number | null = null;
  #begunAtMs = Number.NEGATIVE_INFINITY;
  /** Of the last whole round; undefined before the first one. */
  #oldestMs: number | null | undefined;
  #hasWebhooks = false;

  constructor(context: Context) {
    this.#context = context;
  }

  get seconds(): number | null {
    if (!this.#hasWebhooks || this.#oldestMs === undefined) return null;
    if (this.#oldestMs === null) return 0;
    return Math.max(0, (this.#context.now() - this.#oldestMs) / secondMs);
  }

  async look(webhooks: readonly Webhook[]): Promise<void> {
    const { db, elapsedMs } = this.#context;
    this.#hasWebhooks = webhooks.length > 0;
    if (this.#left.length === 0) {
      if (elapsedMs() - this.#begunAtMs < roundEveryMs) return;
      this.#begunAtMs = elapsedMs();
      this.#oldestOfRoundMs = null;
      this.#left = webhooks;
    }
    const untilMs = elapsedMs() + askForMs;
    let asked = 0;
    for (const { accountId, id } of this.#left) {
      if (asked > 0 && elapsedMs() > untilMs) break;
      const oldestMs = await oldestWaiting(db, { accountId, webhookId: id });
      if (oldestMs !== null) this.#oldestOfRoundMs = Math.min(oldestMs, this.#oldestOfRoundMs ?? oldestMs);
      asked += 1;
    }
    this.#left = this.#left.slice(asked);
    if (this.#left.length === 0) this.#oldestMs = this.#oldestOfRoundMs;
  }
}
