import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold } from '../domain/fold.ts';
import { createGroup } from '../domain/provisioning/group.ts';
import { createUser } from '../domain/provisioning/user.ts';
import type { Value, Values } from '../domain/provisioning/value.ts';
import { matches, valuesAt } from './evaluate.ts';
import { type Filter, type Operator, parseFilter, printFilter } from './filter.ts';
import {
  hasIndex,
  type Leaf,
  mentions,
  type PlanColumns,
  type PlanCondition,
  planFilter,
  planKey,
  plannedGroupColumns,
  plannedUserColumns,
} from './filter-plan.ts';
import { membersAttribute } from './group-attributes.ts';
import { groupResourceOf } from './groups.ts';
import { resourceOf } from './resource.ts';
import { groupSchemaView, type SchemaView, standardFaceSchemaView } from './schema-view.ts';

const user = (text: string) => planFilter(parseFilter(text, standardFaceSchemaView), plannedUserColumns);
const group = (text: string) => planFilter(parseFilter(text, groupSchemaView), plannedGroupColumns);

/** What a store would do, said plainly: the columns of one resource, and what a condition means over them. */
function holds(
  condition: PlanCondition,
  resource: Values,
  schemaView: SchemaView,
  columns: PlanColumns,
): boolean {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return condition.conditions.every((one) => holds(one, resource, schemaView, columns));
    case 'or':
      return condition.conditions.some((one) => holds(one, resource, schemaView, columns));
    default:
      return leafHolds(condition, resource, schemaView, columns) !== condition.negated;
  }
}

function leafHolds(leaf: Leaf, resource: Values, schemaView: SchemaView, columns: PlanColumns): boolean {
  const attribute = schemaView.resolve(leaf.column);
  const traits = columns.get(leaf.column);
  assert.ok(attribute !== null && traits !== undefined, leaf.column);
  const cells = valuesAt(resource, attribute).map((value) => cellOf(traits.kind, value));
  assert.ok(leaf.many || cells.length <= 1);
  if (leaf.kind === 'present') return cells.length > 0;
  return cells.some((cell) => fits(leaf.operator, cell, leaf.value));
}

function cellOf(kind: string, value: Value): string | number | boolean {
  if (kind === 'key') return fold(String(value));
  if (kind === 'cutKey') return planKey(String(value));
  if (kind === 'id') return Number(value);
  if (kind === 'instant') return Date.parse(String(value));
  return kind === 'boolean' ? value === true : String(value);
}

function fits(
  operator: Operator,
  cell: string | number | boolean,
  wanted: string | number | boolean,
): boolean {
  assert.equal(typeof cell, typeof wanted);
  if (operator === 'eq') return cell === wanted;
  if (operator === 'sw') return String(cell).startsWith(String(wanted));
  if (operator === 'ew') return String(cell).endsWith(String(wanted));
  if (operator === 'co') return String(cell).includes(String(wanted));
  const [a, b] = [Number(cell), Number(wanted)];
  return operator === 'gt' ? a > b : operator === 'ge' ? a >= b : operator === 'lt' ? a < b : a <= b;
}

describe('the plan of a filter', () => {
  it('is whole where columns answer everything', () => {
    for (const text of [
      'userName eq "A"',
      'externalId eq "x" or externalId eq "y"',
      'id eq "1000000001"',
      'active eq true and name.familyName sw "b"',
      'name.givenName co "x"',
      'emails.value eq "a@x"',
      'emails[value eq "a@x"]',
      'not (userName eq "a" or displayName sw "b")',
      'externalId ne null',
      'nickName eq "x" and userName eq ""',
    ]) {
      assert.equal(user(text).residual, null, text);
    }
    assert.equal(group('displayName eq "Staff" and members.value eq "1000000001"').residual, null);
  });
  it('asks the rest of the candidates only what no column answers', () => {
    const { condition, residual } = user('userName eq "Ada" and title eq "x"');
    assert.equal(condition.kind === 'is' && condition.value, 'ada');
    assert.equal(residual === null ? null : printFilter(residual), 'title eq "x"');
  });
  it('finds by index the user whom Entra ID looks for by its address', () => {
    const { condition, residual } = user('emails[type eq "work"].value eq "A@x"');
    assert.ok(hasIndex(condition));
    assert.equal(condition.kind === 'is' && `${condition.column} ${condition.value}`, 'emails.value a@x');
    assert.notEqual(residual, null);
  });
  it('has an index only where every alternative has one', () => {
    const indexed = (text: string) => hasIndex(user(text).condition);
    assert.ok(indexed('userName eq "a"'));
    assert.ok(indexed('userName eq "a" and title pr'));
    assert.ok(indexed('userName eq "a" or externalId eq "b"'));
    assert.ok(indexed('id eq "nobody"'));
    for (const text of [
      'userName ne "a"',
      'userName eq "a" or title pr',
      'active eq false',
      'title eq "x"',
      'userName sw ""',
      'not (userName eq "a")',
    ]) {
      assert.ok(!indexed(text), text);
    }
  });
  it('never compares the beginning of a long text as if it were the whole', () => {
    const long = 'é'.repeat(300);
    const { condition, residual } = user(`displayName eq "${long}"`);
    assert.equal(condition.kind === 'is' && condition.value, 'é'.repeat(255));
    assert.notEqual(residual, null);
    assert.equal(user(`displayName ne "${long}"`).condition.kind, 'all');
  });
  it('tells whether members must be read', () => {
    const filter = (text: string) => parseFilter(text, groupSchemaView);
    assert.ok(mentions(filter('displayName eq "a" or not (members[type eq "User"])'), membersAttribute));
    assert.ok(mentions(filter('members.value eq "1"'), membersAttribute));
    assert.ok(!mentions(filter('displayName eq "a" and externalId pr'), membersAttribute));
  });
});

const word = fc.constantFrom(
  'a',
  'A',
  'ab',
  'b',
  'straße',
  'STRASSE',
  '',
  '7',
  '8',
  'é'.repeat(256),
  'é'.repeat(255),
);
/** What identifies is bounded, and so are the parts of names; other texts may be longer than a column. */
const name = word.map((text) => [...text].slice(0, 255).join(''));
const instants = ['2026-01-31T12:00:00Z', '2026-01-31T13:00:00+01:00', '2026-02-01T00:00:00.5Z'];

function comparisonOf(paths: readonly string[]): fc.Arbitrary<string> {
  const quoted = word.map((text) => JSON.stringify(text));
  const textual = fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom('eq', 'ne', 'sw', 'ew', 'co', 'gt', 'le'), quoted)
    .map((each) => each.join(' '));
  return fc.oneof(
    textual,
    fc.constantFrom(...paths).map((path) => `${path} pr`),
    fc.tuple(fc.constantFrom(...paths), fc.constantFrom('eq null', 'ne null')).map((each) => each.join(' ')),
    fc
      .tuple(
        fc.constantFrom('meta.created', 'meta.lastModified'),
        fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'),
        fc.constantFrom(...instants),
      )
      .map(([path, operator, instant]) => `${path} ${operator} "${instant}"`),
  );
}

function treeOf(leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc
        .tuple(tie('tree'), fc.constantFrom('and', 'or'), tie('tree'))
        .map(([a, op, b]) => `(${a}) ${op} (${b})`),
      tie('tree').map((one) => `not (${one})`),
    ),
  })).tree;
}

function agrees(filter: Filter, resource: Values, schemaView: SchemaView, columns: PlanColumns): void {
  const expected = matches(filter, resource);
  const { condition, residual } = planFilter(filter, columns);
  const isCandidate = holds(condition, resource, schemaView, columns);
  if (expected) assert.ok(isCandidate, `lost by ${printFilter(filter)}`);
  assert.equal(
    isCandidate && (residual === null || matches(residual, resource)),
    expected,
    printFilter(filter),
  );
}

describe('random filters', () => {
  const maybe = fc.option(word, { nil: undefined });
  it('mean the same through their plan, for users [D-53]', () => {
    const inList = treeOf(comparisonOf(['value', 'type'])).filter((text) => !text.includes('meta.'));
    const leaf = fc.oneof(
      comparisonOf([
        'userName',
        'externalId',
        'id',
        'name.givenName',
        'displayName',
        'emails.value',
        'title',
      ]),
      inList.map((where) => `emails[${where}]`),
      fc.constantFrom('active eq true', 'active ne true', 'emails.primary eq true', 'groups.value eq "7"'),
    );
    const email = fc.record({ value: word, type: word });
    const profile = fc.record({
      userName: name,
      externalId: fc.option(name, { nil: undefined }),
      displayName: maybe,
      givenName: fc.option(name, { nil: undefined }),
      title: maybe,
      active: fc.boolean(),
      emails: fc.array(email, { maxLength: 2 }),
      groups: fc.subarray(['7', '8']),
    });
    fc.assert(
      fc.property(treeOf(leaf), profile, (text, { givenName, groups, ...rest }) => {
        const drawn = Object.entries({ ...rest, name: givenName ? { givenName } : undefined });
        const kept = Object.fromEntries(drawn.filter(([, value]) => value !== undefined && value !== ''));
        const birth = { accountId: 1, id: 7, nowMs: Date.parse(instants[0]!) };
        const made = createUser({ ...kept, userName: rest.userName || 'x' }, birth);
        const resource = resourceOf({ ...made, groups: groups.map((value) => ({ value })) });
        agrees(
          parseFilter(text, standardFaceSchemaView, limits),
          resource,
          standardFaceSchemaView,
          plannedUserColumns,
        );
      }),
      { numRuns: 3_000 },
    );
  });
  it('mean the same through their plan, for groups [D-53]', () => {
    const inList = treeOf(comparisonOf(['value', 'type', 'display'])).filter(
      (text) => !text.includes('meta.'),
    );
    const leaf = fc.oneof(
      comparisonOf(['displayName', 'externalId', 'id', 'members.value', 'members.display']),
      inList.map((where) => `members[${where}]`),
    );
    const members = fc.subarray([
      { id: 7, type: 'User' as const, display: 'a' },
      { id: 8, type: 'Group' as const, display: null },
    ]);
    fc.assert(
      fc.property(treeOf(leaf), name, fc.option(name), members, (text, displayName, externalId, list) => {
        const profile = { displayName: displayName || 'x', externalId: externalId || undefined };
        const made = createGroup(profile, { accountId: 1, id: 8, nowMs: Date.parse(instants[0]!) });
        const resource = groupResourceOf(made, list, 'http://x');
        agrees(parseFilter(text, groupSchemaView, limits), resource, groupSchemaView, plannedGroupColumns);
      }),
      { numRuns: 2_000 },
    );
  });
});

const limits = { maxBytes: 1_000_000, maxTerms: 1_000, maxDepth: 100 };
