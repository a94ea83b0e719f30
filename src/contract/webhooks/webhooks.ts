// /console/api/webhooks: the webhooks of the account, for its admins; and those of all accounts, for operators to look at. A secret
// is in the answer to whoever asked for it, once.

import { eventTypes } from '../../domain/webhooks/event-types.ts';
import { nameSchema } from '../name.ts';
import { consoleOperations, done } from '../operation.ts';
import { pageAfter, pageLimit, pageQuery, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';

const tag = 'Webhooks';

const moment = Type.String({ format: 'date-time' });

const momentOrNull = Type.Union([moment, Type.Null()]);

const textOrNull = Type.Union([Type.String(), Type.Null()]);

const eventsSchema = Type.Array(Type.Enum([...eventTypes]), { minItems: 1, maxItems: eventTypes.length });

const webhookParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

/** State is asked webhook by webhook. */
export const withStateMax = 100;

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

const access = { people: 'signedIn', ability: 'manage API clients' } as const;

export const webhookOperations = consoleOperations({
  'GET /webhooks': {
    access,
    document: {
      operationId: 'listWebhooks',
      summary: 'Webhooks of the account',
      description: 'In the order of their ids, without their secrets.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ items: Type.Array(webhookSchema) }, { $id: 'Webhooks' }),
        description: 'All of them.',
      },
    },
  },
  'GET /operations/webhooks': {
    access: { people: 'signedIn', ability: 'operate' },
    query: pageQuery,
    document: {
      operationId: 'listAllWebhooks',
      summary: 'Webhooks of all accounts',
      description: `For operators, in the order of accounts and ids; a page holds ${withStateMax} at most.`,
      tag,
      success: {
        status: 200,
        schema: pageSchema(webhookSchema, 'AllWebhooks'),
        description: 'A page of them.',
      },
    },
  },
  'POST /webhooks': {
    access,
    consumes: ['application/json'],
    body: Type.Object({
      name: nameSchema,
      url: Type.String({ minLength: 1, maxLength: 2_000 }),
      events: Type.Optional(eventsSchema),
    }),
    document: {
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
    },
    refusals: ['CONFLICT'],
  },
  'DELETE /webhooks/:id': {
    access,
    params: webhookParams,
    document: {
      operationId: 'removeWebhook',
      summary: 'Remove a webhook',
      description: 'What is on its way to it goes too.',
      tag,
      success: done('It is gone.'),
    },
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'POST /webhooks/:id/rotate': {
    access,
    params: webhookParams,
    document: {
      operationId: 'rotateWebhook',
      summary: 'A new secret beside the old one',
      description: 'Messages carry a signature of each until the rotation is finished.',
      tag,
      success: { status: 200, schema: secretSchema, description: 'The new secret.' },
    },
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'POST /webhooks/:id/finish-rotation': {
    access,
    params: webhookParams,
    document: {
      operationId: 'finishWebhookRotation',
      summary: 'End the old secret',
      description: 'Messages carry the signature of the newer one alone.',
      tag,
      success: done('Only the newer secret is left.'),
    },
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'POST /webhooks/:id/test': {
    access,
    params: webhookParams,
    document: {
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
    },
    refusals: ['WEBHOOK_NOT_FOUND', 'CONFLICT'],
  },
  'GET /webhooks/:id/deliveries': {
    access,
    params: webhookParams,
    query: Type.Object({
      dead: Type.Optional(Type.Boolean({ description: 'Only those that were given up.' })),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: {
      operationId: 'listWebhookDeliveries',
      summary: 'What is on its way to a webhook, or was given up',
      description: 'The oldest first.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(deliverySchema, 'WebhookDeliveries'),
        description: 'A page of them.',
      },
    },
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'POST /webhooks/:id/replay': {
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
    document: {
      operationId: 'replayWebhook',
      summary: 'Send again what was given up',
      description: 'It begins anew, with all its attempts.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ queued: Type.Integer() }, { $id: 'WebhookReplay' }),
        description: 'How many are on their way.',
      },
    },
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
});
