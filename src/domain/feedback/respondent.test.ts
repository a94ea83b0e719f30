import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { validBody, writtenCatalogue } from '../../../test/support/feedback-arbitraries.ts';
import { type Kept, projectEntryOf, respondentOf } from '../../../test/support/feedback-model.ts';
import { ByteWriter } from '../byte-writer.ts';
import { suspicions } from '../pages/quality.ts';
import { readCatalogue } from './catalogue.ts';
import type { SurveyDefinition } from './definition.ts';
import { addExternal } from './parameters.ts';
import { excludeNothing, prepareTexts, RowCursor, type ShownRow } from './respondent.ts';
import { judge } from './response.ts';
import { readDraft } from './response-draft.ts';
import { eraseValues, suspectPiece, withQuality } from './row-values.ts';
import { prepareSurvey, type SourceState } from './survey.ts';

const cursor = new RowCursor();
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const measure: SourceState = { kind: 'measure', active: true };
const project: SourceState = { kind: 'project', status: 'ACTIVE' };

const plainAccount = { id: 1, name: 'n', measures: [{ key: 1, name: 'n', surveys: [{ id: 's' }] }] };

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

const scene = writtenCatalogue(1)
  .map((written) => {
    const reading = readCatalogue(JSON.stringify(written));
    assert.ok(reading.catalogue, JSON.stringify(reading.faults));
    const [account] = reading.catalogue.accounts;
    const survey = account?.measures[0]?.surveys[0];
    const badge = account?.projects[0]?.surveys[0];
    assert.ok(survey && badge);
    return { survey, badge };
  })
  .chain(({ survey, badge }) =>
    fc.record({
      survey: fc.constant(survey),
      badge: fc.constant(badge),
      body: validBody(survey, Date.UTC(1990, 0, 1), nowMs),
      badgeBody: validBody(badge, Date.UTC(1990, 0, 1), nowMs),
      external,
      toggles,
    }),
  );

describe('what is shown of a response', () => {
  it('a Respondent joined from two halves is the one that the decisions describe [D-36, D-37]', () => {
    const writer = new ByteWriter(16);
    fc.assert(
      fc.property(scene, ({ survey, body, external, toggles }) => {
        const { row, kept } = keep(survey, body, measure, external);
        const shown = respondentOf(survey, body, kept, toggles);
        for (const form of formsOf(row)) {
          cursor.writeRespondent(writer, prepareTexts(survey), form, toggles);
          assert.deepEqual(JSON.parse(writer.take().toString()), shown);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a ProjectEntry likewise [D-39]', () => {
    const writer = new ByteWriter(16);
    fc.assert(
      fc.property(scene, ({ badge, badgeBody, external }) => {
        const { row, kept } = keep(badge, badgeBody, project, external);
        for (const form of formsOf(row)) {
          cursor.writeProjectEntry(writer, prepareTexts(badge), form);
          assert.deepEqual(JSON.parse(writer.take().toString()), projectEntryOf(badge, badgeBody, kept));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a row that is written piece by piece, each in other memory, is the same row', () => {
    const whole = new ByteWriter();
    fc.assert(
      fc.property(scene, fc.integer({ min: 1, max: 400 }), ({ survey, body, external, toggles }, stopAt) => {
        const { row } = keep(survey, body, measure, external);
        const texts = prepareTexts(survey);
        for (const form of formsOf(row)) {
          cursor.writeRespondent(whole, texts, form, toggles);
          const pieces: Buffer[] = [];
          let writer = new ByteWriter(16);
          let isWhole = cursor.writeRespondent(writer, texts, form, toggles, stopAt);
          pieces.push(writer.take());
          while (!isWhole) {
            writer = new ByteWriter(16);
            isWhole = cursor.goOn(writer, stopAt);
            pieces.push(writer.take());
          }
          assert.equal(Buffer.concat(pieces).toString(), whole.take().toString());
        }
      }),
      { numRuns: 100 },
    );
  });

  it('what speaks against a response is one member more, and nothing that was sent looks like it [D-467]', () => {
    const writer = new ByteWriter(16);
    const quality = fc.record({ suspect: fc.subarray([...suspicions], { minLength: 1 }) });
    fc.assert(
      fc.property(scene, quality, ({ survey, body, badge, badgeBody, external, toggles }, { suspect }) => {
        const shownOf = (isProject: boolean, row: ShownRow): string => {
          if (isProject) cursor.writeProjectEntry(writer, prepareTexts(badge), row);
          else cursor.writeRespondent(writer, prepareTexts(survey), row, toggles);
          return writer.take().toString();
        };
        for (const isProject of [false, true]) {
          const { row }: ReturnType<typeof keep> = isProject
            ? keep(badge, badgeBody, project, external)
            : keep(survey, body, measure, external);
          assert.equal(suspectPiece(row.values), null);
          const flagged = { ...row, values: withQuality(row.values, { suspect }) };
          const shown = shownOf(isProject, row);
          for (const form of formsOf(flagged))
            assert.equal(
              shownOf(isProject, form),
              `${shown.slice(0, -1)},"quality":${JSON.stringify({ suspect })}}`,
            );
          // Of an erased response it goes, like all else that tells of the person.
          const kind = isProject ? 'project' : 'measure';
          assert.equal(eraseValues(flagged.values, kind), eraseValues(row.values, kind));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a row of ten thousand long names takes little more room than it has bytes', () => {
    const reading = readCatalogue(JSON.stringify({ accounts: [plainAccount] }));
    const survey = reading.catalogue?.accounts[0]?.measures[0]?.surveys[0];
    assert.ok(survey);
    const names = Array.from({ length: 10_000 }, (_, index) => `${'n'.repeat(200)}${index}`);
    const values = `\n\n\n\n${' '.repeat(names.length)}${names.map((name) => `\n"${name}"\n"x"`).join('')}`;
    const row = { responseId: 'r', submittedAtMs: 0, values, external: null };
    const writer = new ByteWriter();
    cursor.writeRespondent(writer, prepareTexts(survey), row, excludeNothing);
    const { responses } = JSON.parse(writer.view().toString()) as { responses: { id: string }[] };
    assert.deepEqual(
      responses.map(({ id }) => id),
      names,
    );
    assert.ok(writer.target.length < writer.end * 2.1);
  });

  it('of an erased response the place, the day and the scores stay, and nothing that was said [D-48]', () => {
    const writer = new ByteWriter();
    fc.assert(
      fc.property(scene, ({ survey, body, badge, badgeBody, toggles }) => {
        const { row, kept } = keep(survey, body, measure, {});
        const erasedRow = { ...row, values: eraseValues(row.values, 'measure') };
        for (const asked of [excludeNothing, toggles]) {
          const said = asked.excludeResponseDetails ? {} : { responses: [] };
          const shown = { ...respondentOf(survey, body, kept, asked), ...said, erased: true };
          for (const form of formsOf(erasedRow)) {
            cursor.writeRespondent(writer, prepareTexts(survey), form, asked);
            assert.deepEqual(JSON.parse(writer.take().toString()), shown);
          }
        }
        assert.equal(eraseValues(erasedRow.values, 'measure'), erasedRow.values);

        const entry = keep(badge, badgeBody, project, {});
        const erasedEntry = { ...entry.row, values: eraseValues(entry.row.values, 'project') };
        const shownEntry = {
          ...projectEntryOf(badge, badgeBody, entry.kept),
          url: null,
          locale: null,
          rating: null,
          topic: null,
          responses: [],
          erased: true,
        };
        for (const form of formsOf(erasedEntry)) {
          cursor.writeProjectEntry(writer, prepareTexts(badge), form);
          assert.deepEqual(JSON.parse(writer.take().toString()), shownEntry);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('a question with a thousand answers is kept and shown like any other', () => {
    const answers = Array.from({ length: 1000 }, (_, index) => ({
      id: `A${index}`,
      text: `Country ${index}`,
    }));
    const file = {
      id: 1,
      name: 'n',
      measures: [
        {
          key: 1,
          name: 'n',
          surveys: [{ id: 's', questions: [{ id: 'Q', name: 'Q', responseType: 'SELECT', answers }] }],
        },
      ],
    };
    const reading = readCatalogue(JSON.stringify({ accounts: [file] }));
    const survey = reading.catalogue?.accounts[0]?.measures[0]?.surveys[0];
    assert.ok(survey);
    const writer = new ByteWriter();
    for (const index of [0, 77, 78, 79, 80, 127, 500, 999]) {
      const { row } = keep(survey, { surveyDefinitionId: 's', responses: { Q: [`A${index}`] } }, measure, {});
      for (const form of formsOf(row)) {
        cursor.writeRespondent(writer, prepareTexts(survey), form, excludeNothing);
        const shown = JSON.parse(writer.take().toString());
        assert.deepEqual(shown.responses[0].answers, [`Country ${index}`]);
      }
    }
  });

  it('a parameter that is declared later leaves rows of before as they were [D-35, D-47]', () => {
    const file = (names: string[]) => ({
      accounts: [
        {
          id: 1,
          name: 'n',
          measures: [
            {
              key: 1,
              name: 'n',
              surveys: [
                { id: 's', parameters: { custom: names.map((name) => ({ id: `C-${name}`, name })) } },
              ],
            },
          ],
        },
      ],
    });
    const [before, after] = [file(['b']), file(['b', 'a'])].map(
      (written) => readCatalogue(JSON.stringify(written)).catalogue?.accounts[0]?.measures[0]?.surveys[0],
    );
    assert.ok(before && after);
    const { row } = keep(
      before,
      { surveyDefinitionId: 's', cpps: { data: { a: '1', b: '2' } } },
      measure,
      {},
    );
    const writer = new ByteWriter();
    cursor.writeRespondent(writer, prepareTexts(before), row, excludeNothing);
    const shown = writer.take().toString();
    cursor.writeRespondent(writer, prepareTexts(after), row, excludeNothing);
    assert.equal(writer.take().toString(), shown);
  });
});

describe('external parameters', () => {
  const survey = {
    id: 's',
    parameters: {
      custom: [],
      external: [
        { id: 'E-1', name: 'tier', valueType: 'STRING' },
        { id: 'E-2', name: 'age', valueType: 'NUMBER' },
      ],
    },
  } as unknown as SurveyDefinition;

  it('they are added by name or id, and a second run changes nothing [D-37]', () => {
    const first = addExternal(survey, null, new Map([['age', '7']]));
    assert.deepEqual(first, { external: '\n"7"', changed: true, faults: [] });
    const second = addExternal(
      survey,
      first.external,
      new Map([
        ['E-1', 'gold'],
        ['age', '7'],
      ]),
    );
    assert.deepEqual(second, { external: '"gold"\n"7"', changed: true, faults: [] });
    assert.equal(addExternal(survey, second.external, new Map([['tier', 'gold']])).changed, false);
    assert.equal(addExternal(survey, second.external, new Map([['tier', '']])).changed, false);
  });

  it('another value than is there, an undeclared column and a value of another type are faults [D-37]', () => {
    const columns = new Map([
      ['tier', 'silver'],
      ['colour', 'red'],
      ['age', 'old'],
    ]);
    const { changed, faults } = addExternal(survey, '"gold"', columns);
    assert.equal(changed, false);
    assert.equal(faults.length, 3);
  });
});

// A row with its values as a text, and as the bytes that an engine may hand over: amid others, whichever those are.
function formsOf(row: ShownRow & { values: string }): ShownRow[] {
  const inBytes = (behind: string): ShownRow => {
    const source = Buffer.from(`before${row.values}${behind}`);
    const end = source.length - Buffer.byteLength(behind);
    return { ...row, values: { source, begin: Buffer.byteLength('before'), end } };
  };
  return [row, inBytes('behind'), inBytes('\nbehind')];
}

function keep(
  survey: SurveyDefinition,
  body: unknown,
  source: SourceState,
  external: Readonly<Record<string, string | undefined>>,
): { row: ShownRow & { values: string }; kept: Kept } {
  const { draft } = readDraft(body);
  assert.ok(draft);
  const { response, faults } = judge(prepareSurvey(survey, source), draft, { nowMs, newId: () => 'é"1' });
  assert.ok(response, JSON.stringify(faults));
  const declared = Object.entries(external).filter(([name]) =>
    survey.parameters.external.some((parameter) => parameter.name === name),
  ) as [string, string][];
  const added = addExternal(survey, null, new Map(declared));
  assert.deepEqual(added.faults, []);
  const { responseId, submittedAtMs, values } = response;
  return {
    row: { responseId, submittedAtMs, values, external: added.changed ? added.external : null },
    kept: { responseId, submittedAtMs, external: Object.fromEntries(declared) },
  };
}
