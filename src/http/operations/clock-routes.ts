// /console/api/operations/clock: a clock that has jumped, what would be deleted if it was right, and the word of an operator
// that it is (D-846).

import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { shownClock } from '../../domain/operations/trusted-time.ts';
import { Problem } from '../../domain/problem.ts';
import { countEndedRows, endedKinds } from '../../store/ended-rows.ts';
import { clockState, confirmClock, ifBelieved } from '../../store/engine/trusted-time.ts';
import { consoleDocument } from '../console/console-document.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';

const moment = Type.String({ format: 'date-time' });
const countForMs = 3_000;
// Behind one address there may be several replicas: the one that is asked must have the clock that was shown.
const shownForMs = 3_600_000;

const clockMembers = {
  clock: Type.String({ format: 'date-time', description: 'The clock of the replica that answers.' }),
  trusted: Type.String({ format: 'date-time', description: 'What rows are deleted by.' }),
  jumpSeconds: Type.Integer({
    description: 'How far the clock is ahead of the trusted time, below 0 behind it; 0 while it is followed.',
  }),
  believedInSeconds: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How much longer the service must run until the clock is believed without a word.',
  }),
};

/** Part of the overview of operations. */
export const clockSchema = Type.Object(clockMembers);

const jumpSchema = Type.Object(
  {
    ...clockMembers,
    deletes: Type.Object(
      Object.fromEntries(endedKinds.map((kind) => [kind, Type.Integer()])) as Record<
        (typeof endedKinds)[number],
        ReturnType<typeof Type.Integer>
      >,
      { description: 'How many of each would be deleted or emptied if the clock was believed.' },
    ),
    isWhole: Type.Boolean({ description: 'False where there are more than could be counted in a moment.' }),
  },
  { $id: 'ClockJump' },
);

export function clockRoutes(
  app: FastifyInstance,
  { context, tag }: { readonly context: Context; readonly tag: string },
): void {
  const { db, config, now, elapsedMs } = context;
  const access = { people: 'signedIn', ability: 'operate' } as const;
  const path = '/console/api/operations/clock';

  addRoute(app, {
    method: 'GET',
    path,
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'getClock',
      summary: 'The clock and the trusted time',
      description:
        'Rows are deleted by the trusted time of the store, which follows a clock that is less than a day away. What would be deleted if a clock that has jumped was believed, in numbers.',
      tag,
      success: { status: 200, schema: jumpSchema, description: 'As of now.' },
    }),
    handle: async () => {
      const state = await clockState(db, now());
      const untilMs = elapsedMs() + countForMs;
      const { counts, isWhole } = await countEndedRows(db, ifBelieved(state.clockMs), {
        auditKeepDays: config.auditKeepDays,
        changesDays: config.changesDays,
        mayGoOn: () => elapsedMs() < untilMs,
      });
      return { ...shownClock(state), deletes: counts, isWhole };
    },
  });

  addRoute(app, {
    method: 'POST',
    path,
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({ clock: moment }),
    document: consoleDocument({
      operationId: 'confirmClock',
      summary: 'Say that the clock is right',
      description:
        'The clock is believed from now on, and what has ended by it is deleted for good. `clock` is what was shown: where the clock of the replica that answers is more than an hour from it, nothing changes.',
      tag,
      success: {
        status: 200,
        schema: Type.Object(clockMembers, { $id: 'Clock' }),
        description: 'As of now.',
      },
      conditions: [409],
    }),
    handle: async ({ body }, request) => {
      const stamp = stampOf(context, request);
      const state = await clockState(db, stamp.nowMs);
      if (Math.abs(stamp.nowMs - Date.parse(body.clock)) > shownForMs)
        throw new Problem(
          'CONFLICT',
          'The clock is no longer the one that was shown, or another replica has answered. Look again.',
        );
      if (state.jumpMs !== 0) await db.write(confirmClock, { ...stamp, wallMs: stamp.nowMs });
      return shownClock(await clockState(db, now()));
    },
  });
}
