// What operators and their machines ask: is it alive, may it get traffic, how is it doing.

import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { healthOperations } from '../../contract/operations/health.ts';
import { type Code, Problem } from '../../domain/problem.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import { workersOf } from '../../store/engine/postgres/citus.ts';
import type { Heartbeat } from './heartbeat.ts';
import { addOperation } from './route.ts';
import { SharedAnswer } from './shared-answer.ts';

/** What only an operator can repair has a sentence of its own; everything else passes by itself or shows at the store. */
const reasons: Partial<Record<Code, string>> = {
  STORE_MOVED:
    'A file of the store was deleted, moved, replaced or cut short: put it back, or stop the service. "soundings doctor" says which, and where the data was saved.',
  STORE_DAMAGED: 'The store is damaged: run "soundings doctor".',
  STORE_FULL: 'The disk of the store is full.',
};

function reasonOf(error: unknown): string {
  return (error instanceof Problem ? reasons[error.code] : undefined) ?? 'The store does not answer.';
}

interface Readiness {
  /** `degraded`: some accounts are served, and others are not, because their worker is away (D-223). */
  readonly status: 'ready' | 'degraded' | 'not ready';
  readonly reasons: readonly string[];
}

const notReady = (reasons: readonly string[]): Readiness => ({ status: 'not ready', reasons });

interface HealthServices {
  readonly context: Context;
  readonly heartbeat: Heartbeat;
  /** The text of /metrics; with several workers it is the sum over all of them. */
  readonly metricsText: () => Promise<string>;
}

export function healthRoutes(
  app: FastifyInstance,
  { context, heartbeat, metricsText }: HealthServices,
): void {
  // It asks nobody: a store that is away is no reason to restart this process.
  addOperation(app, healthOperations, 'GET /livez', () => ({ status: 'alive' }));

  // Anybody may ask, and asking must load neither the store nor the log.
  const readiness = new SharedAnswer(readinessNow, context.elapsedMs);
  addOperation(app, healthOperations, 'GET /readyz', async (_input, _request, reply) => {
    const own = ownReasonsAgainst();
    const answer = own === null ? await readiness.get() : notReady(own);
    reply.code(answer.status === 'not ready' ? 503 : 200).header('cache-control', 'no-store');
    return answer;
  });

  /** What the process knows without asking. */
  function ownReasonsAgainst(): readonly string[] | null {
    if (heartbeat.isStarting) return ['The store has not been reached yet.'];
    return heartbeat.isDraining ? ['The process is shutting down.'] : null;
  }

  async function readinessNow(): Promise<Readiness> {
    const reasons = await reasonsAgainst();
    return reasons.length > 0 ? notReady(reasons) : readinessOfWorkers();
  }

  /** Whoever asks may be anybody: which machine it is, only an operator is told. */
  async function readinessOfWorkers(): Promise<Readiness> {
    try {
      const workers = (await workersOf(context.db)).filter(({ shards }) => shards > 0);
      const reasons = workers.flatMap(({ answers }, index) =>
        answers
          ? []
          : [
              `Worker ${index + 1} of ${workers.length} does not answer: its accounts are not served. "soundings doctor" names it.`,
            ],
      );
      if (reasons.length === 0) return { status: 'ready', reasons };
      return { status: reasons.length === workers.length ? 'not ready' : 'degraded', reasons };
    } catch {
      const reason = 'The workers could not be asked in time: some accounts may not be served.';
      return { status: 'degraded', reasons: [reason] };
    }
  }

  async function reasonsAgainst(): Promise<readonly string[]> {
    try {
      const { pending } = await schemaStatus(context.db);
      if (pending.length > 0) return ['The schema of the store is not up to date.'];
      await context.db.probe();
      // A probe changes nothing, so it cannot see a store that answers and still fails at every change.
      await heartbeat.retry();
      return heartbeat.hasFailed ? ['The store takes no changes.'] : [];
    } catch (error) {
      return [reasonOf(error)];
    }
  }

  const figures = new SharedAnswer(metricsText, context.elapsedMs);
  addOperation(app, healthOperations, 'GET /metrics', async (_input, _request, reply) => {
    reply.type('text/plain; version=0.0.4; charset=utf-8');
    return figures.get();
  });
}
