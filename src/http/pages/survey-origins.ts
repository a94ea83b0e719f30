// Which pages of other sites may have a survey: those of its origins, or of any where it has none. The same holds for what a
// page posts (D-12), reads (D-455) and frames (D-458).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import { Problem } from '../../domain/problem.ts';
import { removeCorsHeaders } from '../server/cross-origin.ts';

type Origins = Pick<SurveyDefinition, 'origins' | 'public'>;

/** `ownOrigin`: of the service itself, whose pages may always. */
export function isOriginAllowed(
  { origins }: Origins,
  origin: string | undefined,
  ownOrigin: string,
): boolean {
  return origin === undefined || origin === ownOrigin || origins.length === 0 || origins.includes(origin);
}

/**
 * Refuses a request of a page that the survey does not name, and lets that page read nothing. Pages of the service itself may
 * always, under whatever name it is reached.
 */
export function judgeOrigin(
  survey: Origins,
  request: FastifyRequest,
  reply: FastifyReply,
  ownOrigin: string,
): void {
  const { origin, host } = request.headers;
  const isOfThisHost = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
  if (isOfThisHost || isOriginAllowed(survey, origin, ownOrigin)) return;
  removeCorsHeaders(reply);
  throw new Problem('ORIGIN_NOT_ALLOWED', 'This survey is not for pages of this origin.');
}

/**
 * Who may show the page of a survey in a frame, as a directive of its policy. An invitation is somebody's, so a survey that is not
 * public is framed only where it says so (D-458).
 */
export function frameAncestors({ origins, public: isPublic }: Origins): string {
  if (origins.length > 0) return `frame-ancestors 'self' ${origins.join(' ')}`;
  return isPublic ? 'frame-ancestors *' : "frame-ancestors 'self'";
}
