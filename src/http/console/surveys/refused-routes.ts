// /console/api/refused: responses that were refused, by survey, cause and day; what one of them said, where the quarantine has it; and
// judging them once more. What people wrote is shown to whoever may see responses.

import type { FastifyInstance } from 'fastify';
import { newOutcome, openBody, Redriving } from '../../../acts/feedback/redrive.ts';
import { refusedResponseOperations } from '../../../contract/feedback/refused-responses.ts';
import { dayOf, dayText } from '../../../domain/dates.ts';
import type { BriefFault } from '../../../domain/feedback/refusal.ts';
import { refusalsKept } from '../../../domain/feedback/refusal.ts';
import { Problem } from '../../../domain/problem.ts';
import { Sealer, SealingKeyMissing } from '../../../store/access/sealer.ts';
import {
  quarantineAgeMaxMs,
  waitingBodies,
  waitingBody,
  waitingByCause,
} from '../../../store/feedback/quarantine.ts';
import { lastRefusals, type NamedRefusal, refusalCounts } from '../../../store/feedback/refusals.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import { pageOf } from '../console-page.ts';
import type { ConsoleServices } from '../console-services.ts';
import { nameOfSource } from '../figures/source-routes.ts';
import { stampOf } from '../visitor-stamp.ts';

const groupsShown = 200;
/** How long one request goes on before it answers how far it came. */
const redriveForMs = 2_000;

export function refusedRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const sealer = new Sealer(context);

  addOperation(app, refusedResponseOperations, 'GET /refused', ({ query: { days = 30 } }, request) =>
    refusedGroups(services, accountOf(request), days),
  );

  addOperation(
    app,
    refusedResponseOperations,
    'GET /refused/responses',
    async ({ query: { surveyId: of, cause, after, limit } }, request) => {
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
  );

  addOperation(
    app,
    refusedResponseOperations,
    'GET /refused/bodies',
    ({ query: { surveyId: of, cause, after, limit } }, request) =>
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
  );

  addOperation(
    app,
    refusedResponseOperations,
    'GET /refused/bodies/:id',
    async ({ params: { id } }, request) => {
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
  );

  addOperation(
    app,
    refusedResponseOperations,
    'POST /refused/redrive',
    async ({ body: { surveyId: of, after = '', dryRun = false, ...only } }, request, reply) => {
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
  );
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

async function refusedGroups(services: ConsoleServices, accountId: number, days: number) {
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
