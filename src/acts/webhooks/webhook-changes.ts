// Webhooks as people enter, look at and try them: by commands and in the console alike. A secret is in the answer to whoever asked
// for it, once.

import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import { secretPrefix, testEvent } from '../../domain/webhooks/webhook.ts';
import { Sealer } from '../../store/access/sealer.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import type { ListedDelivery, WebhookState } from '../../store/webhooks/deliveries.ts';
import {
  createWebhook,
  rotateWebhookSecret,
  secretPurpose,
  type Webhook,
} from '../../store/webhooks/webhooks.ts';
import { ReceiverAddresses } from './receiver-address.ts';
import { MessageSender } from './send-message.ts';

// The specification asks for 24 to 64 bytes.
const secretBytes = 32;

function newSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

export interface WantedWebhook {
  readonly accountId: number;
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventType[];
}

export async function newWebhook(
  context: Context,
  stamp: ChangeStamp,
  { accountId, name, url: given, events }: WantedWebhook,
): Promise<WantedWebhook & { readonly id: string; readonly secret: string }> {
  const id = `wh_${context.newId().replaceAll('-', '')}`;
  const secret = newSecret();
  const sealed = await new Sealer(context).seal(secretPurpose(accountId, id), secret, null);
  const url = new URL(given).href;
  await context.db.write(createWebhook, { ...stamp, accountId, id, name, url, events, secret: sealed });
  return { id, accountId, name, url, events, secret };
}

/** A new secret beside the one of before, which signs too until the rotation is finished. */
export async function newWebhookSecret(
  context: Context,
  stamp: ChangeStamp,
  { accountId, id }: Pick<Webhook, 'accountId' | 'id'>,
): Promise<string> {
  const secret = newSecret();
  const sealed = await new Sealer(context).seal(secretPurpose(accountId, id), secret, null);
  await context.db.write(rotateWebhookSecret, { ...stamp, accountId, id, secret: sealed });
  return secret;
}

export interface TestOutcome {
  readonly messageId: string;
  readonly status: number | null;
  /** Null when it was taken. */
  readonly failure: string | null;
}

/** One message, now and once. The webhook must have a secret. */
export async function sendTestMessage(
  context: Context,
  { id, accountId, url, secret, olderSecret }: Webhook,
): Promise<TestOutcome> {
  const sealer = new Sealer(context);
  const sealed = [secret, olderSecret].filter((one) => one !== null);
  const secrets = await Promise.all(
    sealed.map(async (one) => (await sealer.open(secretPurpose(accountId, id), one)).toString()),
  );
  const sender = new MessageSender(new ReceiverAddresses(context.config.webhookNetworks));
  const message = {
    id: `evt_${context.newId()}`,
    type: testEvent,
    data: JSON.stringify({ accountId, webhookId: id }),
    createdAtMs: context.now(),
  };
  const signal = new AbortController().signal;
  const { status, failure } = await sender.send(url, secrets, message, context.now(), signal);
  sender.close();
  return { messageId: message.id, status, failure };
}

export function shownWebhook(webhook: Webhook, state: WebhookState) {
  return {
    id: webhook.id,
    accountId: webhook.accountId,
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    hasSecret: webhook.secret !== null,
    isRotating: webhook.olderSecret !== null,
    created: timeOf(webhook.createdAtMs),
    delivered: state.delivered,
    waiting: state.waiting,
    dead: state.dead,
    givenUp: state.givenUp,
    lastDelivered: timeOf(state.deliveredAtMs),
    lastFailed: timeOf(state.failedAtMs),
    lastFailure: state.lastFailure,
  };
}

export function shownDelivery(one: ListedDelivery) {
  return {
    id: one.id,
    type: one.type,
    state: one.nextAtMs === null ? ('dead' as const) : ('waits' as const),
    attempts: one.attempts,
    created: timeOf(one.createdAtMs),
    nextAttempt: timeOf(one.nextAtMs),
    gaveUp: timeOf(one.deadAtMs),
    lastStatus: one.lastStatus,
    lastFailure: one.lastFailure,
    data: JSON.parse(one.data) as unknown,
  };
}

function timeOf(ms: number): string;
function timeOf(ms: number | null): string | null;
function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
