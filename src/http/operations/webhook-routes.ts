// /console/api/webhooks: the webhooks of the account, for its admins; and those of all accounts, for operators to look at. A secret
// is in the answer to whoever asked for it, once.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  newWebhook,
  newWebhookSecret,
  sendTestMessage,
  shownDelivery,
  shownWebhook,
} from '../../acts/webhooks/webhook-changes.ts';
import type { Context } from '../../context.ts';
import { webhookOperations, withStateMax } from '../../contract/webhooks/webhooks.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
import { eventTypes } from '../../domain/webhooks/event-types.ts';
import { urlFault } from '../../domain/webhooks/webhook.ts';
import {
  type DeliveryPlace,
  listDeliveries,
  noteTestDelivery,
  reviveDeliveries,
  stateOfWebhook,
} from '../../store/webhooks/deliveries.ts';
import {
  findWebhook,
  finishWebhookRotation,
  listWebhooks,
  removeWebhook,
  type Webhook,
  webhooksBehind,
} from '../../store/webhooks/webhooks.ts';
import { accountOf } from '../console/console-gate.ts';
import { takeOf } from '../console/console-page.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import { addOperation } from '../server/route.ts';

/** Tests that this process has under way; each may take a quarter of a minute. */
const testsMax = 10;

export function webhookRoutes(app: FastifyInstance, { context }: { readonly context: Context }): void {
  const { db } = context;
  let testing = 0;

  /** A webhook of another account is none (D-10). */
  const find = async (request: FastifyRequest, id: string): Promise<Webhook> => {
    const webhook = await findWebhook(db, id);
    if (webhook !== null && webhook.accountId === accountOf(request)) return webhook;
    throw new Problem('WEBHOOK_NOT_FOUND', 'The account has no webhook with this id.');
  };
  const withState = async (webhook: Webhook) =>
    shownWebhook(webhook, await stateOfWebhook(db, { accountId: webhook.accountId, webhookId: webhook.id }));

  addOperation(app, webhookOperations, 'GET /webhooks', async (_input, request) => ({
    items: await Promise.all((await listWebhooks(db, accountOf(request))).map(withState)),
  }));

  addOperation(app, webhookOperations, 'GET /operations/webhooks', async ({ query: { after, limit } }) => {
    const take = Math.min(withStateMax, takeOf(limit));
    const [, account = '0', id = ''] = /^(\d{1,16}) (\S{1,80})$/.exec(after ?? '0 -') ?? [];
    const rows = await webhooksBehind(db, { accountId: Number(account), id }, take + 1);
    const items = rows.slice(0, take);
    const last = items.at(-1);
    return {
      items: await Promise.all(items.map(withState)),
      next: rows.length > take && last !== undefined ? `${last.accountId} ${last.id}` : null,
    };
  });

  addOperation(
    app,
    webhookOperations,
    'POST /webhooks',
    async ({ body: { name, url, events = eventTypes } }, request, reply) => {
      const fault = urlFault(url.trim(), context.config.webhookNetworks.length > 0);
      if (fault !== null) throw invalidRequest([{ field: 'url', code: 'INVALID', message: fault }]);
      const wanted = { accountId: accountOf(request), name: name.trim(), url: url.trim(), events };
      const made = await newWebhook(context, stampOf(context, request), wanted);
      reply.code(201);
      return made;
    },
  );

  addOperation(app, webhookOperations, 'DELETE /webhooks/:id', async ({ params: { id } }, request, reply) => {
    const { accountId } = await find(request, id);
    await db.write(removeWebhook, { ...stampOf(context, request), accountId, id });
    reply.code(204);
    return null;
  });

  addOperation(app, webhookOperations, 'POST /webhooks/:id/rotate', async ({ params: { id } }, request) => {
    const webhook = await find(request, id);
    return { id, secret: await newWebhookSecret(context, stampOf(context, request), webhook) };
  });

  addOperation(
    app,
    webhookOperations,
    'POST /webhooks/:id/finish-rotation',
    async ({ params: { id } }, request, reply) => {
      const { accountId } = await find(request, id);
      await db.write(finishWebhookRotation, { ...stampOf(context, request), accountId, id });
      reply.code(204);
      return null;
    },
  );

  addOperation(app, webhookOperations, 'POST /webhooks/:id/test', async ({ params: { id } }, request) => {
    const webhook = await find(request, id);
    if (webhook.secret === null)
      throw new Problem('CONFLICT', 'The webhook has no secret yet: make one by a rotation.');
    if (testing >= testsMax)
      throw new Problem('CONFLICT', `${testsMax} tests are under way already: wait for one of them.`);
    testing += 1;
    try {
      const outcome = await sendTestMessage(context, webhook);
      await db.write(noteTestDelivery, {
        ...stampOf(context, request),
        accountId: webhook.accountId,
        webhookId: id,
        outcome,
      });
      return outcome;
    } finally {
      testing -= 1;
    }
  });

  addOperation(
    app,
    webhookOperations,
    'GET /webhooks/:id/deliveries',
    async ({ params: { id }, query: { dead = false, after, limit } }, request) => {
      const take = takeOf(limit);
      const place = { isDead: dead, take: take + 1, after: placeOf(after) };
      const { accountId } = await find(request, id);
      const rows = await listDeliveries(db, { accountId, webhookId: id }, place);
      const items = rows.slice(0, take);
      const last = items.at(-1);
      return {
        items: items.map(shownDelivery),
        next: rows.length > take && last !== undefined ? `${last.createdAtMs} ${last.id}` : null,
      };
    },
  );

  addOperation(
    app,
    webhookOperations,
    'POST /webhooks/:id/replay',
    async ({ params: { id }, body: { delivery = null } }, request) => {
      const { accountId } = await find(request, id);
      const wanted = { accountId, webhookId: id, id: delivery };
      const queued = await db.write(reviveDeliveries, { ...stampOf(context, request), ...wanted });
      if (delivery !== null && queued === 0)
        throw new Problem('WEBHOOK_NOT_FOUND', 'The webhook has no delivery with this id any more.');
      return { queued };
    },
  );
}

function placeOf(after: string | undefined): DeliveryPlace | null {
  if (after === undefined) return null;
  const [, createdAtMs, id] = /^(\d{1,15}) (\S{1,80})$/.exec(after) ?? [];
  if (createdAtMs === undefined || id === undefined)
    throw invalidRequest([
      { field: 'after', code: 'INVALID', message: 'must be `next` of the page before.' },
    ]);
  return { createdAtMs: Number(createdAtMs), id };
}
