// What can be done with groups, apart from how a request says it. A patch never reads the members, unless it says by
// a condition who is to leave (see `plainSteps`).

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import {
  createGroup,
  type Group,
  groupNotFound,
  groupVersionOf,
  type KnownMember,
  type Member,
  replaceGroup,
} from '../../domain/provisioning/group.ts';
import { windowOfStart } from '../../domain/window.ts';
import { changesInWords } from '../../scim/explain.ts';
import { readSort } from '../../scim/faces.ts';
import { type Filter, filterLimits, parseFilter } from '../../scim/filter.ts';
import { membersAttribute } from '../../scim/group-attributes.ts';
import { memberElement, patchGroup, readGroupDraft, readGroupPatch, showGroup } from '../../scim/groups.ts';
import { exactly, idOf, MemberPlay, type MemberStep } from '../../scim/members.ts';
import { type Projection, readProjection, shows } from '../../scim/projection.ts';
import { groupSchemaView } from '../../scim/schema-view.ts';
import type { Db } from '../../store/engine/db.ts';
import type { WorkBudget } from '../../store/engine/work-budget.ts';
import {
  addGroup,
  deleteGroup,
  findGroup,
  type GroupSaving,
  keepGroup,
  type PlainStep,
} from '../../store/provisioning/groups.ts';
import { type GroupPage, searchGroups } from '../../store/provisioning/groups-search.ts';
import { knownAs, memberSlices } from '../../store/provisioning/memberships.ts';
import type { SearchWork } from '../../store/provisioning/scan-slots.ts';
import type { UserSort } from '../../store/provisioning/user-pages.ts';
import type { PublicUrl } from '../server/public-url.ts';
import type { PiecedPage, Pieces } from '../server/sliced-answer.ts';
import type { Asked } from './list-request.ts';
import { demandVersion, type Preconditions } from './preconditions.ts';
import { type Actor, changeAttemptsMax, chosen } from './user-work.ts';

/**
 * How many members a page of groups shows in all. A page that would show more is shorter than was asked for, as the
 * RFC allows, and says so in itemsPerPage (D-97).
 */
const pageMembersMax = 20_000;

export interface GroupWork {
  find(accountId: number, id: string): Promise<Group>;
  create(actor: Actor, body: unknown): Promise<Group>;
  replace(actor: Actor, id: string, body: unknown, preconditions: Preconditions): Promise<Group>;
  patch(actor: Actor, id: string, body: unknown, preconditions: Preconditions): Promise<Group>;
  remove(actor: Actor, id: string, preconditions: Preconditions): Promise<void>;
  /** What is shown of a group, as pieces of JSON: it may have a hundred thousand members. */
  pieces(group: Group, projection: Projection, budget: WorkBudget): AsyncGenerator<string>;
  list(accountId: number, asked: Asked, searching: SearchWork): Promise<PiecedPage>;
  search(
    accountId: number,
    filter: Filter | null,
    sort: UserSort | null,
    asked: Asked,
    searching: SearchWork,
  ): Promise<GroupPage>;
  showPage(page: GroupPage, projection: Projection, budget: WorkBudget): readonly Pieces[];
}

export interface GroupWorkServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
}

export function groupWork({ context, publicUrl }: GroupWorkServices): GroupWork {
  const { config, db } = context;
  const limits = { ...filterLimits, maxBytes: config.filterLimitBytes, maxTerms: config.filterLimitTerms };

  const find = async (accountId: number, id: string): Promise<Group> => {
    const group = await findGroup(db, accountId, idOf(id));
    if (group === null) throw groupNotFound(id);
    return group;
  };
  const stampOf = ({ apiClientId }: Actor) => ({
    changeId: context.newId(),
    nowMs: context.now(),
    actor: apiClientId,
  });
  /** Read, decide, keep; whoever comes second decides anew (D-58). */
  const change = async <T>(
    accountId: number,
    id: string,
    preconditions: Preconditions,
    attempt: (group: Group) => Promise<T | null>,
  ): Promise<T> => {
    for (let round = 1; round <= changeAttemptsMax; round += 1) {
      const group = await find(accountId, id);
      demandVersion(preconditions, groupVersionOf(group));
      const done = await attempt(group);
      if (done !== null) return done;
    }
    throw new Problem('CONFLICT', 'Too many changes of this group at once. Please retry.');
  };
  const keep = async (
    actor: Actor,
    saving: GroupSaving,
    stamp: ReturnType<typeof stampOf>,
  ): Promise<Group | null> => {
    const kept = await keepGroup(db, saving, stamp);
    // Whoever joins where they are already changes nothing.
    if (kept !== null && kept.revision !== saving.before.revision) actor.tell?.(savingInWords(saving));
    return kept;
  };
  const pieces: GroupWork['pieces'] = async function* pieces(group, projection, budget) {
    const show = (members: readonly KnownMember[] | null) =>
      chosen(showGroup(group, members, publicUrl.base), projection);
    if (!shows(projection, membersAttribute)) return yield JSON.stringify(show(null));
    let tail: string | null = null;
    for await (const some of memberSlices(db, group.accountId, group.id)) {
      budget.spend(some.length);
      const shown = show(some);
      const members = JSON.stringify(shown.members ?? []);
      if (tail === null) {
        const [before, after] = partedAt(JSON.stringify(shown), `"members":${members}`);
        yield `${before}"members":${members.slice(0, -1)}`;
        tail = `]${after}`;
      } else yield `,${members.slice(1, -1)}`;
    }
    yield tail ?? JSON.stringify(show([]));
  };
  const search: GroupWork['search'] = (accountId, filter, sort, { startIndex, count }, searching) => {
    const window = windowOfStart(startIndex, count);
    return searchGroups(db, accountId, { filter, sort, window, baseUrl: publicUrl.base }, searching);
  };
  const showPage: GroupWork['showPage'] = ({ groups }, projection, budget) => {
    const isWanted = shows(projection, membersAttribute);
    const resources: Pieces[] = [];
    let members = 0;
    for (const { group, memberCount } of groups) {
      members += isWanted ? memberCount : 0;
      if (members > pageMembersMax && resources.length > 0) break;
      resources.push(() => pieces(group, projection, budget));
    }
    return resources;
  };

  return {
    find,
    search,
    pieces,
    showPage,
    async create(actor, body) {
      const { accountId, budget } = actor;
      const { profile, members } = await budget.run(readGroupDraft(body));
      const stamp = stampOf(actor);
      // The id is given by the store, with the commit.
      const unnumbered = createGroup(profile, { accountId, id: 0, nowMs: stamp.nowMs });
      const group = await addGroup(db, unnumbered, once(members), stamp);
      actor.tell?.(`created group ${group.id}`);
      return group;
    },
    async replace(actor, id, body, preconditions) {
      const draft = await actor.budget.run(readGroupDraft(body));
      const members = exactly(draft.members, false) as readonly PlainStep[];
      return change(actor.accountId, id, preconditions, (before) => {
        const stamp = stampOf(actor);
        const after = replaceGroup(before, draft.profile, stamp.nowMs);
        return keep(actor, { before, after, members, isBound: true }, stamp);
      });
    },
    async patch(actor, id, body, preconditions) {
      const { budget } = actor;
      const patch = await budget.run(readGroupPatch(body, config.patchLimitOperations));
      actor.tellPatch?.(patch);
      return change(actor.accountId, id, preconditions, async (before) => {
        const stamp = stampOf(actor);
        const patched = await budget.run(patchGroup(before, patch.operations, stamp.nowMs, budget.spend));
        const { steps, isBound } = await plainSteps(db, before, patched.members, publicUrl.base, budget);
        if (patched.group === before && steps.length === 0) return before;
        const isDemanded = isBound || preconditions.ifMatch !== null || preconditions.ifNoneMatch !== null;
        const saving = { before, after: patched.group, members: steps, isBound: isDemanded };
        return keep(actor, saving, stamp);
      });
    },
    async remove(actor, id, preconditions) {
      const { accountId } = actor;
      await change(accountId, id, preconditions, async (group) => {
        const place = { accountId, id: group.id, revisionBefore: group.revision };
        return (await db.write(deleteGroup, { ...stampOf(actor), ...place })) || null;
      });
      actor.tell?.(`deleted group ${id}`);
    },
    async list(accountId, asked, searching) {
      const { filter, sortBy, sortOrder } = asked;
      const projection = readProjection(asked, groupSchemaView);
      const page = await search(
        accountId,
        filter === undefined ? null : parseFilter(filter, groupSchemaView, limits),
        sortBy === undefined
          ? null
          : { attribute: readSort(sortBy, groupSchemaView), descending: sortOrder === 'descending' },
        asked,
        searching,
      );
      return {
        totalResults: page.total,
        startIndex: windowOfStart(asked.startIndex, asked.count).skip + 1,
        resources: showPage(page, projection, searching.budget),
      };
    },
  };
}

/** What stands before and behind the first place of a part, which is there. */
function partedAt(text: string, part: string): readonly [string, string] {
  const at = text.indexOf(part);
  if (at === -1) throw new Error('The group is not shown with its members.');
  return [text.slice(0, at), text.slice(at + part.length)];
}

function savingInWords({ before, after, members }: GroupSaving): string {
  const words = [changesInWords({ ...before.profile }, { ...after.profile }), membersInWords(members)];
  return words.filter((one) => one !== null).join(', ');
}

function membersInWords(steps: readonly PlainStep[]): string | null {
  if (steps.length === 0) return null;
  const joining = steps.reduce((sum, step) => sum + (step.kind === 'change' ? step.add.length : 0), 0);
  const leaving = steps.reduce((sum, step) => sum + (step.kind === 'change' ? step.remove.length : 0), 0);
  const isCleared = steps.some((step) => step.kind === 'clear');
  return `members (${isCleared ? 'all' : leaving} to leave, ${joining} to join)`;
}

/** Each once; of the same member said twice, the one that says its type counts. */
function once(members: readonly Member[]): readonly Member[] {
  const [step] = exactly(members, true);
  return step?.kind === 'change' ? step.add : [];
}

interface PlainSteps {
  readonly steps: readonly PlainStep[];
  /** Whether they were worked out from the members that are there, and hold for those alone. */
  readonly isBound: boolean;
}

/**
 * Steps that say ids only. Where one of them says by a condition who leaves, the steps are played over the present
 * members, some hundred at a time, and what remains is who joins and who leaves; nobody else needs the members (D-169).
 */
async function plainSteps(
  db: Db,
  { accountId, id: groupId }: Group,
  steps: readonly MemberStep[],
  baseUrl: string,
  budget: WorkBudget,
): Promise<PlainSteps> {
  const plain = steps.filter((step) => step.kind !== 'removeWhere');
  if (plain.length === steps.length) return { steps: plain, isBound: false };
  const absent = new Set<number>();
  for (const step of plain) if (step.kind === 'change') for (const { id } of step.add) absent.add(id);
  const play = new MemberPlay(steps, (member) => memberElement(member, baseUrl), budget.spend);
  const remove: number[] = [];
  for await (const present of memberSlices(db, accountId, groupId)) {
    budget.spend(present.length);
    remove.push(...(await budget.run(play.leaving(present))));
    for (const { id } of present) absent.delete(id);
    await budget.pause();
  }
  const add: Member[] = [];
  for (const ids of slicesOf([...absent], sliceJoining)) {
    budget.spend(ids.length);
    const known = new Map<number, KnownMember | null>(ids.map((id) => [id, null]));
    for (const one of await knownAs(db, accountId, ids)) known.set(one.id, one);
    add.push(...(await budget.run(play.joining(known))));
    await budget.pause();
  }
  const isNothing = add.length + remove.length === 0;
  return { steps: isNothing ? [] : [{ kind: 'change', add, remove }], isBound: true };
}

/** Their profiles are read as JSON, which takes its time. */
const sliceJoining = 500;

function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
