// CORS: what a browser must be told before it lets a page of another site send a response and read the answer (D-12).
// Beacons are sent with credentials, whether or not there are any, and then browsers do not accept `*` as the origin: so
// the origin is repeated as it came. That opens nothing, because this path knows no cookies.

import type { FastifyReply, FastifyRequest } from 'fastify';

/** `null` is what pages without an origin of their own send; everything else is a scheme and a host. */
const originPattern = /^(null|[a-z][a-z0-9+.-]{0,63}:\/\/[^\s,/?#]{1,300})$/i;

/** Without these a page sees a status and a body, and not when to try again. */
const exposedHeaders = 'Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Soundings-Page-Work';

const answerNames = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
] as const;

/** Lets the page read the answer, whatever it will be. Pages never read what was asked for with a token. */
export function addCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { origin, authorization } = request.headers;
  reply.header('vary', 'Origin');
  if (authorization === undefined) reply.headers(headersFor(origin));
}

/** The headers of one answer; none where the request does not come from a page. */
function headersFor(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined || !originPattern.test(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposedHeaders,
  };
}

/** For a page of an origin that the survey does not name. */
export function removeCorsHeaders(reply: FastifyReply): void {
  for (const name of answerNames) reply.removeHeader(name);
}

/**
 * What a browser asks before it posts. Which survey it will be is in the body still to come, or known to the endpoint alone, so
 * the answer to the post itself says whether the page may read it.
 */
export function answerPreflight(reply: FastifyReply, methods: readonly string[]): void {
  reply.headers({
    'access-control-allow-methods': methods.filter((method) => method !== 'OPTIONS').join(', '),
    'access-control-allow-headers': 'content-type, accept, soundings-page-token, soundings-page-work',
    'access-control-max-age': '7200',
  });
}
