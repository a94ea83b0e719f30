// The work that one request may do. It ends when the caller hangs up, and what it used beyond the ordinary is charged to
// the caller's throttle, however the request ends (D-165).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../domain/access/account.ts';
import { type FilterLimits, filterLimits } from '../../scim/filter.ts';
import type { ScanSlots, SearchWork } from '../../store/engine/work/scan-slots.ts';
import { WorkBudget, type WorkQueue } from '../../store/engine/work/work-budget.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Made when it is first asked for: see budgetOf. */
    budget: WorkBudget | null;
  }
}

/** The throttle of callers, to which work beyond the ordinary is charged. */
export interface ChargedThrottle {
  charge(caller: Caller, tokens: number): void;
}

export interface BudgetServices {
  readonly context: Context;
  /** Left out where people call, who have no throttle that work is charged to. */
  readonly gate?: ChargedThrottle;
  readonly workQueue: WorkQueue;
}

export interface SearchServices extends BudgetServices {
  readonly scans: ScanSlots;
}

/** The budget of a request, the same one however often it is asked for. */
export function budgetOf(
  { context, workQueue, gate }: BudgetServices,
  request: FastifyRequest,
  reply: FastifyReply,
): WorkBudget {
  if (request.budget !== null) return request.budget;
  const { workLimitMs, workLimitUnits, workUnitsPerToken } = context.config;
  const gone = new AbortController();
  const budget = new WorkBudget(workQueue, {
    timeMs: workLimitMs,
    units: workLimitUnits,
    signal: gone.signal,
  });
  // Emitted once, when the answer is complete or its connection is gone, whichever comes first.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
    if (request.caller !== null) gate?.charge(request.caller, Math.floor(budget.spent / workUnitsPerToken));
  });
  if (reply.raw.destroyed) gone.abort();
  request.budget = budget;
  return budget;
}

/** What a search needs: the budget of its request, and the limit on scans that run at once. */
export function searchWork(
  services: SearchServices,
  request: FastifyRequest,
  reply: FastifyReply,
): SearchWork {
  return { budget: budgetOf(services, request, reply), scans: services.scans };
}

export function filterLimitsOf({ filterLimitBytes, filterLimitTerms }: Config): FilterLimits {
  return { ...filterLimits, maxBytes: filterLimitBytes, maxTerms: filterLimitTerms };
}
