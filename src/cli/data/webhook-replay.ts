// soundings webhook replay: what was given up, or the responses of a source from any position on, are sent again.

import type { Context } from '../../context.ts';
import { deliveriesWaiting, queueAgain, reviveDeliveries } from '../../store/webhooks/deliveries.ts';
import { replayedEvents, waitingMax } from '../../store/webhooks/follower.ts';
import { type FollowedSource, findFollowedSource, sourceIdOf } from '../../store/webhooks/log-events.ts';
import type { Webhook } from '../../store/webhooks/webhooks.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { type Advance, withProgress } from '../frame/progress.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';

export interface ReplayOptions {
  readonly measure: string | undefined;
  readonly project: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly dead: boolean;
  readonly delivery: string | undefined;
}

const lookAgainMs = 500;

/** How many messages are on the way again. */
export function replay(
  terminal: Terminal,
  context: Context,
  webhook: Webhook,
  options: ReplayOptions,
): Promise<number> {
  const { measure, project, delivery } = options;
  return measure === undefined && project === undefined
    ? revive(context, webhook, delivery ?? null)
    : replayLog(terminal, context, webhook, options);
}

async function revive(context: Context, webhook: Webhook, id: string | null): Promise<number> {
  const { accountId } = webhook;
  const ofWebhook = { accountId, webhookId: webhook.id, id };
  const revived = await context.db.write(reviveDeliveries, { ...changeStamp(context), ...ofWebhook });
  if (id !== null && revived === 0)
    throw new CommandError(`There is no delivery ${id}. See "soundings webhook deliveries ${webhook.id}".`);
  return revived;
}

async function replayLog(
  terminal: Terminal,
  context: Context,
  webhook: Webhook,
  options: ReplayOptions,
): Promise<number> {
  const { accountId } = webhook;
  if (!webhook.events.includes('response.created'))
    throw new CommandError(`${webhook.id} does not listen to response.created.`);
  const source = await sourceOf(context, accountId, options);
  const first = positionOf('--from', options.from, 1);
  const last = Math.min(source.lastSeq, positionOf('--to', options.to, source.lastSeq));
  return withProgress(
    terminal,
    { title: `Queueing messages for ${webhook.id}`, total: Math.max(0, last - first + 1) },
    (advance) => queueRange(context, webhook, source, { first, last }, advance),
    (queued) => `Queued ${queued} messages.`,
  );
}

async function queueRange(
  { db, now }: Context,
  webhook: Webhook,
  source: FollowedSource,
  { first, last }: { readonly first: number; readonly last: number },
  advance: Advance,
): Promise<number> {
  const { accountId } = webhook;
  let queued = 0;
  let after = first - 1;
  while (after < last) {
    // The table of deliveries has a bound; the receiver sets the pace.
    while ((await deliveriesWaiting(db, accountId, waitingMax)) >= waitingMax)
      await new Promise((resume) => setTimeout(resume, lookAgainMs));
    const page = await replayedEvents(db, webhook, source, after, last);
    await db.write(queueAgain, { accountId, deliveries: page.deliveries, nowMs: now() });
    queued += page.deliveries.length;
    advance(page.last - after);
    after = page.last;
  }
  return queued;
}

async function sourceOf({ db }: Context, accountId: number, options: ReplayOptions): Promise<FollowedSource> {
  const kind = options.measure === undefined ? 'project' : 'measure';
  const text = options.measure ?? options.project ?? '';
  const key = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  const sourceId = await sourceIdOf(db, accountId, kind, key);
  const source = sourceId === null ? null : await findFollowedSource(db, accountId, sourceId);
  if (source !== null) return source;
  throw new CommandError(`Account ${accountId} has no ${kind} ${text}.`);
}

function positionOf(flag: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError(`${flag} must be a position from 1 on, not "${text}".`);
}
