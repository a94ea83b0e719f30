// soundings webhook: where signed events of an account are sent.

import { type EventType, eventTypes } from '../../domain/webhooks/event-types.ts';
import { isEventType, urlFault } from '../../domain/webhooks/webhook.ts';
import type { Webhook } from '../../store/webhooks/webhooks.ts';
import {
  accountIfNamed,
  argument,
  needed,
  newName,
  ofAccount,
  option,
  several,
  toggle,
  usual,
} from '../frame/takes.ts';
import { CommandError, factLines, visible } from '../frame/terminal.ts';
import { family, listing, type StoreCall, verb } from '../frame/verb.ts';

const account = ofAccount('the account it belongs to');
const webhook = argument('id of the webhook');
const acts = () => import('../../acts/webhooks/webhook-changes.ts');
const store = () => import('../../store/webhooks/webhooks.ts');
const deliveries = () => import('../../store/webhooks/deliveries.ts');

const create = verb({
  about: 'create a webhook; its secret is shown once',
  takes: {
    account,
    name: newName('what it is for; unique in the account'),
    url: needed('<url>', 'address to post events to'),
    event: several('<types...>', `one or more of ${eventTypes.join(', ')} (default: all of them)`),
  },
  help: '\nIt receives what happens from now on; "soundings webhook replay" sends what is already in the logs. What a receiver has\nto check is described in docs/webhooks.md.\nExample:\n  soundings webhook create --account 4001 --name warehouse --url https://example.com/soundings \\\n    --event response.created --event response.erased\n',
  validate: ({ event }) => eventsOf(event),
  load: acts,
  act({ context, stamp, input: { account: accountId, name, url }, valid: events }, { newWebhook }) {
    const fault = urlFault(url, context.config.webhookNetworks.length > 0);
    if (fault !== null) throw new CommandError(`--url: ${fault}`);
    return newWebhook(context, stamp(), { accountId, name, url, events });
  },
  piped: 'json',
  says: ({ id, accountId, name, url, events, secret }) =>
    `The webhook ${visible(name)} of account ${accountId} is there.\n${factLines([
      ['secret', secret],
      ['id', id],
      ['url', url],
      ['events', events.join(', ')],
    ])}`,
  hint: () => 'Keep the secret now: it is not shown again.',
});

function eventsOf(given: readonly string[] | undefined): readonly EventType[] {
  const names = (given ?? eventTypes).flatMap((text) => text.split(',')).map((text) => text.trim());
  const unknown = names.filter((name) => !isEventType(name));
  if (unknown.length > 0)
    throw new CommandError(
      `--event: there is no event ${unknown.map(visible).join(', ')}; there are ${eventTypes.join(', ')}.`,
    );
  return eventTypes.filter((type) => names.includes(type));
}

const list = verb({
  about: 'list the webhooks and their state, without their secrets',
  takes: { account: accountIfNamed('only this account') },
  help: '\nExample:\n  soundings webhook list --account 4001\n',
  load: async () => ({ ...(await acts()), ...(await store()), ...(await deliveries()) }),
  async act({ context: { db }, input }, { listWebhooks, stateOfWebhook, shownWebhook }) {
    const shown = [];
    for (const one of await listWebhooks(db, input.account ?? null)) {
      const state = await stateOfWebhook(db, { accountId: one.accountId, webhookId: one.id });
      shown.push(shownWebhook(one, state));
    }
    return shown;
  },
  says: (shown) =>
    listing(
      'There are no webhooks. Make one with "soundings webhook create".',
      [
        'WEBHOOK',
        'ACCOUNT',
        'DELIVERED',
        'WAITING',
        'DEAD',
        'GIVEN UP',
        'LAST',
        'LAST FAILURE',
        'NAME AND URL',
      ],
      shown.map((one) => [
        one.id,
        String(one.accountId),
        String(one.delivered),
        String(one.waiting),
        String(one.dead),
        String(one.givenUp),
        one.lastDelivered?.slice(0, 19) ?? 'never',
        one.hasSecret ? (one.lastFailure ?? '') : 'no secret yet: soundings webhook rotate',
        visible(`${one.name} ${one.url}`),
      ]),
    ),
});

const rotate = verb({
  about: 'create a second secret; the old one keeps working until you run this with --finish',
  takes: { webhook, account, finish: toggle('stop using the old secret') },
  help: '\nIn the meantime, messages carry a signature for each secret. A webhook that came from a catalogue has no secret, and\nsends nothing, until this command creates one.\nExample:\n  soundings webhook rotate wh_... --account 4001\n',
  load: async () => ({ ...(await acts()), ...(await store()) }),
  async act(call, { newWebhookSecret, finishWebhookRotation, findWebhook }) {
    const { context, stamp, input } = call;
    const { accountId, id } = await webhookOf(call, findWebhook);
    if (!input.finish) return { id, secret: await newWebhookSecret(context, stamp(), { accountId, id }) };
    return { id, finished: await context.db.write(finishWebhookRotation, { ...stamp(), accountId, id }) };
  },
  piped: 'json',
  says: ({ id, secret, finished }) => {
    if (secret !== undefined)
      return `The new secret of ${id}, shown this once:\n${factLines([['secret', secret]])}`;
    return finished ? `The old secret of ${id} has ended.` : null;
  },
  hint: ({ secret }) =>
    secret === undefined
      ? null
      : 'Keep the secret now: it is not shown again. The old one signs too, until --finish.',
  failure: ({ id, finished }) =>
    finished === false ? `${id} has one secret: there is no rotation to finish.` : null,
});

const remove = verb({
  about: 'remove a webhook; its pending deliveries are dropped',
  takes: { webhook, account },
  help: '\nExample:\n  soundings webhook remove wh_... --account 4001\n',
  load: store,
  async act(call, { findWebhook, removeWebhook }) {
    const found = await webhookOf(call, findWebhook);
    const { accountId, id } = found;
    await call.context.db.write(removeWebhook, { ...call.stamp(), accountId, id });
    return found;
  },
  json: ({ id }) => ({ id, removed: true }),
  says: ({ id, name }) => `${id} (${visible(name)}) is removed.`,
});

const test = verb({
  about: 'send one event of type webhook.test from here, and show what came back',
  takes: { webhook, account },
  help: '\nExit status 1 if it was not accepted.\nExample:\n  soundings webhook test wh_... --account 4001\n',
  load: async () => ({ ...(await acts()), ...(await store()) }),
  async act(call, { sendTestMessage, findWebhook }) {
    const found = await webhookOf(call, findWebhook);
    const { id, accountId, secret } = found;
    if (secret === null)
      throw new CommandError(
        `${id} has no secret yet: make one with "soundings webhook rotate ${id} --account ${accountId}".`,
      );
    const { messageId, status, failure } = await sendTestMessage(call.context, found);
    return { id, messageId, status, failure };
  },
  says: ({ messageId, status, failure }) =>
    failure === null ? `Taken: ${status}. The id of the message is ${messageId}.` : null,
  failure: ({ failure }) => (failure === null ? null : `The receiver has not taken it: ${visible(failure)}.`),
});

const deliveriesMax = 10_000;

const listDeliveries = verb({
  about: 'list deliveries that are pending or were given up, oldest first',
  takes: {
    webhook,
    account,
    dead: toggle('only those that were given up'),
    limit: usual('<count>', 'list at most this many', '50', limitOf),
  },
  help: '\nSuccessful deliveries are not kept. Failed ones are retried for 3 days, then kept for 30.\nExample:\n  soundings webhook deliveries wh_... --account 4001 --dead\n',
  load: async () => ({ ...(await acts()), ...(await store()), ...(await deliveries()) }),
  async act(call, { listDeliveries: listOf, shownDelivery, findWebhook }) {
    const { accountId, id: webhookId } = await webhookOf(call, findWebhook);
    const { dead: isDead, limit: take } = call.input;
    const found = await listOf(call.context.db, { accountId, webhookId }, { isDead, take });
    return found.map(shownDelivery);
  },
  says: (shown, { dead }) =>
    listing(
      dead ? 'Nothing was given up.' : 'Nothing is on its way.',
      ['DELIVERY', 'EVENT', 'STATE', 'ATTEMPTS', 'SINCE', 'NEXT', 'LAST FAILURE'],
      shown.map((one) => [
        one.id,
        one.type,
        one.state,
        String(one.attempts),
        one.created ?? '',
        one.nextAttempt ?? '',
        visible(one.lastFailure ?? ''),
      ]),
    ),
});

function limitOf(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= deliveriesMax) return limit;
  throw new CommandError(`--limit must be a whole number from 1 to ${deliveriesMax}.`);
}

const replay = verb({
  about: 'resend deliveries that were given up, or the responses from any position on',
  takes: {
    webhook,
    account,
    dead: toggle('all deliveries that were given up'),
    delivery: option('<id>', 'one delivery'),
    measure: option('<key>', 'the responses of a measure'),
    project: option('<id>', 'the responses of a project'),
    from: option('<position>', 'first position (default: 1)'),
    to: option('<position>', 'last position (default: that of the last response)'),
  },
  help: '\nMessages keep their original ids. A large range waits while 10,000 messages of the account are pending.\nExamples:\n  soundings webhook replay wh_... --account 4001 --dead\n  soundings webhook replay wh_... --account 4001 --measure 7 --from 5000\n',
  validate({ dead, delivery, measure, project }) {
    const said = [delivery, measure, project].filter((one) => one !== undefined);
    if (said.length + (dead ? 1 : 0) !== 1)
      throw new CommandError('Say what to send again, one of --dead, --delivery, --measure and --project.');
  },
  load: async () => ({ ...(await import('./webhook-replay.ts')), ...(await store()) }),
  async act(call, { replay: replayOne, findWebhook }) {
    const { terminal, context, input } = call;
    const found = await webhookOf(call, findWebhook);
    return { id: found.id, queued: await replayOne(terminal, context, found, input) };
  },
  says: ({ queued }) => `${queued} message${queued === 1 ? ' is' : 's are'} on the way.`,
});

/** A webhook of another account is none (D-10). */
async function webhookOf(
  { context, input }: StoreCall<{ readonly webhook: string; readonly account: number }>,
  findWebhook: Awaited<ReturnType<typeof store>>['findWebhook'],
): Promise<Webhook> {
  const found = await findWebhook(context.db, input.webhook);
  if (found !== null && found.accountId === input.account) return found;
  throw new CommandError(
    `Account ${input.account} has no webhook ${visible(input.webhook)}. See "soundings webhook list --account ${input.account}".`,
  );
}

export const webhookFamily = family('webhook', 'where signed events of an account are sent', {
  create,
  list,
  rotate,
  remove,
  test,
  deliveries: listDeliveries,
  replay,
});
