// Groups on the standard face: bodies read into drafts, patches into changes, and groups shown (RFC 7643 section 4.2,
// RFC 7644 section 3.5). A patch comes apart into two things that never need each other: what the group says of
// itself, and who joins and leaves. The present members are not needed for either.

import type { Interruptible, Spend } from '../domain/interruptible.ts';
import { type Fault, Problem } from '../domain/problem.ts';
import {
  changeGroup,
  type Group,
  type GroupProfile,
  judgeGroup,
  type KnownMember,
  type Member,
} from '../domain/provisioning/group.ts';
import { revisionTagOf } from '../domain/provisioning/resource.ts';
import type { Value, Values } from '../domain/provisioning/value.ts';
import { displayNameAttribute, externalIdAttribute, membersAttribute } from './group-attributes.ts';
import { idsNamedBy, type MemberChanges, type MemberStep, memberChanges, membersIn } from './members.ts';
import type { Operation } from './operations.ts';
import { isNothing, namesElements, patchValues, refusal, refuseFaults } from './patch.ts';
import { metaOf, showResource } from './resource.ts';
import { judgeId, judgeSchemas } from './resource-draft.ts';
import { groupSchemaView } from './schema-view.ts';
import { groupSchema } from './urns.ts';
import { isObject, type Reading, readList, readValue } from './values.ts';

export interface GroupDraft {
  readonly profile: GroupProfile;
  /** Who is to belong to it. Members that are not mentioned are none: for the RFC, silence and [] say the same. */
  readonly members: readonly Member[];
}

/** Every fault of the body at once (D-22); unknown attributes are ignored, read-only ones not taken (D-55). */
export function* readGroupDraft(body: unknown): Interruptible<GroupDraft> {
  if (!isObject(body)) throw new Problem('INVALID_REQUEST', 'The body must be a JSON object.');
  const faults: Fault[] = [];
  const reading: Reading = { schemaView: groupSchemaView, requiredOn: 'standard', lenient: true, faults };
  const sent = new Map<string, unknown>();
  for (const [name, value] of Object.entries(body)) {
    const root = groupSchemaView.member(null, name);
    if (root !== null) sent.set(root.name, value);
  }
  judgeSchemas(sent.get('schemas'), groupSchema, faults);
  judgeId(sent.get('id'), 'string', faults);
  const displayName = readValue(displayNameAttribute, sent.get('displayName'), 'displayName', reading);
  if (displayName === undefined && !faults.some((fault) => fault.field === 'displayName')) {
    faults.push({ field: 'displayName', code: 'MISSING', message: 'displayName is required.' });
  }
  const externalId = readValue(externalIdAttribute, sent.get('externalId'), 'externalId', reading);
  const said = sent.get('members') ?? [];
  const list = yield* readList(membersAttribute, said, 'members', reading);
  // Faults of form are told before what the values mean: a member without a value is one fault, not two.
  const members = faults.length === 0 ? yield* membersIn(list, 'members', faults) : [];
  const profile = profileOf(displayName, externalId);
  if (displayName !== undefined) faults.push(...judgeGroup(profile));
  if (faults.length === 0) return { profile, members };
  throw new Problem('INVALID_REQUEST', 'The group is not valid.', { details: faults });
}

function profileOf(displayName: Value | undefined, externalId: Value | undefined): GroupProfile {
  const name = typeof displayName === 'string' ? displayName : '';
  return typeof externalId === 'string' ? { displayName: name, externalId } : { displayName: name };
}

interface GroupPatch {
  /** The very same group when the patch says nothing new of the group itself. */
  readonly group: Group;
  /** Empty when the patch does not mention members. */
  readonly members: readonly MemberStep[];
}

/** All or nothing: a refusal in the middle leaves nothing behind, because nothing was changed in place (D-56). */
export function* patchGroup(
  group: Group,
  operations: readonly Operation[],
  nowMs: number,
  spend: Spend,
): Interruptible<GroupPatch> {
  const isOfMembers = ({ path }: Operation): boolean => path.attribute === membersAttribute;
  const members = memberChanges();
  for (const operation of operations.filter(isOfMembers)) {
    spend(1);
    yield* patchMembers(members, operation, spend);
    yield;
  }
  const ofItself = operations.filter((operation) => !isOfMembers(operation));
  const rules = { schemaView: groupSchemaView, face: 'standard' } as const;
  const values = yield* patchValues({ id: group.id, values: group.profile }, ofItself, rules, spend);
  const profile = profileOf(values.displayName, values.externalId);
  const faults = judgeGroup(profile);
  if (faults.length > 0) {
    throw new Problem('INVALID_VALUE', faults.map((fault) => fault.message).join(' '), { details: faults });
  }
  return { group: changeGroup(group, profile, nowMs), members: members.steps() };
}

function* patchMembers(members: MemberChanges, operation: Operation, spend: Spend): Interruptible<void> {
  const { op, path, value } = operation;
  if (op !== 'remove') {
    if (path.part !== null || path.where !== null) {
      const advice = 'a member cannot be changed in place; remove it and add another';
      throw refusal(operation, 'MUTABILITY', advice);
    }
    if (op === 'replace') members.clear();
    if (!isNothing(value)) members.join(yield* readMembers(operation, spend, () => true));
    return;
  }
  if (path.part !== null && path.part.name !== 'value') {
    throw refusal(operation, 'MUTABILITY', `${path.part.path} cannot be taken from a member`);
  }
  if (path.where !== null) {
    const ids = idsNamedBy(path.where);
    // Whoever has left already is no fault: providers repeat what they are not sure of, and a user who was deleted
    // has left by that. To tell would mean to look, and to look at ten thousand members is what this avoids.
    if (ids === null) members.leaveWhere(path.where);
    else members.leave(ids);
    return;
  }
  if (!namesElements(value)) {
    members.clear();
    return;
  }
  // An empty list names nobody, so nobody leaves; and a text that is nobody's id removes nobody.
  const leaving = yield* readMembers(operation, spend, ({ code }) => code !== 'UNKNOWN');
  members.leave(leaving.map((member) => member.id));
}

/** The members that a value names; of what is wrong with it, what counts is refused. */
function* readMembers(
  operation: Operation,
  spend: Spend,
  counts: (fault: Fault) => boolean,
): Interruptible<readonly Member[]> {
  const faults: Fault[] = [];
  // A member without a value is a fault, too: an element that says nothing must never count as «nobody».
  const reading: Reading = { schemaView: groupSchemaView, requiredOn: 'standard', lenient: true, faults };
  const read = yield* readList(membersAttribute, operation.value, membersAttribute.path, reading);
  refuseFaults(operation, faults);
  spend(read.length);
  const members = yield* membersIn(read, 'members', faults);
  refuseFaults(operation, faults.filter(counts));
  return members;
}

/** Where the resources of the standard face are; the base address ends without a slash. */
export function locationOfResource(type: 'User' | 'Group', id: number, baseUrl: string): string {
  return `${baseUrl}/scim/v2/${type}s/${id}`;
}

/**
 * A group as a document of the standard. Filters are evaluated over it, too. `members` is null where they were not
 * read because nobody asked for them; an empty list is shown as one, so that a caller sees that it is empty.
 */
export function groupResourceOf(
  group: Group,
  members: readonly KnownMember[] | null,
  baseUrl: string,
): Values {
  return {
    schemas: [groupSchema],
    id: String(group.id),
    ...group.profile,
    members: members?.map((member) => memberElement(member, baseUrl)),
    meta: metaOf('Group', group, revisionTagOf(group), locationOfResource('Group', group.id, baseUrl)),
  };
}

/** One member as it is shown, and as the filters of `members[...]` see it. */
export function memberElement({ id, type, display }: KnownMember, baseUrl: string): Values {
  const element = { value: String(id), $ref: locationOfResource(type, id, baseUrl), type };
  return display === null ? element : { ...element, display };
}

/** A group among the `groups` of a user: always a membership of its own, never one through another group. */
export function groupElement(group: Pick<Group, 'id' | 'profile'>, baseUrl: string): Values {
  return {
    value: String(group.id),
    $ref: locationOfResource('Group', group.id, baseUrl),
    display: group.profile.displayName,
    type: 'direct',
  };
}

export function showGroup(
  group: Group,
  members: readonly KnownMember[] | null,
  baseUrl: string,
): Record<string, Value> {
  return showResource(groupResourceOf(group, members, baseUrl), groupSchemaView, 'standard');
}
