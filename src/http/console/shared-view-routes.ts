// /console/api/views: the shared views of the account. Whoever may see single responses makes them, sees them all and takes any back.

import type { FastifyInstance } from 'fastify';
import { linkCodeOf } from '../../domain/access/one-time-link.ts';
import { hashSecret } from '../../domain/access/secret.ts';
import {
  type SharedPage,
  sharedViewDays,
  sharedViewNameMax,
  sharedViewsMax,
} from '../../domain/access/shared-view.ts';
import { personIdOf } from '../../domain/access/visitor.ts';
import { comparisons } from '../../domain/insight/compared-range.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import { namesOfActors } from '../../store/access/audit-reader.ts';
import {
  createSharedView,
  listSharedViews,
  revokeSharedView,
  type SharedView,
} from '../../store/access/shared-views.ts';
import { DateText } from '../feedback/feedback-schemas.ts';
import { filterParameters } from '../insight/insight-schemas.ts';
import { filterOfRequest, insightRange, refuseFaults, refuseForm } from '../insight/view-requests.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import { pageOf, pageQuery, pageSchema } from './console-page.ts';
import type { ConsoleServices } from './console-services.ts';
import { sourceKinds, sourceOfAccount } from './console-sources.ts';
import { stampOf } from './visitor-stamp.ts';

const dayMs = 86_400_000;

export const sharedPageMembers = {
  kind: Type.Enum([...sourceKinds]),
  key: Type.Integer(),
  from: DateText,
  to: DateText,
  compare: Type.Union([Type.Enum([...comparisons]), Type.Null()]),
  filter: Type.Union([Type.String(), Type.Null()]),
};

const moment = Type.String({ format: 'date-time' });

const viewMembers = {
  id: Type.String(),
  name: Type.String(),
  ...sharedPageMembers,
  createdBy: Type.String({ description: 'As the audit log names them.' }),
  createdByName: Type.Union([Type.String(), Type.Null()], {
    description: 'What they are called today; null once they are gone.',
  }),
  createdAt: moment,
  expiresAt: moment,
  usedAt: Type.Union([moment, Type.Null()], {
    description: 'When somebody last looked at it, to some minutes.',
  }),
  end: Type.Union([Type.Enum(['revoked', 'ended', 'makerGone']), Type.Null()], {
    description: 'Why its link shows nothing any more; null while it does.',
  }),
};

const viewSchema = Type.Object(viewMembers, { $id: 'SharedView' });
const madeSchema = Type.Object(
  {
    ...viewMembers,
    url: Type.String({ description: 'The link. It is shown now and never again.' }),
  },
  { $id: 'NewSharedView' },
);

const newView = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: sharedViewNameMax,
    description: 'What stands above it, for whoever looks at it.',
  }),
  kind: sharedPageMembers.kind,
  key: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The key of the measure, or the id of the project.',
  }),
  from: DateText,
  to: DateText,
  compare: Type.Optional(Type.Enum([...comparisons])),
  filter: filterParameters.filter,
  days: Type.Optional(
    Type.Integer({
      minimum: sharedViewDays.min,
      maximum: sharedViewDays.max,
      description: `How long the link works; ${sharedViewDays.usual} unless given.`,
    }),
  ),
});

export function sharedViewRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, credentialCache, address } = services;
  const access = { people: 'signedIn', ability: 'see responses' } as const;
  const path = '/console/api/views';

  addRoute(app, {
    method: 'GET',
    path,
    area: 'console',
    access,
    query: pageQuery,
    document: consoleDocument({
      operationId: 'listSharedViews',
      summary: 'The shared views of the account',
      description:
        'In the order in which they were made, those that have ended among them for some months. Links are not shown.',
      tag: 'Shared views',
      success: { status: 200, schema: pageSchema(viewSchema, 'SharedViews'), description: 'A page of them.' },
    }),
    handle: async ({ query: { after = '', limit } }, request) => {
      const { db } = context;
      const accountId = accountOf(request);
      const { items, next } = await pageOf(
        limit,
        (take) => listSharedViews(db, accountId, context.now(), { after, take }),
        { idOf: ({ id }) => id, shown: (view) => view },
      );
      const makers = items.map(({ createdBy }) => createdBy);
      const names = await namesOfActors(db, accountId, makers);
      return { items: items.map((view) => shownView(view, names)), next };
    },
  });

  addRoute(app, {
    method: 'POST',
    path,
    area: 'console',
    access,
    consumes: ['application/json'],
    body: newView,
    document: consoleDocument({
      operationId: 'createSharedView',
      summary: 'Share the page of a measure or project',
      description:
        'Whoever has the link sees the figures of these days and this filter as a viewer does, without an account: no open text, and nothing of fewer than five responses. It ends by itself, when it is revoked, and when whoever made it is suspended.',
      tag: 'Shared views',
      success: { status: 201, schema: madeSchema, description: 'The view, and its link.' },
      conditions: [404, 409],
    }),
    async handle({ body }, request, reply) {
      const { name, kind, key, from, to, compare, filter, days = sharedViewDays.usual } = body;
      const faults: Fault[] = [];
      if (name.trim() !== name || /\p{Cc}/u.test(name) || !name.isWellFormed())
        faults.push({
          field: 'name',
          code: 'INVALID_TEXT',
          message: 'must be one line, without space at its ends.',
        });
      insightRange({ from, to, ...(compare === undefined ? {} : { compare }) }, faults);
      const ready = await sourceOfAccount(services, accountOf(request), { kind, key }, () =>
        refuseForm(faults, filter),
      );
      // As whoever looks at it: a filter on open text would tell them of it.
      const query = filter === undefined ? {} : { filter };
      filterOfRequest({ ready, query, mayReadComments: false }, faults);
      refuseFaults(faults);
      const page: SharedPage = { kind, key, from, to, compare: compare ?? null, filter: filter ?? null };
      const accountId = accountOf(request);
      const stamp = stampOf(context, request);
      const secret = context.newSecret();
      const { secretKey } = await credentialCache.identity();
      const view = {
        accountId,
        id: context.newId(),
        name,
        page,
        expiresAtMs: stamp.nowMs + days * dayMs,
      };
      const isMade = await context.db.write(createSharedView, {
        ...stamp,
        ...view,
        codeHash: hashSecret(secret, secretKey),
        maker: personIdOf(visitorOf(request).person),
      });
      if (!isMade)
        throw new Problem(
          'CONFLICT',
          `The account has ${sharedViewsMax} shared views that are live. Take some back first.`,
        );
      reply.code(201);
      return {
        ...shownView(
          { ...view, createdBy: stamp.actor, createdAtMs: stamp.nowMs, usedAtMs: null, end: null },
          await namesOfActors(context.db, accountId, [stamp.actor]),
        ),
        url: address.to(`/shared#${linkCodeOf({ accountId, secret })}`),
      };
    },
  });

  addRoute(app, {
    method: 'DELETE',
    path: `${path}/:id`,
    area: 'console',
    access,
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    document: consoleDocument({
      operationId: 'revokeSharedView',
      summary: 'Take a shared view back',
      description: 'Its link shows nothing from the next request on. To revoke it again changes nothing.',
      tag: 'Shared views',
      success: { status: 204, schema: null, description: 'It is revoked.' },
      conditions: [404],
    }),
    async handle({ params: { id } }, request, reply) {
      const outcome = await context.db.write(revokeSharedView, {
        ...stampOf(context, request),
        accountId: accountOf(request),
        id,
      });
      if (outcome === 'unknown')
        throw new Problem('SHARED_VIEW_NOT_FOUND', 'The account has no shared view with this id.');
      return reply.code(204).send();
    },
  });
}

function shownView(view: SharedView, names: ReadonlyMap<string, string>) {
  const { id, name, page, createdBy, createdAtMs, expiresAtMs, usedAtMs, end } = view;
  return {
    id,
    name,
    ...page,
    createdBy,
    createdByName: names.get(createdBy) ?? null,
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    usedAt: usedAtMs === null ? null : new Date(usedAtMs).toISOString(),
    end,
  };
}
