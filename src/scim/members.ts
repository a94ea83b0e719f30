// Changes of a membership, said without the membership: which rows join and which leave (D-56 for groups).
//
// A patch may change the members many times over; what it comes to is a short list of steps that the store carries
// out in order, in one transaction. Steps that can be added up are added up: of any number of joins and leaves by
// id one step remains, and every step before «all members leave» is dropped.

import { fold } from '../domain/fold.ts';
import type { Interruptible, Spend } from '../domain/interruptible.ts';
import type { Fault } from '../domain/problem.ts';
import type { KnownMember, Member, MemberType } from '../domain/provisioning/group.ts';
import { readResourceId } from '../domain/provisioning/resource.ts';
import { asValues, type Value, type Values } from '../domain/provisioning/value.ts';
import { elementMatches } from './evaluate.ts';
import { comparisonsIn, type Filter } from './filter.ts';

export type MemberStep =
  /** All members leave. */
  | { readonly kind: 'clear' }
  /** Some members join and others leave. To add a member who is there, or remove one who is not, changes nothing. */
  | { readonly kind: 'change'; readonly add: readonly Member[]; readonly remove: readonly number[] }
  /** Members who fulfil a condition that is not about ids leave. Only this step needs the present members. */
  | { readonly kind: 'removeWhere'; readonly where: Filter };

/** A change by ids while it is being added up. */
interface Sum {
  readonly kind: 'change';
  readonly add: Map<number, Member>;
  readonly remove: Set<number>;
}

export interface MemberChanges {
  join(members: readonly Member[]): void;
  leave(ids: readonly number[]): void;
  leaveWhere(where: Filter): void;
  clear(): void;
  steps(): readonly MemberStep[];
}

export function memberChanges(): MemberChanges {
  let done: (Sum | Exclude<MemberStep, { kind: 'change' }>)[] = [];
  const sum = (): Sum => {
    const last = done.at(-1);
    if (last?.kind === 'change') return last;
    const fresh: Sum = { kind: 'change', add: new Map(), remove: new Set() };
    done.push(fresh);
    return fresh;
  };
  return {
    join(members) {
      if (members.length === 0) return;
      const { add, remove } = sum();
      for (const member of members) {
        remove.delete(member.id);
        add.set(member.id, { ...member, type: member.type ?? add.get(member.id)?.type ?? null });
      }
    },
    leave(ids) {
      if (ids.length === 0) return;
      const { add, remove } = sum();
      // After «all members leave» these ids are not there any more, but removing a row that is not there costs nothing.
      for (const id of ids) {
        add.delete(id);
        remove.add(id);
      }
    },
    leaveWhere(where) {
      done.push({ kind: 'removeWhere', where });
    },
    clear() {
      done = [{ kind: 'clear' }];
    },
    steps() {
      const steps: MemberStep[] = [];
      for (const step of done) {
        if (step.kind !== 'change') {
          steps.push(step);
          continue;
        }
        const isFirstAfterClear = steps.at(-1)?.kind === 'clear';
        const remove = isFirstAfterClear ? [] : [...step.remove];
        const add = [...step.add.values()];
        if (add.length + remove.length > 0) steps.push({ kind: 'change', add, remove });
      }
      return steps;
    },
  };
}

/** The steps of a create or replace: exactly these members, once each. */
export function exactly(members: readonly Member[], isNew: boolean): readonly MemberStep[] {
  const changes = memberChanges();
  if (!isNew) changes.clear();
  changes.join(members);
  return changes.steps();
}

/**
 * The ids that a filter within `members[...]` is about, if it is about nothing else: `value eq "x"`, several of them
 * joined by `or`. Null for any other filter. A value that is no id names no member.
 */
export function idsNamedBy(where: Filter): readonly number[] | null {
  if (where.kind === 'or') {
    const parts = where.terms.map(idsNamedBy);
    return parts.includes(null) ? null : parts.flatMap((ids) => ids ?? []);
  }
  if (where.kind !== 'compare' || where.operator !== 'eq' || where.attribute.name !== 'value') return null;
  if (typeof where.value !== 'string') return null;
  const id = readResourceId(where.value);
  return id === null ? [] : [id];
}

/** The elements of `members`, already read by the table of attributes, as members who are to join. */
export function* membersIn(
  read: readonly Value[],
  field: string,
  faults: Fault[],
): Interruptible<readonly Member[]> {
  const members: Member[] = [];
  for (const [at, element] of read.entries()) {
    const { value, type } = asValues(element);
    const place = `${field}[${at}]`;
    const id = typeof value === 'string' ? readResourceId(value) : null;
    const said = typeof type === 'string' ? types.get(type.toLowerCase()) : null;
    if (value === undefined) {
      faults.push({ field: `${place}.value`, code: 'MISSING', message: `${place}.value is required.` });
    } else if (id === null) {
      const message = `${place}.value is not the id of a user or group.`;
      faults.push({ field: `${place}.value`, code: 'UNKNOWN', message });
    } else if (said === undefined) {
      const message = `${place}.type must be User or Group.`;
      faults.push({ field: `${place}.type`, code: 'INVALID', message });
    } else {
      members.push({ id, type: said });
    }
    yield;
  }
  return members;
}

const types: ReadonlyMap<string, MemberType> = new Map([
  ['user', 'User'],
  ['group', 'Group'],
]);

// ---- Conditions

type PreparedStep =
  | Exclude<MemberStep, { kind: 'change' }>
  | {
      readonly kind: 'change';
      readonly add: ReadonlyMap<number, Member>;
      readonly remove: ReadonlySet<number>;
    };

/**
 * Applies all steps to some members of a group at a time, and says which of them are in the group afterwards. What
 * becomes of one member does not depend on any other member, so a group of any size is done in slices, and only one
 * slice need be in memory (D-169).
 */
export class MemberStepRunner {
  readonly #steps: readonly PreparedStep[];
  /** A member as an element of `members`, which is what conditions are about. */
  readonly #elementOf: (member: KnownMember) => Values;
  readonly #spend: Spend;
  readonly #texts = new FoldedTexts();

  constructor(steps: readonly MemberStep[], elementOf: (member: KnownMember) => Values, spend: Spend) {
    this.#steps = steps.map((step) =>
      step.kind === 'change'
        ? { kind: 'change', add: new Map(step.add.map((one) => [one.id, one])), remove: new Set(step.remove) }
        : step,
    );
    this.#elementOf = elementOf;
    this.#spend = spend;
  }

  /** Applied to members who are in the group: which of them leave. */
  *leaving(present: readonly KnownMember[]): Interruptible<readonly number[]> {
    const people = new Map<number, KnownMember>(present.map((member) => [member.id, member]));
    const after = yield* this.#run(people, true);
    return [...people.keys()].filter((id) => !after.has(id));
  }

  /**
   * Applied to ids that a step adds and that are not in the group: which of them join. An id is null where no user or
   * group has it.
   */
  *joining(absent: ReadonlyMap<number, KnownMember | null>): Interruptible<readonly Member[]> {
    const after = yield* this.#run(absent, false);
    return [...after].map(([id, said]) => {
      // An id that nobody has stays in the list as it was sent, and is refused when the change is saved.
      return { id, type: absent.get(id)?.type ?? said?.type ?? null };
    });
  }

  /** The members who are in the group after all steps, each with the entry of the step that added it. */
  *#run(
    people: ReadonlyMap<number, KnownMember | null>,
    arePresent: boolean,
  ): Interruptible<ReadonlyMap<number, Member | null>> {
    const after = new Map<number, Member | null>();
    const seen = new SeenMembers(this.#spend, this.#texts.fold);
    const enter = (id: number, said: Member | null): void => {
      const known = people.get(id) ?? null;
      after.set(id, said);
      if (known !== null) seen.add(id, this.#elementOf(known));
    };
    const leave = (id: number): void => {
      after.delete(id);
      seen.delete(id);
    };
    if (arePresent) {
      for (const id of people.keys()) {
        enter(id, null);
        yield;
      }
    }
    for (const step of this.#steps) {
      if (step.kind === 'clear') {
        after.clear();
        seen.clear();
      } else if (step.kind === 'removeWhere') {
        for (const id of yield* seen.matching(step.where)) leave(id);
      } else {
        for (const id of sharedBy(step.remove, people)) {
          leave(id);
          yield;
        }
        for (const id of sharedBy(step.add, people)) {
          enter(id, step.add.get(id) ?? null);
          yield;
        }
      }
      yield;
    }
    return after;
  }
}

interface Ids {
  readonly size: number;
  has(id: number): boolean;
  keys(): Iterable<number>;
}

/** The ids that are in both, by a look at each of the fewer. */
function* sharedBy(some: Ids, others: Ids): Generator<number> {
  const [fewer, more] = some.size <= others.size ? [some, others] : [others, some];
  for (const id of fewer.keys()) if (more.has(id)) yield id;
}

const foldedCharactersMax = 2 * 1024 * 1024;

/** What was folded lately: conditions are compared with one slice of members after the other. */
class FoldedTexts {
  readonly #folded = new Map<string, string>();
  #characters = 0;

  readonly fold = (text: string): string => {
    const known = this.#folded.get(text);
    if (known !== undefined) return known;
    const folded = fold(text);
    this.#characters += text.length + folded.length;
    if (this.#characters > foldedCharactersMax) {
      this.#folded.clear();
      this.#characters = text.length + folded.length;
    }
    this.#folded.set(text, folded);
    return folded;
  };
}

/**
 * Members as conditions see them. A condition that names a part by `eq` is checked only on members with that value:
 * a thousand names to remove from a hundred thousand members cost a look at each name, not at each member.
 */
class SeenMembers {
  readonly #spend: Spend;
  readonly #elements = new Map<number, Values>();
  /** By part and by what it says, folded; a part is entered when a condition first asks for it. */
  readonly #ids = new Map<string, Map<string, Set<number>>>();
  readonly #fold: (text: string) => string;

  constructor(spend: Spend, foldText: (text: string) => string) {
    this.#spend = spend;
    this.#fold = foldText;
  }

  add(id: number, element: Values): void {
    this.#elements.set(id, element);
    for (const [part, ids] of this.#ids) enter(ids, this.#keyOf(element[part]), id);
  }

  delete(id: number): void {
    // The entries by part stay: `matching` looks up each candidate here, too.
    this.#elements.delete(id);
  }

  clear(): void {
    this.#elements.clear();
    this.#ids.clear();
  }

  *matching(where: Filter): Interruptible<readonly number[]> {
    const comparisons = comparisonsIn(where);
    const found: number[] = [];
    for (const id of (yield* this.#candidates(where)) ?? this.#elements.keys()) {
      this.#spend(comparisons);
      const element = this.#elements.get(id);
      if (element !== undefined && elementMatches(where, element, this.#fold)) found.push(id);
      yield;
    }
    return found;
  }

  /** All members who could fulfil the condition, and perhaps more; null where that is all members. */
  *#candidates(where: Filter): Interruptible<ReadonlySet<number> | null> {
    if (where.kind === 'or') {
      const union = new Set<number>();
      for (const term of where.terms) {
        const some = yield* this.#candidates(term);
        if (some === null) return null;
        for (const id of some) {
          this.#spend(1);
          union.add(id);
          yield;
        }
      }
      return union;
    }
    if (where.kind === 'and') {
      let fewest: ReadonlySet<number> | null = null;
      for (const term of where.terms) {
        const some: ReadonlySet<number> | null = yield* this.#candidates(term);
        if (some !== null && (fewest === null || some.size < fewest.size)) fewest = some;
      }
      return fewest;
    }
    if (where.kind !== 'compare' || where.operator !== 'eq' || typeof where.value !== 'string') return null;
    const ids = yield* this.#idsBy(where.attribute.name);
    return ids.get(this.#fold(where.value)) ?? new Set();
  }

  *#idsBy(part: string): Interruptible<ReadonlyMap<string, Set<number>>> {
    const known = this.#ids.get(part);
    if (known !== undefined) return known;
    const ids = new Map<string, Set<number>>();
    for (const [id, element] of this.#elements) {
      this.#spend(1);
      enter(ids, this.#keyOf(element[part]), id);
      yield;
    }
    this.#ids.set(part, ids);
    return ids;
  }

  #keyOf(value: Value | undefined): string | null {
    return typeof value === 'string' ? this.#fold(value) : null;
  }
}

function enter(ids: Map<string, Set<number>>, key: string | null, id: number): void {
  if (key === null) return;
  const some = ids.get(key);
  if (some === undefined) ids.set(key, new Set([id]));
  else some.add(id);
}
