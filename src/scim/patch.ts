// Patch: (values, operations) -> values, all or nothing (D-56). Users and groups are patched by the same code; only the
// members of a group are said in another way (members.ts), because they are never read as a whole.
//
// The operations change a copy of the values in place, one after the other, so that each sees what those before it did
// and a failure in the middle leaves nothing behind. Whether an element or an object still says something is settled
// once, after the last of them (D-160). Every place is reached through attributes of the table: a caller's text is
// resolved before it comes here, and `__proto__` is simply a name that no attribute has.

import { fold } from '../domain/fold.ts';
import type { Interruptible, Spend } from '../domain/interruptible.ts';
import { type Code, type Fault, Problem } from '../domain/problem.ts';
import {
  changeUser,
  judgeProfile,
  judgeRename,
  type Profile,
  type User,
} from '../domain/provisioning/user.ts';
import {
  asValues,
  isList,
  isValues,
  sameValue,
  type Value,
  type Values,
} from '../domain/provisioning/value.ts';
import type { Attribute, FaceName } from './attributes.ts';
import { elementMatches } from './evaluate.ts';
import { comparisonsIn, type Filter } from './filter.ts';
import type { Operation } from './operations.ts';
import { keepHidden } from './resource-draft.ts';
import type { SchemaView } from './schema-view.ts';
import { isObject, onePerPair, type Reading, readOne, readValue } from './values.ts';

interface PatchRules {
  readonly schemaView: SchemaView;
  /** The face whose required attributes a patch must leave in place. */
  readonly face: FaceName;
  /** RFC 7644 section 3.5.2 to the letter where that is stricter: what is replaced must be there (D-160), what is removed may go (D-889). */
  readonly isStrict?: boolean;
}

/** The very same user comes back when the patch changes nothing. */
export function* patchUser(
  user: User,
  operations: readonly Operation[],
  rules: PatchRules,
  nowMs: number,
  spend: Spend,
): Interruptible<User> {
  const patched = yield* patchValues({ id: user.id, values: user.profile }, operations, rules, spend);
  // A list that is set as a whole says less than was there, where the face cannot say all of it (D-55).
  const values = keepHidden(patched, user.profile, rules.schemaView);
  // An `active` that has become false is the suspension of the user; saving it notes that in the audit log (D-57).
  return changeUser(user, judged(user, values, rules), nowMs);
}

/** What is patched: the values that a caller decides about, and the id that they belong to. */
interface Patched {
  readonly id: number;
  readonly values: Values;
}

export function* patchValues(
  { id, values }: Patched,
  operations: readonly Operation[],
  rules: PatchRules,
  spend: Spend,
): Interruptible<Values> {
  const root = copyOf(values);
  const lostAPart = new Set<Tree>();
  // Value paths compare the same texts again and again; a text is folded once for the whole patch.
  const folded = new Map<string, string>();
  const foldOnce = (text: string): string => {
    const known = folded.get(text) ?? fold(text);
    folded.set(text, known);
    return known;
  };
  for (const operation of operations) {
    spend(1);
    if (!saysOwnId(id, operation))
      yield* applyOperation(root, { ...operation, rules, lostAPart, foldOnce, spend });
    yield;
  }
  return settled(root, rules.schemaView, lostAPart);
}

/** Values that may be changed in place, because nobody else has them. Lists hold objects only. */
interface Tree {
  [name: string]: string | number | boolean | Tree | Tree[] | undefined;
}

interface Step extends Operation {
  readonly rules: PatchRules;
  /** Elements that lost a part: whether they still say something is asked at the end. */
  readonly lostAPart: Set<Tree>;
  readonly foldOnce: (text: string) => string;
  readonly spend: Spend;
}

function copyOf(values: Values): Tree {
  const copy: Tree = {};
  for (const [name, value] of Object.entries(values)) {
    if (isList(value)) copy[name] = value.map((element) => copyOf(asValues(element)));
    else copy[name] = isValues(value) ? copyOf(value) : value;
  }
  return copy;
}

/** Okta repeats the id of what it patches in an object without a path; that changes nothing. */
function saysOwnId(id: number, { path, value, spread }: Operation): boolean {
  return spread && path.attribute.path === 'id' && String(value) === String(id);
}

function* applyOperation(root: Tree, step: Step): Interruptible<void> {
  const { attribute, part } = step.path;
  const target = part ?? attribute;
  if (isReadOnly(target)) throw refusal(step, 'MUTABILITY', `${target.path} is read-only`);
  const removes = step.op === 'remove';
  const clears = removes || isNothing(step.value);
  const picks = removes && attribute.multiValued && namesElements(step.value);
  if (target.mutability === 'writeOnly') {
    // A password is taken and forgotten: users choose theirs in the console, or sign in through their provider.
    if (!clears) readForPatch(step, target, readOne);
    return;
  }
  if (clears && target.path === 'active') {
    // There is no value to be wrong where one removes (D-889).
    const code = removes && step.rules.isStrict ? 'MUTABILITY' : 'INVALID_VALUE';
    throw refusal(step, code, 'active is true or false and cannot be unassigned');
  }
  if (clears && !picks && part === null && step.path.where === null && isRequired(step, attribute)) {
    // An `add` of nothing adds nothing; the rest would take away what must be there.
    if (step.op === 'add') return;
    throw refusal(step, removes ? 'MUTABILITY' : 'INVALID_VALUE', `${attribute.path} is required`);
  }
  // Providers send an empty text for what they do not know; the address of a user does not go with it (D-84).
  if (step.value === '' && !removes && target.uniqueness !== 'none') {
    throw refusal(step, 'INVALID_VALUE', `${target.path} must not be empty`);
  }
  const holder = holderOf(root, attribute);
  if (attribute.multiValued) yield* patchList(holder, step, clears);
  else if (clears) setPart(holder, attribute.name, undefined);
  else if (attribute.type === 'complex') patchObject(holder, step);
  else setPart(holder, attribute.name, readForPatch(step, attribute, readOne) as Tree[string]);
}

/** The object in which an attribute stands. One that is made here and stays empty is gone in the end. */
function holderOf(root: Tree, { parent }: Attribute): Tree {
  return parent === null ? root : objectIn(holderOf(root, parent), parent.name);
}

function objectIn(holder: Tree, name: string): Tree {
  const present = holder[name];
  if (typeof present === 'object' && !Array.isArray(present)) return present;
  const made: Tree = {};
  holder[name] = made;
  return made;
}

/** An address that stands beside a value leads nowhere once the value is another, or none. */
function setPart(holder: Tree, name: string, value: Tree[string]): void {
  if (name === 'value' && holder.value !== value) delete holder.$ref;
  if (value === undefined) delete holder[name];
  else holder[name] = value;
}

// ---- Objects

function patchObject(holder: Tree, step: Step): void {
  const { attribute } = step.path;
  const read = asValues(readForPatch(step, attribute, readOne));
  mergeInto(objectIn(holder, attribute.name), attribute, step.value, read, step.rules.schemaView);
}

/** The parts that an object names are set or, by null and "", cleared; the others stay. */
function mergeInto(
  object: Tree,
  attribute: Attribute,
  sent: unknown,
  read: Values,
  schemaView: SchemaView,
): void {
  // A bare text or a list of one stands for the object that was read from it.
  const said = Object.entries(isObject(sent) ? sent : read).flatMap(([name, value]) => {
    const part = schemaView.member(attribute, name);
    return part?.mutability === 'readWrite' ? [{ part, value }] : [];
  });
  // The value first, because it takes an old address away, and the new one may be said beside it.
  const isValue = ({ part }: { part: Attribute }): number => Number(part.name === 'value');
  for (const { part, value } of said.toSorted((a, b) => isValue(b) - isValue(a))) {
    const known = read[part.name];
    if (isNothing(value)) setPart(object, part.name, undefined);
    // Only an extension holds objects itself: its manager is merged like any other object.
    else if (part.type === 'complex') {
      mergeInto(objectIn(object, part.name), part, value, asValues(known), schemaView);
    } else setPart(object, part.name, known as Tree[string]);
  }
}

// ---- Lists

function* patchList(holder: Tree, step: Step, clears: boolean): Interruptible<void> {
  const { attribute, where, part } = step.path;
  const present = holder[attribute.name];
  const before = Array.isArray(present) ? present : [];
  const primaries = new Set(before.filter(isPrimary));
  const after =
    where === null && part === null
      ? yield* patchWholeList(before, step, clears)
      : yield* patchElements(before, step, clears);
  if (after.length > attribute.maxElements) {
    const lasting = after.filter(
      (element) => !step.lostAPart.has(element) || saysSomething(attribute, element),
    );
    if (lasting.length > attribute.maxElements) {
      const most = `${attribute.path} must have at most ${attribute.maxElements} elements`;
      throw refusal(step, 'INVALID_VALUE', most);
    }
  }
  settlePrimary(after, primaries);
  holder[attribute.name] = after;
}

const isPrimary = (element: Tree): boolean => element.primary === true;

/**
 * D-59: the primary that an operation sets takes the place of the one that was, at once, because the next operation
 * may ask for it. Two that one operation sets contradict each other; unless a later one decides, that is refused.
 */
function settlePrimary(after: readonly Tree[], primariesBefore: ReadonlySet<Tree>): void {
  const set = after.filter((element) => isPrimary(element) && !primariesBefore.has(element));
  if (set.length !== 1) return;
  for (const element of after) if (isPrimary(element) && element !== set[0]) element.primary = false;
}

function* patchWholeList(before: readonly Tree[], step: Step, clears: boolean): Interruptible<Tree[]> {
  if (step.op === 'remove') return namesElements(step.value) ? yield* without(before, step) : [];
  if (clears) return step.op === 'add' ? [...before] : [];
  const sent = elementsSaid(step);
  if (step.op === 'replace') return sent;
  const after = [...before];
  for (const element of sent) {
    step.spend(after.length);
    addElement(after, element);
    yield;
  }
  return after;
}

/** The elements that the value holds, as objects of their own. */
function elementsSaid(step: Step): Tree[] {
  const read = readForPatch(step, step.path.attribute, readValue);
  return isList(read) ? read.map((element) => copyOf(asValues(element))) : [];
}

/** The same type and value are never listed twice (RFC 7643 section 2.4): adding them again completes them. */
function addElement(elements: Tree[], added: Tree): void {
  const present = elements.find((one) =>
    added.value === undefined
      ? sameValue(one as Values, added as Values)
      : one.value === added.value && one.type === added.type,
  );
  if (present === undefined) elements.push(added);
  else Object.assign(present, added);
}

/** Whether a `remove` says which elements it means; an empty list means none of them, silence means all. */
export const namesElements = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

/** `remove` with a list of values: those that agree with one of them in all that it says go away. */
function* without(before: readonly Tree[], step: Step): Interruptible<Tree[]> {
  const { attribute } = step.path;
  const agrees = (element: Tree, said: Tree): boolean =>
    attribute.subAttributes.every((part) => {
      const [wanted, present] = [said[part.name], element[part.name]];
      if (wanted === undefined || wanted === present) return true;
      if (part.caseExact || typeof wanted !== 'string' || typeof present !== 'string') return false;
      return step.foldOnce(wanted) === step.foldOnce(present);
    });
  let rest = [...before];
  for (const said of elementsSaid(step)) {
    step.spend(rest.length);
    rest = rest.filter((element) => !agrees(element, said));
    yield;
  }
  return rest;
}

function* patchElements(before: readonly Tree[], step: Step, clears: boolean): Interruptible<Tree[]> {
  const { where, part } = step.path;
  const chosen = where === null ? new Set(before) : yield* elementsThatMatch(before, where, step);
  if (chosen.size === 0) {
    // To clear what is not there is no change; to remove it is a request about nothing.
    if (clears && step.op !== 'remove') return [...before];
    const made = step.op === 'remove' || mustBeThere(where, step) ? null : elementMadeBy(where, step);
    if (made === null) throw refusal(step, 'NO_TARGET', 'the path selects no element');
    fillElement(made, step, true);
    return [...before, made];
  }
  if (!clears) for (const element of chosen) fillElement(element, step, false);
  else if (part === null) return before.filter((element) => !chosen.has(element));
  else {
    for (const element of chosen) {
      delete element[part.name];
      step.lostAPart.add(element);
    }
  }
  return [...before];
}

function* elementsThatMatch(
  elements: readonly Tree[],
  where: Filter,
  { spend, foldOnce }: Step,
): Interruptible<Set<Tree>> {
  const comparisons = comparisonsIn(where);
  const chosen = new Set<Tree>();
  for (const element of elements) {
    spend(comparisons);
    if (elementMatches(where, element as Values, foldOnce)) chosen.add(element);
    yield;
  }
  return chosen;
}

function fillElement(element: Tree, step: Step, isMade: boolean): void {
  const { attribute, part } = step.path;
  const value = readForPatch(step, part ?? attribute, readOne);
  if (value === undefined) throw refusal(step, 'INVALID_VALUE', 'the value says nothing');
  if (part !== null) {
    element[part.name] = value as Tree[string];
    return;
  }
  if (step.op === 'replace' && !isMade) for (const name of Object.keys(element)) delete element[name];
  Object.assign(element, value);
}

/** The element that comparisons by `eq`, joined by `and`, describe; null where they are not all of this kind (D-160). */
function elementMadeBy(where: Filter | null, step: Step): Tree | null {
  const described = where === null ? null : partsSaidBy(where);
  if (where === null || described === null) return null;
  // Read like any element that is sent, so that what is made here is bounded and typed like all others.
  const sent = Object.fromEntries(described);
  const made = copyOf(asValues(readForPatch({ ...step, value: sent }, step.path.attribute, readOne)));
  return elementMatches(where, made as Values, step.foldOnce) ? made : null;
}

/**
 * Whether `replace` asks for an element that it cannot mean to make: of a type that the attribute does not know, or by its value
 * (D-160). Microsoft's validator calls a type that it leaves open `untyped`.
 */
function mustBeThere(where: Filter | null, { op, path, rules }: Step): boolean {
  if (!rules.isStrict || op !== 'replace' || where === null) return false;
  const types = path.attribute.subAttributes.find(({ name }) => name === 'type')?.canonicalValues ?? [];
  if (types.length === 0) return false;
  const isUnknown = (type: unknown): boolean =>
    typeof type === 'string' && !types.includes(type) && fold(type) !== 'untyped';
  const said = partsSaidBy(where) ?? [];
  return said.some(([name, value]) => name === 'value' || (name === 'type' && isUnknown(value)));
}

function partsSaidBy(where: Filter): readonly (readonly [string, unknown])[] | null {
  if (where.kind === 'and') {
    const all = where.terms.map(partsSaidBy);
    return all.includes(null) ? null : all.flatMap((parts) => parts ?? []);
  }
  if (where.kind !== 'compare' || where.operator !== 'eq' || where.attribute.mutability !== 'readWrite') {
    return null;
  }
  const { name, canonicalValues } = where.attribute;
  const wanted = typeof where.value === 'string' ? fold(where.value) : null;
  return [[name, canonicalValues.find((known) => known === wanted) ?? where.value]];
}

// ---- What remains

/** Without elements that lost what they were about, empty lists and empty objects; each pair of a list stands once. */
function settled(root: Tree, schemaView: SchemaView, lostAPart: ReadonlySet<Tree>): Values {
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(root)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) {
      const attribute = schemaView.member(null, name);
      const rest = value.filter(
        (element) => attribute === null || !lostAPart.has(element) || saysSomething(attribute, element),
      );
      if (rest.length > 0) values[name] = onePerPair(rest as readonly Values[]);
    } else if (typeof value !== 'object') values[name] = value;
    else {
      const inner = settled(value, schemaView, lostAPart);
      if (Object.keys(inner).length > 0) values[name] = inner;
    }
  }
  return values;
}

/** An element that has lost its value is no longer there: a type alone tells nothing. */
function saysSomething(attribute: Attribute, element: Tree): boolean {
  const hasValue = attribute.subAttributes.some((part) => part.name === 'value');
  if (hasValue) return element.value !== undefined;
  return Object.keys(element).some((name) => name !== 'type' && name !== 'primary');
}

function readForPatch(step: Step, attribute: Attribute, read: typeof readOne): Value | undefined {
  const faults: Fault[] = [];
  const reading: Reading = { schemaView: step.rules.schemaView, requiredOn: null, lenient: true, faults };
  const value = read(attribute, step.value, attribute.path, reading);
  refuseFaults(step, faults);
  return value;
}

/** Refuses an operation for what is wrong with its value. */
export function refuseFaults({ field }: Pick<Operation, 'field'>, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const message = `${field}: ${faults.map((fault) => fault.message).join(' ')}`;
  throw new Problem('INVALID_VALUE', message, { details: faults });
}

/** The patched profile, held against what must be true of every user and of this face's users. */
function judged(user: User, values: Values, { schemaView, face }: PatchRules): Profile {
  const { userName, active } = user.profile;
  const profile: Profile = {
    ...values,
    userName: typeof values.userName === 'string' ? values.userName : userName,
    active: typeof values.active === 'boolean' ? values.active : active,
    externalId: typeof values.externalId === 'string' ? values.externalId : undefined,
  };
  const faults = [...judgeProfile(profile), ...judgeRename(user, profile)];
  for (const list of schemaView.roots.filter((root) => root.multiValued && root.type === 'complex')) {
    const [before, after] = [user.profile[list.name], profile[list.name]];
    if (sameValue(before, after)) continue;
    if (after === undefined && list.requiredOn.includes(face)) {
      const message = `${list.path} must keep at least one element.`;
      throw new Problem('MUTABILITY', message, {
        details: [{ field: list.path, code: 'MUTABILITY', message }],
      });
    }
    faults.push(...missingParts(list, after, face));
  }
  if (faults.length === 0) return profile;
  throw new Problem('INVALID_VALUE', faults.map((fault) => fault.message).join(' '), { details: faults });
}

function missingParts(list: Attribute, after: Value | undefined, face: FaceName): readonly Fault[] {
  const required = list.subAttributes.filter((part) => part.requiredOn.includes(face));
  return (isList(after) ? after : []).flatMap((element, at) =>
    required
      .filter((part) => asValues(element)[part.name] === undefined)
      .map((part) => {
        const field = `${list.path}[${at}].${part.name}`;
        return { field, code: 'MISSING', message: `${field} is required.` };
      }),
  );
}

const isRequired = (step: Step, attribute: Attribute): boolean =>
  attribute.parent === null && attribute.requiredOn.includes(step.rules.face);

const isReadOnly = (attribute: Attribute): boolean =>
  attribute.mutability === 'readOnly' || (attribute.parent !== null && isReadOnly(attribute.parent));

/** What clears an attribute: identity providers send null, an empty text or an empty list. */
export const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export function refusal({ field }: Pick<Operation, 'field'>, code: Code, message: string): Problem {
  return new Problem(code, `${field}: ${message}.`, {
    details: [{ field, code, message: `${message}.` }],
  });
}
