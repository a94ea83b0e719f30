import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCatalogue } from './catalogue.ts';
import type { SurveyDefinition } from './definition.ts';
import { latentScore, rangeScore, rangeScores, scoreMicros } from './score.ts';
import { prepareSurvey } from './survey.ts';

function versions(...written: Record<string, unknown>[]): readonly SurveyDefinition[] {
  const surveys = written.map((survey, index) => ({ id: `s${index}`, version: index + 1, ...survey }));
  const file = { accounts: [{ id: 1, name: 'n', measures: [{ key: 1, name: 'n', surveys }] }] };
  const reading = readCatalogue(JSON.stringify(file));
  assert.ok(reading.catalogue, JSON.stringify(reading.faults));
  return reading.catalogue.accounts[0]?.measures[0]?.surveys ?? [];
}

const question = (id: string, weight: number) => ({
  id,
  name: id,
  weight,
  scale: { min: 1, max: 10 },
  dontKnow: true,
});
const latent = (id: string, name = id) => ({
  id,
  name,
  type: 'ELEMENTS',
  questions: [question(`Q-${id}`, 1)],
});

describe('the score of one response', () => {
  const [survey] = versions({
    latents: [{ id: 'L', name: 'L', type: 'SATISFACTION', questions: [question('A', 3), question('B', 1)] }],
  });
  assert.ok(survey);
  const [prepared] = prepareSurvey(survey, { kind: 'measure', active: true }).latents;
  assert.ok(prepared);

  // Answers are by index: 0 is the value 1, 9 the value 10, 10 is "Don't know", -1 none.
  const cases: [name: string, chosen: number[], score: number | null][] = [
    ['the weighted mean of all', [9, 0], 75],
    ['of the answered ones alone', [-1, 9], 100],
    ["don't know leaves the sum", [10, 9], 100],
    ['the lowest answers give 0', [0, 0], 0],
    ['nothing answered gives null, never 0', [-1, -1], null],
    ["only don't know gives null, never 0", [10, 10], null],
  ];
  for (const [name, chosen, score] of cases) {
    it(`${name} [D-33]`, () => assert.equal(latentScore(prepared, chosen), score));
  }
});

describe('the score of one response by any weights', () => {
  /** The score of these answers, each a place on its own scale from 0 to 1, by these weights. */
  const scoreOf = (questions: readonly { weight: number; min: number; size: number; place: number }[]) => {
    const [survey] = versions({
      latents: [
        {
          id: 'L',
          name: 'L',
          type: 'ELEMENTS',
          questions: questions.map(({ weight, min, size }, index) => ({
            ...question(`Q${index}`, weight),
            scale: { min, max: min + size },
          })),
        },
      ],
    });
    const [prepared] = prepareSurvey(survey!, { kind: 'measure', active: true }).latents;
    const chosen = questions.map(({ size, place }) => Math.round(place * size));
    return latentScore(prepared!, chosen);
  };

  it('all at the top are 100, never a hair more [D-33]', () => {
    const top = (weight: number) => ({ weight, min: 1, size: 9, place: 1 });
    assert.equal(scoreOf([0.06, 0.57, 0.37].map(top)), 100);
    assert.equal(scoreOf([1.7976931348623157e308, 1.7976931348623157e308, 5e-324].map(top)), 100);
  });

  it('a score lies between the lowest and the highest answer, and so within 0 and 100 [D-33]', () => {
    const weight = fc.oneof(
      fc.double({ min: 0, minExcluded: true, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 1000 }).map((hundredths) => hundredths / 100),
      fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true }),
    );
    const asked = fc.record({
      weight,
      min: fc.integer({ min: -10, max: 10 }),
      size: fc.integer({ min: 1, max: 20 }),
      place: fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 12 }), (questions) => {
        const given = questions.map(({ size, place }) => (Math.round(place * size) / size) * 100);
        const score = scoreOf(questions);
        assert.ok(score !== null && score >= Math.min(...given) && score <= Math.max(...given), `${score}`);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the score of a range', () => {
  it('is the mean of whole millionths, whatever the order of adding [D-34]', () => {
    const scores = [100 / 3, 66.66666666666667, 0.1, 99.9];
    const micros = scores.map(scoreMicros);
    const forth = micros.reduce((sum, score) => sum + score, 0);
    const back = micros.toReversed().reduce((sum, score) => sum + score, 0);
    assert.equal(forth, back);
    assert.equal(rangeScore({ micros: forth, count: 4 }), 50);
    assert.equal(rangeScore({ micros: 0, count: 0 }), null);
    assert.equal(rangeScore({ micros: 0, count: 2 }), 0);
  });

  it('lists the current latents in order, then older ones that have data [D-34]', () => {
    const surveys = versions(
      { latents: [latent('OLD', 'Oldest name'), latent('GONE')], current: false },
      { latents: [latent('OLD', 'Newer name'), latent('B', 'Former B')], current: false },
      { latents: [latent('B', 'B now'), latent('A')], current: true },
    );
    const sums = new Map([
      ['OLD', { micros: 30_000_000, count: 2 }],
      ['B', { micros: 90_000_000, count: 1 }],
    ]);
    assert.deepEqual(rangeScores(surveys, sums), [
      { id: 'B', name: 'B now', type: 'ELEMENTS', score: 90, count: 1 },
      { id: 'A', name: 'A', type: 'ELEMENTS', score: null, count: 0 },
      { id: 'OLD', name: 'Newer name', type: 'ELEMENTS', score: 15, count: 2 },
    ]);
  });
});
