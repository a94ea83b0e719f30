import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Compile } from 'typebox/schema';
import { parse } from 'yaml';
import { readCatalogue } from './catalogue.ts';
import { compareCatalogue, type KeptCatalogue } from './catalogue-change.ts';
import type { CatalogueFault } from './catalogue-fault.ts';
import { answersOf, type Catalogue } from './definition.ts';
import { faultLine, faultSentence } from './fault-sentence.ts';

const sample = `accounts:
  - id: 4001
    name: Acme
    measures:
      - key: 88
        name: Web
        surveys:
          - id: web-3
            version: 3
            latents:
              - id: L-SAT
                name: Satisfaction
                type: SATISFACTION
                questions:
                  - id: Q-SAT
                    name: How satisfied are you?
                    weight: 0.4
                    scale: {min: 1, max: 10}
                    dontKnow: true
            questions:
              - id: Q-FOUND
                name: Did you find it?
                responseType: RADIO
                answers:
                  - {id: A-YES, text: "Yes", value: 1}
                  - {id: A-NO, value: 2}
              - id: Q-WHY
                name: What went wrong?
                responseType: TEXT_AREA
                maxLength: 100
                rules: [{question: Q-FOUND, operator: equals, answer: A-NO}]
            parameters:
              custom: [{id: CPP-CART, name: cart, valueType: NUMBER}]
              external: [{id: EPP-TIER, name: tier}]
    projects:
      - id: 3223
        name: Badge
        surveys:
          - id: badge-1
            public: true
            origins: ["https://shop.example"]
            questions:
              - {id: Q-STARS, name: Stars?, responseType: STAR_RATING, role: rating}
`;

const schema = Compile(JSON.parse(readFileSync('examples/catalogue.schema.json', 'utf8')));

describe('reading a catalogue', () => {
  const deep = 20_000;
  const indented = Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n');
  for (const [title, text, line] of [
    ['20,000 brackets', '['.repeat(deep), 1],
    ['20,000 brackets that are closed', '['.repeat(deep) + ']'.repeat(deep), 1],
    ['20,000 braces', '{a: '.repeat(deep), 1],
    ['20,000 dashes', '- '.repeat(deep), 1],
    ['20,000 keys that are keys of keys', '? '.repeat(deep), 1],
    ['2,000 maps by indentation', indented, 65],
    ['brackets in a block', `accounts:\n  - id: ${'['.repeat(deep)}`, 2],
    ['JSON of one line', `{"accounts":${'['.repeat(deep)}${']'.repeat(deep)}}`, 1],
    ['NDJSON in lines', `{"accounts":\n${'['.repeat(deep)}${']'.repeat(deep)}}`, 2],
  ] as const)
    it(`${title} are answered by a sentence about depth, with line and column [D-869]`, () => {
      const { catalogue, faults } = readCatalogue(text);
      assert.equal(catalogue, null);
      assert.deepEqual(
        faults.map((fault) => [fault.line, faultSentence(fault)]),
        [[line, 'This is nested more than 64 deep, which is the most.']],
      );
      assert.ok((faults[0]?.column ?? 0) > 1);
    });

  it('a few aliases that stand for a billion values, or for themselves, are refused, and a few hundred are not [D-869]', () => {
    const level = (name: string, of: string): string => `${name}: &${name} [${`*${of}, `.repeat(9)}*${of}]`;
    const names = 'abcdefghij';
    const bomb = [...names].map((name, at) => (at === 0 ? 'a: &a [x]' : level(name, names[at - 1]!)));
    for (const text of [[...bomb, 'accounts: *j'].join('\n'), 'accounts: &a\n  - id: 1\n    name: *a'])
      assert.match(sentencesOf(readCatalogue(text))[0] ?? '', /^Its aliases stand for more than 1,000,000 /);
    const origins = `origins: [${Array.from({ length: 300 }, () => '*o').join(', ')}]`;
    const reading = readCatalogue(
      sample.replace('origins: ["https://shop.example"]', origins).replace('name: Acme', 'name: &o Acme'),
    );
    assert.ok(sentencesOf(reading).every((sentence) => !sentence.includes('aliases')));
  });

  it('defaults are filled in as the operator was told', () => {
    const { measure, project } = sourcesOf(read(sample));
    assert.equal(measure.channel, 'WEB');
    assert.equal(measure.active, true);
    assert.equal(project.status, 'ACTIVE');
    assert.equal(project.createdDateTime, null);
    const [survey] = measure.surveys;
    assert.equal(survey?.current, true);
    assert.equal(survey?.public, false);
    const question = survey?.latents[0]?.questions[0];
    assert.equal(question?.phrase, 'How satisfied are you?');
    assert.equal(question?.label, 'How satisfied are you?');
    assert.deepEqual(survey?.questions[0]?.answers[1], { id: 'A-NO', text: 'A-NO', label: 'A-NO', value: 2 });
    assert.deepEqual(project.surveys[0]?.questions[0]?.scale, { min: 1, max: 5 });
  });

  it('answers of a scale are made from it, with "Don\'t know" as the last [D-32]', () => {
    const question = sourcesOf(read(sample)).measure.surveys[0]?.latents[0]?.questions[0];
    assert.ok(question);
    const answers = answersOf(question);
    assert.equal(answers.length, 11);
    assert.deepEqual(answers[9], { id: 'Q-SAT-10', text: '10', label: '10', value: 10 });
    assert.deepEqual(answers[10], { id: 'Q-SAT-DK', text: "Don't know", label: "Don't know", value: null });
  });

  it('JSON is read like YAML', () => {
    assert.deepEqual(read(JSON.stringify(parse(sample))), read(sample));
  });

  // What is broken, how, a text that stands in the line of the fault, and what the fault says.
  const faults: [name: string, from: string, to: string, at: string, words: RegExp][] = [
    ['an unknown member', 'name: Web', 'name: Web\n        colour: red', 'colour', /colour is not a member/],
    ['a missing id', '- id: web-3\n            version', '- version', '- version', /id is missing/],
    ['a missing name', '        name: Badge\n', '', 'id: 3223', /name is missing/],
    ['a missing account id', '- id: 4001\n    name', '- name', '- name: Acme', /id is missing/],
    ['a missing scale', 'scale: {min: 1, max: 10}', 'required: true', 'id: Q-SAT', /scale is missing/],
    ['a missing type', 'responseType: TEXT_AREA', 'required: true', 'id: Q-WHY', /responseType is missing/],
    ['a key beyond int32', 'key: 88', 'key: 2147483648', 'key:', /from 1 to 2147483647/],
    ['an id beyond 2^53', 'id: 3223', 'id: 9007199254740993', 'id: 9007', /9007199254740991/],
    ['a weight of 0', 'weight: 0.4', 'weight: 0', 'weight', /above 0/],
    ['a scale of halves', '{min: 1, max: 10}', '{min: 1.5, max: 10}', 'scale', /whole number/],
    ['an unknown latent type', 'type: SATISFACTION', 'type: JOY', 'type: JOY', /one of ELEMENTS/],
    ['answers of a text', 'maxLength: 100', 'answers: [{id: A}]', '[{id: A}]', /takes no answers/],
    ['latents of a project', 'public: true', 'latents: []', 'latents: []', /no latents/],
    ['a number for a text', 'name: Badge', 'name: 12', 'name: 12', /in quotes/],
    ['a scale the wrong way', '{min: 1, max: 10}', '{min: 10, max: 1}', 'scale', /not above its begin/],
    [
      'the same question twice',
      'id: Q-WHY',
      'id: Q-SAT',
      '- id: Q-SAT\n                name: What',
      /in line 15/,
    ],
    ['the same answer twice', 'id: A-NO', 'id: A-YES', 'id: A-YES, value: 2', /in line \d+/],
    ['the same survey twice', 'id: badge-1', 'id: web-3', '- id: web-3\n            public', /in line 8/],
    ['a rule on nothing', 'question: Q-FOUND', 'question: Q-LOST', 'rules', /no such question/],
    ['a rule on itself', 'Q-FOUND, operator: equals', 'Q-WHY, operator: contains', 'rules', /circle/],
    ['a rule on no answer', 'answer: A-NO}', 'answer: A-X}', 'rules', /no answer with the id or value "A-X"/],
    [
      'a rule on no number',
      'operator: equals, answer: A-NO',
      'operator: gt, answer: A-NO',
      'rules',
      /is none/,
    ],
    ['no current version', 'version: 3', 'current: false', 'surveys', /No version is current/],
    ['an origin with a path', 'https://shop.example', 'https://shop.example/x', 'origins', /without a path/],
    ['a role without numbers', 'STAR_RATING', 'TEXT', 'Q-STARS', /numbers as values/],
    ['broken YAML', 'public: true', 'public: "true', 'public: "', /./],
    ['a minimum of 0', 'name: Acme', 'name: Acme\n    insight: {minimum: 0}', 'insight', /from 1 to 1000/],
    [
      'a minimum of 1,001',
      'name: Acme',
      'name: Acme\n    insight: {minimum: 1001}',
      'insight',
      /from 1 to 1000/,
    ],
    [
      'an unknown insight',
      'name: Acme',
      'name: Acme\n    insight: {least: 5}',
      'insight',
      /least is not a member/,
    ],
    ['a member twice', 'name: Badge', 'name: Badge\n        name: Other', 'name: Other', /unique/],
  ];
  for (const [name, from, to, at, words] of faults) {
    it(`${name} is a fault with its line`, () => {
      assert.ok(sample.includes(from), 'the sample has what is to be broken');
      const broken = sample.replace(from, to);
      const reading = readCatalogue(broken);
      assert.equal(reading.catalogue, null);
      const line = lineOf(broken, at);
      assert.ok(
        reading.faults.some((fault) => fault.line === line && words.test(faultSentence(fault))),
        `line ${line}: ${reading.faults.map((fault) => faultLine('sample.yaml', fault)).join('\n')}`,
      );
    });
  }

  it('all faults are listed at once, in the order of the file', () => {
    const broken = sample
      .replace('key: 88', 'key: x')
      .replace('weight: 0.4', 'weight: -1')
      .replace('Badge', '""');
    const lines = readCatalogue(broken).faults.map(({ line }) => line);
    assert.deepEqual(lines, [5, lineOf(broken, 'weight'), lineOf(broken, 'name: ""')]);
  });

  it('of several versions exactly one is current', () => {
    const second = sample.replace(
      '          - id: badge-1\n',
      '          - {id: badge-0}\n          - id: badge-1\n',
    );
    assert.match(sentencesOf(readCatalogue(second))[0] ?? '', /No version is current/);
    const marked = second.replace('{id: badge-0}', '{id: badge-0, current: true}');
    assert.deepEqual(
      sourcesOf(read(marked)).project.surveys.map(({ current }) => current),
      [true, false],
    );
  });

  it('the schema for editors takes what the reader takes, and refuses what is plainly wrong', () => {
    assert.equal(schema.Check(parse(sample)), true, JSON.stringify(schema.Errors(parse(sample))));
    // A schema sees one member at a time; what compares members is the reader's work.
    for (const [name, from, to] of faults.slice(0, 14)) {
      assert.equal(schema.Check(parse(sample.replace(from, to))), false, name);
    }
  });
});

describe('comparing a catalogue with what is kept', () => {
  const nothing: KeptCatalogue = { catalogue: { accounts: [] }, surveysWithResponses: new Set() };

  it('into an empty store everything is created, and a second time nothing changes [D-47]', () => {
    const wanted = read(sample);
    const first = compareCatalogue(nothing, wanted, () => 0);
    assert.deepEqual(
      first.changes.map(({ words }) => words),
      [
        'create account 4001 (Acme)',
        'create measure 88 (Web)',
        'create survey web-3',
        'create project 3223 (Badge)',
        'create survey badge-1',
      ],
    );
    const kept = { catalogue: JSON.parse(JSON.stringify(wanted)), surveysWithResponses: new Set(['web-3']) };
    const second = compareCatalogue(kept, wanted, () => 0);
    assert.deepEqual(second.faults, []);
    assert.ok(second.changes.every(({ action }) => action === 'unchanged'));
  });

  it('what does not touch rows can change under responses: names, state, origins, added parameters [D-47]', () => {
    const changed = sample
      .replace('name: Web', 'name: Shop')
      .replace('version: 3', 'version: 3\n            closed: true')
      .replace('name: tier}', 'name: tier}, {id: EPP-2, name: region}');
    const { changes, faults } = compare(sample, changed, ['web-3']);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      changes.filter(({ action }) => action === 'update').map(({ words }) => words),
      ['update measure 88 (Web): name'.replace('Web', 'Shop'), 'update survey web-3: closed, parameters'],
    );
  });

  const frozen: [name: string, from: string, to: string, words: RegExp][] = [
    ['a weight', 'weight: 0.4', 'weight: 0.5', /weight of Q-SAT/],
    ['a scale', 'max: 10', 'max: 7', /scale of Q-SAT/],
    ['a question', 'name: Did you find it?', 'name: Found it?', /name of Q-FOUND/],
    ['an answer', 'value: 2', 'value: 3', /answers of Q-FOUND/],
    ['a rule', 'answer: A-NO}]', 'answer: A-YES}]', /rules of Q-WHY/],
    ['a latent', 'name: Satisfaction', 'name: Joy', /latents/],
    ['a latent type', 'type: SATISFACTION', 'type: ELEMENTS', /keeps its type for ever/],
    ['a modelInstanceId', 'version: 3', 'version: 3\n            modelInstanceId: m', /modelInstanceId/],
    ['a parameter', 'name: cart,', 'name: basket,', /custom parameters/],
  ];
  for (const [name, from, to, words] of frozen) {
    it(`${name} of a version with responses cannot change, and of one without can [D-47]`, () => {
      const refused = compare(sample, sample.replace(from, to), ['web-3']);
      assert.ok(
        refused.faults.some((fault) => words.test(faultSentence(fault)) && fault.line === 8),
        JSON.stringify(refused.faults),
      );
      assert.deepEqual(compare(sample, sample.replace(from, to), []).faults, []);
    });
  }

  it('a survey id of another source is refused [D-47]', () => {
    const other = sample.replace('id: 4001', 'id: 4002');
    assert.match(sentencesOf(compare(sample, other, []))[0] ?? '', /unique in the whole store/);
  });

  it('a new current version takes the place of the kept one that the file does not name [D-30]', () => {
    const next = sample.replace('id: web-3\n            version: 3', 'id: web-4\n            version: 4');
    const { changes } = compare(sample, next, ['web-3']);
    const surveys = changes.flatMap((change) =>
      change.kind === 'survey' && change.action !== 'unchanged'
        ? [[change.value.id, change.value.current]]
        : [],
    );
    assert.deepEqual(surveys, [
      ['web-3', false],
      ['web-4', true],
    ]);
  });
});

function read(text: string): Catalogue {
  const reading = readCatalogue(text);
  assert.ok(reading.catalogue, reading.faults.map((fault) => faultLine('sample.yaml', fault)).join('\n'));
  return reading.catalogue;
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}

function compare(before: string, after: string, surveysWithResponses: string[]) {
  const reading = readCatalogue(after);
  assert.ok(reading.catalogue);
  const kept = { catalogue: read(before), surveysWithResponses: new Set(surveysWithResponses) };
  return compareCatalogue(kept, reading.catalogue, reading.lineOf);
}

function sourcesOf(catalogue: Catalogue) {
  const [account] = catalogue.accounts;
  const measure = account?.measures[0];
  const project = account?.projects[0];
  assert.ok(measure && project);
  return { measure, project };
}

function sentencesOf({ faults }: { readonly faults: readonly CatalogueFault[] }): readonly string[] {
  return faults.map(faultSentence);
}
