import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { inOneGo } from '../domain/interruptible.ts';
import { Problem } from '../domain/problem.ts';
import { createGroup, type KnownMember } from '../domain/provisioning/group.ts';
import { elementMatches } from './evaluate.ts';
import { memberElement, patchGroup } from './groups.ts';
import { exactly, type MemberStep, MemberStepRunner } from './members.ts';
import { readPatch } from './operations.ts';
import { groupSchemaView } from './schema-view.ts';
import { groupSchema } from './urns.ts';

const staff = createGroup({ displayName: 'Staff' }, { accountId: 7, id: 1_000_000_009, nowMs: 1_000 });
const [ada, eve, bob] = ['1000000001', '1000000002', '1000000003'];
const base = 'https://x';

const patch = (operations: unknown) =>
  inOneGo(
    patchGroup(
      staff,
      inOneGo(readPatch({ Operations: operations }, groupSchemaView)).operations,
      2_000,
      () => {},
    ),
  );

const change = (
  add: readonly (string | undefined)[],
  remove: readonly (string | undefined)[],
): MemberStep => ({
  kind: 'change',
  add: add.map((value) => ({ id: Number(value), type: null })),
  remove: remove.map(Number),
});
const clear: MemberStep = { kind: 'clear' };
const elementOf = (who: KnownMember) => memberElement(who, base);

function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** What is not referred to any more is gone afterwards. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('a patch of members comes to what joins and what leaves', () => {
  const cases: readonly (readonly [string, readonly object[], readonly MemberStep[]])[] = [
    ['add one', [{ op: 'add', path: 'members', value: [{ value: ada }] }], [change([ada], [])]],
    [
      'Entra ID adds',
      [{ op: 'Add', path: 'members', value: [{ $ref: null, value: ada }] }],
      [change([ada], [])],
    ],
    [
      'Okta adds with a name',
      [{ op: 'add', path: 'members', value: [{ value: ada, display: 'a' }] }],
      [change([ada], [])],
    ],
    [
      'an object instead of a list',
      [{ op: 'add', path: 'members', value: { value: ada } }],
      [change([ada], [])],
    ],
    ['a text instead of an object', [{ op: 'add', path: 'members', value: [ada] }], [change([ada], [])]],
    [
      'a URN before the name',
      [{ op: 'add', path: `${groupSchema}:MEMBERS`, value: [ada] }],
      [change([ada], [])],
    ],
    ['no path', [{ op: 'add', value: { members: [{ value: ada }] } }], [change([ada], [])]],
    [
      'twice the same',
      [{ op: 'add', path: 'members', value: [{ value: ada }, { value: ada }] }],
      [change([ada], [])],
    ],
    ['add nothing', [{ op: 'add', path: 'members', value: [] }], []],
    ['remove by filter', [{ op: 'remove', path: `members[value eq "${ada}"]` }], [change([], [ada])]],
    [
      'remove two by filter',
      [{ op: 'remove', path: `members[value eq "${ada}" or value eq "${eve}"]` }],
      [change([], [ada, eve])],
    ],
    [
      'Entra ID removes',
      [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: ada }] }],
      [change([], [ada])],
    ],
    [
      'remove by a list of texts',
      [{ op: 'remove', path: 'members', value: [ada, eve] }],
      [change([], [ada, eve])],
    ],
    ['remove somebody who cannot be', [{ op: 'remove', path: 'members[value eq "nobody"]' }], []],
    ['remove a list of nobody', [{ op: 'remove', path: 'members', value: [{ value: 'nobody' }] }], []],
    ['remove an empty list', [{ op: 'remove', path: 'members', value: [] }], []],
    ['remove all', [{ op: 'remove', path: 'members' }], [clear]],
    ['remove all values', [{ op: 'remove', path: 'members.value' }], [clear]],
    [
      'replace',
      [{ op: 'replace', path: 'members', value: [{ value: ada }, { value: eve }] }],
      [clear, change([ada, eve], [])],
    ],
    ['replace by nobody', [{ op: 'replace', path: 'members', value: [] }], [clear]],
    ['replace by null', [{ op: 'replace', path: 'members', value: null }], [clear]],
    [
      'Okta removes one and adds another',
      [
        { op: 'remove', path: `members[value eq "${ada}"]` },
        { op: 'add', path: 'members', value: [{ value: eve, display: 'e' }] },
      ],
      [change([eve], [ada])],
    ],
    [
      'in and out again',
      [
        { op: 'add', path: 'members', value: [ada, eve] },
        { op: 'remove', path: 'members', value: [ada] },
      ],
      [change([eve], [ada])],
    ],
    [
      'out and in again',
      [
        { op: 'remove', path: 'members', value: [ada, eve] },
        { op: 'add', path: 'members', value: [ada] },
      ],
      [change([ada], [eve])],
    ],
    [
      'what stands before all leave is forgotten',
      [
        { op: 'add', path: 'members', value: [ada] },
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: [eve] },
        { op: 'remove', path: 'members', value: [bob] },
      ],
      [clear, change([eve], [])],
    ],
  ];
  for (const [what, operations, steps] of cases) {
    it(`${what} [D-56]`, () => {
      const after = patch(operations);
      assert.deepEqual(after.members, steps);
      assert.equal(after.group, staff);
    });
  }
  it('a condition that is not about ids is kept as a condition, at its place', () => {
    const { members } = patch([
      { op: 'add', path: 'members', value: [ada] },
      { op: 'remove', path: 'members[type eq "Group"]' },
      { op: 'add', path: 'members', value: [eve] },
    ]);
    assert.deepEqual(
      members.map((step) => step.kind),
      ['change', 'removeWhere', 'change'],
    );
    const [, condition] = members;
    assert.ok(condition?.kind === 'removeWhere');
    const element = (type: 'User' | 'Group') => memberElement({ id: 5, type, display: null }, base);
    assert.ok(elementMatches(condition.where, element('Group')));
    assert.ok(!elementMatches(condition.where, element('User')));
  });
  it('a type that is said once is kept', () => {
    const { members } = patch([
      { op: 'add', path: 'members', value: [{ value: ada, type: 'User' }] },
      { op: 'add', path: 'members', value: [{ value: ada }] },
    ]);
    assert.deepEqual(members, [{ kind: 'change', add: [{ id: Number(ada), type: 'User' }], remove: [] }]);
  });
  it('a create adds and a replace clears first', () => {
    const list = [{ id: 1, type: null }];
    assert.deepEqual(exactly(list, true), [{ kind: 'change', add: list, remove: [] }]);
    assert.deepEqual(exactly(list, false), [clear, { kind: 'change', add: list, remove: [] }]);
    assert.deepEqual(exactly([], true), []);
  });
});

describe('random patches of members', () => {
  const ids = [1, 2, 3, 4];
  const some = fc.subarray(ids);
  const act = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'remove'), ids: some }),
    fc.record({ op: fc.constant('filter'), ids: fc.subarray(ids, { minLength: 1 }) }),
    fc.record({ op: fc.constant('clear'), ids: fc.constant([]) }),
  );
  const operationFor = (op: string, chosen: readonly number[]): object => {
    const value = chosen.map((id) => ({ value: String(id) }));
    if (op === 'clear') return { op: 'remove', path: 'members' };
    if (op !== 'filter') return { op, path: 'members', value };
    return { op: 'remove', path: `members[${chosen.map((id) => `value eq "${id}"`).join(' or ')}]` };
  };
  it('agree with a plain set, though they never see it [D-56]', () => {
    fc.assert(
      fc.property(some, fc.array(act, { minLength: 1, maxLength: 8 }), (before, acts) => {
        const model = new Set(before);
        for (const { op, ids: chosen } of acts) {
          if (op === 'replace' || op === 'clear') model.clear();
          for (const id of chosen) op === 'add' || op === 'replace' ? model.add(id) : model.delete(id);
        }
        const kept = new Set(before);
        for (const step of patch(acts.map(({ op, ids: chosen }) => operationFor(op, chosen))).members) {
          assert.notEqual(step.kind, 'removeWhere');
          if (step.kind === 'clear') kept.clear();
          if (step.kind !== 'change') continue;
          assert.ok(step.add.every((member) => !step.remove.includes(member.id)));
          for (const id of step.remove) kept.delete(id);
          for (const { id } of step.add) kept.add(id);
        }
        assert.deepEqual([...kept].sort(), [...model].sort());
      }),
      { numRuns: 1_000 },
    );
  });
  it('by conditions agree with asking each member, one condition after the other', () => {
    const people: readonly KnownMember[] = [
      { id: 1, type: 'User', display: 'Ada' },
      { id: 2, type: 'User', display: 'ADA' },
      { id: 3, type: 'Group', display: 'Staff' },
      { id: 4, type: 'User', display: null },
      { id: 5, type: 'User', display: 'Straße' },
      { id: 6, type: 'Group', display: 'Ada' },
    ];
    const condition = fc.constantFrom(
      'display eq "ada"',
      'display eq "STRASSE"',
      'display eq null',
      'display ne "ada"',
      'type eq "User"',
      'type eq "group" and display eq "ada"',
      'type eq "User" and display co "a"',
      'display eq "ada" or display sw "st"',
      'display eq "staff" or display eq "straße"',
      'not (display pr)',
      `$ref eq "${base}/scim/v2/Users/4"`,
      'value eq "1" and type eq "User"',
    );
    const one = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'remove', 'replace'), ids: fc.subarray([1, 2, 3, 4, 5, 6]) }),
      fc.record({ op: fc.constant('where'), where: condition }),
    );
    const operationOf = (act: { op: string; ids?: number[]; where?: string }): object =>
      act.where === undefined
        ? { op: act.op, path: 'members', value: act.ids?.map((id) => ({ value: String(id) })) }
        : { op: 'remove', path: `members[${act.where}]` };
    fc.assert(
      fc.property(
        fc.subarray([...people]),
        fc.array(one, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        (present, acts, size) => {
          const known = new Map(people.map((member) => [member.id, member]));
          const { members: steps } = patch(acts.map(operationOf));
          const naive = new Set(present.map(({ id }) => id));
          for (const step of steps) {
            if (step.kind === 'clear') naive.clear();
            else if (step.kind === 'removeWhere') {
              for (const id of naive) {
                if (elementMatches(step.where, memberElement(known.get(id)!, base))) naive.delete(id);
              }
            } else {
              for (const id of step.remove) naive.delete(id);
              for (const { id } of step.add) naive.add(id);
            }
          }
          const runner = new MemberStepRunner(steps, elementOf, () => {});
          const remove = [...slicesOf(present, size)].flatMap((some) => inOneGo(runner.leaving(some)));
          const absent = people.filter((one) => !present.includes(one));
          const add = [...slicesOf(absent, size)].flatMap((some) =>
            inOneGo(runner.joining(new Map(some.map((one) => [one.id, one])))),
          );
          const kept = new Set(present.map(({ id }) => id));
          for (const id of remove) assert.ok(kept.delete(id));
          for (const { id } of add) assert.ok(!kept.has(id) && kept.add(id));
          assert.deepEqual([...kept].sort(), [...naive].sort());
        },
      ),
      { numRuns: 2_000 },
    );
  });
  it('a thousand names to remove from ten thousand members cost a look at each name', () => {
    const present = Array.from({ length: 10_000 }, (_, at) => ({
      id: at + 1,
      type: 'User' as const,
      display: `Member ${at}`,
    }));
    const { members: steps } = patch(
      Array.from({ length: 1_000 }, (_, at) => ({
        op: 'remove',
        path: `members[display eq "MEMBER ${at}"]`,
      })),
    );
    let units = 0;
    const runner = new MemberStepRunner(steps, elementOf, (more) => {
      units += more;
    });
    const remove = [...slicesOf(present, 500)].flatMap((some) => inOneGo(runner.leaving(some)));
    assert.equal(remove.length, 1_000);
    assert.ok(units <= 11_000, `${units}`);
  });
  it('of a large group no more than the members in hand are held, while conditions are asked of them [D-169]', () => {
    const { members: steps } = patch([
      { op: 'remove', path: 'members[display co "nobody"]' },
      { op: 'remove', path: 'members[display eq "nobody" and type eq "User"]' },
    ]);
    const made: WeakRef<object>[] = [];
    const remembering = (who: KnownMember) => {
      const element = memberElement(who, base);
      made.push(new WeakRef(element));
      return element;
    };
    const runner = new MemberStepRunner(steps, remembering, () => {});
    for (let first = 1; first <= 20_000; first += 500) {
      const some = Array.from({ length: 500 }, (_, at) => ({
        id: first + at,
        type: 'User' as const,
        display: `Member ${first + at}`,
      }));
      assert.deepEqual(inOneGo(runner.leaving(some)), []);
    }
    return new Promise((resume) => setImmediate(resume)).then(() => {
      collectGarbage();
      assert.equal(made.length, 20_000);
      const held = made.filter((one) => one.deref() !== undefined).length;
      assert.ok(held <= 500, `${held} are held.`);
      assert.deepEqual(inOneGo(runner.leaving([])), []);
    });
  });
  it('never throw anything but a Problem', () => {
    const path = fc.constantFrom(
      'members',
      'members.value',
      'members[value eq "1"]',
      'members[type pr].display',
      'displayName',
      'externalId',
      'id',
      'meta',
      'schemas',
      '',
      'constructor',
    );
    const operation = fc.record(
      { op: fc.constantFrom('add', 'Replace', 'remove', 'x'), path, value: fc.jsonValue({ maxDepth: 3 }) },
      { requiredKeys: ['op'] },
    );
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
        try {
          patch(operations);
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      }),
      { numRuns: 1_000 },
    );
  });
  it('ten thousand members joining one by one cost little', () => {
    const operations = Array.from({ length: 1_000 }, (_, at) => ({
      op: 'add',
      path: 'members',
      value: Array.from({ length: 10 }, (__, one) => ({ value: String(1_000_000_001 + at * 10 + one) })),
    }));
    const startMs = performance.now();
    assert.equal(patch(operations).members.length, 1);
    assert.ok(performance.now() - startMs < 1_000);
  });
});
