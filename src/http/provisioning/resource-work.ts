// What can be done with the resources of a type, apart from how a request says it: the endpoints of the type and the
// operations of a bulk request both call this.

import { guardPercentOf, type UserGuard } from '../../acts/provisioning/user-guard.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import type { Resource } from '../../domain/provisioning/resource.ts';
import { shownStart, windowOfStart } from '../../domain/window.ts';
import type { FaceName } from '../../scim/attributes.ts';
import { readSort } from '../../scim/faces.ts';
import { readPatch } from '../../scim/operations.ts';
import { readProjection } from '../../scim/projection.ts';
import type { SearchWork } from '../../store/engine/work/scan-slots.ts';
import { changeInTurn } from '../../store/provisioning/change-in-turn.ts';
import { filterLimitsOf } from '../server/request-budget.ts';
import type { PiecedPage } from '../server/sliced-answer.ts';
import type { Asked } from './list-request.ts';
import { demandVersion, namesVersion, type Preconditions } from './preconditions.ts';
import type { ProvisioningFigures } from './provisioning-figures.ts';
import type { Actor, PendingChange, ResourceType, WorkStamp } from './resource-type.ts';

/** In each round one of the writers succeeds, so a change is refused only when so many others were saved before it. */
const roundsMax = 64;

interface ResourceWork {
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

/** What the work shares with all other work. */
export interface WorkServices {
  readonly context: Context;
  readonly userGuard: UserGuard;
  readonly provisioningFigures: ProvisioningFigures;
}

export function resourceWork(
  { context, userGuard, provisioningFigures }: WorkServices,
  type: ResourceType,
  face: FaceName,
): ResourceWork {
  const { config } = context;
  const limits = filterLimitsOf(config);
  const noun = type.name.toLowerCase();

  const stampOf = ({ apiClientId, requestId, origin, accountLimits, mayChangeAdmins }: Actor): WorkStamp => ({
    changeId: context.newId(),
    nowMs: context.now(),
    actor: apiClientId,
    requestId,
    origin,
    guardPercent: guardPercentOf(config, accountLimits),
    rights: { face: 'interface', mayChangeAdmins },
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
  const save = async (actor: Actor, pending: PendingChange, stamp: WorkStamp): Promise<Resource | null> => {
    const saved = await userGuard.watch(actor.accountId, stamp, () => type.save(pending, stamp));
    // The revision stays where nothing changed after all, as when the users who are to join a group are in it already.
    if (saved !== null && saved.revision !== pending.before.revision) {
      actor.tell?.(type.changesInWords(pending));
      provisioningFigures.count(face, noun, type.changeOf?.(pending) ?? 'changed');
    }
    return saved;
  };

  return {
    async create(actor, body) {
      const draft = await type.readDraft(body, actor);
      const { accountId, connectionId } = actor;
      const stamp = { ...stampOf(actor), ...(connectionId !== undefined && { connectionId }) };
      const resource = await type.add(accountId, draft, stamp);
      actor.tell?.(`created ${noun} ${resource.id}`);
      provisioningFigures.count(face, noun, 'created');
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
        const request = { operations, nowMs: stamp.nowMs, budget, isOfVersion };
        const pending = await type.patch(before, request);
        if (pending !== null) return save(actor, pending, stamp);
        await type.noteUnchanged?.(before, request, stamp);
        return before;
      });
    },
    async remove(actor, id, preconditions) {
      await change(actor, id, preconditions, async (resource) => {
        const stamp = stampOf(actor);
        const remove = (): Promise<boolean> => type.remove(resource, stamp);
        return (await userGuard.watch(actor.accountId, stamp, remove)) || null;
      });
      actor.tell?.(`deleted ${noun} ${id}`);
      provisioningFigures.count(face, noun, 'deleted');
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
      return { totalResults: total, startIndex: shownStart(asked.startIndex, window), resources };
    },
  };
}
