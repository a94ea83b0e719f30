// soundings webhook replay: what was given up, or the responses of a source from any position on, are sent again.

import type { Context } from '../context.ts';
import { deliveriesWaiting, queueAgain, reviveDeliveries } from '../store/webhooks/deliveries.ts';
import { replayedEvents, waitingMax } from '../store/webhooks/follower.ts';
import { type FollowedSource, findFollowedSource, sourceIdOf } from '../store/webhooks/log-events.ts';
import type { Webhook } from '../store/webhooks/webhooks.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import type { OfAccount } from './options.ts';
import { type Advance, withProgress } from './progress.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { webhookOf } from './webhook.ts';

export interface ReplayOptions extends OfAccount {
  readonly measure?: string;
  readonly project?: string;
  readonly from?: string;
  readonly to?: string;
  readonly dead?: boolean;
  readonly delivery?: string;
}

const lookAgainMs = 500;

export async function replay(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: ReplayOptions,
): Promise<void> {
  const { measure, project, delivery, dead } = options;
  const given = [measure, project, delivery, dead].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new CommandError('Say what to send again, one of --dead, --delivery, --measure and --project.');
  await withContext(terminal, flags, async (context) => {
    const webhook = await webhookOf(context, id, options.account);
    const queued =
      measure === undefined && project === undefined
        ? await revive(context, webhook, delivery ?? null)
        : await replayLog(terminal, context, webhook, options);
    if (options.json === true) return terminal.print(JSON.stringify({ id, queued }));
    terminal.print(`${queued} message${queued === 1 ? ' is' : 's are'} on the way.`);
  });
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
