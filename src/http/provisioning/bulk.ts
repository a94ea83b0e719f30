// Many operations in one request (RFC 7644 section 3.7). The order, the references and the answer are worked out in
// scim/bulk.ts; each operation is carried out as if it had come alone, in a transaction of its own (D-142).

import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { bulkOperations } from '../../contract/provisioning/whole-face.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { Problem } from '../../domain/problem.ts';
import type { Value } from '../../domain/provisioning/value.ts';
import { type BulkCall, type BulkOutcome, runBulk } from '../../scim/bulk.ts';
import { type BulkLimits, readBulk } from '../../scim/bulk-request.ts';
import type { Face } from '../../scim/faces.ts';
import type { WorkBudget } from '../../store/engine/work/work-budget.ts';
import type { Gate } from '../access/gate.ts';
import { problemOf, scimBody, statusOf } from '../server/errors.ts';
import type { BudgetServices } from '../server/request-budget.ts';
import { addOperation, callerOfRequest } from '../server/route.ts';
import { demanding } from './preconditions.ts';
import { actorOf } from './provisioning-log.ts';
import type { Actor } from './resource-type.ts';
import type { ServedType } from './resource-work.ts';

type ServedTypes = ReadonlyMap<string, ServedType>;

/** What this service takes in one request: the face's own limits, within those of the settings. */
export function bulkLimitsOf({ bulk }: Face, { bodyLimitBytes }: Config): BulkLimits | null {
  if (bulk === null) return null;
  return { ...bulk, maxPayloadBytes: Math.min(bulk.maxPayloadBytes, bodyLimitBytes) };
}

interface BulkServices extends BudgetServices {
  readonly gate: Gate;
  readonly publicUrl: PublicUrl;
}

export function bulkRoutes(
  app: FastifyInstance,
  services: BulkServices,
  face: Face,
  works: ServedTypes,
  limits: BulkLimits,
): void {
  const { context, publicUrl, gate } = services;
  const types = [...works.values()].map(({ type }) => type);
  addOperation(
    app,
    bulkOperations(face, limits),
    'POST /Bulk',
    async ({ body }, request, reply) => {
      const actor = actorOf(services, request, reply);
      const { budget } = actor;
      const run = runBulk(readBulk(body, types, limits), {
        locationOf: (name, id) => {
          const { endpoint } = works.get(name)!.type;
          return `${publicUrl.base}${face.path}/${endpoint}/${encodeURIComponent(id)}`;
        },
        describe: (problem) => {
          const status = statusOf[problem.condition];
          return { status, body: scimBody(problem, status) as Value };
        },
      });
      let step = run.next();
      for (let carriedOut = 0; !step.done; carriedOut += 1) {
        const excess = await excessOf(budget);
        // The first is paid for by the token of the request.
        if (excess === null && carriedOut > 0) gate.charge(callerOfRequest(request), 1);
        step = run.next(excess === null ? await outcomeOf(step.value, actor) : { problem: excess });
      }
      return step.value;
    },
    { bodyLimitBytes: limits.maxPayloadBytes },
  );

  /** Once the budget is used up, what is left is refused in its place: the answer must tell what was done before. */
  async function excessOf(budget: WorkBudget): Promise<Problem | null> {
    try {
      await budget.pause();
      return null;
    } catch (error) {
      if (error instanceof Problem && error.code === 'TOO_MUCH_WORK') return error;
      throw error;
    }
  }

  /** A failure of ours is told in its place like any other, and logged like any other (D-23). */
  async function outcomeOf(call: BulkCall, actor: Actor): Promise<BulkOutcome> {
    try {
      const made = await carryOut(call, actor, works);
      return made;
    } catch (error) {
      const problem = problemOf(error);
      if (statusOf[problem.condition] >= 500) {
        context.log.error({ code: problem.code, err: problem.cause ?? error }, problem.message);
      }
      return { problem };
    }
  }
}

async function carryOut(call: BulkCall, actor: Actor, works: ServedTypes): Promise<BulkOutcome> {
  const { method, data } = call;
  const id = call.id ?? '';
  const preconditions = demanding(call.version);
  const { type, work } = works.get(call.type)!;
  if (method === 'DELETE') {
    await work.remove(actor, id, preconditions);
    return { status: 204, id: null, version: null };
  }
  const resource =
    method === 'POST'
      ? await work.create(actor, data)
      : await work[method === 'PUT' ? 'replace' : 'patch'](actor, id, data, preconditions);
  // As each would have been answered alone.
  const status = method === 'POST' ? 201 : method === 'PATCH' && !type.answersPatches ? 204 : 200;
  return { status, id: String(resource.id), version: type.versionOf(resource) };
}
