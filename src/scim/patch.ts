// Patch: (user, operations) -> user, all or nothing (D-56).
//
// Each operation turns one profile into the next; the user that came in is never touched, so a failure in the
// middle leaves nothing behind. Every place is reached through attributes of the table: a caller's text is
// resolved before it comes here, and `__proto__` is simply a name that no attribute has.

import { fold } from '../domain/fold.ts';
import { type Code, type Fault, Problem } from '../domain/problem.ts';
import {
  asValues,
  changeUser,
  isList,
  isValues,
  judgeProfile,
  type Profile,
  sameValue,
  type User,
  type Value,
  type Values,
} from '../domain/user.ts';
import type { Attribute, FaceName } from './attributes.ts';
import type { Directory } from './directory.ts';
import { elementMatches } from './evaluate.ts';
import type { Filter } from './filter.ts';
import type { Operation } from './operations.ts';
import { isObject, type Reading, readOne, readValue } from './values.ts';

export interface PatchRules {
  readonly directory: Directory;
  /** The face whose required attributes a patch must leave in place. */
  readonly face: FaceName;
}

/** The very same user comes back when the patch changes nothing. */
export function applyPatch(
  user: User,
  operations: readonly Operation[],
  rules: PatchRules,
  nowMs: number,
): User {
  // Value paths compare the same texts again and again; a text is folded once for the whole patch.
  const folded = new Map<string, string>();
  const foldOnce = (text: string): string => {
    const known = folded.get(text) ?? fold(text);
    folded.set(text, known);
    return known;
  };
  let profile: Values = user.profile;
  for (const operation of operations) {
    if (saysOwnId(user, operation)) continue;
    profile = applyOperation(profile, { ...throughObject(operation), rules, foldOnce });
  }
  return changeUser(user, judged(user, profile, rules), nowMs);
}

interface Step extends Operation {
  readonly rules: PatchRules;
  readonly foldOnce: (text: string) => string;
}

/** Okta repeats the id of what it patches in an object without a path; that changes nothing. */
function saysOwnId(user: User, { path, value, spread }: Operation): boolean {
  return spread && path.attribute.path === 'id' && String(value) === String(user.id);
}

/** `manager.value` is set as a part of the manager, so that both ways of naming a new one do the same. */
function throughObject(operation: Operation): Operation {
  const { attribute } = operation.path;
  const { parent } = attribute;
  if (attribute.name !== 'value' || parent === null || isNothing(operation.value)) return operation;
  if (operation.op === 'remove') return operation;
  return {
    ...operation,
    path: { attribute: parent, where: null, part: null },
    value: { value: operation.value },
  };
}

function applyOperation(profile: Values, step: Step): Values {
  const { attribute, part } = step.path;
  const target = part ?? attribute;
  if (isReadOnly(target)) throw refusal(step, 'MUTABILITY', `${target.path} is read-only`);
  const removes = step.op === 'remove';
  const clears = removes || isNothing(step.value);
  const picks = removes && attribute.multiValued && namesElements(step);
  if (target.mutability === 'writeOnly') {
    // A password is taken and forgotten: nobody signs in here.
    if (!clears) readForPatch(step, target, readOne);
    return profile;
  }
  if (clears && target.path === 'active') {
    throw refusal(step, 'INVALID_VALUE', 'active is true or false and cannot be unassigned');
  }
  if (clears && !picks && part === null && step.path.where === null && isRequired(step, attribute)) {
    // An `add` of nothing adds nothing; the rest would take away what must be there.
    if (step.op === 'add') return profile;
    throw refusal(step, removes ? 'MUTABILITY' : 'INVALID_VALUE', `${attribute.path} is required`);
  }
  return updateAt(profile, attribute, (before) => {
    if (attribute.multiValued) return patchList(isList(before) ? before.map(asValues) : [], step, clears);
    if (clears) return undefined;
    return attribute.type === 'complex'
      ? mergeParts(asValues(before), step)
      : readForPatch(step, attribute, readOne);
  });
}

function patchList(before: readonly Values[], step: Step, clears: boolean): readonly Values[] | undefined {
  const { attribute, where, part } = step.path;
  const after =
    where === null && part === null
      ? patchWholeList(before, step, clears)
      : patchElements(before, step, clears);
  if (after.length > attribute.maxElements) {
    const most = `${attribute.path} must have at most ${attribute.maxElements} elements`;
    throw refusal(step, 'INVALID_VALUE', most);
  }
  return after.length === 0 ? undefined : settlePrimary(before, after, step);
}

function patchWholeList(before: readonly Values[], step: Step, clears: boolean): readonly Values[] {
  if (step.op === 'remove') return namesElements(step) ? without(before, step) : [];
  if (clears) return step.op === 'add' ? before : [];
  const read = readForPatch(step, step.path.attribute, readValue);
  const sent = isList(read) ? read.map(asValues) : [];
  return step.op === 'replace' ? sent : sent.reduce(addElement, before);
}

/** The same type and value are never listed twice (RFC 7643 section 2.4): adding them again completes them. */
function addElement(elements: readonly Values[], added: Values): readonly Values[] {
  const at = elements.findIndex((one) =>
    added.value === undefined ? sameValue(one, added) : one.value === added.value && one.type === added.type,
  );
  const present = elements[at];
  if (present === undefined) return [...elements, added];
  const merged = { ...present, ...added };
  return sameValue(present, merged) ? elements : elements.with(at, merged);
}

/** Whether a `remove` says which elements it means; an empty list means none of them, silence means all. */
const namesElements = ({ value }: Step): boolean => value !== undefined && value !== null && value !== '';

/** `remove` with a list of values: those that agree with one of them in all that it says go away. */
function without(before: readonly Values[], step: Step): readonly Values[] {
  const { attribute } = step.path;
  const read = readForPatch(step, attribute, readValue);
  const gone = isList(read) ? read.map(asValues) : [];
  const agrees = (element: Values, said: Values): boolean =>
    attribute.subAttributes.every((part) => {
      const [wanted, present] = [said[part.name], element[part.name]];
      if (wanted === undefined || sameValue(wanted, present)) return true;
      if (part.caseExact || typeof wanted !== 'string' || typeof present !== 'string') return false;
      return step.foldOnce(wanted) === step.foldOnce(present);
    });
  return before.filter((element) => !gone.some((said) => agrees(element, said)));
}

function patchElements(before: readonly Values[], step: Step, clears: boolean): readonly Values[] {
  const { attribute, where, part } = step.path;
  const chosen = before.map((element) => where === null || elementMatches(where, element, step.foldOnce));
  if (!chosen.includes(true)) {
    // To clear what is not there is no change; to remove it is a request about nothing.
    if (clears && step.op !== 'remove') return before;
    const created = step.op === 'remove' ? null : elementMadeBy(attribute, where);
    if (created === null) throw refusal(step, 'NO_TARGET', 'the path selects no element');
    return [...before, patchElement(created, step, true)];
  }
  if (clears) {
    return before.flatMap((element, at) => {
      if (!chosen[at]) return [element];
      const rest = part === null ? {} : omit(element, part.name);
      return saysSomething(attribute, rest) ? [rest] : [];
    });
  }
  return before.map((element, at) => (chosen[at] ? patchElement(element, step, false) : element));
}

function patchElement(element: Values, step: Step, created: boolean): Values {
  const { attribute, part } = step.path;
  const value = readForPatch(step, part ?? attribute, readOne);
  if (value === undefined) throw refusal(step, 'INVALID_VALUE', 'the value says nothing');
  if (part !== null) return element[part.name] === value ? element : { ...element, [part.name]: value };
  const replaced = step.op === 'replace' && !created ? asValues(value) : { ...element, ...asValues(value) };
  return sameValue(element, replaced) ? element : replaced;
}

/** The element that `[type eq "work"]` describes, if `work` is a type that the table knows (D-56). */
function elementMadeBy(attribute: Attribute, where: Filter | null): Values | null {
  if (where?.kind !== 'compare' || where.operator !== 'eq' || where.attribute.name !== 'type') return null;
  if (typeof where.value !== 'string') return null;
  const wanted = fold(where.value);
  const known = where.attribute.canonicalValues.find((type) => type === wanted);
  return known === undefined || attribute.mutability !== 'readWrite' ? null : { type: known };
}

/** An element that has lost its value is no longer there: a type alone tells nothing. */
function saysSomething(attribute: Attribute, element: Values): boolean {
  const hasValue = attribute.subAttributes.some((part) => part.name === 'value');
  if (hasValue) return element.value !== undefined;
  return Object.keys(element).some((name) => name !== 'type' && name !== 'primary');
}

/** D-59: the primary that an operation sets takes the place of the one that was. */
function settlePrimary(before: readonly Values[], after: readonly Values[], step: Step): readonly Values[] {
  const primaries = after.filter((element) => element.primary === true);
  if (primaries.length < 2) return after;
  const untouched = new Set(before);
  const set = primaries.filter((element) => !untouched.has(element));
  if (set.length !== 1) {
    throw refusal(step, 'INVALID_VALUE', `${step.path.attribute.path} must have at most one primary`);
  }
  return after.map((element) =>
    element.primary === true && element !== set[0] ? { ...element, primary: false } : element,
  );
}

/** An object as value: the parts that it names are set or, by null and "", cleared; the others stay. */
function mergeParts(before: Values, step: Step): Values {
  const { attribute } = step.path;
  const read = asValues(readForPatch(step, attribute, readOne));
  const cleared = isObject(step.value) ? clearedParts(attribute, step.value, step.rules.directory) : [];
  let merged: Values = before;
  for (const name of cleared) merged = omit(merged, name);
  for (const [name, value] of Object.entries(read)) {
    const present = merged[name];
    // Only an extension holds objects itself: its manager is merged like any other object.
    merged = { ...merged, [name]: isValues(value) ? mergeObject(asValues(present), value) : value };
  }
  return attribute.extension ? merged : withFreshReference(before, merged, read);
}

const mergeObject = (before: Values, said: Values): Values =>
  withFreshReference(before, { ...before, ...said }, said);

/** An address that was kept beside a value does not lead to the next one: a new manager brings their own. */
function withFreshReference(before: Values, merged: Values, said: Values): Values {
  const isStale = said.$ref === undefined && merged.value !== before.value;
  return isStale ? omit(merged, '$ref') : merged;
}

function clearedParts(
  attribute: Attribute,
  sent: Readonly<Record<string, unknown>>,
  directory: Directory,
): readonly string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const part = directory.member(attribute, name);
    return part !== null && part.mutability === 'readWrite' && isNothing(value) ? [part.name] : [];
  });
}

/** Changes what stands at an attribute and drops the objects that this empties. */
function updateAt(
  root: Values,
  attribute: Attribute,
  change: (before: Value | undefined) => Value | undefined,
): Values {
  const replaceIn = (values: Values): Values => {
    const after = change(values[attribute.name]);
    const isEmpty = after === undefined || (isValues(after) && Object.keys(after).length === 0);
    return isEmpty ? omit(values, attribute.name) : { ...values, [attribute.name]: after };
  };
  if (attribute.parent === null) return replaceIn(root);
  return updateAt(root, attribute.parent, (container) => replaceIn(asValues(container)));
}

function readForPatch(step: Step, attribute: Attribute, read: typeof readOne): Value | undefined {
  const faults: Fault[] = [];
  const reading: Reading = { directory: step.rules.directory, requiredOn: null, lenient: true, faults };
  const value = read(attribute, step.value, attribute.path, reading);
  if (faults.length === 0) return value;
  throw new Problem('INVALID_VALUE', `${step.field}: ${faults.map((fault) => fault.message).join(' ')}`, {
    details: faults,
  });
}

/** The patched profile, held against what must be true of every user and of this face's users. */
function judged(user: User, values: Values, { directory, face }: PatchRules): Profile {
  const { userName, active } = user.profile;
  const profile: Profile = {
    ...values,
    userName: typeof values.userName === 'string' ? values.userName : userName,
    active: typeof values.active === 'boolean' ? values.active : active,
    externalId: typeof values.externalId === 'string' ? values.externalId : undefined,
  };
  const faults = [...judgeProfile(profile)];
  for (const list of directory.roots.filter((root) => root.multiValued && root.type === 'complex')) {
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
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function omit(values: Values, name: string): Values {
  const { [name]: _, ...rest } = values;
  return rest;
}

function refusal(step: Step, code: Code, message: string): Problem {
  return new Problem(code, `${step.field}: ${message}.`, {
    details: [{ field: step.field, code, message: `${message}.` }],
  });
}
