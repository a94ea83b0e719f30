// Fastify with its traps closed: what every server of ours has, whatever its endpoints are.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import { faces } from '../../scim/faces.ts';
import { type Gate, hasBody } from '../access/gate.ts';
import { networkOf } from '../access/network.ts';
import { answerPreflight, letPageRead } from '../feedback/cross-origin.ts';
import type { PageMemory } from '../feedback/page-memory.ts';
import type { ProvisioningLog } from '../provisioning/provisioning-log.ts';
import type { BodiesUnderWay, BodySender } from './bodies-under-way.ts';
import { compressed } from './compress.ts';
import { areaOfPath, pathOf, problemOf, rawProblem, sendProblem, statusOf } from './errors.ts';
import type { Heartbeat } from './heartbeat.ts';
import { parseJson } from './json.ts';
import type { Metrics } from './metrics.ts';
import { type DeclaredEndpoint, factsOf } from './route.ts';
import { allowedMethods } from './route-table.ts';
import { StalledConnections } from './stalled-connections.ts';
import { TickBatch } from './tick-batch.ts';

const requestTimeoutMs = 15_000;
const headersTimeoutMs = 10_000;
const timeoutCheckMs = 1_000;
const keepAliveTimeoutMs = 72_000;
// Room for the longest target we take beside ordinary headers; Node refuses what is longer.
const headerBytesMax = 32 * 1024;
// A user's address has up to 255 characters, each of which may take twelve when encoded.
const parameterLengthMax = 4096;

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

interface FrameworkServices {
  readonly context: Context;
  readonly gate: Gate;
  readonly heartbeat: Heartbeat;
  readonly metrics: Metrics;
  readonly provisioningLog: ProvisioningLog;
  readonly pageMemory: PageMemory;
  readonly bodies: BodiesUnderWay;
}

export function bareApp(services: FrameworkServices): FastifyInstance {
  const { context, gate, heartbeat, metrics, provisioningLog, pageMemory, bodies } = services;
  const { config } = context;
  const endpoints: DeclaredEndpoint[] = [];
  const answering = new WeakMap<Socket, ServerResponse>();
  const headers = config.publicUrl.startsWith('https:')
    ? { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' }
    : securityHeaders;
  // Behind credentials are people's data, the account's or a secret: no cache keeps them (D-193).
  const privateHeaders = { ...headers, 'cache-control': 'no-store' };

  const app = Fastify({
    logger: false,
    genReqId: () => context.newId(),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      maxHeaderSize: headerBytesMax,
      // Judged here instead, so that the refusal has a body like any other.
      requireHostHeader: false,
    },
    rewriteUrl: ({ url = '' }) => withoutLastSlash(originForm(url)),
    routerOptions: { maxParamLength: parameterLengthMax },
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id);
      answerProblem(error, request, reply);
      // No hook runs for these.
      context.log.info(
        { requestId: request.id, method: request.method, status: reply.statusCode },
        'answered',
      );
    },
    clientErrorHandler: (_error, socket) => {
      // The bytes may hold a secret, so nothing of them is logged.
      const answer = answering.get(socket);
      if (answer !== undefined && !answer.writableFinished && !answer.destroyed) {
        // An answer is still owed to the request before: what we wrote now would be taken for it.
        if (answer.req.complete) {
          if (!answer.headersSent) answer.setHeader('connection', 'close');
          return void answer.once('close', () => socket.destroy());
        }
        if (answer.headersSent) return void socket.destroy();
      }
      if (!socket.writable) return void socket.destroy();
      const problem = new Problem(
        'MALFORMED_HTTP',
        'The request is not valid HTTP, or it took too long to arrive.',
      );
      const facts = { ...headers, 'x-request-id': context.newId() };
      socket.end(rawProblem(problem, facts, context.now()), () => socket.destroy());
    },
  });

  new StalledConnections({
    timeoutMs: config.writeTimeoutMs,
    bytesMax: config.answerMemoryBytes,
    isShort: () => pageMemory.isShort,
    onBroken: (connections) =>
      context.log.info({ connections }, 'broke connections that do not take their answers'),
  }).watch(app.server);

  app.decorate('endpoints', endpoints);
  app.decorateRequest('facts', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('bodyText', null);
  app.decorateRequest('changed', null);
  app.decorateRequest('patch', null);
  app.decorateRequest('refusal', null);
  app.decorateRequest('budget', null);
  app.decorateRequest('answerType', 'application/json');
  app.decorateRequest('sentContentType', null);

  app.addHook('onRoute', ({ url, config: routeConfig }) => {
    if (routeConfig?.facts?.access === undefined)
      throw new Error(`The route ${url} does not say who may call it.`);
  });

  const tickBatch = new TickBatch();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const before = answering.get(socket);
    answering.set(socket, reply.raw);
    // Whoever sends the next request before the answer to this one is read has it answered after that: else a few
    // hundred requests in one packet would have all their answers wait in memory.
    if (before !== undefined && !before.writableFinished && !before.closed)
      before.once('close', () => {
        if (!socket.destroyed) tickBatch.add(judge);
      });
    else tickBatch.add(judge);

    function judge(): void {
      try {
        const facts = factsOf(request);
        const isPrivate = facts !== undefined && facts.access !== 'anyone';
        reply.headers(isPrivate ? privateHeaders : headers).header('x-request-id', request.id);
        if (facts?.isForBrowsers) letPageRead(request, reply);
        judgeTarget(request, config.urlLimitBytes);
        if (request.is404 || isForeign(request, endpoints)) return judgeUnrouted(request, reply, endpoints);
        if (facts?.consumes.length === 0) takeAnyContentType(request);
        const judging = gate.judge(request, reply);
        if (judging === undefined) return done();
        judging.then(() => done(), done);
      } catch (error) {
        done(error as Error);
      }
    }
  });

  app.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      if (hasBody(request)) bodies.receive(request.raw, senderOf(request, config.throttleIpv6PrefixBits));
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });

  // One parser for every content type: the gate has judged the header by the time the body is read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const facts = factsOf(request);
      const isRaw = facts?.consumes.length === 0;
      if (isRaw || body.length === 0) return done(null, isRaw ? body : undefined);
      if (facts?.access === 'survey' && request.caller === null && body.length > config.publicBodyLimitBytes)
        throw new Problem(
          'BODY_TOO_LARGE',
          `Without a token the body has at most ${config.publicBodyLimitBytes} bytes.`,
        );
      const { text, value } = parseJson(body);
      if (facts?.keepsBodyText) request.bodyText = text;
      done(null, value);
    } catch (error) {
      done(error as Error);
    }
  });

  app.setSerializerCompiler(() => (payload) => JSON.stringify(payload));
  app.setErrorHandler(answerProblem);
  app.setNotFoundHandler(() => {
    throw routeNotFound();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    if (heartbeat.isClosingConnections) reply.header('connection', 'close');
    try {
      const result = compressed(request, reply, payload);
      if (result instanceof Promise) result.then((bytes) => done(null, bytes), done);
      else done(null, result);
    } catch (error) {
      done(error as Error);
    }
  });

  app.addHook('onResponse', (request, reply, done) => {
    const route = factsOf(request)?.path ?? 'none';
    metrics.requests.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    provisioningLog.note(request, reply);
    // The pattern of the route, never the address: that may hold a name or a secret.
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
    const level = isRefused || isLimit(request.refusal) ? 'info' : 'debug';
    if (context.log.isLevelEnabled(level)) {
      const { method, caller } = request;
      const facts = {
        requestId: request.id,
        method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
      };
      context.log[level](
        caller === null ? facts : { ...facts, accountId: caller.accountId, apiClientId: caller.apiClientId },
        'answered',
      );
    }
    done();
  });
  return app;

  function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const problem = problemOf(error);
    request.refusal = problem;
    if (problem.code === 'REQUEST_ABANDONED' && reply.raw.destroyed) return passOver(request, reply, problem);
    const status = statusOf[problem.condition];
    // Maintenance and what is not implemented are meant to be so, and no failure. Too much at once is a refusal.
    const isMeant = isLimit(problem) || ['MAINTENANCE', 'ME_NOT_SUPPORTED'].includes(problem.code);
    if (status >= 500 && !isMeant) {
      const facts = {
        requestId: request.id,
        route: factsOf(request)?.path,
        code: problem.code,
        err: problem.cause ?? error,
      };
      context.log.error(facts, problem.message);
    }
    // What follows a body that will not be read, or a request that two servers may read in two ways, is not trusted.
    const isUnread = status === 413 || problem.code === 'TOO_MANY_BODIES';
    if (isUnread || problem.code === 'MALFORMED_HTTP') reply.header('connection', 'close');
    return sendProblem(factsOf(request)?.area ?? areaOfPath(pathOf(request)), problem, context.now(), reply);
  }

  /** Nobody is there to read an answer, and nothing has failed. */
  function passOver(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
    const facts = { requestId: request.id, route: factsOf(request)?.path, code: problem.code };
    context.log.info(facts, problem.message);
    // Fastify would write to the connection that is gone, and say so in its own words.
    return reply.hijack();
  }
}

/** An API client shows its credentials in the body of its request for a token: until then it is nobody yet. */
function senderOf({ caller, ip }: FastifyRequest, ipv6PrefixBits: number): BodySender {
  return caller === null
    ? { name: `network ${networkOf(ip, ipv6PrefixBits)}`, isAnonymous: true }
    : { name: `account ${caller.accountId}`, isAnonymous: false };
}

/** A bound of what is done at once was reached: that is no failure, and whoever is refused may come back. */
function isLimit(problem: Problem | null): boolean {
  return problem?.code === 'TOO_MANY_BODIES' || problem?.code === 'TOO_MANY_PAGES';
}

/** A target may name the server too (RFC 9112 3.2.2); whom it names is as little believed as the Host header. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const [server] = url.match(/^https?:\/\/[^/?#]+/i) ?? [];
  if (server === undefined) return url;
  const rest = url.slice(server.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const facePaths = faces.map(({ path }) => `${path}/`);

/** `/scim/v2/Users/?filter=...` is `/scim/v2/Users?filter=...`: clients of provisioning write both (D-91). */
function withoutLastSlash(url: string): string {
  if (!facePaths.some((path) => url.startsWith(path))) return url;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.endsWith('/') ? path.slice(0, -1) + url.slice(path.length) : url;
}

/** Faults of the request line and the Host header, which concern every endpoint. */
function judgeTarget(request: FastifyRequest, urlLimitBytes: number): void {
  const { url = '', rawHeaders, httpVersion } = request.raw;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new Problem('MALFORMED_HTTP', 'The request is not HTTP/1.1 or HTTP/1.0.');
  if (url.length > urlLimitBytes)
    throw new Problem('URL_TOO_LONG', `The address is longer than ${urlLimitBytes} bytes.`);
  if (!url.startsWith('/')) throw new Problem('MALFORMED_URL', 'The address must be a path.');
  if (url.includes('%')) {
    // The path has been decoded by the router; the query is judged here, before anyone reads from it.
    const isDecodable = canDecode(url.slice(url.indexOf('?') + 1));
    if (!isDecodable || url.includes('%00'))
      throw new Problem('MALFORMED_URL', 'The address holds an escape that cannot be decoded.');
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // Two of them are how a request is smuggled past a proxy that believes the other one.
  if (hosts > 1) throw new Problem('MALFORMED_HTTP', 'The request has more than one Host header.');
  if (hosts === 0 && httpVersion === '1.1')
    throw new Problem('MALFORMED_HTTP', 'The request has no Host header.');
}

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Fastify refuses a header that is no media type before anyone can read the body, and goes to some length to read a
 * body of no bytes where there is such a header. An endpoint that reads for itself judges that itself (D-14): it sees
 * unknown bytes or no body, and the header as it was sent apart from it.
 */
function takeAnyContentType(request: FastifyRequest): void {
  const { headers } = request.raw;
  const sent = headers['content-type'];
  request.sentContentType = sent ?? null;
  if (sent === undefined) return;
  if (!hasBody(request)) headers['content-type'] = undefined;
  else if (!mediaType.test(sent)) headers['content-type'] = 'application/octet-stream';
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The router lets a pattern answer for a path that has an endpoint of its own, where the method is another. */
function isForeign(request: FastifyRequest, endpoints: readonly DeclaredEndpoint[]): boolean {
  const { url = '' } = request.routeOptions;
  if (!url.includes('/:')) return false;
  const path = pathOf(request);
  return endpoints.some((endpoint) => endpoint.path === path);
}

/** Answers OPTIONS and refuses the rest, before anyone looks at credentials or reads a body (D-24b). */
function judgeUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoints: readonly DeclaredEndpoint[],
): void {
  // The router has decoded the path without a fault, or the request would not have come this far.
  const path = decodeURI(pathOf(request));
  const methods = allowedMethods(endpoints, path);
  if (methods.length === 0) throw routeNotFound();
  const allow = methods.join(', ');
  const isForBrowsers = endpoints.some(
    (endpoint) => endpoint.path === path && endpoint.isForBrowsers === true,
  );
  if (isForBrowsers) letPageRead(request, reply);
  if (request.method === 'OPTIONS') {
    if (isForBrowsers) answerPreflight(reply);
    reply.code(204).header('allow', allow).send();
    return;
  }
  throw new Problem('METHOD_NOT_SUPPORTED', `This endpoint takes ${allow}.`, { headers: { allow } });
}

function routeNotFound(): Problem {
  return new Problem(
    'ROUTE_NOT_FOUND',
    'There is nothing at this address. The endpoints are listed at /docs.',
  );
}
