// /console/api/refused: responses that were refused, by survey, cause and day; what one of them said, where the quarantine has it; and
// judging them once more. What people wrote is shown to whoever may see responses.

import type { FastifyInstance } from 'fastify';
import { dayOf, dayText } from '../../domain/dates.ts';
import type { BriefFault } from '../../domain/feedback/refusal.ts';
import { Problem } from '../../domain/problem.ts';
import { Sealer, SealingKeyMissing } from '../../store/access/sealer.ts';
import {
  quarantineAgeMaxMs,
  waitingBodies,
  waitingBody,
  waitingByCause,
} from '../../store/feedback/quarantine.ts';
import { newOutcome, openBody, Redriving } from '../../store/feedback/redrive.ts';
import {
  lastRefusals,
  type NamedRefusal,
  refusalCounts,
  refusalsKept,
} from '../../store/feedback/refusals.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import { pageAfter, pageLimit, pageOf, pageSchema } from './console-page.ts';
import type { ConsoleServices } from './console-services.ts';
import { sourceKinds } from './console-sources.ts';
import { nameOfSource } from './source-routes.ts';
import { stampOf } from './visitor-stamp.ts';

const tag = 'Refused responses';
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const sourceSchema = Type.Union(
  [
    Type.Object({
      kind: Type.Enum([...sourceKinds]),
      key: Type.Integer(),
      name: Type.String(),
      version: Type.Integer(),
    }),
    Type.Null(),
  ],
  { description: 'Null for a survey that is not known to whoever sent to it.' },
);

const surveyId = orNull('Null where the survey is not known to whoever sent to it.');

const groupsSchema = Type.Object(
  {
    from: Type.String({ description: 'The first day, UTC.' }),
    to: Type.String(),
    refused: Type.Integer({ description: 'Of all groups, also of those that are not listed.' }),
    groups: Type.Array(
      Type.Object({
        surveyId,
        source: sourceSchema,
        cause: Type.String({ description: 'The code of the error, or of its first fault.' }),
        refused: Type.Integer(),
        days: Type.Array(Type.Object({ day: Type.String(), refused: Type.Integer() }), {
          description: 'Those with any.',
        }),
        waiting: Type.Integer({
          description:
            'Bodies in the quarantine that are refused for this cause now, which can be judged again.',
        }),
        waitingUntil: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When the oldest of them goes.',
        }),
      }),
      { description: 'What was refused most first, 200 at most.' },
    ),
    moreGroups: Type.Integer(),
  },
  { $id: 'RefusedGroups' },
);

const faultSchema = Type.Object({ field: Type.String(), code: Type.String() });

const refusalMembers = {
  id: Type.String({ description: 'Of the request.' }),
  at: Type.String({ format: 'date-time' }),
  surveyId,
  sender: orNull('The name of the API client; null for who came without a token.'),
  status: Type.Integer(),
  code: Type.String(),
  cause: Type.String(),
  faults: Type.Array(faultSchema),
  moreFaults: Type.Integer(),
};

const refusalSchema = Type.Object(refusalMembers, { $id: 'RefusedResponse' });

const waitingSchema = Type.Object({
  id: Type.String(),
  at: Type.String({ format: 'date-time' }),
  faults: Type.Array(faultSchema),
  moreFaults: Type.Integer(),
});

const bodySchema = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    surveyId: Type.String(),
    cause: Type.String(),
    faults: Type.Array(faultSchema),
    moreFaults: Type.Integer(),
    until: Type.String({ format: 'date-time', description: 'Then it is forgotten.' }),
    body: Type.String({ description: 'As it was sent.' }),
  },
  { $id: 'RefusedBody' },
);

const redriveSchema = Type.Object(
  {
    accepted: Type.Integer(),
    keptBefore: Type.Integer({ description: 'Kept already: somebody has sent them again meanwhile.' }),
    refused: Type.Array(Type.Object({ cause: Type.String(), count: Type.Integer() }), {
      description: 'Refused once more, by their new causes.',
    }),
    next: orNull('Send it as `after` to go on; null where nothing is left.'),
  },
  { $id: 'Redriven' },
);

const groupsShown = 200;
const daysMax = 90;
/** How long one request goes on before it answers how far it came. */
const redriveForMs = 2_000;

export function refusedRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const access = { people: 'signedIn', ability: 'edit surveys' } as const;
  const sealer = new Sealer(context);
  services.firstData.set('refused', ({ visitor: { accountId } }) =>
    accountId === null ? {} : { '/refused?days=30': () => refusedGroups(services, accountId, 30) },
  );

  addRoute(app, {
    method: 'GET',
    path: '/console/api/refused',
    area: 'console',
    access,
    query: Type.Object({
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: daysMax, description: 'With today; 30 unless given.' }),
      ),
    }),
    document: consoleDocument({
      operationId: 'listRefused',
      summary: 'Responses that were refused',
      description: 'How many, by survey, cause and day.',
      tag,
      success: { status: 200, schema: groupsSchema, description: 'The groups.' },
    }),
    handle: ({ query: { days = 30 } }, request) => refusedGroups(services, accountOf(request), days),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/refused/responses',
    area: 'console',
    access,
    query: Type.Object({
      surveyId: Type.Optional(
        Type.String({ maxLength: 128, description: 'Of this survey; empty for those that are not known.' }),
      ),
      cause: Type.Optional(Type.String({ maxLength: 100 })),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: consoleDocument({
      operationId: 'listRefusedResponses',
      summary: 'The last responses that were refused',
      description: `The newest first, of the last ${refusalsKept} of the account: when, by whom, and which fields. Never what was answered.`,
      tag,
      success: {
        status: 200,
        schema: pageSchema(refusalSchema, 'RefusedResponses'),
        description: 'A page of them.',
      },
    }),
    handle: async ({ query: { surveyId: of, cause, after, limit } }, request) => {
      const all = await lastRefusals(context.db, accountOf(request), context.now(), refusalsKept);
      const found = all
        .filter(
          (one) =>
            (of === undefined || one.surveyId === of) &&
            (cause === undefined || one.cause === cause) &&
            (after === undefined || one.id < after),
        )
        .toReversed();
      return pageOf(limit, async (take) => found.slice(0, take), {
        idOf: ({ id }) => id,
        shown: shownRefusal,
      });
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/refused/bodies',
    area: 'console',
    access,
    query: Type.Object({
      surveyId: Type.String({ minLength: 1, maxLength: 128 }),
      cause: Type.String({ minLength: 1, maxLength: 100 }),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: consoleDocument({
      operationId: 'listRefusedBodies',
      summary: 'Refused responses that can be judged again',
      description:
        'Of one survey and cause, the newest first: when, and which fields. Never what was answered.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(waitingSchema, 'RefusedBodies'),
        description: 'A page of them.',
      },
    }),
    handle: ({ query: { surveyId: of, cause, after, limit } }, request) =>
      pageOf(
        limit,
        (take) =>
          waitingBodies(context.db, {
            ...{ accountId: accountOf(request), surveyId: of, cause, nowMs: context.now(), take },
            beforeId: after ?? null,
          }),
        {
          idOf: ({ id }) => id,
          shown: ({ id, receivedAtMs, faults, moreFaults }) => ({
            id,
            at: new Date(receivedAtMs).toISOString(),
            faults: JSON.parse(faults) as readonly BriefFault[],
            moreFaults,
          }),
        },
      ),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/refused/bodies/:id',
    area: 'console',
    access,
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    document: consoleDocument({
      operationId: 'refusedBody',
      summary: 'What a refused response said',
      description:
        'Of surveys with `quarantine: true`, for a week; also asks for the ability to see responses.',
      tag,
      success: { status: 200, schema: bodySchema, description: 'The body as it was sent.' },
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request) => {
      if (!visitorOf(request).abilities.has('see responses'))
        throw new Problem('ABILITY_MISSING', 'None of your roles lets you see responses.');
      const accountId = accountOf(request);
      const found = await waitingBody(context.db, accountId, id, context.now());
      if (found === null) throw noBody();
      const { surveyId: of, cause, faults, moreFaults, receivedAtMs } = found;
      return {
        id,
        at: new Date(receivedAtMs).toISOString(),
        surveyId: of,
        cause,
        faults: JSON.parse(faults) as readonly BriefFault[],
        moreFaults,
        until: new Date(receivedAtMs + quarantineAgeMaxMs).toISOString(),
        body: await opened(() => openBody(sealer, accountId, found)),
      };
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/refused/redrive',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object(
      {
        surveyId: Type.String({ minLength: 1, maxLength: 128 }),
        cause: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this one.' })),
        as: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 128,
            description: 'The version that judges, instead of the one that was named.',
          }),
        ),
        dryRun: Type.Optional(Type.Boolean({ description: 'Say what would happen, and change nothing.' })),
        after: Type.Optional(Type.String({ maxLength: 100, description: '`next` of the answer before.' })),
      },
      { additionalProperties: false },
    ),
    document: consoleDocument({
      operationId: 'redriveRefused',
      summary: 'Judge refused responses once more',
      description:
        'By the survey as it is now, in the order in which they came. What is accepted is a response like any other; what is refused stays, with its new cause. An answer tells how far it came within some seconds, and where to go on.',
      tag,
      success: { status: 200, schema: redriveSchema, description: 'What became of them.' },
      conditions: [404],
    }),
    handle: async ({ body: { surveyId: of, after = '', dryRun = false, ...only } }, request, reply) => {
      const work = new Redriving(
        { ...services, sealer, newStamp: () => stampOf(context, request) },
        { accountId: accountOf(request), surveyId: of, isDryRun: dryRun, ...only },
      );
      await work.survey();
      const outcome = newOutcome();
      const beganAtMs = context.elapsedMs();
      let next: string | null = after;
      while (next !== null) {
        const before: string = next;
        const slice = await opened(() => work.slice(before, outcome));
        next = slice?.lastId ?? null;
        if (context.elapsedMs() - beganAtMs > redriveForMs || reply.raw.destroyed) break;
        await services.workQueue.nextSlice();
      }
      const refused = [...outcome.refused].map(([cause, count]) => ({ cause, count }));
      return { accepted: outcome.accepted, keptBefore: outcome.keptBefore, refused, next };
    },
  });
}

/** A key that was revoked takes what it sealed with it: that is no failure of ours. */
async function opened<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof SealingKeyMissing)
      throw new Problem(
        'RESPONSE_NOT_FOUND',
        'The key that sealed what was sent was revoked: nobody can read it.',
        {
          cause: error,
        },
      );
    throw error;
  }
}

function noBody(): Problem {
  return new Problem(
    'RESPONSE_NOT_FOUND',
    'Nothing is kept of it: what is refused waits for a week, and only of surveys with a quarantine.',
  );
}

function shownRefusal({ atMs, surveyId: of, who, actor, ...rest }: NamedRefusal) {
  const { id, status, code, cause, faults, moreFaults } = rest;
  return {
    id,
    at: new Date(atMs).toISOString(),
    surveyId: of === '' ? null : of,
    sender: who ?? actor,
    status,
    code,
    cause,
    faults,
    moreFaults,
  };
}

interface Group {
  readonly surveyId: string;
  readonly cause: string;
  refused: number;
  readonly days: { day: string; refused: number }[];
}

export async function refusedGroups(
  services: ConsoleServices,
  accountId: number,
  days: number,
): Promise<object> {
  const { context } = services;
  const today = dayOf(context.now());
  const from = today - days + 1;
  const groups = new Map<string, Group>();
  const groupAt = (of: string, cause: string): Group => {
    const name = `${cause} ${of}`;
    const group = groups.get(name) ?? { surveyId: of, cause, refused: 0, days: [] };
    groups.set(name, group);
    return group;
  };
  for (const { day, surveyId: of, cause, refused } of await refusalCounts(
    context.db,
    accountId,
    from,
    today,
  )) {
    const group = groupAt(of, cause);
    group.refused += refused;
    group.days.push({ day: dayText(day), refused });
  }
  const waiting = new Map<string, { readonly bodies: number; readonly oldestMs: number }>();
  for (const one of await waitingByCause(context.db, accountId, context.now())) {
    // What was redriven has another cause than the one that it was counted by.
    groupAt(one.surveyId, one.cause);
    waiting.set(`${one.cause} ${one.surveyId}`, one);
  }
  const inOrder = [...groups.values()].sort(
    (one, other) => other.refused - one.refused || (one.surveyId < other.surveyId ? -1 : 1),
  );
  const shown = inOrder.slice(0, groupsShown);
  const named = await sourcesOf(services, accountId, new Set(shown.map(({ surveyId: of }) => of)));
  return {
    from: dayText(from),
    to: dayText(today),
    refused: inOrder.reduce((sum, { refused }) => sum + refused, 0),
    groups: shown.map(({ surveyId: of, cause, refused, days: byDay }) => {
      const wait = waiting.get(`${cause} ${of}`);
      return {
        surveyId: of === '' ? null : of,
        source: named.get(of) ?? null,
        cause,
        refused,
        days: byDay,
        waiting: wait?.bodies ?? 0,
        waitingUntil:
          wait === undefined ? null : new Date(Number(wait.oldestMs) + quarantineAgeMaxMs).toISOString(),
      };
    }),
    moreGroups: inOrder.length - shown.length,
  };
}

interface NamedSource {
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly name: string;
  readonly version: number;
}

/** Which measure or project each of these surveys belongs to. */
async function sourcesOf(
  { sources }: ConsoleServices,
  accountId: number,
  surveyIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, NamedSource>> {
  const named = new Map<string, NamedSource>();
  for (const id of surveyIds) {
    if (id === '') continue;
    const ready = (await sources.ofSurvey(id)) ?? (await sources.freshOfSurvey(id));
    const version = ready?.survey(id)?.definition.version;
    if (ready?.source.accountId !== accountId || version === undefined) continue;
    named.set(id, { kind: ready.source.kind, ...nameOfSource(ready.source), version });
  }
  return named;
}
