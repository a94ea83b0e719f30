// Changes of a membership, said without the membership: which rows join and which leave (D-56 for groups).
//
// A patch may change the members many times over; what it comes to is a short list of steps that the store carries
// out in order, in one transaction. Steps that can be added up are added up: of any number of joins and leaves by
// id one step remains, and whatever stands before «all leave» is forgotten.

import type { Member, MemberType } from '../domain/group.ts';
import type { Fault } from '../domain/problem.ts';
import { asValues, isList, type Value } from '../domain/user.ts';
import type { Filter } from './filter.ts';

export type MemberStep =
  /** All leave. */
  | { readonly kind: 'clear' }
  /** Some join and some leave; nobody does both. Who is there already or not there at all changes nothing. */
  | { readonly kind: 'change'; readonly add: readonly Member[]; readonly remove: readonly number[] }
  /**
   * Those leave who fulfil a condition that is not about ids. Only here the present members must be looked at, and
   * they can be looked at in slices: elementMatches judges one at a time.
   */
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
      // After «all leave» there is nobody else to remove, but a row that is not there costs nothing.
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
 * joined by `or`. Null for any other filter. A value that is nobody's id counts as nobody.
 */
export function idsNamedBy(where: Filter): readonly number[] | null {
  if (where.kind === 'or') {
    const parts = where.terms.map(idsNamedBy);
    return parts.includes(null) ? null : parts.flatMap((ids) => ids ?? []);
  }
  if (where.kind !== 'compare' || where.operator !== 'eq' || where.attribute.name !== 'value') return null;
  if (typeof where.value !== 'string') return null;
  const id = idOf(where.value);
  return id === null ? [] : [id];
}

/** Only the one way in which we write an id: `01`, `1e9` and `+1` are nobody's. */
export function idOf(text: string): number | null {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}

/** The elements of a list of members, already read by the table, as those who are to join. */
export function membersIn(read: Value | undefined, field: string, faults: Fault[]): readonly Member[] {
  const members: Member[] = [];
  for (const [at, element] of (isList(read) ? read : []).entries()) {
    const { value, type } = asValues(element);
    const place = `${field}[${at}]`;
    const id = typeof value === 'string' ? idOf(value) : null;
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
  }
  return members;
}

const types: ReadonlyMap<string, MemberType> = new Map([
  ['user', 'User'],
  ['group', 'Group'],
]);
