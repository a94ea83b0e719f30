import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../../src/domain/problem.ts';
import { type Attribute, rootAttributes } from '../../src/scim/attributes.ts';
import { type Filter, filterLimits, parseFilter, parsePath, printFilter } from '../../src/scim/filter.ts';
import { standardFaceSchemaView } from '../../src/scim/schema-view.ts';
import { enterpriseSchema as ent, serviceSchema as svc } from '../../src/scim/urns.ts';
import { malformedFilters, wellFormedFilters } from './filter-samples.ts';

const parse = (text: string): Filter => parseFilter(text, standardFaceSchemaView);
const huge = { maxBytes: 1_000_000, maxTerms: 64, maxDepth: 32 };

function refusalOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  assert.fail('it was not refused');
}

describe('well-formed filters', () => {
  it('are at least a hundred', () =>
    assert.ok(wellFormedFilters.length >= 100, `${wellFormedFilters.length}`));
  for (const text of wellFormedFilters) {
    it(`${text} is read, and printed so that it is read alike [D-53]`, () => {
      const filter = parse(text);
      assert.deepEqual(parse(printFilter(filter)), filter);
    });
  }
});

describe('malformed filters', () => {
  it('are at least a hundred and fifty', () =>
    assert.ok(malformedFilters.length >= 150, `${malformedFilters.length}`));
  for (const text of malformedFilters) {
    it(`${JSON.stringify(text)} is refused with a position [D-53]`, () => {
      const problem = refusalOf(() => parse(text));
      assert.equal(problem.code, 'INVALID_FILTER');
      assert.match(problem.message, /at position \d+:/);
    });
  }
});

describe('a filter that would cost too much', () => {
  const costly: readonly (readonly [string, string])[] = [
    ['10,000 parentheses', '('.repeat(10_000)],
    ['10,000 pairs of parentheses', `${'('.repeat(10_000)}userName pr${')'.repeat(10_000)}`],
    ['10,000 negations', `${'not ('.repeat(10_000)}userName pr${')'.repeat(10_000)}`],
    ['10,000 brackets', 'emails['.repeat(10_000)],
    ['40 open escapes', `userName eq "${'\\"'.repeat(40)}`],
    ['30,000 open escapes', `userName eq "${'\\"'.repeat(30_000)}`],
    ['64 KiB of one text', `userName eq "${'a'.repeat(65_536)}`],
    ['64 KiB of spaces', `userName${' '.repeat(65_536)}`],
    ['64 KiB of one name', 'a'.repeat(65_536)],
    ['64 KiB of digits', `${svc}:clientId eq ${'1'.repeat(65_536)}`],
    ['64 KiB of minus signs', `${svc}:clientId eq ${'-'.repeat(65_536)}`],
    ['65 comparisons', Array(65).fill('userName pr').join(' and ')],
    ['10,000 comparisons', Array(10_000).fill('userName pr').join(' or ')],
  ];
  for (const [what, text] of costly) {
    it(`is refused at once: ${what} [D-27]`, () => {
      const before = process.cpuUsage();
      assert.equal(refusalOf(() => parse(text)).code, 'INVALID_FILTER');
      assert.equal(refusalOf(() => parseFilter(text, standardFaceSchemaView, huge)).code, 'INVALID_FILTER');
      assert.ok(process.cpuUsage(before).user < 250_000);
    });
  }
  it('may have 64 comparisons, 4 KiB and 32 levels, and no more [D-27]', () => {
    parse(Array(64).fill('userName pr').join(' and '));
    parse(`${'('.repeat(32)}userName pr${')'.repeat(32)}`);
    refusalOf(() => parse(`${'('.repeat(33)}userName pr${')'.repeat(33)}`));
    const text = (length: number): string => `userName eq "${'a'.repeat(length - 14)}"`;
    parse(text(filterLimits.maxBytes));
    refusalOf(() => parse(text(filterLimits.maxBytes + 1)));
    refusalOf(() => parse(`userName eq "${'é'.repeat(2_048)}"`));
  });
});

describe('random filters', () => {
  const pieces = fc.constantFrom(
    'userName',
    'emails',
    'name.givenName',
    'emails[type',
    ']',
    '[',
    '(',
    ')',
    'and',
    'or',
    'not',
    'eq',
    'pr',
    'co',
    '"x"',
    '"',
    '\\',
    'true',
    'null',
    '12',
    '-',
    '.value',
    '__proto__',
    'constructor',
    'prototype',
    'urn:',
    ' ',
    '  ',
    '\u0000',
    'é',
    '\ud800',
    '$ref',
    ':',
    '.',
  );
  const noise = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(' ')),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
  );
  it('10,000 random texts give a tree or a Problem, nothing else', () => {
    fc.assert(
      fc.property(noise, (text) => {
        for (const read of [parseFilter, parsePath]) {
          try {
            read(text, standardFaceSchemaView);
          } catch (error) {
            assert.ok(error instanceof Problem, `${JSON.stringify(text)} ${String(error)}`);
          }
        }
      }),
      { numRuns: 10_000 },
    );
  });
  it('time grows with the length and no faster', () => {
    const limits = { maxBytes: 10_000_000, maxTerms: 10_000_000, maxDepth: 32 };
    const shapes: readonly ((n: number) => string)[] = [
      (n) => `userName eq "${'\\"'.repeat(n)}"`,
      (n) =>
        Array(Math.ceil(n / 8))
          .fill('userName pr')
          .join(' and '),
      (n) =>
        Array(Math.ceil(n / 8))
          .fill('emails[type eq "work"].value pr')
          .join(' or '),
      (n) => `${'('.repeat(30)}userName pr${' '.repeat(n)}${')'.repeat(30)}`,
      (n) => `userName eq "${'\\'.repeat(n)}`,
    ];
    const read = (text: string): void => {
      try {
        parseFilter(text, standardFaceSchemaView, limits);
      } catch (error) {
        assert.ok(error instanceof Problem);
      }
    };
    const msOf = (texts: readonly string[]): number => {
      const startMs = performance.now();
      for (const text of texts) read(text);
      return performance.now() - startMs;
    };
    for (const shape of shapes) {
      // The same number of characters, as one text and as ten: were the time quadratic, the one would take ten times
      // as long. Both take turns, so that other work of the machine meets both; the first rounds only warm up.
      const one = [shape(50_000)];
      const ten = new Array<string>(10).fill(shape(5_000));
      let [oneMs, tenMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let round = 1; round <= 20; round += 1) {
        tenMs = Math.min(tenMs, msOf(ten));
        oneMs = Math.min(oneMs, msOf(one));
        if (round >= 5 && oneMs < 4 * tenMs) break;
      }
      assert.ok(oneMs < 4 * tenMs, `${tenMs} ms for ten became ${oneMs} ms for one of their length`);
    }
  });
});

describe('trees', () => {
  const leaves = (from: readonly Attribute[]): readonly Attribute[] =>
    from.flatMap((one) => (one.type === 'complex' ? leaves(one.subAttributes) : [one]));
  const comparison = (attributes: readonly Attribute[]): fc.Arbitrary<Filter> =>
    fc.constantFrom(...attributes).chain((attribute): fc.Arbitrary<Filter> => {
      const any = fc.constantFrom('eq', 'ne') as fc.Arbitrary<'eq' | 'ne'>;
      const present = fc.constant({ kind: 'present', attribute } as const);
      const compare = (
        operator: fc.Arbitrary<'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'>,
        value: fc.Arbitrary<string | number | boolean | null>,
      ): fc.Arbitrary<Filter> =>
        fc.record(
          {
            kind: fc.constant('compare' as const),
            attribute: fc.constant(attribute),
            operator,
            value,
          },
          { noNullPrototype: true },
        );
      const ordered = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le') as typeof any;
      const nothing = compare(any, fc.constant(null));
      if (attribute.type === 'boolean') return fc.oneof(present, nothing, compare(any, fc.boolean()));
      if (attribute.type === 'integer') return fc.oneof(present, nothing, compare(ordered, fc.integer()));
      if (attribute.type === 'dateTime') {
        return fc.oneof(
          present,
          nothing,
          compare(
            ordered,
            fc
              .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
              .map((one) => one.toISOString()),
          ),
        );
      }
      const texts = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew') as typeof any;
      const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0') && one.isWellFormed());
      return fc.oneof(
        present,
        nothing,
        compare(attribute.type === 'binary' ? texts : fc.oneof(texts, ordered), text),
      );
    });
  const tree = (leaf: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
    fc.letrec<{ tree: Filter }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record(
          {
            kind: fc.constantFrom('and', 'or') as fc.Arbitrary<'and' | 'or'>,
            terms: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
          },
          { noNullPrototype: true },
        ),
        fc.record({ kind: fc.constant('not' as const), term: tie('tree') }, { noNullPrototype: true }),
      ),
    })).tree;
  const lists = rootAttributes.filter((one) => one.multiValued && one.type === 'complex');
  const some: fc.Arbitrary<Filter> = fc.constantFrom(...lists).chain((attribute) =>
    fc.record(
      {
        kind: fc.constant('some' as const),
        attribute: fc.constant(attribute),
        where: tree(comparison(attribute.subAttributes)),
      },
      { noNullPrototype: true },
    ),
  );
  it('whatever tree there is, the printer and the reader agree on it', () => {
    const limits = { maxBytes: 1_000_000, maxTerms: 10_000, maxDepth: 100 };
    fc.assert(
      fc.property(tree(fc.oneof(comparison(leaves(rootAttributes)), some)), (filter) => {
        assert.deepEqual(parseFilter(printFilter(filter), standardFaceSchemaView, limits), filter);
      }),
      { numRuns: 1_000 },
    );
  });
  const readings: readonly (readonly [string, string])[] = [
    ['userName eq "a" or userName eq "b" and title pr', 'userName eq "a" or userName eq "b" and title pr'],
    [
      '(userName eq "a" or userName eq "b") and title pr',
      '(userName eq "a" or userName eq "b") and title pr',
    ],
    ['((userName eq "a"))', 'userName eq "a"'],
    ['NOT(USERNAME EQ "a")', 'not (userName eq "a")'],
    ['emails co "x"', 'emails.value co "x"'],
    ['emails[type eq "work"].value eq "x"', 'emails[type eq "work" and value eq "x"]'],
    [
      'emails[type eq "work" or primary eq true].value eq "x"',
      'emails[(type eq "work" or primary eq true) and value eq "x"]',
    ],
    [`${ent}:manager eq "1"`, `${ent}:manager.value eq "1"`],
    ['active eq "True"', 'active eq true'],
    [`${svc}.clientId eq -0`, `${svc}:clientId eq 0`],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName pr', 'userName pr'],
    ['userName eq "\\u00e9\\n\\"\\\\\\/"', 'userName eq "é\\n\\"\\\\/"'],
  ];
  for (const [written, printed] of readings) {
    it(`${written} means ${printed}`, () => assert.equal(printFilter(parse(written)), printed));
  }
});

describe('positions', () => {
  const places: readonly (readonly [string, number])[] = [
    ['', 1],
    ['userName', 9],
    ['userName xx "a"', 10],
    ['userName eq bob', 13],
    ['userName eq "a" title pr', 17],
    ['userName eq "a" and', 20],
    ['(userName pr', 13],
    ['emails[type eq "work"', 22],
    ['nobody eq "a"', 1],
    ['userName pr and emails[foo pr]', 24],
  ];
  for (const [text, position] of places) {
    it(`${JSON.stringify(text)} stops at ${position}`, () => {
      assert.match(refusalOf(() => parse(text)).message, new RegExp(`at position ${position}:`));
    });
  }
});

describe('paths of patches', () => {
  const good: readonly (readonly [string, string, string | null, string | null])[] = [
    ['userName', 'userName', null, null],
    ['NAME.GIVENNAME', 'name.givenName', null, null],
    ['emails', 'emails', null, null],
    ['emails.value', 'emails', null, 'value'],
    ['emails[type eq "work"]', 'emails', 'emails[type eq "work"]', null],
    ['emails[type eq "work"].value', 'emails', 'emails[type eq "work"]', 'value'],
    [
      'emails[type eq "work" and primary eq true].display',
      'emails',
      'emails[type eq "work" and primary eq true]',
      'display',
    ],
    ['roles[primary eq "True"].value', 'roles', 'roles[primary eq true]', 'value'],
    [`${ent}:manager`, `${ent}:manager`, null, null],
    [`${ent}:manager.value`, `${ent}:manager.value`, null, null],
    [ent, ent, null, null],
    [`${svc}.clientId`, `${svc}:clientId`, null, null],
  ];
  for (const [text, path, where, part] of good) {
    it(`${text} leads to ${path}`, () => {
      const read = parsePath(text, standardFaceSchemaView);
      assert.equal(read.attribute.path, path);
      assert.equal(read.part?.name ?? null, part);
      const printed =
        read.where && printFilter({ kind: 'some', attribute: read.attribute, where: read.where });
      assert.equal(printed, where);
    });
  }
  const bad = [
    '',
    ' ',
    'foo',
    'name.foo',
    'name[givenName eq "x"]',
    'userName[value eq "x"]',
    'emails[',
    'emails[]',
    'emails]',
    'emails[type eq "work"',
    'emails[type eq "work"]value',
    'emails[type eq "work"] .value',
    'emails[type eq "work"].foo',
    'emails[type eq "work"].value.x',
    'emails[type eq "work"].value eq "x"',
    'emails [type eq "work"]',
    'emails[0]',
    'emails[0].value',
    '/emails',
    'emails/0/value',
    'emails.0.value',
    '__proto__',
    '__proto__.x',
    'constructor.prototype',
    'emails[__proto__ eq "x"]',
    'emails[type eq "work"].__proto__',
    'name.constructor',
    'userName eq "x"',
    '$.userName',
    `${ent}:foo`,
    `${ent}:manager.foo`,
    'department',
    'emails[type eq "work"][value eq "x"]',
    'emails[emails[type pr]]',
  ];
  for (const text of bad) {
    it(`${JSON.stringify(text)} leads nowhere [D-56]`, () => {
      assert.equal(refusalOf(() => parsePath(text, standardFaceSchemaView)).code, 'INVALID_PATH');
    });
  }
});
