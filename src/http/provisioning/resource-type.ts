// A type of resources: everything in which users differ from groups, and in which a third type would differ from both.
// Routes, work, bulk requests, the search over all types and the log are written once over this; none of them asks
// which type it has.

import type { AccountLimits } from '../../domain/access/account.ts';
import type { ByActor } from '../../domain/access/role-rules.ts';
import type { Resource } from '../../domain/provisioning/resource.ts';
import type { Window } from '../../domain/window.ts';
import type { Filter, FilterLimits } from '../../scim/filter.ts';
import type { Operation, Patch } from '../../scim/operations.ts';
import type { Projection } from '../../scim/projection.ts';
import type { TypeDescription } from '../../scim/resource-type.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import type { SearchWork } from '../../store/engine/work/scan-slots.ts';
import type { WorkBudget } from '../../store/engine/work/work-budget.ts';
import type { SearchSort } from '../../store/provisioning/search-order.ts';
import type { Guarded } from '../../store/provisioning/user-guard.ts';
import type { Pieces } from '../server/sliced-answer.ts';
import type { ResourceChange } from './provisioning-figures.ts';

/** The caller for whom a change is made. */
export interface Actor {
  readonly accountId: number;
  readonly apiClientId: string;
  /** Users whom it makes belong to this connection. */
  readonly connectionId?: string;
  readonly requestId: string;
  /** The address that the request came from. */
  readonly origin: string;
  readonly accountLimits: AccountLimits | null;
  /** Whether it may change whoever is admin (D-810). */
  readonly mayChangeAdmins: boolean;
  /** The time and work that the request of the caller may use. */
  readonly budget: WorkBudget;
  /** Is called with the patch as it was read, for the provisioning log. */
  readonly tellPatch?: (patch: Patch) => void;
  /** Is called with what was changed, in words, for the provisioning log. */
  readonly tell?: (change: string | null) => void;
}

/** What every change of a resource carries: who makes it, and what of users and admins they may change. */
export type WorkStamp = ChangeStamp & Guarded & ByActor;

/** A change that is decided and not yet saved. */
export interface PendingChange<R extends Resource = Resource> {
  readonly before: R;
  readonly after: R;
}

/** The operations of a patch, and what else decides what becomes of a resource. */
interface PatchRequest {
  readonly operations: readonly Operation[];
  readonly nowMs: number;
  readonly budget: WorkBudget;
  /** Whether the caller named the version that it wants to change. */
  readonly isOfVersion: boolean;
}

interface TypeQuery {
  readonly filter: Filter | null;
  /** Null: in the order of creation (D-54). */
  readonly sort: SearchSort | null;
  readonly window: Window;
}

interface TypePage {
  readonly total: number;
  /** As they are shown. A page that would be very large is shorter than was asked for, as the RFC allows (D-97). */
  readonly resources: readonly Pieces[];
}

export interface ResourceType<
  R extends Resource = Resource,
  Draft = unknown,
  Replacement = unknown,
  Pending extends PendingChange<R> = PendingChange<R>,
> extends TypeDescription {
  // ---- What a request says
  readFilter(text: string, limits: FilterLimits): Filter;
  readDraft(body: unknown, actor: Actor): Draft | Promise<Draft>;
  readReplacement(body: unknown, actor: Actor): Replacement | Promise<Replacement>;

  // ---- What becomes of a resource
  replace(before: R, replacement: Replacement, nowMs: number): Pending;
  /** Null where the patch changes nothing. */
  patch(before: R, request: PatchRequest): Promise<Pending | null>;
  changesInWords(pending: Pending): string | null;
  /** A patch has changed nothing; it may still say something of the resource. */
  noteUnchanged?(resource: R, request: PatchRequest, stamp: WorkStamp): Promise<void>;

  // ---- What is read and saved
  /** Refuses an address at which there is nothing. */
  find(accountId: number, address: string): Promise<R>;
  add(accountId: number, draft: Draft, stamp: ChangeStamp & Pick<Actor, 'connectionId'>): Promise<R>;
  /** Null when another change was first. */
  save(pending: Pending, stamp: WorkStamp): Promise<R | null>;
  /** False when another change was first. */
  remove(resource: R, stamp: WorkStamp): Promise<boolean>;
  /** What became of it, for the figures; a change unless it is said otherwise. */
  changeOf?(pending: Pending): ResourceChange;
  findPage(
    accountId: number,
    query: TypeQuery,
    projection: Projection,
    searching: SearchWork,
  ): Promise<TypePage>;

  // ---- What is shown
  /** The entity tag of a resource. */
  versionOf(resource: R): string;
  locationOf(resource: R): string;
  /** The resource with what is shown of it and kept elsewhere, such as the groups of a user. Its version counts that. */
  complete(resource: R, projection: Projection, budget: () => WorkBudget): Promise<R>;
  /** As JSON: a text, or pieces where it may be too large to be made at once. */
  show(resource: R, projection: Projection, budget: () => WorkBudget): string | AsyncGenerator<string>;
}
