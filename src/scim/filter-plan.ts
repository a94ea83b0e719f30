// A filter as a plan for a store: which part of it columns can answer, and what remains to be asked of each candidate.
//
// The promise is one sentence: a resource fulfils the filter exactly when it fulfils the plan's condition and, where
// there is one, the plan's residual. A condition may let too many through, never too few, so that a filter no column
// helps with is slow and right. Nothing here knows SQL; columns are named by what they mean.
//
// A condition has no `not`: what is negated is said at the leaves. SQL's third truth value would otherwise creep in
// where a column is null; a leaf that is negated holds for what is not assigned, too, as `ne` does (D-53).

import { fold } from '../domain/fold.ts';
import { readResourceId } from '../domain/provisioning/resource.ts';
import type { Attribute } from './attributes.ts';
import type { Filter, Operand, Operator } from './filter.ts';

/** How the values of a column came about, and therefore what can be asked of it. */
interface ColumnTraits {
  readonly column: string;
  /**
   * `key`: folded text, whole. `cutKey`: folded text, so far as planKey keeps it. `text`: as sent. The others are
   * compared as numbers, booleans and milliseconds.
   */
  readonly kind: 'key' | 'cutKey' | 'text' | 'id' | 'boolean' | 'instant';
  readonly operators: readonly Operator[];
  /** Several rows for one resource: an address list, a membership. The leaf then says that one of them fits. */
  readonly many: boolean;
  /** How many resources the index of the column finds by one value, or that it has none. */
  readonly perValue: 'one' | 'few' | 'group' | 'unindexed';
  /** Whether there is an index of the parts of the values. */
  readonly parted: boolean;
}

/** Parts of fewer characters have no index. */
export const partCharacters = 3;

export type Leaf =
  | {
      readonly kind: 'is';
      readonly column: string;
      readonly many: boolean;
      readonly operator: Exclude<Operator, 'ne'>;
      /** In the form of the column: folded for a key, a number for an id and a time. */
      readonly value: string | number | boolean;
      readonly negated: boolean;
      /** How far the index narrows the search: the higher, the fewer candidates it finds; 0 where there is no index. */
      readonly selectivity: number;
    }
  /** Whether there is a value at all. */
  | { readonly kind: 'present'; readonly column: string; readonly many: boolean; readonly negated: boolean };

export type PlanCondition =
  | Leaf
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly PlanCondition[] };

interface FilterPlan {
  readonly condition: PlanCondition;
  /** What `matches` must still be asked; null when the condition says everything. */
  readonly residual: Filter | null;
}

export type PlanColumns = ReadonlyMap<string, ColumnTraits>;

const equality = ['eq', 'ne'] as const;
const beginnings = ['eq', 'ne', 'sw'] as const;
const parts = ['eq', 'ne', 'sw', 'ew', 'co'] as const;
const order = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;

const column = (
  path: string,
  kind: ColumnTraits['kind'],
  operators: readonly Operator[],
  traits: Partial<ColumnTraits> = {},
): readonly [string, ColumnTraits] => [
  path,
  { column: path, kind, operators, many: false, perValue: 'few', parted: false, ...traits },
];

/** What the store keeps of users in columns, by the path of the attribute. */
export const plannedUserColumns: PlanColumns = new Map([
  column('id', 'id', equality, { perValue: 'one' }),
  column('userName', 'key', beginnings, { perValue: 'one' }),
  column('externalId', 'text', beginnings, { perValue: 'one' }),
  column('active', 'boolean', equality, { perValue: 'unindexed' }),
  column('name.givenName', 'key', parts, { parted: true }),
  column('name.familyName', 'key', parts, { parted: true }),
  column('displayName', 'cutKey', beginnings),
  column('emails.value', 'cutKey', beginnings, { many: true }),
  column('groups.value', 'id', ['eq'], { many: true, perValue: 'group' }),
  column('meta.created', 'instant', order, { perValue: 'unindexed' }),
  column('meta.lastModified', 'instant', order, { perValue: 'unindexed' }),
]);

export const plannedGroupColumns: PlanColumns = new Map([
  column('id', 'id', equality, { perValue: 'one' }),
  column('displayName', 'key', beginnings),
  column('externalId', 'text', beginnings),
  column('members.value', 'id', ['eq'], { many: true }),
  column('meta.created', 'instant', order, { perValue: 'unindexed' }),
  column('meta.lastModified', 'instant', order, { perValue: 'unindexed' }),
]);

/**
 * Texts without a limit of their own are kept in their column only so far, in characters of the folded form; a longer
 * one is found by its beginning and then looked at whole.
 */
const keyCharacters = 255;

/** What a `cutKey` column holds; the store must use this and nothing else. */
export function planKey(text: string): string {
  const folded = fold(text);
  if (folded.length <= keyCharacters) return folded;
  return [...folded].slice(0, keyCharacters).join('');
}

export function planFilter(filter: Filter, columns: PlanColumns): FilterPlan {
  const { condition, isExact } = conditionOf(filter, columns, false);
  if (isExact) return { condition, residual: null };
  // Of an `and` only the terms that no column answers remain to be asked.
  if (filter.kind !== 'and') return { condition, residual: filter };
  const rest = filter.terms.filter((term) => !conditionOf(term, columns, false).isExact);
  return { condition, residual: rest.length === 1 ? rest[0]! : { kind: 'and', terms: rest } };
}

/** Whether an index finds the candidates; otherwise all resources of the account must be scanned. */
export const hasIndex = (condition: PlanCondition): boolean => selectivityOf(condition) > 0;

/** Whether the index is asked for a whole value, so that the candidates are one or a few. */
export const isByValue = (condition: PlanCondition): boolean =>
  selectivityOf(condition) >= selectivityOfEquals.few;

/** The part of a condition whose index finds the fewest candidates; the rest of the condition is checked on these. */
export function mostSelective(condition: PlanCondition): PlanCondition {
  if (condition.kind !== 'and') return condition;
  const [first, ...others] = condition.conditions;
  return mostSelective(
    others.reduce((best, one) => (selectivityOf(one) > selectivityOf(best) ? one : best), first!),
  );
}

function selectivityOf(condition: PlanCondition): number {
  switch (condition.kind) {
    case 'none':
      return Number.POSITIVE_INFINITY;
    case 'is':
      return condition.selectivity;
    case 'and':
      return Math.max(...condition.conditions.map(selectivityOf));
    case 'or':
      return Math.min(...condition.conditions.map(selectivityOf));
    default:
      return 0;
  }
}

const selectivityOfEquals = { one: 1_000_000, few: 10_000, group: 12, unindexed: 0 } as const;

/** Longer texts find fewer candidates; of the same length, a beginning is quicker to find than a part. */
function selectivityOfLeaf(
  traits: ColumnTraits,
  operator: Operator,
  value: string | number | boolean,
): number {
  if (operator === 'eq') return selectivityOfEquals[traits.perValue];
  if (traits.perValue === 'unindexed' || typeof value !== 'string') return 0;
  const characters = [...value].length;
  if (operator === 'sw' || operator === 'ew') return 2 * characters + 1;
  return operator === 'co' && traits.parted && characters >= partCharacters ? 2 * characters : 0;
}

/** Whether a filter is about an attribute or a part of it: what it does not mention need not be read. */
export function mentions(filter: Filter, attribute: Attribute): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.some((term) => mentions(term, attribute));
    case 'not':
      return mentions(filter.term, attribute);
    default:
      return filter.attribute === attribute || filter.attribute.parent === attribute;
  }
}

interface Answer {
  readonly condition: PlanCondition;
  /** Whether the condition says all that the filter says. */
  readonly isExact: boolean;
}

const unanswered: Answer = { condition: { kind: 'all' }, isExact: false };
const everyone: PlanCondition = { kind: 'all' };
const nobody: PlanCondition = { kind: 'none' };

/** The condition of a filter, or of its opposite; an answer that is not exact lets too many through, not too few. */
function conditionOf(filter: Filter, columns: PlanColumns, negated: boolean): Answer {
  switch (filter.kind) {
    case 'not':
      return conditionOf(filter.term, columns, !negated);
    case 'and':
    case 'or': {
      const answers = filter.terms.map((term) => conditionOf(term, columns, negated));
      // Not all of them means one of them not: negation turns the one into the other.
      return joined(negated ? opposite[filter.kind] : filter.kind, answers);
    }
    case 'present':
      return presence(filter.attribute, columns, negated);
    case 'compare':
      return comparison(filter.attribute, filter.operator, filter.value, columns, negated);
    case 'some':
      return withinList(filter.where, columns, negated);
  }
}

const opposite = { and: 'or', or: 'and' } as const;

function joined(kind: 'and' | 'or', answers: readonly Answer[]): Answer {
  const isExact = answers.every((answer) => answer.isExact);
  const [absorbs, neutral] = kind === 'and' ? (['none', 'all'] as const) : (['all', 'none'] as const);
  const conditions: PlanCondition[] = [];
  for (const { condition } of answers) {
    if (condition.kind === absorbs) return { condition, isExact: absorbs === 'none' || isExact };
    if (condition.kind === kind) conditions.push(...(condition.conditions as readonly PlanCondition[]));
    else if (condition.kind !== neutral) conditions.push(condition);
  }
  if (conditions.length === 0) return { condition: kind === 'and' ? everyone : nobody, isExact };
  return { condition: conditions.length === 1 ? conditions[0]! : { kind, conditions }, isExact };
}

function presence(attribute: Attribute, columns: PlanColumns, negated: boolean): Answer {
  const traits = columns.get(attribute.path);
  if (traits === undefined) return unanswered;
  return {
    condition: { kind: 'present', column: traits.column, many: traits.many, negated },
    isExact: true,
  };
}

function comparison(
  attribute: Attribute,
  operator: Operator,
  operand: Operand,
  columns: PlanColumns,
  negated: boolean,
): Answer {
  const traits = columns.get(attribute.path);
  if (traits === undefined || !traits.operators.includes(operator)) return unanswered;
  // `ne` is exactly the opposite of `eq`, for lists and for what is not assigned, too.
  if (operator === 'ne') return comparison(attribute, 'eq', operand, columns, !negated);
  if (operand === null) return presence(attribute, columns, !negated);
  const value = valueFor(traits, operand);
  // No value is ever empty, so nothing equals "" and everything that is there begins and ends with it.
  if (operand === '' && operator !== 'eq') return presence(attribute, columns, negated);
  if (value === null || operand === '') return { condition: negated ? everyone : nobody, isExact: true };
  // A text as long as the column, or longer, may be the beginning of another one: that is told apart later.
  const isCut = traits.kind === 'cutKey' && typeof value === 'string' && isAsLongAsColumn(value);
  if (isCut && (negated || operator === 'ew' || operator === 'co')) return unanswered;
  const { column: name, many } = traits;
  const selectivity = negated ? 0 : selectivityOfLeaf(traits, operator, value);
  return {
    condition: { kind: 'is', column: name, many, operator, value, negated, selectivity },
    isExact: !isCut,
  };
}

/** The operand in the form of the column; null where no value could ever be it. */
function valueFor({ kind }: ColumnTraits, operand: Exclude<Operand, null>): string | number | boolean | null {
  switch (kind) {
    case 'key':
      return typeof operand === 'string' ? fold(operand) : null;
    case 'cutKey':
      return typeof operand === 'string' ? planKey(operand) : null;
    case 'text':
      return typeof operand === 'string' ? operand : null;
    case 'id':
      return typeof operand === 'string' ? readResourceId(operand) : null;
    case 'instant':
      return typeof operand === 'string' ? Date.parse(operand) : null;
    case 'boolean':
      return typeof operand === 'boolean' ? operand : null;
  }
}

const isAsLongAsColumn = (key: string): boolean =>
  key.length >= keyCharacters && [...key].length >= keyCharacters;

/**
 * `emails[type eq "work" and value eq "x"]`: a column knows the values and not which element they belong to, so its
 * answer is exact only where the brackets hold a single comparison. Nothing can be said of the opposite of more.
 */
function withinList(where: Filter, columns: PlanColumns, negated: boolean): Answer {
  if (where.kind === 'compare' && where.operator !== 'ne' && where.value !== null) {
    return conditionOf(where, columns, negated);
  }
  if (where.kind === 'present') return conditionOf(where, columns, negated);
  if (negated) return unanswered;
  if (where.kind === 'and' || where.kind === 'or') {
    const answers = where.terms.map((term) => withinList(term, columns, false));
    return {
      ...joined(where.kind, answers),
      isExact: where.kind === 'or' && answers.every((one) => one.isExact),
    };
  }
  return unanswered;
}
