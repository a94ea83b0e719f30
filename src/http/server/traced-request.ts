// A request as a trace knows it: method, pattern of the route, status, and who called. Never the address, a parameter or
// a body, which may hold a name or a secret.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestTrace, Tracing } from '../../store/engine/work/tracing.ts';
import { factsOf } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where nobody wants traces. */
    trace: RequestTrace | null;
  }
}

/** The first step of a request, within its trace. What only operators ask is not followed. */
export function tracedStep(tracing: Tracing, request: FastifyRequest, step: () => void): () => void {
  const facts = factsOf(request);
  if (facts?.isOperational) return step;
  const { method } = request;
  const { traceparent, tracestate } = request.headers;
  const trace = tracing.begin({ method, route: facts?.path ?? 'none' }, { traceparent, tracestate });
  request.trace = trace;
  return () => trace.run(step);
}

/** Called when the answer has gone out. */
export function endTrace(request: FastifyRequest, reply: FastifyReply): void {
  const { trace, caller, refusal } = request;
  if (trace === null) return;
  const who =
    caller === null
      ? {}
      : { 'soundings.account.id': caller.accountId, 'soundings.client.id': caller.apiClientId };
  trace.end(reply.statusCode, refusal?.code ?? null, { 'soundings.request.id': request.id, ...who });
}
