import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { validBody, writtenSurvey } from '../../../test/support/feedback-arbitraries.ts';
import { readCatalogue } from '../feedback/catalogue.ts';
import { judge } from '../feedback/response.ts';
import { readDraft } from '../feedback/response-draft.ts';
import { eraseValues } from '../feedback/row-values.ts';
import { scoreMicros } from '../feedback/score.ts';
import { type PreparedSurvey, prepareSurvey } from '../feedback/survey.ts';
import { addPacked, addRow, newFigures, packFigures, readScores, takeAnswers } from './figures.ts';
import { GivenRow } from './given-answers.ts';
import { layoutOf } from './layout.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

describe('the figures of a day and version', () => {
  for (const kind of ['measure', 'project'] as const)
    it(`taking away what an erased response of a ${kind} answered is as if it had come erased [D-470]`, () => {
      const some = writtenSurvey(kind, 's').chain((written) => {
        const survey = preparedSurvey(kind, written);
        const body = validBody(survey.definition, nowMs - 1_000, nowMs);
        return fc.array(fc.tuple(body, fc.boolean()), { maxLength: 12 }).map((rows) => ({ survey, rows }));
      });
      fc.assert(
        fc.property(some, ({ survey, rows }) => {
          const layout = layoutOf(survey);
          const row = new GivenRow(survey);
          const later = newFigures(layout);
          const before = newFigures(layout);
          for (const [body, isErased] of rows) {
            const values = valuesOf(survey, body);
            row.read(values);
            addRow(layout, later, row);
            if (isErased) takeAnswers(layout, later, row);
            row.read(isErased ? eraseValues(values, kind) : values);
            addRow(layout, before, row);
          }
          assert.deepEqual(later, before);
          const again = newFigures(layout);
          addPacked(again, packFigures(before));
          assert.deepEqual(again, before);
        }),
        { numRuns: 200 },
      );
    });

  it('figures come back from their text, whatever whole numbers they are', () => {
    const figure = fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      fc.integer({ min: -50, max: 5_000 }),
      fc.maxSafeInteger(),
    );
    fc.assert(
      fc.property(fc.array(figure, { maxLength: 200 }), (figures) => {
        const packed = packFigures(Float64Array.from(figures));
        const again = new Float64Array(figures.length);
        addPacked(again, packed);
        assert.deepEqual(
          [...again].map((one) => one + 0),
          figures.map((one) => one + 0),
        );
        assert.equal(packFigures(again), packed);
        const last = figures.findLastIndex((one) => one !== 0);
        if (last >= 0) assert.throws(() => addPacked(new Float64Array(last), packed));
      }),
    );
  });

  it('scores are read as the sums of the interface read them', () => {
    const score = fc.oneof(
      fc.constant(null),
      fc.integer({ min: 0, max: 100 }),
      fc.double({ min: 0, max: 100, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 9 }), (scores) => {
        const expected = scores.map((one) => (one === null ? null : scoreMicros(one)));
        const head = JSON.stringify(scores).slice(1, -1);
        assert.deepEqual(readScores(head, scores.length).slice(0, scores.length), expected);
      }),
    );
  });
});

function preparedSurvey(kind: 'measure' | 'project', written: object): PreparedSurvey {
  const source = { key: 1, id: 1, name: 'One', surveys: [written] };
  const { id: _, ...measure } = source;
  const { key: __, ...project } = source;
  const account = kind === 'measure' ? { measures: [measure] } : { projects: [project] };
  const text = JSON.stringify({ accounts: [{ id: 1, name: 'One', ...account }] });
  const { catalogue, faults } = readCatalogue(text);
  assert.deepEqual(faults, []);
  const { measures, projects } = catalogue!.accounts[0]!;
  const definition = [...measures, ...projects][0]!.surveys[0]!;
  return prepareSurvey(definition, kind === 'measure' ? { kind, active: true } : { kind, status: 'ACTIVE' });
}

function valuesOf(survey: PreparedSurvey, body: object): string {
  const { draft } = readDraft(body);
  assert.ok(draft);
  const { response, faults } = judge(survey, draft, { nowMs, newId: () => 'id' });
  assert.deepEqual(faults, []);
  return response!.values;
}
