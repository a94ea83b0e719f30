// /console/api/webhooks: the webhooks of the account, for its admins; and those of all accounts, for operators to look at. A secret
// is in the answer to whoever asked for it, once.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
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
import { consoleDocument } from '../console/console-document.ts';
import { accountOf } from '../console/console-gate.ts';
import { nameSchema } from '../console/console-names.ts';
import { pageAfter, pageLimit, pageQuery, pageSchema, takeOf } from '../console/console-page.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import { invalidRequest } from '../server/input.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import {
  newWebhook,
  newWebhookSecret,
  sendTestMessage,
  shownDelivery,
  shownWebhook,
} from '../webhooks/webhook-changes.ts';

const tag = 'Webhooks';
const moment = Type.String({ format: 'date-time' });
const momentOrNull = Type.Union([moment, Type.Null()]);
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const eventsSchema = Type.Array(Type.Enum([...eventTypes]), { minItems: 1, maxItems: eventTypes.length });
const webhookParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
/** State is asked webhook by webhook. */
const withStateMax = 100;
/** Tests that this process has under way; each may take a quarter of a minute. */
const testsMax = 10;

const webhookSchema = Type.Object(
  {
    id: Type.String(),
    accountId: Type.Integer(),
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    hasSecret: Type.Boolean({ description: 'Without one nothing is sent.' }),
    isRotating: Type.Boolean({ description: 'Messages carry a signature of the older secret too.' }),
    created: moment,
    delivered: Type.Integer(),
    waiting: Type.Integer(),
    dead: Type.Integer({ description: 'Messages that were given up, and can be sent again.' }),
    givenUp: Type.Integer({ description: 'All that were given up, with those that are no longer kept.' }),
    lastDelivered: momentOrNull,
    lastFailed: momentOrNull,
    lastFailure: textOrNull,
  },
  { $id: 'Webhook' },
);

const secretSchema = Type.Object(
  { id: Type.String(), secret: Type.String({ description: 'It is not shown again.' }) },
  { $id: 'WebhookSecret' },
);

const deliverySchema = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    state: Type.Enum(['dead', 'waits']),
    attempts: Type.Integer(),
    created: moment,
    nextAttempt: momentOrNull,
    gaveUp: momentOrNull,
    lastStatus: Type.Union([Type.Integer(), Type.Null()]),
    lastFailure: textOrNull,
    data: Type.Unknown({ description: 'Ids and positions, never an answer.' }),
  },
  { $id: 'WebhookDelivery' },
);

export function webhookRoutes(app: FastifyInstance, { context }: { readonly context: Context }): void {
  // Where messages go is as dangerous as who may call (D-615).
  const access = { people: 'signedIn', ability: 'manage API clients' } as const;
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

  addRoute(app, {
    method: 'GET',
    path: '/console/api/webhooks',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'listWebhooks',
      summary: 'Webhooks of the account',
      description: 'In the order of their ids, without their secrets.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ items: Type.Array(webhookSchema) }, { $id: 'Webhooks' }),
        description: 'All of them.',
      },
    }),
    handle: async (_input, request) => ({
      items: await Promise.all((await listWebhooks(db, accountOf(request))).map(withState)),
    }),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/operations/webhooks',
    area: 'console',
    access: { people: 'signedIn', ability: 'operate' },
    query: pageQuery,
    document: consoleDocument({
      operationId: 'listAllWebhooks',
      summary: 'Webhooks of all accounts',
      description: `For operators, in the order of accounts and ids; a page holds ${withStateMax} at most.`,
      tag,
      success: {
        status: 200,
        schema: pageSchema(webhookSchema, 'AllWebhooks'),
        description: 'A page of them.',
      },
    }),
    handle: async ({ query: { after, limit } }) => {
      const take = Math.min(withStateMax, takeOf(limit));
      const [, account = '0', id = ''] = /^(\d{1,16}) (\S{1,80})$/.exec(after ?? '0 -') ?? [];
      const rows = await webhooksBehind(db, { accountId: Number(account), id }, take + 1);
      const items = rows.slice(0, take);
      const last = items.at(-1);
      return {
        items: await Promise.all(items.map(withState)),
        next: rows.length > take && last !== undefined ? `${last.accountId} ${last.id}` : null,
      };
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/webhooks',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({
      name: nameSchema,
      url: Type.String({ minLength: 1, maxLength: 2_000 }),
      events: Type.Optional(eventsSchema),
    }),
    document: consoleDocument({
      operationId: 'createWebhook',
      summary: 'Make a webhook',
      description:
        'It hears of what happens from now on; without `events`, of everything. Its secret is in this answer and nowhere else.',
      tag,
      success: {
        status: 201,
        schema: Type.Object(
          {
            id: Type.String(),
            accountId: Type.Integer(),
            name: Type.String(),
            url: Type.String(),
            events: Type.Array(Type.String()),
            secret: Type.String(),
          },
          { $id: 'NewWebhook' },
        ),
        description: 'The webhook with its secret.',
      },
      conditions: [409],
    }),
    handle: async ({ body: { name, url, events = eventTypes } }, request, reply) => {
      const fault = urlFault(url.trim(), context.config.webhookNetworks.length > 0);
      if (fault !== null) throw invalidRequest([{ field: 'url', code: 'INVALID', message: fault }]);
      const wanted = { accountId: accountOf(request), name: name.trim(), url: url.trim(), events };
      const made = await newWebhook(context, stampOf(context, request), wanted);
      reply.code(201);
      return made;
    },
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/webhooks/:id',
    area: 'console',
    access,
    params: webhookParams,
    document: consoleDocument({
      operationId: 'removeWebhook',
      summary: 'Remove a webhook',
      description: 'What is on its way to it goes too.',
      tag,
      success: { status: 204, schema: null, description: 'It is gone.' },
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request, reply) => {
      const { accountId } = await find(request, id);
      await db.write(removeWebhook, { ...stampOf(context, request), accountId, id });
      reply.code(204);
      return null;
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/webhooks/:id/rotate',
    area: 'console',
    access,
    params: webhookParams,
    document: consoleDocument({
      operationId: 'rotateWebhook',
      summary: 'A new secret beside the old one',
      description: 'Messages carry a signature of each until the rotation is finished.',
      tag,
      success: { status: 200, schema: secretSchema, description: 'The new secret.' },
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request) => {
      const webhook = await find(request, id);
      return { id, secret: await newWebhookSecret(context, stampOf(context, request), webhook) };
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/webhooks/:id/finish-rotation',
    area: 'console',
    access,
    params: webhookParams,
    document: consoleDocument({
      operationId: 'finishWebhookRotation',
      summary: 'End the old secret',
      description: 'Messages carry the signature of the newer one alone.',
      tag,
      success: { status: 204, schema: null, description: 'Only the newer secret is left.' },
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request, reply) => {
      const { accountId } = await find(request, id);
      await db.write(finishWebhookRotation, { ...stampOf(context, request), accountId, id });
      reply.code(204);
      return null;
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/webhooks/:id/test',
    area: 'console',
    access,
    params: webhookParams,
    document: consoleDocument({
      operationId: 'testWebhook',
      summary: 'Send a message to try a webhook',
      description: 'Once, now, and with the signature of a real one; it waits 15 seconds for the answer.',
      tag,
      success: {
        status: 200,
        schema: Type.Object(
          {
            messageId: Type.String(),
            status: Type.Union([Type.Integer(), Type.Null()]),
            failure: Type.Union([Type.String(), Type.Null()], { description: 'Null when it was taken.' }),
          },
          { $id: 'WebhookTest' },
        ),
        description: 'What the receiver made of it.',
      },
      conditions: [404, 409],
    }),
    handle: async ({ params: { id } }, request) => {
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
          outcome: outcome.failure ?? `taken: ${outcome.status}`,
        });
        return outcome;
      } finally {
        testing -= 1;
      }
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/webhooks/:id/deliveries',
    area: 'console',
    access,
    params: webhookParams,
    query: Type.Object({
      dead: Type.Optional(Type.Boolean({ description: 'Only those that were given up.' })),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: consoleDocument({
      operationId: 'listWebhookDeliveries',
      summary: 'What is on its way to a webhook, or was given up',
      description: 'The oldest first.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(deliverySchema, 'WebhookDeliveries'),
        description: 'A page of them.',
      },
      conditions: [404],
    }),
    handle: async ({ params: { id }, query: { dead = false, after, limit } }, request) => {
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
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/webhooks/:id/replay',
    area: 'console',
    access,
    params: webhookParams,
    consumes: ['application/json'],
    body: Type.Object({
      delivery: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'One of them; left out, all that were given up.',
        }),
      ),
    }),
    document: consoleDocument({
      operationId: 'replayWebhook',
      summary: 'Send again what was given up',
      description: 'It begins anew, with all its attempts.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ queued: Type.Integer() }, { $id: 'WebhookReplay' }),
        description: 'How many are on their way.',
      },
      conditions: [404],
    }),
    handle: async ({ params: { id }, body: { delivery = null } }, request) => {
      const { accountId } = await find(request, id);
      const wanted = { accountId, webhookId: id, id: delivery };
      const queued = await db.write(reviveDeliveries, { ...stampOf(context, request), ...wanted });
      if (delivery !== null && queued === 0)
        throw new Problem('WEBHOOK_NOT_FOUND', 'The webhook has no delivery with this id any more.');
      return { queued };
    },
  });
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
