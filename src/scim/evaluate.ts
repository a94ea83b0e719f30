// What a filter means, said plainly: whether a user fulfils it. The store answers the same question by SQL;
// this is what it is held against, and what value paths of patches use.
//
// Texts compare without regard to case unless their attribute says otherwise. `ne` is the opposite of `eq`,
// for lists and for what is not assigned too, so that `a ne b` and `not (a eq b)` always agree. Everything
// else needs a value: an absent one fulfils nothing.

import { compareText, fold } from '../domain/fold.ts';
import { isList, isValues, type Value, type Values } from '../domain/provisioning/value.ts';
import type { Attribute } from './attributes.ts';
import type { Filter, Operand, Operator } from './filter.ts';

/** Finds the values of an attribute: of a whole user, or of one element of a list. */
type Find = (attribute: Attribute) => readonly Value[];
type Fold = (text: string) => string;

/** `resource` is a user as resourceOf shows it. */
export function matches(filter: Filter, resource: Values, foldText: Fold = fold): boolean {
  return holds(filter, (attribute) => valuesAt(resource, attribute), foldText);
}

const foldedTextsMax = 2_000;

/** Folds a text once, however many comparisons of however many users look at it. */
export function rememberingFold(): Fold {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= foldedTextsMax) known.clear();
    const folded = fold(text);
    known.set(text, folded);
    return folded;
  };
}

/** Whether one element of a list fulfils what stands in the brackets behind the list's name. */
export function elementMatches(where: Filter, element: Values, foldText: Fold = fold): boolean {
  return holds(where, (part) => partOf(element, part), foldText);
}

function holds(filter: Filter, find: Find, foldText: Fold): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.terms.every((term) => holds(term, find, foldText));
    case 'or':
      return filter.terms.some((term) => holds(term, find, foldText));
    case 'not':
      return !holds(filter.term, find, foldText);
    case 'present':
      return find(filter.attribute).length > 0;
    case 'some':
      return find(filter.attribute).some(
        (element) => isValues(element) && elementMatches(filter.where, element, foldText),
      );
    case 'compare':
      return compares(filter.attribute, filter.operator, filter.value, find(filter.attribute), foldText);
  }
}

function compares(
  attribute: Attribute,
  operator: Operator,
  operand: Operand,
  values: readonly Value[],
  foldText: Fold,
): boolean {
  if (operator === 'ne') return !compares(attribute, 'eq', operand, values, foldText);
  if (operand === null) return values.length === 0;
  const wanted = comparable(attribute, operand, foldText);
  return values.some((value) => isHeldBy(operator, comparable(attribute, value, foldText), wanted));
}

function isHeldBy(operator: Operator, value: string | number, wanted: string | number): boolean {
  if (typeof value === 'string' && typeof wanted === 'string') {
    if (operator === 'co') return value.includes(wanted);
    if (operator === 'sw') return value.startsWith(wanted);
    if (operator === 'ew') return value.endsWith(wanted);
  }
  const order = orderOf(value, wanted);
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    default:
      return false;
  }
}

/** A value in the form in which it is compared and sorted. */
function comparable(attribute: Attribute, value: Value, foldText: Fold): string | number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return Number.NaN;
  if (attribute.type === 'dateTime') return Date.parse(value);
  return attribute.caseExact ? value : foldText(value);
}

function orderOf(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return typeof a === 'number' && typeof b === 'number' ? a - b : Number.NaN;
}

/** All values that an attribute has in a user; those of a list's part, one for each element that has it. */
export function valuesAt(resource: Values, attribute: Attribute): readonly Value[] {
  if (attribute.parent === null) return partOf(resource, attribute);
  return valuesAt(resource, attribute.parent).flatMap((value) =>
    isValues(value) ? partOf(value, attribute) : [],
  );
}

/** The name comes from the table, never from a caller. */
function partOf(values: Values, attribute: Attribute): readonly Value[] {
  const value = values[attribute.name];
  if (value === undefined || value === '') return [];
  if (isList(value)) return value;
  return isValues(value) && Object.keys(value).length === 0 ? [] : [value];
}

/**
 * What a user is sorted by (D-54): of a list the primary element, or else the first; of an object its `value`.
 * Null, which comes last, where there is none.
 */
export function sortKeyOf(
  resource: Values,
  attribute: Attribute,
  foldText: Fold = fold,
): string | number | null {
  const leaf = attribute.subAttributes.find((part) => part.name === 'value') ?? attribute;
  const list = [leaf.parent, leaf].find((one) => one?.multiValued === true);
  const elements = list ? valuesAt(resource, list) : [];
  const chosen = elements.find((element) => isValues(element) && element.primary === true) ?? elements[0];
  const values = isValues(chosen) ? partOf(chosen, leaf) : valuesAt(resource, leaf);
  const [value] = values;
  return value === undefined || isValues(value) ? null : comparable(leaf, value, foldText);
}

/** The order of two sort keys; the order of equals is settled by the internal id, elsewhere. */
export function compareSortKeys(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return orderOf(a, b);
}
