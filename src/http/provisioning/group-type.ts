// Groups. A patch never reads the members, unless it says by a condition which members leave (see member-steps.ts).
// Members are shown some hundred at a time, because there may be a hundred thousand.

import type { Context } from '../../context.ts';
import type { Spend } from '../../domain/interruptible.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import {
  createGroup,
  type Group,
  groupNotFound,
  type KnownMember,
  type Member,
  replaceGroup,
} from '../../domain/provisioning/group.ts';
import { readResourceId, revisionTagOf } from '../../domain/provisioning/resource.ts';
import type { Values } from '../../domain/provisioning/value.ts';
import { changesInWords } from '../../scim/explain.ts';
import { parseFilter } from '../../scim/filter.ts';
import { membersAttribute } from '../../scim/group-attributes.ts';
import {
  type GroupDraft,
  locationOfResource,
  patchGroup,
  readGroupDraft,
  showGroup,
} from '../../scim/groups.ts';
import { exactly } from '../../scim/members.ts';
import { projected, shows } from '../../scim/projection.ts';
import { groupDescription } from '../../scim/resource-type.ts';
import { groupSchemaView } from '../../scim/schema-view.ts';
import {
  addGroup,
  deleteGroup,
  findGroup,
  type PendingGroupChange,
  type PlainStep,
  saveGroup,
} from '../../store/provisioning/groups.ts';
import { searchGroups } from '../../store/provisioning/groups-search.ts';
import { memberSlices } from '../../store/provisioning/memberships.ts';
import type { Pieces } from '../server/sliced-answer.ts';
import { plainSteps } from './member-steps.ts';
import type { ResourceType } from './resource-type.ts';

/**
 * How many members a page of groups shows in all. A page that would show more is shorter than was asked for, as the
 * RFC allows, and says so in itemsPerPage (D-97).
 */
const pageMembersMax = 20_000;

interface GroupServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
}

export function groupType({
  context,
  publicUrl,
}: GroupServices): ResourceType<Group, GroupDraft, GroupDraft, PendingGroupChange> {
  const { db } = context;
  const type: ResourceType<Group, GroupDraft, GroupDraft, PendingGroupChange> = {
    ...groupDescription,

    readFilter: (text, limits) => parseFilter(text, groupSchemaView, limits),
    readDraft: (body, { budget }) => budget.run(readGroupDraft(body)),
    readReplacement: (body, { budget }) => budget.run(readGroupDraft(body)),

    replace(before, { profile, members }, nowMs) {
      const steps = exactly(members, false) as readonly PlainStep[];
      return { before, after: replaceGroup(before, profile, nowMs), members: steps, isBound: true };
    },
    async patch(before, { operations, nowMs, budget, isOfVersion }) {
      const patched = await budget.run(patchGroup(before, operations, nowMs, budget.spend));
      const { steps, isBound } = await plainSteps(db, before, patched.members, publicUrl.base, budget);
      if (patched.group === before && steps.length === 0) return null;
      return { before, after: patched.group, members: steps, isBound: isBound || isOfVersion };
    },
    changesInWords: pendingInWords,

    async find(accountId, address) {
      const group = await findGroup(db, accountId, readResourceId(address));
      if (group === null) throw groupNotFound(address);
      return group;
    },
    add(accountId, { profile, members }, stamp) {
      // The id is given by the store, with the commit.
      const unnumbered = createGroup(profile, { accountId, id: 0, nowMs: stamp.nowMs });
      return addGroup(db, unnumbered, once(members), stamp);
    },
    save: (pending, stamp) => saveGroup(db, pending, stamp),
    remove: ({ accountId, id, revision }, stamp) =>
      db.write(deleteGroup, { ...stamp, accountId, id, revisionBefore: revision }),
    async findPage(accountId, query, projection, searching) {
      const asked = { ...query, baseUrl: publicUrl.base };
      const { total, groups } = await searchGroups(db, accountId, asked, searching);
      const showsMembers = shows(projection, membersAttribute);
      const resources: Pieces[] = [];
      let members = 0;
      for (const { group, memberCount } of groups) {
        members += showsMembers ? memberCount : 0;
        if (members > pageMembersMax && resources.length > 0) break;
        resources.push(async function* pieces() {
          const shown = type.show(group, projection, () => searching.budget);
          if (typeof shown === 'string') yield shown;
          else yield* shown;
        });
      }
      return { total, resources };
    },

    versionOf: revisionTagOf,
    locationOf: ({ id }) => locationOfResource('Group', id, publicUrl.base),
    complete: async (group) => group,
    show(group, projection, budget) {
      const show = (members: readonly KnownMember[] | null) =>
        projected(showGroup(group, members, publicUrl.base), projection);
      if (!shows(projection, membersAttribute)) return JSON.stringify(show(null));
      return withMembers(memberSlices(db, group.accountId, group.id), show, budget().spend);
    },
  };
  return type;
}

/** The JSON of a group, made from what is shown of it with one slice of its members after the other. */
async function* withMembers(
  slices: AsyncGenerator<readonly KnownMember[]>,
  show: (members: readonly KnownMember[]) => Values,
  spend: Spend,
): AsyncGenerator<string> {
  let tail: string | null = null;
  for await (const some of slices) {
    spend(some.length);
    const shown = show(some);
    const members = JSON.stringify(shown.members ?? []);
    if (tail === null) {
      const [before, after] = partedAt(JSON.stringify(shown), `"members":${members}`);
      yield `${before}"members":${members.slice(0, -1)}`;
      tail = `]${after}`;
    } else yield `,${members.slice(1, -1)}`;
  }
  yield tail ?? JSON.stringify(show([]));
}

/** What stands before and behind the first place of a part, which is there. */
function partedAt(text: string, part: string): readonly [string, string] {
  const at = text.indexOf(part);
  if (at === -1) throw new Error('The group is not shown with its members.');
  return [text.slice(0, at), text.slice(at + part.length)];
}

function pendingInWords({ before, after, members }: PendingGroupChange): string {
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

/** Each member once; of a member that was sent twice, the entry with a type counts. */
function once(members: readonly Member[]): readonly Member[] {
  const [step] = exactly(members, true);
  return step?.kind === 'change' ? step.add : [];
}
