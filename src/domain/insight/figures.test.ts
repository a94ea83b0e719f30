import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { validBody, writtenSurvey } from '../../../test/support/feedback-arbitraries.ts';
import { readCatalogue } from '../feedback/catalogue.ts';
import { judge } from '../feedback/response.ts';
import { readDraft } from '../feedback/response-draft.ts';
import { eraseValues } from '../feedback/row-values.ts';
import { type PreparedSurvey, prepareSurvey } from '../feedback/survey.ts';
import { addPacked, addRow, newFigures, packFigures, takeAnswers } from './figures.ts';
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
