// What a change carries that somebody made in the console: who, when, and the request that asked for it.

import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { actorOf } from '../../domain/access/visitor.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { visitorOf } from './console-gate.ts';

/** The actor is whoever has signed in, unless a name is given: that of somebody who is about to. */
export function stampOf(context: Context, request: FastifyRequest, actor?: string): ChangeStamp {
  return {
    changeId: context.newId(),
    nowMs: context.now(),
    actor: actor ?? actorOf(visitorOf(request)),
    requestId: request.id,
    origin: request.ip,
  };
}
