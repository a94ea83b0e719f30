// A group of an account: what is kept of it, how it comes to be, and how it changes.
//
// The members are not part of the value: a group may have ten thousand of them, and to add one nobody should have
// to read the others. A change of the membership is said as what joins and what leaves, and the store carries it
// out on rows. Groups may belong to groups; nothing here follows such a chain, so a circle of groups does no harm.

import { fold } from '../fold.ts';
import { type Fault, Problem } from '../problem.ts';
import { type CreationFacts, judgeLength, keyMaxBytes, laterOf, type Resource, tooLong } from './resource.ts';
import { sameValue, type Values } from './value.ts';

/** What callers decide about a group, apart from who belongs to it. */
export interface GroupProfile extends Values {
  readonly displayName: string;
  readonly externalId?: string | undefined;
}

/** Its revision counts the changes of the profile and of the membership. */
export interface Group extends Resource {
  readonly profile: GroupProfile;
}

export type MemberType = 'User' | 'Group';

/** Who is to join; the type is null where the request does not say it and the store finds it out. */
export interface Member {
  readonly id: number;
  readonly type: MemberType | null;
}

/** A member as it is shown: the store adds the type and the name. */
export interface KnownMember {
  readonly id: number;
  readonly type: MemberType;
  readonly display: string | null;
}

export function createGroup(profile: GroupProfile, { accountId, id, nowMs }: CreationFacts): Group {
  refuseFaults(judgeGroup(profile));
  return { accountId, id, revision: 1, createdMs: nowMs, lastModifiedMs: nowMs, profile: settled(profile) };
}

/**
 * Sets the whole group: an omitted `externalId` is kept, as for users (D-55). Every replace is a new revision, even
 * one that says what was there: of two that name the same version, one wins.
 */
export function replaceGroup(group: Group, profile: GroupProfile, nowMs: number): Group {
  const externalId = profile.externalId ?? group.profile.externalId;
  const after = settled({ ...profile, externalId });
  refuseFaults(judgeGroup(after));
  return { ...group, profile: after, revision: group.revision + 1, lastModifiedMs: laterOf(group, nowMs) };
}

/**
 * The very same group when the profile says nothing new (D-56). Whether the membership changed is known only after
 * the store has tried: then `touchGroup` makes the new revision.
 */
export function changeGroup(group: Group, profile: GroupProfile, nowMs: number): Group {
  const after = settled(profile);
  refuseFaults(judgeGroup(after));
  if (sameValue(after, group.profile)) return group;
  return { ...group, profile: after, revision: group.revision + 1, lastModifiedMs: laterOf(group, nowMs) };
}

/** The group after somebody joined or left. */
export function touchGroup(group: Group, nowMs: number): Group {
  return { ...group, revision: group.revision + 1, lastModifiedMs: laterOf(group, nowMs) };
}

export function groupNotFound(id: string): Problem {
  return new Problem('GROUP_NOT_FOUND', `No group has the id "${id}".`);
}

/** What the store compares and searches by. */
interface GroupKeys {
  readonly displayNameKey: string;
  readonly externalId: string | null;
}

export function groupKeysOf({ profile }: Group): GroupKeys {
  return { displayNameKey: fold(profile.displayName), externalId: profile.externalId ?? null };
}

/** Everything that is wrong with a profile beyond the types of its values, all at once (D-22). */
export function judgeGroup(profile: GroupProfile): readonly Fault[] {
  return [
    ...judgeName('displayName', profile.displayName),
    ...(profile.externalId === undefined ? [] : judgeName('externalId', profile.externalId)),
  ];
}

function judgeName(field: string, name: string): readonly Fault[] {
  const faults = judgeLength(field, name);
  if (faults.length > 0) return faults;
  return Buffer.byteLength(fold(name)) > keyMaxBytes ? [tooLong(field)] : [];
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw new Problem('INVALID_REQUEST', 'The group is not valid.', { details: faults });
}

/** What is not assigned is not there: never undefined as a value. */
function settled({ displayName, externalId }: GroupProfile): GroupProfile {
  return externalId === undefined ? { displayName } : { displayName, externalId };
}
