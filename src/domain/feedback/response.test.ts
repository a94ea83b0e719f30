import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { brokenBodies, validBody, writtenSurvey } from '../../../test/support/feedback-arbitraries.ts';
import { latentScoresOf } from '../../../test/support/feedback-model.ts';
import type { Fault } from '../problem.ts';
import { readCatalogue } from './catalogue.ts';
import { contentHash } from './content-hash.ts';
import type { SurveyDefinition } from './definition.ts';
import { judge, namedScores } from './response.ts';
import { readDraft, unknownMembersText } from './response-draft.ts';
import { prepareSurvey, type SourceState } from './survey.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const active: SourceState = { kind: 'measure', active: true };

describe('the form of a body', () => {
  it('unknown members are kept out of the way and named [D-43]', () => {
    const { draft } = readDraft({
      surveyDefinitionId: 's',
      mood: 1,
      deviceDetails: { colour: 'red' },
      cpps: { extra: {} },
    });
    assert.ok(draft);
    assert.deepEqual(draft.unknownMembers, ['mood', 'deviceDetails.colour', 'cpps.extra']);
    assert.match(unknownMembersText(draft), /mood, deviceDetails\.colour, cpps\.extra/);
  });

  it('all faults are named at once, with their paths [D-22]', () => {
    const { faults } = readDraft({ url: 1, responses: { Q: ['a', 2] }, cpps: { metrics: { m: 'x' } } });
    assert.deepEqual(
      faults.map(({ field }) => field),
      ['url', 'responses.Q[1]', 'cpps.metrics.m', 'surveyDefinitionId'],
    );
  });

  it('a body that is no object is refused', () => {
    for (const body of [null, [], 'text', 7]) assert.equal(readDraft(body).faults[0]?.code, 'INVALID_TYPE');
  });

  it('a flood of faults is cut off', () => {
    const responses = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`q${index}`, 1]));
    assert.equal(readDraft({ surveyDefinitionId: 's', responses }).faults.length, 1001);
  });
});

describe('the content of a body', () => {
  const body = { surveyDefinitionId: 's', responses: { b: ['1'], a: ['2'] }, cpps: { data: { x: 'y' } } };

  it('the same content has the same hash: order, responseId and a false isTest do not count [D-41]', () => {
    const again = {
      cpps: { data: { x: 'y' } },
      isTest: false,
      responses: { a: ['2'], b: ['1'] },
      responseId: 'r-1',
      surveyDefinitionId: 's',
    };
    assert.equal(contentHash(again), contentHash(body));
  });

  it('other content has another hash, unknown members included [D-41, D-43]', () => {
    const others: Record<string, unknown>[] = [
      { ...body, isTest: true },
      { ...body, submissionTimestamp: '2026-01-01T00:00:00Z' },
      { ...body, responses: { b: ['2'], a: ['1'] } },
      { ...body, responses: { b: ['1'] } },
      { ...body, responses: { b: ['1', '2'] } },
      { ...body, mood: {} },
      { ...body, mood: [] },
      { ...body, mood: { a: [{ b: 1, c: 2 }] } },
      { ...body, mood: { a: [{ b: 2, c: 1 }] } },
      { ...body, mood: { names: ['a'], values: [1] } },
      { ...body, mood: { a: 1 } },
      { ...body, cpps: { data: { x: 'z' } } },
      { ...body, cpps: { properties: { x: ['y'] } } },
    ];
    assert.equal(new Set([body, ...others].map((other) => contentHash(other))).size, others.length + 1);
    assert.equal(
      contentHash({ ...body, mood: { a: [{ b: 1, c: 2 }] } }),
      contentHash({ ...body, mood: { a: [{ c: 2, b: 1 }] } }),
    );
  });

  it('the hash of a body is for ever: this one was written down [D-41]', () => {
    assert.equal(contentHash(body), 'QjRlNKqaPpZ2QQFwtKLUXtzYIGayrHMKdgdeSkprNo0');
  });
});

describe('skip logic', () => {
  const survey = define({
    latents: [
      {
        id: 'L',
        name: 'L',
        type: 'ELEMENTS',
        questions: [{ id: 'M', name: 'M', scale: { min: 1, max: 10 }, dontKnow: true }],
      },
    ],
    questions: [
      {
        id: 'DEEP',
        name: 'Deep',
        responseType: 'TEXT',
        rules: [{ question: 'WHY', operator: 'contains', answer: 'STRASSE' }],
      },
      {
        id: 'FOUND',
        name: 'Found?',
        responseType: 'RADIO',
        answers: [
          { id: 'YES', text: 'Yes', value: 1 },
          { id: 'NO', text: 'No', value: 2 },
          { id: '1', text: 'One' },
        ],
      },
      {
        id: 'WHY',
        name: 'Why?',
        responseType: 'TEXT_AREA',
        required: true,
        rules: [
          { question: 'FOUND', operator: 'equals', answer: '2' },
          { question: 'M', operator: 'lt', answer: 3 },
        ],
      },
      {
        id: 'MANY',
        name: 'Which?',
        responseType: 'CHECKBOX',
        answers: [
          { id: 'A', text: 'Apple' },
          { id: 'B', text: 'Bread' },
          { id: 'B-2', text: 'Butter' },
          { id: 'B-20', text: 'Beer', value: 'b-200' },
          { id: 'C', text: 'Cheese', value: 'b-2' },
        ],
      },
      {
        id: 'BY_ID',
        name: 'Which butter?',
        responseType: 'TEXT',
        rules: [{ question: 'MANY', operator: 'contains', answer: 'B-2' }],
      },
      {
        id: 'APPLE',
        name: 'Apple?',
        responseType: 'NPS',
        rules: [{ question: 'MANY', operator: 'contains', answer: 'APP' }],
      },
      {
        id: 'HIGH',
        name: 'High?',
        responseType: 'STAR_RATING',
        rules: [{ question: 'APPLE', operator: 'gt', answer: 8 }],
      },
    ],
  });

  const cases: [
    name: string,
    responses: Record<string, string[]>,
    faults: [field: string, code: string][],
  ][] = [
    ['nothing answered, nothing required', {}, []],
    ['equals by value, and the text that it asks for', { FOUND: ['NO'], WHY: ['no size'] }, []],
    ['a visible required question without an answer', { FOUND: ['2'] }, [['responses.WHY', 'REQUIRED']]],
    ['blank text is no answer', { FOUND: ['2'], WHY: [' \n '] }, [['responses.WHY', 'REQUIRED']]],
    ['an id wins over a value: 1 is the answer One', { FOUND: ['1'] }, []],
    [
      'an answer to a hidden question',
      { FOUND: ['YES'], WHY: ['x'] },
      [['responses.WHY', 'HIDDEN_QUESTION']],
    ],
    ['blank text to a hidden question is nothing', { FOUND: ['YES'], WHY: [''] }, []],
    ['rules are or-ed: a low measured answer alone asks why', { M: ['2'] }, [['responses.WHY', 'REQUIRED']]],
    ['lt does not include its bound', { M: ['3'] }, []],
    ["don't know is neither low nor high", { M: ['M-DK'] }, []],
    ['contains folds case in every script', { M: ['1'], WHY: ['Falsche Straße'], DEEP: ['yes'] }, []],
    [
      'contains needs the text',
      { M: ['1'], WHY: ['wrong road'], DEEP: ['x'] },
      [['responses.DEEP', 'HIDDEN_QUESTION']],
    ],
    [
      'a rule counts only while its source is visible',
      { FOUND: ['YES'], WHY: ['strasse'], DEEP: ['x'] },
      [
        ['responses.WHY', 'HIDDEN_QUESTION'],
        ['responses.DEEP', 'HIDDEN_QUESTION'],
      ],
    ],
    ['one of several check boxes is enough', { MANY: ['B', 'A'], APPLE: ['9'], HIGH: ['5'] }, []],
    [
      'gt does not include its bound',
      { MANY: ['A'], APPLE: ['8'], HIGH: ['5'] },
      [['responses.HIGH', 'HIDDEN_QUESTION']],
    ],
    [
      'contains folds the capital sharp s like all text',
      { M: ['1'], WHY: ['IN DER STRAẞE'], DEEP: ['x'] },
      [],
    ],
    ['contains is true of the answer with this id', { MANY: ['B-2'], BY_ID: ['x'] }, []],
    ['and of the one with this value', { MANY: ['C'], BY_ID: ['x'] }, []],
    [
      'an id that merely holds it is another one',
      { MANY: ['B-20'], BY_ID: ['x'] },
      [['responses.BY_ID', 'HIDDEN_QUESTION']],
    ],
    ['the other check box', { MANY: ['B'], APPLE: ['9'] }, [['responses.APPLE', 'HIDDEN_QUESTION']]],
    ['several where one is allowed', { FOUND: ['YES', 'NO'] }, [['responses.FOUND', 'TOO_MANY_ANSWERS']]],
    ['off the scale', { M: ['11'] }, [['responses.M[0]', 'OFF_SCALE']]],
    ['not on the list', { MANY: ['A', 'D'] }, [['responses.MANY[1]', 'UNKNOWN_ANSWER']]],
    [
      'what hangs on a faulty answer is not blamed for it',
      { FOUND: ['MAYBE'], WHY: ['x'], NOPE: ['x'] },
      [
        ['responses.FOUND[0]', 'UNKNOWN_ANSWER'],
        ['responses.NOPE', 'UNKNOWN_QUESTION'],
      ],
    ],
  ];
  for (const [name, responses, expected] of cases) {
    it(`${name} [D-42]`, () => {
      const faults = judgeBody(survey, { surveyDefinitionId: 's', responses }).faults;
      assert.deepEqual(
        new Set(faults.map(pair)),
        new Set(expected.map(([field, code]) => `${field} ${code}`)),
      );
    });
  }
});

describe('judging', () => {
  const simple = define({ questions: [{ id: 'Q', name: 'Q', responseType: 'TEXT', required: true }] });
  const body = { surveyDefinitionId: 's', responses: { Q: ['x'] } };

  const standings: [
    name: string,
    source: SourceState,
    closed: boolean,
    isTest: boolean,
    code: string | null,
  ][] = [
    ['an active measure', active, false, false, null],
    ['a closed version', active, true, false, 'SURVEY_CLOSED'],
    ['a closed version, by a test response', active, true, true, 'SURVEY_CLOSED'],
    ['an inactive measure', { kind: 'measure', active: false }, false, false, 'MEASURE_INACTIVE'],
    ['an inactive project', { kind: 'project', status: 'INACTIVE' }, false, false, 'PROJECT_INACTIVE'],
    ['a draft project', { kind: 'project', status: 'DRAFT' }, false, false, 'PROJECT_DRAFT'],
    ['a draft project, by a test response', { kind: 'project', status: 'DRAFT' }, false, true, null],
  ];
  for (const [name, source, closed, isTest, code] of standings) {
    it(`${name}: ${code ?? 'takes it'} [D-46]`, () => {
      const { faults } = judgeBody({ ...simple, closed }, { ...body, isTest }, source);
      assert.deepEqual(
        faults.map((fault) => fault.code),
        code === null ? [] : [code],
      );
    });
  }

  it('a required question binds also when responses is missing altogether [D-42]', () => {
    assert.deepEqual(judgeBody(simple, { surveyDefinitionId: 's' }).faults.map(pair), [
      'responses.Q REQUIRED',
    ]);
  });

  it('a missing time is now, and any offset decides the UTC day [D-44]', () => {
    assert.equal(judgeBody(simple, body).response?.submittedAtMs, nowMs);
    const late = judgeBody(simple, { ...body, submissionTimestamp: '2024-03-01T00:30:00+01:00' }).response;
    assert.equal(late?.day, 19782);
    const last = judgeBody(simple, { ...body, submissionTimestamp: '2024-02-29T23:59:59.999Z' }).response;
    assert.equal(last?.day, 19782);
    const edge = judgeBody(simple, { ...body, submissionTimestamp: '2026-03-02T12:00:00.000Z' });
    assert.deepEqual(edge.faults, []);
  });

  it('the id that was sent is kept, and one that was not sent is made', () => {
    assert.equal(judgeBody(simple, { ...body, responseId: 'mine' }).response?.responseId, 'mine');
    assert.equal(judgeBody(simple, body).response?.responseId, 'fresh');
  });

  it('what the model calls valid is accepted and scored alike [D-33, D-42]', () => {
    fc.assert(
      fc.property(surveyAndBody, ([survey, valid]) => {
        const { response, faults } = judgeBody(survey, valid);
        assert.deepEqual(faults, []);
        assert.ok(response);
        const scores = namedScores(prepareSurvey(survey, active), response.scores);
        assert.deepEqual(scores, latentScoresOf(survey, valid));
        const expected =
          valid.submissionTimestamp === undefined ? nowMs : Date.parse(valid.submissionTimestamp);
        assert.equal(response.submittedAtMs, expected);
      }),
      { numRuns: 200 },
    );
  });

  it('any single change that breaks a rule is refused and named [D-42]', () => {
    fc.assert(
      fc.property(surveyAndBody, ([survey, valid]) => {
        for (const { body, field, code } of brokenBodies(survey, valid, nowMs)) {
          const faults = judgeBody(survey, body).faults.map(pair);
          assert.ok(
            faults.includes(`${field} ${code}`),
            `${field} ${code} not in ${faults} of ${JSON.stringify(body)}`,
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

const surveyAndBody = fc
  .constantFrom<'measure' | 'project'>('measure', 'project')
  .chain((kind) => writtenSurvey(kind, 's').map((written) => define(written, kind)))
  .chain((survey) =>
    fc.tuple(fc.constant(survey), validBody(survey, Date.parse('2026-02-20T00:00:00Z'), nowMs)),
  );

function define(survey: Record<string, unknown>, kind: 'measure' | 'project' = 'measure'): SurveyDefinition {
  const source = { name: 'n', surveys: [{ id: 's', ...survey }] };
  const account =
    kind === 'measure' ? { measures: [{ key: 1, ...source }] } : { projects: [{ id: 1, ...source }] };
  const reading = readCatalogue(JSON.stringify({ accounts: [{ id: 1, name: 'n', ...account }] }));
  assert.ok(reading.catalogue, JSON.stringify(reading.faults));
  const [read] = reading.catalogue.accounts;
  const definition = read?.measures[0]?.surveys[0] ?? read?.projects[0]?.surveys[0];
  assert.ok(definition);
  return definition;
}

function judgeBody(survey: SurveyDefinition, body: unknown, source: SourceState = active) {
  const reading = readDraft(body);
  if (reading.draft === null) return { response: null, faults: reading.faults };
  return judge(prepareSurvey(survey, source), reading.draft, { nowMs, newId: () => 'fresh' });
}

function pair({ field, code }: Fault): string {
  return `${field} ${code}`;
}
