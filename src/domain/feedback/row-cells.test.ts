import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { validBody, writtenCatalogue } from '../../../test/support/feedback-arbitraries.ts';
import type { ResponseBody } from '../../../test/support/feedback-model.ts';
import { cellsOfItem, type ShownItem } from '../../../test/support/shown-cells.ts';
import { ByteWriter } from '../byte-writer.ts';
import { type Quality, suspicions } from '../pages/quality.ts';
import { readCatalogue } from './catalogue.ts';
import type { SurveyDefinition } from './definition.ts';
import { addExternal } from './parameters.ts';
import { excludeNothing, prepareTexts, type RespondentToggles, RowCursor } from './respondent.ts';
import { judge } from './response.ts';
import { readDraft } from './response-draft.ts';
import { type NumberedRow, RowCells } from './row-cells.ts';
import { eraseValues } from './row-values.ts';
import { prepareSurvey, type SourceState } from './survey.ts';
import { type Cell, Table } from './table.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const states: Readonly<Record<'measure' | 'project', SourceState>> = {
  measure: { kind: 'measure', active: true },
  project: { kind: 'project', status: 'ACTIVE' },
};

const toggles = fc.record({
  excludeResponseDetails: fc.boolean(),
  excludeMQ: fc.boolean(),
  excludeCQ: fc.boolean(),
  excludePassedParams: fc.boolean(),
  excludeLatentScores: fc.boolean(),
});
const external = fc.record(
  { tier: fc.constantFrom('gold', 'sil"ver'), region: fc.constantFrom('nörd', '7') },
  { requiredKeys: [] },
);

/** Two versions of a source whose questions share ids and differ in the rest, and a response to each. */
const scene = fc
  .tuple(writtenCatalogue(1), writtenCatalogue(2), fc.constantFrom('measure' as const, 'project' as const))
  .map(([one, other, kind]) => {
    const surveys = [one, other].map((written, index) => {
      const { catalogue, faults } = readCatalogue(JSON.stringify(written));
      const account = catalogue?.accounts[0];
      const survey = (kind === 'measure' ? account?.measures : account?.projects)?.[0]?.surveys[0];
      assert.ok(survey, JSON.stringify(faults));
      return { number: 7 + index, definition: { ...survey, version: index + 1, current: index === 1 } };
    });
    return { kind, surveys };
  })
  .chain(({ kind, surveys }) =>
    fc.record({
      kind: fc.constant(kind),
      surveys: fc.constant(surveys),
      bodies: fc.tuple(
        ...surveys.map(({ definition }) => validBody(definition, Date.UTC(1990, 0, 1), nowMs)),
      ),
      external,
      toggles: kind === 'measure' ? toggles : fc.constant(excludeNothing),
      isErased: fc.boolean(),
      quality: fc.option(fc.record({ suspect: fc.subarray([...suspicions], { minLength: 1 }) })),
    }),
  );

function rowOf(
  kind: 'measure' | 'project',
  survey: { readonly number: number; readonly definition: SurveyDefinition },
  body: ResponseBody,
  added: Readonly<Record<string, string | undefined>>,
  seq: number,
  quality: Quality | null,
): NumberedRow {
  const { draft } = readDraft(body);
  assert.ok(draft);
  const prepared = prepareSurvey(survey.definition, states[kind]);
  const { response, faults } = judge(prepared, draft, { nowMs, newId: () => 'new', quality });
  assert.ok(response, JSON.stringify(faults));
  const known = Object.entries(added).filter(([name]) =>
    survey.definition.parameters.external.some((parameter) => parameter.name === name),
  );
  const { external: kept } = addExternal(survey.definition, null, new Map(known as [string, string][]));
  return {
    seq,
    surveyNumber: survey.number,
    responseId: `r-${seq}`,
    submittedAtMs: response.submittedAtMs,
    values: response.values,
    external: kept === '' ? null : kept,
    digest: `digest ${seq}`,
  };
}

function shownOf(
  kind: 'measure' | 'project',
  survey: { readonly definition: SurveyDefinition },
  row: NumberedRow,
  asked: RespondentToggles,
): ShownItem {
  const writer = new ByteWriter();
  const cursor = new RowCursor();
  const texts = prepareTexts(survey.definition);
  if (kind === 'project') cursor.writeProjectEntry(writer, texts, row);
  else cursor.writeRespondent(writer, texts, row, asked);
  const item = JSON.parse(writer.take().toString()) as ShownItem;
  return { ...item, position: row.seq, surveyVersion: survey.definition.version, digest: row.digest };
}

describe('the cells of a row', () => {
  it('are what the data endpoints show of it, in a table of all versions [D-124] [D-265]', () => {
    fc.assert(
      fc.property(scene, ({ kind, surveys, bodies, external: added, toggles: asked, isErased, quality }) => {
        const table = new Table({ kind, surveys, toggles: asked });
        const cells = new RowCells(table);
        const columns = table.columns.map((): Cell[] => new Array<Cell>(bodies.length).fill(null));
        const wanted = bodies.map((body, index) => {
          const survey = surveys[index]!;
          const kept = rowOf(kind, survey, body, added, index + 1, quality);
          const row = isErased && index === 0 ? { ...kept, values: eraseValues(kept.values, kind) } : kept;
          cells.write(row, columns, index);
          return cellsOfItem(
            { find: (of, id) => table.find(of, id), columns: table.columns },
            shownOf(kind, survey, row, asked),
            kind,
          );
        });
        const got = bodies.map((_, index) => columns.map((column) => column[index]));
        assert.deepEqual(got, wanted);
      }),
      { numRuns: 100 },
    );
  });
});
