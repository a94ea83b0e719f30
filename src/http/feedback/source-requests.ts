// What requests about measures and requests about projects have in common: which one is meant, which days, which page.

import type { FastifyRequest } from 'fastify';
import { type DateRange, readDateRange } from '../../domain/dates.ts';
import type { RespondentToggles } from '../../domain/feedback/respondent.ts';
import { type Fault, invalidRequest, Problem } from '../../domain/problem.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { textOfPath } from '../server/input.ts';
import { callerOfRequest } from '../server/route.ts';

export function respondentToggles(
  query: { readonly [name in keyof RespondentToggles]?: boolean },
): RespondentToggles {
  return {
    excludeResponseDetails: query.excludeResponseDetails ?? false,
    excludeMQ: query.excludeMQ ?? false,
    excludeCQ: query.excludeCQ ?? false,
    excludePassedParams: query.excludePassedParams ?? false,
    excludeLatentScores: query.excludeLatentScores ?? false,
  };
}

/** Both days are days of the calendar by now; that the first is not after the last is judged here. */
export function daysOf({ from, to }: { readonly from: string; readonly to: string }): DateRange {
  const faults: Fault[] = [];
  const range = readDateRange(from, to, faults);
  if (faults.length > 0) throw invalidRequest(faults);
  return range;
}

/** Told with the digits that were asked for. */
export function sourceNotFound(kind: 'measure' | 'project', key: string): Problem {
  return kind === 'measure'
    ? new Problem('MEASURE_NOT_FOUND', `No measure has the key ${key}.`)
    : new Problem('PROJECT_NOT_FOUND', `No project has the id ${key}.`);
}

/**
 * The measure or project of the caller's account that has this key. Wrong parameters are told before that there is none: those that
 * are judged beside what it asks are named by `judge` (D-888).
 */
export async function sourceOfRequest(
  sources: Sources,
  request: FastifyRequest,
  kind: 'measure' | 'project',
  key: number,
  judge?: () => void,
): Promise<PreparedSource> {
  const { accountId } = callerOfRequest(request);
  // No catalogue has a larger one, and no store need be asked for it (D-800).
  const found = Number.isSafeInteger(key) ? await sources.byName({ accountId, kind, key }) : null;
  if (found !== null) return found;
  judge?.();
  throw sourceNotFound(kind, textOfPath(request, kind === 'measure' ? 'measurementKey' : 'projectId'));
}
