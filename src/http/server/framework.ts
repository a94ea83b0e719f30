// Fastify with our time limits, hooks, body parser and error answers, before any endpoint is added to it.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { networkOf } from '../../acts/access/network.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import { RequestWaits, withinRequest } from '../../store/engine/work/request-waits.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import { type BodiesUnderWay, type BodySender, hasBody } from './bodies-under-way.ts';
import { compressed } from './compress.ts';
import { addCorsHeaders, answerPreflight } from './cross-origin.ts';
import { areaOfPath, pathOf, problemOf, rawProblem, sendProblem, statusOf } from './errors.ts';
import type { Heartbeat } from './heartbeat.ts';
import { refuseUnholdable } from './holdable-text.ts';
import { type ParsedJson, parsedJson, parseJson, shortBodyBytes } from './json.ts';
import type { Metrics } from './metrics.ts';
import { isLimit, logAnswer, logFailure } from './request-log.ts';
import { judgeTarget, routedTarget } from './request-target.ts';
import { type DeclaredEndpoint, factsOf } from './route.ts';
import { allowedMethods, endpointsAt } from './route-table.ts';
import { StalledConnections } from './stalled-connections.ts';
import { TickBatch } from './tick-batch.ts';
import { endTrace, tracedStep } from './traced-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What it waits for its store; null before it is looked at. */
    waits: RequestWaits | null;
  }
}

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
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

// What browsers show as a page shares its window with no other site, and asks for none of what a device can do (D-824).
const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    ...[
      'accelerometer',
      'autoplay',
      'camera',
      'display-capture',
      'geolocation',
      'gyroscope',
      'hid',
      'magnetometer',
    ],
    ...['microphone', 'midi', 'payment', 'serial', 'usb', 'xr-spatial-tracking'],
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
};

interface FrameworkServices {
  readonly context: Context;
  /** Judges a routed request; a promise only where something must be looked up. */
  readonly gate: { judge(request: FastifyRequest, reply: FastifyReply): void | Promise<void> };
  readonly heartbeat: Heartbeat;
  readonly metrics: Metrics;
  /** Whether a request waits for room for its answer. */
  readonly pageMemory: { readonly hasWaiting: boolean };
  /** What areas note of a request once its answer has gone out. */
  readonly onAnswered: readonly ((request: FastifyRequest, reply: FastifyReply) => void)[];
  readonly bodies: BodiesUnderWay;
  readonly workQueue: WorkQueue;
}

function noCompiler(): never {
  throw new Error('A route has a schema of Fastify; schemas belong to its input and its documents.');
}

export function bareApp(services: FrameworkServices): FastifyInstance {
  const { context, gate, heartbeat, metrics, pageMemory, bodies, onAnswered, workQueue } = services;
  const { config, tracing } = context;
  const endpoints: DeclaredEndpoint[] = [];
  const answering = new WeakMap<Socket, ServerResponse>();
  /** Answers after which their connection is closed. */
  const lastAnswers = new WeakSet<ServerResponse>();
  const largestBodyBytes = Math.max(config.bodyLimitBytes, config.ingestionBodyLimitBytes);
  const subdomains = config.hstsSubdomains ? '; includeSubDomains' : '';
  const headers = config.publicUrl.startsWith('https:')
    ? { ...securityHeaders, 'strict-transport-security': `max-age=31536000${subdomains}` }
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
      // Of a header that is sent twice both count, so that nobody judges one and we the other (D-801).
      joinDuplicateHeaders: true,
    },
    rewriteUrl: ({ url = '' }) => routedTarget(url),
    routerOptions: { maxParamLength: parameterLengthMax },
    // Routes judge their input themselves (input.ts): Fastify need not load its validators and serializers, a hundred modules.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id);
      answerProblem(error, request, reply);
      // No hook runs for these.
      context.log.info(
        { requestId: request.id, method: request.method, status: reply.statusCode },
        'answered',
      );
    },
    clientErrorHandler: (_error, socket) => refuseConnection(socket),
  });

  // Node would answer these two without a word of ours: an expectation that we need not meet is passed over (RFC 9110, 10.1.1), and
  // to be a tunnel is refused like whatever is no request (D-801).
  app.server.on('checkExpectation', (request, answer) => app.server.emit('request', request, answer));
  app.server.on('connect', (_request, socket) => {
    // Node has let go of it, and an error that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    refuseConnection(socket as Socket);
  });

  new StalledConnections({
    timeoutMs: config.writeTimeoutMs,
    bytesMax: config.answerMemoryBytes,
    hasWaiting: () => pageMemory.hasWaiting,
    onBroken: (connections) =>
      context.log.info({ connections }, 'broke connections that do not take their answers'),
  }).watch(app.server);

  app.decorate('endpoints', endpoints);
  app.decorate('workQueue', workQueue);
  app.decorateRequest('facts', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('visitor', null);
  app.decorateRequest('sharedView', null);
  app.decorateRequest('sessionKey', null);
  app.decorateRequest('bodyText', null);
  app.decorateRequest('hasLongBody', false);
  app.decorateRequest('changed', null);
  app.decorateRequest('patch', null);
  app.decorateRequest('refusal', null);
  app.decorateRequest('refusedBySurvey', null);
  app.decorateRequest('trace', null);
  app.decorateRequest('waits', null);
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
    const waits = new RequestWaits(config.storeTimeoutMs);
    request.waits = waits;
    const judged = (): void => withinRequest(waits, judge);
    const step = tracing === undefined ? judged : tracedStep(tracing, request, judged);
    // A caller may send a request before it has read the answer to the one before (pipelining). It waits until that
    // answer has left: otherwise the answers to a few hundred requests in one packet would all wait in memory.
    if (before !== undefined && !before.writableFinished && !before.closed)
      before.once('close', () => {
        if (!socket.destroyed) tickBatch.add(step);
      });
    else tickBatch.add(step);

    function judge(): void {
      try {
        const facts = factsOf(request);
        const isPrivate = facts !== undefined && facts.access !== 'anyone';
        reply.headers(isPrivate ? privateHeaders : headers).header('x-request-id', request.id);
        if (facts === undefined || facts.isPage) reply.headers(pageHeaders);
        if (facts?.allowsCrossOrigin) addCorsHeaders(request, reply);
        judgeTarget(request, config.urlLimitBytes);
        if (request.is404 || isWronglyRouted(request, endpoints))
          return judgeUnrouted(request, reply, endpoints);
        if (facts?.consumes.length === 0) takeAnyContentType(request);
        const judging = gate.judge(request, reply);
        if (judging === undefined) return done();
        judging.then(() => done(), done);
      } catch (error) {
        done(error as Error);
      }
    }
  });

  // The pieces of a body come from the connection, which belongs to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    const { trace, waits } = request;
    const goOn = (): void => (trace === null ? done() : trace.run(done));
    if (waits === null) goOn();
    else withinRequest(waits, goOn);
  });

  app.addHook('preValidation', (request, _reply, done) => {
    const { encoding } = context.db;
    if (encoding == null) return done();
    refuseUnholdable(encoding, request).then(() => done(), done);
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
      const isRaw = facts !== undefined && (facts.consumes.length === 0 || facts.readsBytes);
      if (isRaw || body.length === 0) return done(null, isRaw ? body : undefined);
      if (facts?.access === 'survey' && request.caller === null && body.length > config.publicBodyLimitBytes)
        throw new Problem(
          'BODY_TOO_LARGE',
          `Without a token the body has at most ${config.publicBodyLimitBytes} bytes.`,
        );
      const take = ({ text, value }: ParsedJson): void => {
        if (facts?.keepsBodyText) request.bodyText = text;
        done(null, value);
      };
      if (body.length <= shortBodyBytes) return take(parseJson(body));
      request.hasLongBody = true;
      workQueue.run(parsedJson(body, largestBodyBytes)).then(take, done);
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
    request.waits?.endWithAnswer();
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
    for (const note of onAnswered) note(request, reply);
    logAnswer(context.log, request, reply);
    endTrace(request, reply);
    done();
  });
  return app;

  function refuseConnection(socket: Socket): void {
    // The bytes may hold a secret, so nothing of them is logged.
    const answer = answering.get(socket);
    if (answer !== undefined && !answer.writableFinished && !answer.destroyed) {
      // The request before has not been answered yet: the caller would take what we write now for that answer.
      if (answer.req.complete) {
        if (!answer.headersSent) answer.setHeader('connection', 'close');
        // Every further piece of what cannot be read comes here again, while the answer waits for its reader.
        if (!lastAnswers.has(answer)) answer.once('close', () => socket.destroy());
        lastAnswers.add(answer);
        return;
      }
      if (answer.headersSent) return void socket.destroy();
    }
    if (!socket.writable) return void socket.destroy();
    const problem = new Problem(
      'MALFORMED_HTTP',
      'The request is not valid HTTP, or it took too long to arrive.',
    );
    const answerHeaders = { ...headers, 'x-request-id': context.newId() };
    socket.end(rawProblem(problem, answerHeaders, context.now()), () => socket.destroy());
  }

  function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const problem = problemOf(error);
    request.refusal = problem;
    if (problem.code === 'REQUEST_ABANDONED' && reply.raw.destroyed)
      return dropAnswer(request, reply, problem);
    const status = statusOf[problem.condition];
    // These have a status of 500 or above and are no failure of ours.
    const isMeant = isLimit(problem) || ['MAINTENANCE', 'ME_NOT_SUPPORTED'].includes(problem.code);
    if (status >= 500 && !isMeant) logFailure(context.log, request, error, problem.message);
    // Where the rest of the body is not read, or a proxy may have read the request in another way, nobody knows where
    // the next request on this connection begins.
    const isUnread = status === 413 || problem.code === 'TOO_MANY_BODIES';
    if (isUnread || problem.code === 'MALFORMED_HTTP') reply.header('connection', 'close');
    const facts = factsOf(request);
    if (facts?.showProblem) return facts.showProblem(problem, status, request, reply);
    return sendProblem(facts?.area ?? areaOfPath(pathOf(request)), problem, context.now(), reply);
  }

  /** Nobody is there to read an answer, and nothing has failed. */
  function dropAnswer(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
    const fields = { requestId: request.id, route: factsOf(request)?.path, code: problem.code };
    context.log.info(fields, problem.message);
    // Fastify would write to the connection that is gone, and log that it could not.
    return reply.hijack();
  }
}

/** Whose body it is. Credentials for a token may stand in the body itself, so that such a request counts by network. */
function senderOf({ caller, ip }: FastifyRequest, ipv6PrefixBits: number): BodySender {
  return caller === null
    ? { name: `network ${networkOf(ip, ipv6PrefixBits)}`, isAnonymous: true }
    : { name: `account ${caller.accountId}`, isAnonymous: false };
}

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Fastify refuses a Content-Type that is no media type before the body can be read, and does needless work for an empty
 * body that has one. An endpoint that reads its body itself judges the header itself (D-14), so Fastify is shown a type
 * that it takes, or none, and the header as it was sent is kept beside it.
 */
function takeAnyContentType(request: FastifyRequest): void {
  const { headers } = request.raw;
  const sent = headers['content-type'];
  request.sentContentType = sent ?? null;
  if (sent === undefined) return;
  if (!hasBody(request)) headers['content-type'] = undefined;
  else if (!mediaType.test(sent)) headers['content-type'] = 'application/octet-stream';
}

/** With another method, the router lets `/Users/:id` answer for `/Users/.search`, which is an endpoint of its own. */
function isWronglyRouted(request: FastifyRequest, endpoints: readonly DeclaredEndpoint[]): boolean {
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
  const answering = endpointsAt(endpoints, path);
  const methods = allowedMethods(answering);
  if (methods.length === 0) throw routeNotFound();
  const allow = methods.join(', ');
  const allowsCrossOrigin = answering.some((endpoint) => endpoint.allowsCrossOrigin === true);
  if (allowsCrossOrigin) addCorsHeaders(request, reply);
  if (request.method === 'OPTIONS') {
    if (allowsCrossOrigin) answerPreflight(reply, methods);
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
