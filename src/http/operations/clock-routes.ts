// /console/api/operations/clock: a clock that has jumped, what would be deleted if it was right, and the word of an operator
// that it is (D-846).

import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { clockOperations } from '../../contract/operations/clock.ts';
import { shownClock } from '../../domain/operations/trusted-time.ts';
import { Problem } from '../../domain/problem.ts';
import { countEndedRows } from '../../store/ended-rows.ts';
import { clockState, confirmClock, ifBelieved } from '../../store/engine/trusted-time.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import { addOperation } from '../server/route.ts';

const countForMs = 3_000;
// Behind one address there may be several replicas: the one that is asked must have the clock that was shown.
const shownForMs = 3_600_000;

export function clockRoutes(app: FastifyInstance, { context }: { readonly context: Context }): void {
  const { db, config, now, elapsedMs } = context;

  addOperation(app, clockOperations, 'GET /operations/clock', async () => {
    const state = await clockState(db, now());
    const untilMs = elapsedMs() + countForMs;
    const { counts, isWhole } = await countEndedRows(db, ifBelieved(state.clockMs), {
      auditKeepDays: config.auditKeepDays,
      changesDays: config.changesDays,
      mayGoOn: () => elapsedMs() < untilMs,
    });
    return { ...shownClock(state), deletes: counts, isWhole };
  });

  addOperation(app, clockOperations, 'POST /operations/clock', async ({ body }, request) => {
    const stamp = stampOf(context, request);
    const state = await clockState(db, stamp.nowMs);
    if (Math.abs(stamp.nowMs - Date.parse(body.clock)) > shownForMs)
      throw new Problem(
        'CONFLICT',
        'The clock is no longer the one that was shown, or another replica has answered. Look again.',
      );
    if (state.jumpMs !== 0) await db.write(confirmClock, { ...stamp, wallMs: stamp.nowMs });
    return shownClock(await clockState(db, now()));
  });
}
