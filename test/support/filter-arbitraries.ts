// Random users and random filters of the whole grammar, of few words, so that they meet often.

import fc from 'fast-check';
import { enterpriseSchema, serviceSchema, userSchema } from './schema-urns.ts';

const words = [
  'ada',
  'Ada',
  'ADA L',
  'bob',
  'straße',
  'STRASSE',
  'o"k',
  'a\\b',
  '%',
  '_x',
  '😀',
  'é'.repeat(260),
];
const word = fc.constantFrom(...words);
const types = fc.constantFrom('work', 'home', 'other');
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

const email = fc.record(
  { value: word, type: types, primary: fc.constant(false), display: word },
  { requiredKeys: ['value'] },
);

/** What a user may say beside its name; made into bodies by whoever numbers them. */
const profile = fc.record({
  displayName: optional(word),
  nickName: optional(word),
  title: optional(word),
  active: optional(fc.boolean()),
  name: optional(
    fc.record({
      givenName: optional(word.filter((one) => one.length < 100)),
      familyName: optional(word.filter((one) => one.length < 100)),
    }),
  ),
  emails: optional(fc.array(email, { minLength: 1, maxLength: 3 })),
  addresses: optional(
    fc.array(fc.record({ country: fc.constantFrom('DE', 'US'), type: types }), {
      minLength: 1,
      maxLength: 2,
    }),
  ),
  [enterpriseSchema]: optional(
    fc.record({ department: word, manager: fc.record({ value: word }) }, { requiredKeys: [] }),
  ),
  [serviceSchema]: optional(fc.record({ clientId: fc.integer({ min: 1, max: 3 }) })),
});

export function sampleUsers(count: number): readonly Record<string, unknown>[] {
  return fc.sample(profile, { numRuns: count, seed: 20_261_115 }).map((one, at) => ({
    ...(JSON.parse(JSON.stringify(one)) as object),
    schemas: [userSchema],
    userName: `${words[at % 6]}-${at}`,
    ...(at % 3 === 0 ? {} : { externalId: `${at % 2 === 0 ? 'Ext' : 'ext'}-${at}` }),
  }));
}

const quoted = (text: string): string => JSON.stringify(text);
const texts = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];
const compare = (
  attributes: readonly string[],
  operators: readonly string[],
  value: fc.Arbitrary<string>,
): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...attributes), fc.constantFrom(...operators), value)
    .map(([attribute, operator, operand]) => `${attribute} ${operator} ${operand}`);

const operand = fc.oneof(
  { weight: 6, arbitrary: word.map(quoted) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('"a"', '"A"', '"S"', '""', '"ada-"', '"xt-1"', '"E"', '"ext-1"', '"Ext-4"'),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }).map((at) => quoted(`${words[at % 6]}-${at}`)) },
);

const partsOfEmail = fc.oneof(
  compare(['value', 'TYPE', 'display'], texts, operand),
  compare(['type'], ['eq', 'ne'], types.map(quoted)),
  compare(['primary'], ['eq', 'ne'], fc.constantFrom('true', 'false')),
  fc.constantFrom('display pr', 'value pr', 'primary pr'),
);

function joined(term: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      term,
      fc
        .tuple(tie('tree'), fc.constantFrom('and', 'or', 'AND'), tie('tree'))
        .map(([left, word_, right]) => `${left} ${word_} ${right}`),
      tie('tree').map((one) => `(${one})`),
      tie('tree').map((one) => `not (${one})`),
    ),
  })).tree as fc.Arbitrary<string>;
}

const within = joined(partsOfEmail);

/** Filters over users; the texts in `known` are ids and the like that exist. */
export function userFilters(known: { readonly ids: readonly string[]; readonly times: readonly string[] }) {
  const ids = fc.constantFrom(...known.ids, 'nobody').map(quoted);
  const times = fc.constantFrom(...known.times, '2001-01-01T00:00:00Z').map(quoted);
  return joined(
    fc.oneof(
      compare(
        ['userName', 'USERNAME', `${userSchema}:userName`, 'externalId', 'displayName'],
        texts,
        operand,
      ),
      compare(['name.givenName', 'name.familyName', 'nickName', 'title'], texts, operand),
      compare(['emails', 'emails.value', 'emails.type', 'addresses.country'], texts, operand),
      compare([`${enterpriseSchema}:department`, `${enterpriseSchema}:manager`], texts, operand),
      compare(['id', 'groups.value', 'groups'], ['eq', 'ne', 'sw'], ids),
      compare(
        ['groups.display', 'meta.resourceType'],
        ['eq', 'co'],
        fc.constantFrom('"staff"', '"User"', '"s"'),
      ),
      compare(['meta.created', 'meta.lastModified'], ['eq', 'ne', 'gt', 'ge', 'lt', 'le'], times),
      compare(['active', 'emails.primary'], ['eq', 'ne'], fc.constantFrom('true', 'false')),
      compare([`${serviceSchema}:clientId`], ['eq', 'gt', 'le'], fc.constantFrom('1', '2')),
      compare(['externalId', 'title', 'emails', 'userName'], ['eq', 'ne'], fc.constant('null')),
      fc.constantFrom(
        'title pr',
        'name pr',
        'emails pr',
        'externalId pr',
        'groups pr',
        `${enterpriseSchema}:manager pr`,
      ),
      within.map((where) => `emails[${where}]`),
      fc
        .tuple(within, compare(['value', 'type'], texts, operand))
        .map(([where, rest]) => `emails[${where}].${rest}`),
    ),
  );
}
