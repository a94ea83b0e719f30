// Brings what is on its way to the webhooks, beside the requests of this process. How many attempts are under way at once is
// bounded in every direction (sending-places.ts), so that a receiver that hangs holds up no other one. What became of
// attempts is written together, a few times a second (D-243).

import { ReceiverAddresses } from '../../acts/webhooks/receiver-address.ts';
import { type Attempt, attemptMs, MessageSender } from '../../acts/webhooks/send-message.ts';
import type { Context } from '../../context.ts';
import { retryForMs, waitAfter } from '../../domain/webhooks/webhook.ts';
import { Sealer } from '../../store/access/sealer.ts';
import { readTrustedNow } from '../../store/engine/trusted-time.ts';
import {
  claimDeliveries,
  type Delivery,
  type FailedDelivery,
  hasDueDeliveries,
  settleDeliveries,
} from '../../store/webhooks/deliveries.ts';
import { listWebhooks, secretPurpose, type Webhook } from '../../store/webhooks/webhooks.ts';
import { Pauses } from '../server/pauses.ts';
import { SendingPlaces } from './sending-places.ts';
import { WebhookLag } from './webhook-lag.ts';

const tickMs = 250;
const firstTickMs = 700;
// Where there are many webhooks they are asked in turn.
const askForMs = 100;
// Longer than any attempt and the time until its outcome is written.
const claimMs = attemptMs + 45_000;
const settleEveryMs = 100;
const lookEveryMs = 1_000;

interface FailedAttempt extends FailedDelivery {
  readonly nextAtMs: number;
  readonly giveUpAtMs: number;
}

interface Outcomes {
  readonly webhook: Webhook;
  readonly delivered: string[];
  readonly failed: FailedAttempt[];
  readonly released: string[];
}

export class WebhookSender {
  readonly #context: Context;
  readonly #sealer: Sealer;
  readonly #messages: MessageSender;
  readonly #lag: WebhookLag;
  readonly #places = new SendingPlaces();
  readonly #attempts = new Set<Promise<void>>();
  readonly #outcomes = new Map<string, Outcomes>();
  readonly #stopping = new AbortController();
  #webhooks: readonly Webhook[] = [];
  #next = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #settledAtMs = 0;
  #hasFailed = false;
  #loop: Promise<void> | null = null;
  readonly #pauses = new Pauses();

  constructor(context: Context) {
    this.#context = context;
    this.#sealer = new Sealer(context);
    this.#messages = new MessageSender(new ReceiverAddresses(context.config.webhookNetworks));
    this.#lag = new WebhookLag(context);
  }

  /** How long ago the oldest event happened that is still on its way; null where there is no webhook. */
  get lagSeconds(): number | null {
    return this.#lag.seconds;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** What is under way is broken off and is due again at once, for another process or after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pauses.end();
    await this.#loop;
    await Promise.all(this.#attempts);
    await this.#settle().catch(() => {});
    this.#messages.close();
  }

  async #run(): Promise<void> {
    await this.#pauses.pause(firstTickMs);
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#tick();
        this.#hasFailed = false;
      } catch (error) {
        // Told once; what is on its way waits in the store.
        if (!this.#hasFailed) this.#context.log.warn({ err: error }, 'Webhooks cannot be sent now.');
        this.#hasFailed = true;
      }
      await this.#pauses.pause(this.#hasFailed ? lookEveryMs : tickMs);
    }
  }

  async #tick(): Promise<void> {
    const { db, elapsedMs } = this.#context;
    if (elapsedMs() - this.#settledAtMs >= settleEveryMs) await this.#settle();
    if (elapsedMs() - this.#lookedAtMs >= lookEveryMs) {
      this.#webhooks = await listWebhooks(db, null);
      this.#lookedAtMs = elapsedMs();
      this.#places.keepOnly(this.#webhooks);
    }
    const untilMs = elapsedMs() + askForMs;
    for (let asked = 0; asked < this.#webhooks.length; asked += 1) {
      if (this.#stopping.signal.aborted) return;
      if (elapsedMs() > untilMs) break;
      const webhook = this.#webhooks[this.#next % this.#webhooks.length]!;
      this.#next = (this.#next + 1) % this.#webhooks.length;
      await this.#begin(webhook);
    }
    await this.#lag.look(this.#webhooks);
  }

  /** Claims what is due for a webhook, as far as there are places, and sends it. */
  async #begin(webhook: Webhook): Promise<void> {
    const { db, now } = this.#context;
    const { id, accountId, secret } = webhook;
    const take = this.#places.freeFor(webhook);
    if (take <= 0 || secret === null) return;
    const ofWebhook = { accountId, webhookId: id };
    const nowMs = now();
    if (!(await hasDueDeliveries(db, ofWebhook, nowMs))) return;
    const secrets = await this.#open(webhook, secret);
    const claim = { ...ofWebhook, nowMs, untilMs: nowMs + claimMs, take };
    for (const delivery of await db.write(claimDeliveries, claim)) this.#attempt(webhook, secrets, delivery);
  }

  /** An error where the key of the secret is gone: each delivery then fails with the sentence that says so. */
  async #open({ accountId, id, olderSecret }: Webhook, secret: string): Promise<readonly string[] | Error> {
    try {
      const purpose = secretPurpose(accountId, id);
      const sealed = olderSecret === null ? [secret] : [secret, olderSecret];
      return await Promise.all(sealed.map(async (one) => (await this.#sealer.open(purpose, one)).toString()));
    } catch (error) {
      return error instanceof Error ? error : new Error('The secret cannot be opened.');
    }
  }

  #attempt(webhook: Webhook, secrets: readonly string[] | Error, delivery: Delivery): void {
    const end = this.#places.take(webhook);
    const attempt = this.#send(webhook, secrets, delivery)
      .then((outcome) => {
        end(outcome.failure === null);
        this.#note(webhook, delivery, outcome);
      })
      .finally(() => {
        this.#attempts.delete(attempt);
        this.#pauses.cutShort();
      });
    this.#attempts.add(attempt);
  }

  async #send(webhook: Webhook, secrets: readonly string[] | Error, delivery: Delivery): Promise<Attempt> {
    if (secrets instanceof Error) return { status: null, failure: secrets.message };
    return this.#messages.send(webhook.url, secrets, delivery, this.#context.now(), this.#stopping.signal);
  }

  #note(webhook: Webhook, { id, attempts, giveUpAtMs }: Delivery, { status, failure }: Attempt): void {
    const { now } = this.#context;
    const outcomes = this.#outcomes.get(webhook.id) ?? { webhook, delivered: [], failed: [], released: [] };
    this.#outcomes.set(webhook.id, outcomes);
    if (failure === null) outcomes.delivered.push(id);
    else if (status === null && this.#stopping.signal.aborted) outcomes.released.push(id);
    else {
      const nextAtMs = now() + waitAfter(attempts + 1, Math.random());
      outcomes.failed.push({ id, attempts: attempts + 1, nextAtMs, giveUpAtMs, status, failure });
    }
  }

  /** Writes what became of attempts. What cannot be written is sent again when its claim is over. */
  async #settle(): Promise<void> {
    this.#settledAtMs = this.#context.elapsedMs();
    const { db, now } = this.#context;
    for (const [id, { webhook, delivered, failed, released }] of [...this.#outcomes]) {
      this.#outcomes.delete(id);
      const ofWebhook = { accountId: webhook.accountId, webhookId: id };
      const nowMs = now();
      // How long it was tried is told by the trusted time: a clock that is ahead must not end all that is on its way.
      const trustedMs = failed.length === 0 ? nowMs : await readTrustedNow(db, nowMs);
      const tried = failed.map(({ giveUpAtMs, nextAtMs, ...one }) => {
        const isOver = nextAtMs - nowMs + trustedMs > Math.min(giveUpAtMs, trustedMs + retryForMs);
        return { ...one, nextAtMs: isOver ? null : nextAtMs };
      });
      await db.write(settleDeliveries, { ...ofWebhook, delivered, failed: tried, released, nowMs });
    }
  }
}
