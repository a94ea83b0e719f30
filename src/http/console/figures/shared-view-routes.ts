// /console/api/views: the shared views of the account. Whoever may see single responses makes them, sees them all and takes any back.

import type { FastifyInstance } from 'fastify';
import { filterOfRequest, insightRange, refuseFaults, refuseForm } from '../../../acts/insight/views.ts';
import { sharedViewOperations } from '../../../contract/insight/shared-views.ts';
import { linkCodeOf } from '../../../domain/access/one-time-link.ts';
import { hashSecret } from '../../../domain/access/secret.ts';
import { type SharedPage, sharedViewDays, sharedViewsMax } from '../../../domain/access/shared-view.ts';
import { personIdOf } from '../../../domain/access/visitor.ts';
import { type Fault, Problem } from '../../../domain/problem.ts';
import {
  createSharedView,
  listSharedViews,
  revokeSharedView,
  type SharedView,
} from '../../../store/access/shared-views.ts';
import { namesOfActors } from '../../../store/people/audit-reader.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import { pageOf } from '../console-page.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { sourceOfAccount } from './console-sources.ts';

const dayMs = 86_400_000;

export function sharedViewRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, credentialCache, address } = services;

  addOperation(app, sharedViewOperations, 'GET /views', async ({ query: { after = '', limit } }, request) => {
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
  });

  addOperation(app, sharedViewOperations, 'POST /views', async ({ body }, request, reply) => {
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
  });

  addOperation(app, sharedViewOperations, 'DELETE /views/:id', async ({ params: { id } }, request, reply) => {
    const outcome = await context.db.write(revokeSharedView, {
      ...stampOf(context, request),
      accountId: accountOf(request),
      id,
    });
    if (outcome === 'unknown')
      throw new Problem('SHARED_VIEW_NOT_FOUND', 'The account has no shared view with this id.');
    reply.code(204);
    return null;
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
