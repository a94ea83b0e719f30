// What can be done with the resources of a type, apart from how a request says it: the endpoints of the type and the
// operations of a bulk request both call this.

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import type { Resource } from '../../domain/provisioning/resource.ts';
import { windowOfStart } from '../../domain/window.ts';
import { readSort } from '../../scim/faces.ts';
import { readPatch } from '../../scim/operations.ts';
import { readProjection } from '../../scim/projection.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { changeInTurn } from '../../store/provisioning/change-in-turn.ts';
import type { SearchWork } from '../../store/provisioning/scan-slots.ts';
import type { PiecedPage } from '../server/sliced-answer.ts';
import { type Asked, filterLimitsOf } from './list-request.ts';
import { demandVersion, namesVersion, type Preconditions } from './preconditions.ts';
import type { Actor, PendingChange, ResourceType } from './resource-type.ts';

/** In each round one of the writers succeeds, so a change is refused only when so many others were saved before it. */
const roundsMax = 64;

export interface ResourceWork {
  create(actor: Actor, body: unknown): Promise<Resource>;
  replace(actor: Actor, id: string, body: unknown, preconditions: Preconditions): Promise<Resource>;
  patch(actor: Actor, id: string, body: unknown, preconditions: Preconditions): Promise<Resource>;
  remove(actor: Actor, id: string, preconditions: Preconditions): Promise<void>;
  list(accountId: number, asked: Asked, searching: SearchWork): Promise<PiecedPage>;
}

/** A type and what can be done with it. */
export interface ServedType {
  readonly type: ResourceType;
  readonly work: ResourceWork;
}

export function resourceWork(context: Context, type: ResourceType): ResourceWork {
  const { config } = context;
  const limits = filterLimitsOf(config);
  const noun = type.name.toLowerCase();

  const stampOf = ({ apiClientId, requestId, origin }: Actor): ChangeStamp => ({
    changeId: context.newId(),
    nowMs: context.now(),
    actor: apiClientId,
    requestId,
    origin,
  });
  /** Decides and saves a change of the resource as it is now; again where another change was saved in between. */
  const change = async <T>(
    { accountId }: Actor,
    id: string,
    preconditions: Preconditions,
    attempt: (resource: Resource) => Promise<T | null>,
  ): Promise<T> => {
    const read = async (): Promise<Resource> => {
      const resource = await type.find(accountId, id);
      demandVersion(preconditions, type.versionOf(resource));
      return resource;
    };
    const done = await changeInTurn(roundsMax, read, attempt);
    if (done !== null) return done;
    throw new Problem('CONFLICT', `Too many changes of this ${noun} at once. Please retry.`);
  };
  const save = async (actor: Actor, pending: PendingChange, stamp: ChangeStamp): Promise<Resource | null> => {
    const saved = await type.save(pending, stamp);
    // The revision stays where nothing changed after all, as when the users who are to join a group are in it already.
    if (saved !== null && saved.revision !== pending.before.revision)
      actor.tell?.(type.changesInWords(pending));
    return saved;
  };

  return {
    async create(actor, body) {
      const draft = await type.readDraft(body, actor);
      const resource = await type.add(actor.accountId, draft, stampOf(actor));
      actor.tell?.(`created ${noun} ${resource.id}`);
      return resource;
    },
    async replace(actor, id, body, preconditions) {
      const replacement = await type.readReplacement(body, actor);
      return change(actor, id, preconditions, (before) => {
        const stamp = stampOf(actor);
        return save(actor, type.replace(before, replacement, stamp.nowMs), stamp);
      });
    },
    async patch(actor, id, body, preconditions) {
      const { budget } = actor;
      const patch = await budget.run(readPatch(body, type.schemaView, config.patchLimitOperations));
      actor.tellPatch?.(patch);
      const { operations } = patch;
      const isOfVersion = namesVersion(preconditions);
      return change(actor, id, preconditions, async (before) => {
        const stamp = stampOf(actor);
        const pending = await type.patch(before, { operations, nowMs: stamp.nowMs, budget, isOfVersion });
        return pending === null ? before : save(actor, pending, stamp);
      });
    },
    async remove(actor, id, preconditions) {
      await change(
        actor,
        id,
        preconditions,
        async (resource) => (await type.remove(resource, stampOf(actor))) || null,
      );
      actor.tell?.(`deleted ${noun} ${id}`);
    },
    async list(accountId, asked, searching) {
      const { filter, sortBy, sortOrder } = asked;
      const projection = readProjection(asked, type.schemaView);
      const window = windowOfStart(asked.startIndex, asked.count);
      const query = {
        filter: filter === undefined ? null : type.readFilter(filter, limits),
        sort:
          sortBy === undefined
            ? null
            : { attribute: readSort(sortBy, type.schemaView), descending: sortOrder === 'descending' },
        window,
      };
      const { total, resources } = await type.findPage(accountId, query, projection, searching);
      return { totalResults: total, startIndex: window.skip + 1, resources };
    },
  };
}
