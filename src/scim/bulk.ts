// A bulk request carried out: in which order, with which ids, and what the answer says (RFC 7644 section 3.7).
//
// Operations run in the order of the request, except that one which refers to something created later waits for it.
// Where creations refer to each other in a circle, one of them is made without the reference and completed by a patch
// as soon as the other exists. What refers to a creation that failed, fails. The run is a generator: it yields the
// next call to make and is told what came of it, so that nothing here waits, and every order can be tested.

import { type Code, Problem } from '../domain/problem.ts';
import type { Value } from '../domain/provisioning/value.ts';
import { referenceIn, referencesIn, splitData, withIds } from './bulk-references.ts';
import {
  type BulkFault,
  type BulkMethod,
  type BulkOperation,
  type BulkRequest,
  isFault,
} from './bulk-request.ts';
import { bulkResponseSchema, patchSchema } from './urns.ts';

/** The next thing to do, as if it had come as a request of its own; all references are ids by now. */
export interface BulkCall {
  readonly index: number;
  readonly method: BulkMethod;
  readonly type: string;
  readonly id: string | null;
  readonly version: string | null;
  readonly data: unknown;
}

/** What came of it: the id and version of the resource, or the problem. */
export type BulkOutcome =
  | { readonly status: number; readonly id: string | null; readonly version: string | null }
  | { readonly problem: Problem };

interface BulkSurroundings {
  readonly locationOf: (type: string, id: string) => string;
  /** The status and the error body of a refusal, as the face writes it. */
  readonly describe: (problem: Problem) => { readonly status: number; readonly body: Value };
}

interface Entry {
  method: string;
  bulkId?: string;
  version?: string;
  location?: string;
  status: string;
  response?: Value;
}

interface BulkAnswer {
  readonly schemas: readonly string[];
  readonly Operations: readonly Entry[];
}

type Step =
  | { readonly kind: 'fault'; readonly fault: BulkFault }
  | { readonly kind: 'run'; readonly operation: BulkOperation; readonly absent: ReadonlySet<string> };

/** A creation that must still say what it could not say when it was made. */
interface Completion {
  readonly operation: BulkOperation;
  readonly id: string;
  readonly waitsFor: ReadonlySet<string>;
  readonly later: ReturnType<typeof splitData>['later'];
}

/** The order of the steps, and for each what it must do without because it stands in a circle. */
function orderOf(operations: BulkRequest['operations']): readonly Step[] {
  const creators = new Map<string, BulkOperation>();
  for (const one of operations) {
    if (!isFault(one) && one.method === 'POST' && one.bulkId !== null) creators.set(one.bulkId, one);
  }
  const steps: Step[] = [];
  const states = new Map<BulkOperation, 'open' | 'done'>();
  /** What is being made ready, the innermost last; kept by hand, because a chain may be a thousand long. */
  const open: { operation: BulkOperation; references: string[]; absent: Set<string> }[] = [];
  const enter = (operation: BulkOperation): void => {
    states.set(operation, 'open');
    open.push({ operation, references: [...neededBy(operation)], absent: new Set() });
  };
  for (const one of operations) {
    if (isFault(one)) {
      steps.push({ kind: 'fault', fault: one });
      continue;
    }
    if (!states.has(one)) enter(one);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const reference = top.references.shift();
      if (reference === undefined) {
        open.pop();
        states.set(top.operation, 'done');
        steps.push({ kind: 'run', operation: top.operation, absent: top.absent });
        continue;
      }
      const creator = creators.get(reference);
      const state = creator === undefined ? 'done' : states.get(creator);
      if (state === 'open') top.absent.add(reference);
      else if (state === undefined && creator !== undefined) enter(creator);
    }
  }
  return steps;
}

function neededBy({ id, data, method }: BulkOperation): ReadonlySet<string> {
  const own = id === null ? null : referenceIn(id);
  return new Set([...(own === null ? [] : [own]), ...referencesIn(data, method === 'PATCH')]);
}

export function* runBulk(
  request: BulkRequest,
  { locationOf, describe }: BulkSurroundings,
): Generator<BulkCall, BulkAnswer, BulkOutcome> {
  const ids = new Map<string, string>();
  const entries = new Map<number, Entry>();
  const waiting = new Set<Completion>();
  const failed = new Set<number>();
  const settle = (one: BulkOperation | BulkFault, outcome: BulkOutcome, location: string | null): void => {
    if ('problem' in outcome) failed.add(one.index);
    const entry: Omit<Entry, 'status'> = { method: one.method };
    if (one.bulkId !== null) entry.bulkId = one.bulkId;
    if (location !== null) entry.location = location;
    if ('problem' in outcome) {
      const { status, body } = describe(outcome.problem);
      entries.set(one.index, { ...entry, status: String(status), response: body });
    } else {
      if (outcome.version !== null) entry.version = outcome.version;
      entries.set(one.index, { ...entry, status: String(outcome.status) });
    }
  };
  const isOver = (): boolean => request.failOnErrors !== null && failed.size >= request.failOnErrors;

  function* completeWhatCanBe(): Generator<BulkCall, void, BulkOutcome> {
    for (const completion of waiting) {
      const { operation, id, waitsFor, later } = completion;
      if (isOver() || ![...waitsFor].every((bulkId) => ids.has(bulkId))) continue;
      waiting.delete(completion);
      const data = withIds({ schemas: [patchSchema], Operations: later }, ids);
      const { index, type } = operation;
      const outcome = yield { index, method: 'PATCH', type, id, version: null, data };
      const location = locationOf(type, id);
      if ('problem' in outcome) settle(operation, outcome, location);
      // The creation stands as it was told, at the version that it has by now.
      else settle(operation, { ...outcome, status: 201 }, location);
    }
  }

  for (const step of orderOf(request.operations)) {
    if (isOver()) break;
    if (step.kind === 'fault') {
      settle(step.fault, { problem: step.fault.problem }, null);
      continue;
    }
    const { operation, absent } = step;
    const { index, method, type, version, bulkId } = operation;
    const missing = [...neededBy(operation)].find((one) => !ids.has(one) && !absent.has(one));
    if (missing !== undefined) {
      settle(operation, { problem: unresolved(index, missing) }, ownLocation(operation, locationOf));
      continue;
    }
    const { now, later } =
      absent.size === 0 ? { now: operation.data, later: [] } : splitData(operation.data, absent);
    const id = operation.id === null ? null : (ids.get(referenceIn(operation.id) ?? '') ?? operation.id);
    const outcome = yield { index, method, type, id, version, data: withIds(now, ids, method === 'PATCH') };
    const reached = 'problem' in outcome ? id : (outcome.id ?? id);
    settle(operation, outcome, reached === null ? null : locationOf(type, reached));
    if ('problem' in outcome || method !== 'POST' || bulkId === null || reached === null) continue;
    ids.set(bulkId, reached);
    if (later.length > 0) waiting.add({ operation, id: reached, waitsFor: absent, later });
    yield* completeWhatCanBe();
  }
  // Whoever still waits was made and never said all that it should: what it refers to failed, or was not reached.
  for (const { operation, id, waitsFor } of waiting) {
    const missing = [...waitsFor].find((bulkId) => !ids.has(bulkId)) ?? '';
    // The RFC's word for a circle that could not be closed is 409 (section 3.7.1).
    const problem = unresolved(operation.index, missing, 'CONFLICT');
    settle(operation, { problem }, locationOf(operation.type, id));
  }
  const inOrder = [...entries].sort(([a], [b]) => a - b).map(([, entry]) => entry);
  return { schemas: [bulkResponseSchema], Operations: inOrder };
}

/** Where the resource of an operation is; unknown where it is only named by a reference. */
function ownLocation({ type, id }: BulkOperation, locationOf: BulkSurroundings['locationOf']): string | null {
  return id === null || referenceIn(id) !== null ? null : locationOf(type, id);
}

function unresolved(index: number, bulkId: string, code: Code = 'INVALID_VALUE'): Problem {
  const message = `Operations[${index}] refers to bulkId:${bulkId}, which was not created.`;
  return new Problem(code, message, {
    details: [{ field: `Operations[${index}]`, code, message }],
  });
}
