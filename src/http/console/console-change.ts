// How somebody in the console changes a user or a group: decided at what is there, and again where another change was first.

import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { type ByActor, mayGrantAdmin } from '../../domain/access/role-rules.ts';
import { Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { changeInTurn } from '../../store/provisioning/change-in-turn.ts';
import { visitorOf } from './console-gate.ts';
import { stampOf } from './visitor-stamp.ts';

const roundsMax = 64;

/** What the change carries: who makes it, and whether they may touch whoever is admin. */
export function consoleStampOf(context: Context, request: FastifyRequest): ChangeStamp & ByActor {
  const mayChangeAdmins = mayGrantAdmin(visitorOf(request));
  return { ...stampOf(context, request), rights: { face: 'console', mayChangeAdmins } };
}

export async function changeInConsole<R, T>(
  read: () => Promise<R>,
  attempt: (resource: R) => Promise<T | null>,
): Promise<T> {
  const done = await changeInTurn(roundsMax, read, attempt);
  if (done !== null) return done;
  throw new Problem('CONFLICT', 'Others are changing this all the time. Please retry.');
}
