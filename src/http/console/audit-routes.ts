// /console/api/audit: who changed what in the account, when and from where. Whoever may see no more sees what they did
// themselves.

import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../domain/access/visitor.ts';
import { rangeBegin, rangeEnd } from '../../domain/dates.ts';
import type { Fault } from '../../domain/problem.ts';
import { actorKinds, auditPage, shownEntry } from '../../store/access/audit-reader.ts';
import { WorkQueue } from '../../store/engine/work-budget.ts';
import { invalidRequest } from '../server/input.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import { pageAfter, pageLimit, pageSchema, takeOf } from './console-page.ts';
import type { ConsoleServices } from './console-services.ts';

const membersSchema = Type.Optional(
  Type.Object({
    count: Type.Integer(),
    ids: Type.Array(Type.Integer(), { description: 'Of the first of them.' }),
  }),
);
const orNull = Type.Union([Type.String(), Type.Null()]);

const entrySchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    accountId: Type.Union([Type.Integer(), Type.Null()]),
    actor: Type.Object({
      kind: Type.Enum([...actorKinds]),
      id: Type.String({
        description: '`user 1000000123`, `operator olga`, an API client, a provisioning token.',
      }),
      name: Type.Union([Type.String(), Type.Null()], {
        description: 'What they are called today; null where they are gone or have no name.',
      }),
    }),
    action: Type.String(),
    subject: Type.String(),
    attributes: Type.Array(Type.String(), { description: 'Names of what changed, never values.' }),
    joined: membersSchema,
    left: membersSchema,
    note: Type.Optional(Type.String({ description: 'For example how somebody signed in.' })),
    requestId: orNull,
    from: Type.Union([Type.String(), Type.Null()], {
      description: 'The address of the caller, or a terminal.',
    }),
    changeId: Type.String(),
  },
  { $id: 'AuditEntry' },
);

const dayOrMoment = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));

export function auditRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  const queue = new WorkQueue();

  addRoute(app, {
    method: 'GET',
    path: '/console/api/audit',
    area: 'console',
    access: { people: 'signedIn', ability: ['see audit', 'see own audit'] },
    query: Type.Object({
      from: dayOrMoment('The first day (2026-11-15) or moment (2026-11-15T08:00:00Z).'),
      to: dayOrMoment('The last day or moment.'),
      actor: Type.Optional(Type.String({ maxLength: 300, description: 'As `id` of the actor is shown.' })),
      action: Type.Optional(
        Type.String({ maxLength: 100, description: 'An action, or the first words of several: `user`.' }),
      ),
      subject: Type.Optional(Type.String({ maxLength: 300 })),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: consoleDocument({
      operationId: 'listAudit',
      summary: 'The audit log of the account',
      description:
        'The newest first. Whoever may see only their own entries gets those. A page may hold fewer than asked for, even none, and still have a next one: the log is searched some entries at a time.',
      tag: 'Audit',
      success: { status: 200, schema: pageSchema(entrySchema, 'AuditLog'), description: 'A page of it.' },
    }),
    handle: async ({ query: { from, to, actor, action, subject, after = null, limit } }, request) => {
      const visitor = visitorOf(request);
      const accountId = accountOf(request);
      const own = actorOf(visitor);
      const maySeeAll = visitor.abilities.has('see audit');
      // Somebody else's entries are not there for whoever may not see them.
      if (!maySeeAll && actor !== undefined && actor !== own) return { items: [], next: null };
      const { fromMs, toMs } = rangeOf(from, to);
      const who = maySeeAll ? actor : own;
      const filter = {
        accountId,
        ...(who === undefined ? {} : { actor: who }),
        ...(action === undefined ? {} : { action: action.replace(/\.+$/, '') }),
        ...(subject === undefined ? {} : { subject }),
        ...(fromMs === undefined ? {} : { fromMs }),
        ...(toMs === undefined ? {} : { toMs }),
      };
      const { entries, next } = await auditPage(context.db, filter, { after, take: takeOf(limit) }, () =>
        queue.nextSlice(),
      );
      return { items: entries.map(shownEntry), next };
    },
  });
}

function rangeOf(from: string | undefined, to: string | undefined): { fromMs?: number; toMs?: number } {
  const faults: Fault[] = [];
  const momentOf = (field: string, text: string, read: (text: string) => number | null): number => {
    const moment = read(text);
    if (moment === null)
      faults.push({
        field,
        code: 'INVALID',
        message: 'must be a day (2026-11-15) or a moment (2026-11-15T08:00:00Z).',
      });
    return moment ?? 0;
  };
  const range = {
    ...(from === undefined ? {} : { fromMs: momentOf('from', from, rangeBegin) }),
    ...(to === undefined ? {} : { toMs: momentOf('to', to, rangeEnd) }),
  };
  if (faults.length > 0) throw invalidRequest(faults);
  return range;
}
