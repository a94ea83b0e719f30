// A user of an account: what is kept, how it comes to be, and how it changes. Nothing here knows of SCIM's
// syntax; which attributes exist, and of which type, is the table's business (scim/attributes.ts).
//
// The profile holds everything that any face can express, under the names of the standard, so that nothing is
// lost when the weaker face replaces a user. A value that is not assigned is not there: never null, never "".

import { hash } from 'node:crypto';
import { fold } from '../fold.ts';
import { type Fault, Problem } from '../problem.ts';
import {
  type CreationFacts,
  judgeLength,
  keyMaxBytes,
  laterOf,
  type Resource,
  revisionTagOf,
} from './resource.ts';
import { asValues, sameValue, type Value, type Values } from './value.ts';

/** What callers decide about a user. */
export interface Profile extends Values {
  readonly userName: string;
  readonly externalId?: string | undefined;
  readonly active: boolean;
}

/** A profile as a request states it: what was not said is not there, and what that means is settled here. */
export interface UserDraft extends Values {
  readonly userName: string;
  readonly externalId?: string | undefined;
  readonly active?: boolean | undefined;
}

export interface User extends Resource {
  readonly profile: Profile;
  /** The groups the user is in: they follow from the groups and are never written through the user. */
  readonly groups: readonly Values[];
}

export function createUser(draft: UserDraft, { accountId, id, nowMs }: CreationFacts): User {
  const profile = settle(draft, true, accountId);
  refuseFaults([...judgeProfile(profile), ...judgeNewName(profile.userName)]);
  return { accountId, id, revision: 1, createdMs: nowMs, lastModifiedMs: nowMs, profile, groups: [] };
}

/**
 * Sets the whole user (D-55). An omitted `active` leaves the state and an omitted `externalId` the address.
 * Every replace is a new revision, even one that says what was there: of two that name the same version, one wins.
 */
export function replaceUser(user: User, draft: UserDraft, nowMs: number): User {
  const externalId = draft.externalId ?? user.profile.externalId;
  const profile = settle({ ...draft, externalId }, user.profile.active, user.accountId);
  refuseFaults([...judgeProfile(profile), ...judgeRename(user, profile)]);
  return { ...user, profile, revision: user.revision + 1, lastModifiedMs: laterOf(user, nowMs) };
}

/** The very same user when the profile says nothing new, so that version and lastModified stay (D-56). */
export function changeUser(user: User, profile: Profile, nowMs: number): User {
  const settled = settle(profile, profile.active, user.accountId);
  refuseFaults([...judgeProfile(settled), ...judgeRename(user, settled)]);
  if (sameValue(settled, user.profile)) return user;
  return { ...user, profile: settled, revision: user.revision + 1, lastModifiedMs: laterOf(user, nowMs) };
}

/**
 * Suspends a user for an operator; only the command line calls it. A caller suspends a user by a PATCH or PUT that sets
 * `active` to false, which goes through `changeUser` or `replaceUser` above.
 */
export function suspend(user: User, nowMs: number): User {
  return changeUser(user, { ...user.profile, active: false }, nowMs);
}

export function reactivate(user: User, nowMs: number): User {
  return changeUser(user, { ...user.profile, active: true }, nowMs);
}

type StateChange = 'suspended' | 'reactivated';

/** What the audit log is told of a change (D-57); null when the state stayed. */
export function stateChange(before: User, after: User): StateChange | null {
  if (before.profile.active === after.profile.active) return null;
  return after.profile.active ? 'reactivated' : 'suspended';
}

/** What `{id}` in a path means: the external id, and the internal one only where there is none (D-50). */
export function addressOf(user: User): string {
  return user.profile.externalId ?? String(user.id);
}

/**
 * The refusal for an address that no user has. `hidden` is the user of the caller's account who has this
 * internal id and is addressed by another name; the caller is told which (D-50).
 */
export function userNotFound(address: string, hidden: User | null = null): Problem {
  if (hidden === null) return new Problem('USER_NOT_FOUND', `No user is addressed by "${address}".`);
  return new Problem(
    'USER_NOT_FOUND',
    `The user ${address} is addressed by its externalId "${addressOf(hidden)}", not by its internal id.`,
  );
}

/**
 * The tag of the revision and, where the user is shown with groups, of what is shown of them: these change without the
 * user. Without groups both ways of showing it say the same, and so do the tags (D-164).
 */
export function versionOf(user: User): string {
  const { revision, groups } = user;
  if (groups.length === 0) return revisionTagOf(user);
  let groupsHash = groupsHashes.get(groups);
  if (groupsHash === undefined) {
    // The rest of what is shown of a group follows from its id.
    groupsHash = shortHash(JSON.stringify(groups.flatMap(({ value, display }) => [value, display])));
    groupsHashes.set(groups, groupsHash);
  }
  return `W/"${revision}.${groupsHash}"`;
}

// An answer says its tag several times, and there may be thousands of groups.
const groupsHashes = new WeakMap<readonly Values[], string>();

const hashCharacters = 16;

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, hashCharacters);
}

/** What the store compares and searches by. */
interface UserKeys {
  readonly userNameKey: string;
  readonly givenNameKey: string | null;
  readonly familyNameKey: string | null;
  readonly externalId: string | null;
  readonly address: string;
}

export function keysOf(user: User): UserKeys {
  const { profile } = user;
  return {
    userNameKey: fold(profile.userName),
    givenNameKey: foldedPart(profile, 'givenName'),
    familyNameKey: foldedPart(profile, 'familyName'),
    externalId: profile.externalId ?? null,
    address: addressOf(user),
  };
}

/** The extension that names the customer. */
export const serviceExtension = 'urn:ietf:params:scim:schemas:extension:service:1.0:User';

/** Fills in what a request may leave out: the state, and whose customer the user is (D-55). */
function settle(draft: UserDraft, active: boolean, accountId: number): Profile {
  const settled: Record<string, Value> = {};
  for (const [name, value] of Object.entries(draft)) if (value !== undefined) settled[name] = value;
  const extension = asValues(draft[serviceExtension]);
  settled[serviceExtension] = { ...extension, clientId: extension.clientId ?? accountId };
  return { ...settled, userName: draft.userName, active: draft.active ?? active };
}

/** Names a path already uses, or that a path cannot carry. */
const reservedNames: ReadonlySet<string> = new Set(['.search', '.', '..']);

/** Everything that is wrong with a profile beyond the types of its values, all at once (D-22). */
export function judgeProfile(profile: UserDraft): readonly Fault[] {
  return [
    ...judgeName('userName', profile.userName),
    ...(profile.externalId === undefined ? [] : judgeName('externalId', profile.externalId)),
    ...judgeKeys(profile),
    ...judgePrimaries(profile),
  ];
}

/** D-51: names identify users and stand in paths. */
function judgeName(field: string, name: string): readonly Fault[] {
  if (!reservedNames.has(name)) return judgeLength(field, name);
  return [{ field, code: 'RESERVED', message: `${field} must not be "${name}": paths use it.` }];
}

/** A user whose name was accepted before names were judged keeps it; only a new name is judged. */
export function judgeRename(user: User, { userName }: UserDraft): readonly Fault[] {
  return userName === user.profile.userName ? [] : judgeNewName(userName);
}

/** Names that look the same to people must not be two (D-162): `ada` and `ada ` with a blank or a joiner behind it. */
export function judgeNewName(userName: string): readonly Fault[] {
  const faults: Fault[] = [];
  const note = (code: Fault['code'], message: string): void => {
    faults.push({ field: 'userName', code, message: `userName must not ${message}.` });
  };
  if (/^\p{White_Space}|\p{White_Space}$/u.test(userName) && userName.trim() !== '') {
    note('WHITE_SPACE', 'begin or end with white space');
  }
  if (/\p{Cf}/u.test(userName))
    note('INVISIBLE', 'hold characters that cannot be seen (Unicode category Cf)');
  return faults;
}

/** Some characters become many when folded; a key that no index takes is refused before the store does. */
function judgeKeys(profile: UserDraft): readonly Fault[] {
  const keys: readonly (readonly [string, string | null])[] = [
    ['userName', fold(profile.userName)],
    ['name.givenName', foldedPart(profile, 'givenName')],
    ['name.familyName', foldedPart(profile, 'familyName')],
  ];
  return keys
    .filter(([, key]) => key !== null && Buffer.byteLength(key) > keyMaxBytes)
    .map(([field]) => ({ field, code: 'TOO_LONG', message: `${field} is too long to be searched by.` }));
}

/** D-59: two primaries in one list contradict each other. */
function judgePrimaries(profile: UserDraft): readonly Fault[] {
  const faults: Fault[] = [];
  for (const [field, value] of Object.entries(profile)) {
    if (!Array.isArray(value)) continue;
    const primaries = value.filter((element) => asValues(element).primary === true);
    if (primaries.length < 2) continue;
    faults.push({ field, code: 'SEVERAL_PRIMARIES', message: `${field} must have at most one primary.` });
  }
  return faults;
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw new Problem('INVALID_REQUEST', 'The user is not valid.', { details: faults });
}

function foldedPart(profile: UserDraft, part: string): string | null {
  const name = asValues(profile.name)[part];
  return typeof name === 'string' ? fold(name) : null;
}
