// The steps of a membership as the store takes them: by ids. Conditions that are not about ids are asked of the present
// members first, some hundred of them at a time.

import type { Group, KnownMember, Member } from '../../domain/provisioning/group.ts';
import { memberElement } from '../../scim/groups.ts';
import { type MemberStep, MemberStepRunner } from '../../scim/members.ts';
import type { Db } from '../../store/engine/db.ts';
import type { WorkBudget } from '../../store/engine/work/work-budget.ts';
import type { PlainStep } from '../../store/provisioning/groups.ts';
import { knownAs, memberSlices } from '../../store/provisioning/memberships.ts';

interface PlainSteps {
  readonly steps: readonly PlainStep[];
  /** Whether the steps were worked out from the present members, and hold for these alone. */
  readonly isBound: boolean;
}

/**
 * Steps that say ids only. Where a step says by a condition which members leave, all steps are applied to the present
 * members, some hundred at a time, and become one step: which ids join and which leave (D-169).
 */
export async function plainSteps(
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
  const runner = new MemberStepRunner(steps, (member) => memberElement(member, baseUrl), budget.spend);
  const remove: number[] = [];
  for await (const present of memberSlices(db, accountId, groupId)) {
    budget.spend(present.length);
    remove.push(...(await budget.run(runner.leaving(present))));
    for (const { id } of present) absent.delete(id);
    await budget.pause();
  }
  const add: Member[] = [];
  for (const ids of slicesOf([...absent], sliceJoining)) {
    budget.spend(ids.length);
    const known = new Map<number, KnownMember | null>(ids.map((id) => [id, null]));
    for (const one of await knownAs(db, accountId, ids)) known.set(one.id, one);
    add.push(...(await budget.run(runner.joining(known))));
    await budget.pause();
  }
  const isUnchanged = add.length + remove.length === 0;
  return { steps: isUnchanged ? [] : [{ kind: 'change', add, remove }], isBound: true };
}

/** So many joining members are looked up at once: their profiles are read as JSON, which takes its time. */
const sliceJoining = 500;

function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
