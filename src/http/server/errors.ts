// How a Problem is answered: the HTTP status of its condition, and a body for each area of the interface. The route names
// its area; code that throws a Problem knows neither (D-20, D-22).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from '../../contract/operation.ts';
import { type Condition, codes, Problem } from '../../domain/problem.ts';
import { scimTypes } from '../../scim/faces.ts';
import { errorSchema } from '../../scim/urns.ts';
import { UnholdableText } from '../../store/engine/postgres/text-encoding.ts';

export const statusOf: Readonly<Record<Condition, number>> = {
  badRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotSupported: 405,
  notAcceptable: 406,
  conflict: 409,
  gone: 410,
  preconditionFailed: 412,
  bodyTooLarge: 413,
  unsupportedMediaType: 415,
  throttled: 429,
  serverError: 500,
  notImplemented: 501,
  downstreamError: 502,
  serviceUnavailable: 503,
};

// What an answer of this condition must carry, unless the Problem has this header itself.
const headersOf: Partial<Record<Condition, Readonly<Record<string, string>>>> = {
  unauthenticated: { 'www-authenticate': 'Bearer realm="soundings"' },
  throttled: { 'retry-after': '1' },
  serviceUnavailable: { 'retry-after': '30' },
};

type Body = Record<string, unknown>;

const bodies: Readonly<Record<Area, (problem: Problem, status: number, timestamp: string) => Body>> = {
  service: serviceBody,
  token: (problem, status, timestamp) => ({
    ...serviceBody(problem, status, timestamp),
    error: oauthError(problem),
    error_description: plainAscii(withFaults(problem)),
  }),
  ingestion: (problem, status, timestamp) => ({
    detailedErrors: problem.details,
    errorCode: problem.code,
    message: problem.message,
    responseCode: status,
    responseType: 'ERROR',
    timestamp,
  }),
  project: (problem) => ({ errorCode: problem.number, message: withFaults(problem) }),
  projectData: (problem, status, timestamp) => ({ timestamp, status, message: withFaults(problem) }),
  scim: scimBody,
  console: (problem, status) => ({
    type: 'about:blank',
    title: codes[problem.code].meaning,
    status,
    detail: problem.message,
    code: problem.code,
    faults: problem.details,
  }),
};

function serviceBody(problem: Problem, status: number, timestamp: string): Body {
  return {
    timestamp,
    status,
    message: problem.message,
    errorCode: problem.code,
    detailedErrors: problem.details,
  };
}

/** Also the answer to one operation of a bulk request. */
export function scimBody(problem: Problem, status: number): Body {
  return {
    schemas: [errorSchema],
    status: String(status),
    ...scimType(problem),
    detail: withFaults(problem),
  };
}

/** Bodies without `detailedErrors` have the faults in their message, each once. */
export function withFaults({ message, details }: Problem): string {
  const unsaid = details.filter((fault) => !message.includes(fault.message));
  const sentences = unsaid.map(({ field, message: fault }) =>
    fault.startsWith(field) ? fault : `${field}: ${fault}`,
  );
  return [message, ...sentences].join(' ');
}

function oauthError(problem: Problem): string {
  if (problem.code === 'UNSUPPORTED_GRANT_TYPE') return 'unsupported_grant_type';
  if (problem.code === 'INVALID_SCOPE' || problem.code === 'SCOPE_NOT_GRANTED') return 'invalid_scope';
  switch (problem.condition) {
    case 'unauthenticated':
      return 'invalid_client';
    case 'throttled':
    case 'serviceUnavailable':
      return 'temporarily_unavailable';
    case 'serverError':
    case 'downstreamError':
      return 'server_error';
    default:
      return 'invalid_request';
  }
}

// RFC 6749 5.2 allows these characters in a description and no others.
function plainAscii(text: string): string {
  return text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}

function scimType({ code }: Problem): { scimType?: string } {
  const word = scimTypes.get(code);
  return word === undefined ? {} : { scimType: word };
}

// A request that reaches no route has no area; its path says which one the caller probably meant.
const areaPatterns: readonly [RegExp, Area][] = [
  [/^\/v1\/token(\/|$)/, 'token'],
  [/^\/v1\/surveys\/ingestion(\/|$)/, 'ingestion'],
  [
    /^\/v1\/projects\/[^/]*\/(breakdown|changes|comments|cost|data|digest|distribution|export|responses|topics|trend)(\/|$)/,
    'projectData',
  ],
  [/^\/v1\/projects(\/|$)/, 'project'],
  [/^\/scim\/v2(\/|$)/, 'scim'],
  [/^\/(console|shared)\/api(\/|$)/, 'console'],
];

export function areaOfPath(path: string): Area {
  return areaPatterns.find(([pattern]) => pattern.test(path))?.[1] ?? 'service';
}

const frameworkCodes: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Problem('BODY_TOO_LARGE', 'The body is larger than this endpoint takes.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('UNSUPPORTED_MEDIA_TYPE', 'The content type is not supported.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem('MALFORMED_HTTP', 'The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => new Problem('MALFORMED_URL', 'The path of the request cannot be decoded.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new Problem('URL_TOO_LONG', 'A part of the path is longer than anything it could name.'),
  ECONNRESET: () => new Problem('MALFORMED_HTTP', 'The body ended before it was complete.'),
};

/** Whatever was thrown, as a Problem. An unknown error is a failure of ours, and its message stays in the log (D-23). */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // Met by what was made of the request, such as its folded text: the fields are named before that (holdable-text.ts).
  if (error instanceof UnholdableText)
    return new Problem('INVALID_REQUEST', error.message, { cause: error.cause });
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  const known = typeof code === 'string' ? frameworkCodes[code] : undefined;
  if (known !== undefined) return known();
  return new Problem(
    'INTERNAL_ERROR',
    'The service failed. Please retry, and quote the request id if it stays.',
    { cause: error },
  );
}

export function errorBody(area: Area, problem: Problem, status: number, nowMs: number): Body {
  return bodies[area](problem, status, new Date(nowMs).toISOString());
}

/** Of the bodies of errors, where it is not plain JSON. */
export const problemTypes: Partial<Record<Area, string>> = {
  scim: 'application/scim+json',
  console: 'application/problem+json',
};

export function sendProblem(area: Area, problem: Problem, nowMs: number, reply: FastifyReply): FastifyReply {
  const status = statusOf[problem.condition];
  const body = errorBody(area, problem, status, nowMs);
  // RFC 6749 wants it on every answer of the token endpoint (D-14).
  if (area === 'token') reply.header('pragma', 'no-cache');
  // A browser would ask for a name and a password of its own where a challenge names a scheme that it knows.
  const isChallenged = area !== 'console' || problem.condition !== 'unauthenticated';
  return reply
    .code(status)
    .headers({ ...(isChallenged ? headersOf[problem.condition] : {}), ...problem.headers })
    .header('content-type', problemTypes[area] ?? 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(area === 'console' ? { ...body, requestId: reply.request.id } : body);
}

/** The answer to bytes that are no HTTP request, as text to write to the socket. */
export function rawProblem(
  problem: Problem,
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): string {
  const status = statusOf[problem.condition];
  const body = JSON.stringify(bodies.service(problem, status, new Date(nowMs).toISOString()));
  return [
    `HTTP/1.1 ${status} Bad Request`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

export function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '/';
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
