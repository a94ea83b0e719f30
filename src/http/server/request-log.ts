// What the log says of a request. It names the pattern of the route and never the address, which may hold a name or a
// secret.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Code, Problem } from '../../domain/problem.ts';
import { problemOf } from './errors.ts';
import { factsOf } from './route.ts';

/** One line for an answer; those that succeed are many, and logged only when everything is. */
export function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { method, refusal } = request;
  const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
  const level = isRefused || (refusal !== null && isLimit(refusal)) ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const fields = {
    requestId: request.id,
    method,
    route: factsOf(request)?.path ?? 'none',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
  };
  log[level]({ ...fields, ...whoOf(request) }, 'answered');
}

/** A program, or a person by their number: the audit log and the console say who that is (D-878). */
function whoOf({ caller, visitor }: FastifyRequest): object {
  if (caller !== null) return { accountId: caller.accountId, apiClientId: caller.apiClientId };
  if (visitor === null) return {};
  const { person, accountId } = visitor;
  const who = person.kind === 'user' ? { userId: person.id } : { operatorId: person.id };
  return accountId === null ? who : { accountId, ...who };
}

export function logFailure(log: Logger, request: FastifyRequest, error: unknown, message: string): void {
  const { code, cause } = problemOf(error);
  const route = factsOf(request)?.path;
  log.error({ requestId: request.id, route, code, err: cause ?? error }, message);
}

const limits = new Set<Code>([
  'TOO_MANY_BODIES',
  'TOO_MANY_PAGES',
  'TOO_MANY_EXPORTS',
  'DIGESTS_NOT_READY',
  'INSIGHT_NOT_READY',
]);

/** Whether it tells that too much is being done at once, or that work is still under way: no failure of ours, and the caller may come back. */
export function isLimit({ code }: Problem): boolean {
  return limits.has(code);
}
