// soundings webhook create, list, rotate, remove, test and deliveries.

import {
  newWebhook,
  newWebhookSecret,
  sendTestMessage,
  shownDelivery,
  shownWebhook,
} from '../acts/webhooks/webhook-changes.ts';
import type { Context } from '../context.ts';
import { type EventType, eventTypes } from '../domain/webhooks/event-types.ts';
import { isEventType, urlFault } from '../domain/webhooks/webhook.ts';
import { listDeliveries, stateOfWebhook } from '../store/webhooks/deliveries.ts';
import {
  findWebhook,
  finishWebhookRotation,
  listWebhooks,
  removeWebhook,
  type Webhook,
} from '../store/webhooks/webhooks.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common, checkName, type OfAccount, printsJson } from './options.ts';
import { CommandError, factLines, type Terminal, table, visible } from './terminal.ts';

const deliveriesMax = 10_000;

export async function createOne(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { readonly name: string; readonly url: string; readonly event?: readonly string[] },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const name = options.name.trim();
  checkName(name);
  const events = readEvents(options.event);
  await withContext(terminal, flags, async (context) => {
    const fault = urlFault(options.url, context.config.webhookNetworks.length > 0);
    if (fault !== null) throw new CommandError(`--url: ${fault}`);
    const wanted = { accountId, name, url: options.url, events };
    const made = await newWebhook(context, changeStamp(context), wanted);
    if (printsJson(terminal, options)) terminal.print(JSON.stringify(made));
    else
      terminal.print(
        `The webhook ${visible(name)} of account ${accountId} is there.\n${factLines([
          ['secret', made.secret],
          ['id', made.id],
          ['url', made.url],
          ['events', events.join(', ')],
        ])}`,
      );
    if (options.json !== true) terminal.tell('Keep the secret now: it is not shown again.');
  });
}

function readEvents(given: readonly string[] | undefined): readonly EventType[] {
  const names = (given ?? eventTypes).flatMap((text) => text.split(',')).map((text) => text.trim());
  const unknown = names.filter((name) => !isEventType(name));
  if (unknown.length > 0)
    throw new CommandError(
      `--event: there is no event ${unknown.map(visible).join(', ')}; there are ${eventTypes.join(', ')}.`,
    );
  return eventTypes.filter((type) => names.includes(type));
}

export async function listAll(
  terminal: Terminal,
  flags: Flags,
  options: Common & { readonly account?: string },
): Promise<void> {
  const accountId = options.account === undefined ? null : accountIdOf(options.account);
  await withContext(terminal, flags, async ({ db }) => {
    const shown = [];
    for (const webhook of await listWebhooks(db, accountId)) {
      const state = await stateOfWebhook(db, { accountId: webhook.accountId, webhookId: webhook.id });
      shown.push(shownWebhook(webhook, state));
    }
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0)
      return terminal.print('There are no webhooks. Make one with "soundings webhook create".');
    const rows = shown.map((one) => [
      one.id,
      String(one.accountId),
      String(one.delivered),
      String(one.waiting),
      String(one.dead),
      String(one.givenUp),
      one.lastDelivered?.slice(0, 19) ?? 'never',
      one.hasSecret ? (one.lastFailure ?? '') : 'no secret yet: soundings webhook rotate',
      visible(`${one.name} ${one.url}`),
    ]);
    const head = [
      'WEBHOOK',
      'ACCOUNT',
      'DELIVERED',
      'WAITING',
      'DEAD',
      'GIVEN UP',
      'LAST',
      'LAST FAILURE',
      'NAME AND URL',
    ];
    terminal.print(table([head, ...rows]));
  });
}

export async function rotateOne(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount & { readonly finish?: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const webhook = await webhookOf(context, id, options.account);
    const { accountId } = webhook;
    if (options.finish === true) {
      const changed = await context.db.write(finishWebhookRotation, {
        ...changeStamp(context),
        accountId,
        id,
      });
      if (printsJson(terminal, options)) terminal.print(JSON.stringify({ id, finished: changed }));
      if (!changed) throw new CommandError(`${id} has one secret: there is no rotation to finish.`);
      if (!printsJson(terminal, options)) terminal.print(`The old secret of ${id} has ended.`);
      return;
    }
    const secret = await newWebhookSecret(context, changeStamp(context), { accountId, id });
    if (printsJson(terminal, options)) terminal.print(JSON.stringify({ id, secret }));
    else terminal.print(`The new secret of ${id}, shown this once:\n${factLines([['secret', secret]])}`);
    if (options.json !== true)
      terminal.tell('Keep the secret now: it is not shown again. The old one signs too, until --finish.');
  });
}

export async function removeOne(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const { accountId, name } = await webhookOf(context, id, options.account);
    await context.db.write(removeWebhook, { ...changeStamp(context), accountId, id });
    if (options.json === true) return terminal.print(JSON.stringify({ id, removed: true }));
    terminal.print(`${id} (${visible(name)}) is removed.`);
  });
}

export async function testOne(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const webhook = await webhookOf(context, id, options.account);
    const { accountId, secret } = webhook;
    if (secret === null)
      throw new CommandError(
        `${id} has no secret yet: make one with "soundings webhook rotate ${id} --account ${accountId}".`,
      );
    const { messageId, status, failure } = await sendTestMessage(context, webhook);
    if (options.json === true) terminal.print(JSON.stringify({ id, messageId, status, failure }));
    if (failure !== null) throw new CommandError(`The receiver has not taken it: ${visible(failure)}.`);
    if (options.json !== true) terminal.print(`Taken: ${status}. The id of the message is ${messageId}.`);
  });
}

export async function showDeliveries(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount & { readonly dead?: boolean; readonly limit: string },
): Promise<void> {
  const take = /^\d{1,5}$/.test(options.limit) ? Number(options.limit) : 0;
  if (take < 1 || take > deliveriesMax)
    throw new CommandError(`--limit must be a whole number from 1 to ${deliveriesMax}.`);
  await withContext(terminal, flags, async (context) => {
    const { accountId } = await webhookOf(context, id, options.account);
    const isDead = options.dead === true;
    const deliveries = await listDeliveries(context.db, { accountId, webhookId: id }, { isDead, take });
    const shown = deliveries.map(shownDelivery);
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0)
      return terminal.print(isDead ? 'Nothing was given up.' : 'Nothing is on its way.');
    const rows = shown.map((one) => [
      one.id,
      one.type,
      one.state,
      String(one.attempts),
      one.created ?? '',
      one.nextAttempt ?? '',
      visible(one.lastFailure ?? ''),
    ]);
    terminal.print(
      table([['DELIVERY', 'EVENT', 'STATE', 'ATTEMPTS', 'SINCE', 'NEXT', 'LAST FAILURE'], ...rows]),
    );
  });
}

/** A webhook of another account is none (D-10). */
export async function webhookOf({ db }: Context, id: string, account: string): Promise<Webhook> {
  const accountId = accountIdOf(account);
  const webhook = await findWebhook(db, id);
  if (webhook !== null && webhook.accountId === accountId) return webhook;
  throw new CommandError(
    `Account ${accountId} has no webhook ${visible(id)}. See "soundings webhook list --account ${accountId}".`,
  );
}
