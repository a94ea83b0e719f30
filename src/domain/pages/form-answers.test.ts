import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { someText, writtenSurvey } from '../../../test/support/feedback-arbitraries.ts';
import { readCatalogue } from '../feedback/catalogue.ts';
import type { SurveyDefinition } from '../feedback/definition.ts';
import { judge } from '../feedback/response.ts';
import { readDraft } from '../feedback/response-draft.ts';
import { prepareSurvey, type SourceState } from '../feedback/survey.ts';
import { byQuestion, faultTexts } from './fault-texts.ts';
import { answersOfForm, faultsOfAnswers, plainText } from './form-answers.ts';
import type { FormFields } from './form-fields.ts';
import { scriptJson } from './html.ts';
import { messagesOf } from './messages/messages.ts';
import { prepareScriptSurvey, type ScriptData, scriptData } from './script-data.ts';

const sources: Readonly<Record<'measure' | 'project', SourceState>> = {
  measure: { kind: 'measure', active: true },
  project: { kind: 'project', status: 'ACTIVE' },
};

interface Case {
  readonly kind: 'measure' | 'project';
  readonly definition: SurveyDefinition;
  readonly fields: FormFields;
}

/** A survey with rules, and what a person or a program fills in: right answers, wrong ones, blanks, several. */
const cases: fc.Arbitrary<Case> = fc
  .constantFrom('measure' as const, 'project' as const)
  .chain((kind) =>
    writtenSurvey(kind, 'survey').map((written) => {
      const source =
        kind === 'measure'
          ? { measures: [{ key: 1, name: 'M', surveys: [written] }] }
          : { projects: [{ id: 1, name: 'P', surveys: [written] }] };
      const { catalogue, faults } = readCatalogue(
        JSON.stringify({ accounts: [{ id: 1, name: 'A', ...source }] }),
      );
      assert.ok(catalogue, JSON.stringify(faults));
      const [account] = catalogue.accounts;
      const definition = [...account!.measures, ...account!.projects][0]!.surveys[0]!;
      return { kind, definition };
    }),
  )
  .chain(({ kind, definition }) => {
    const { questions } = prepareSurvey(definition, sources[kind]);
    const text = fc.oneof(
      someText,
      fc.constantFrom('', '  ', '\r\n', 'x'.repeat(30), '\ud800', ' 7 ', '1e99'),
    );
    const filled = questions.map(({ id, answers }) => {
      const ids = answers.map((answer) => answer.id);
      const one = ids.length === 0 ? text : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, text);
      const values = fc.oneof({ weight: 6, arbitrary: one.map((value) => [value]) }, fc.array(one));
      return values.map((list) => [`q.${id}`, list] as const);
    });
    const all = fc.tuple(...filled).map((entries): FormFields => new Map(entries));
    return all.map((fields) => ({ kind, definition, fields }));
  });

describe('the answers of a form', () => {
  it('the page judges like the server, and what passed on the page is never refused [D-441]', () => {
    let passed = 0;
    fc.assert(
      fc.property(cases, ({ kind, definition, fields }) => {
        const data = scriptData(definition, messagesOf('en'), 'en', null);
        const onPage = prepareScriptSurvey(JSON.parse(scriptJson(data)) as ScriptData);
        const atServer = prepareSurvey(definition, sources[kind]);
        const judged = answersOfForm(onPage, fields);
        assert.deepEqual(judged, answersOfForm(atServer, fields));
        const found = faultsOfAnswers(onPage, judged.answers);
        // Every fault of a question has its sentence.
        const texts = faultTexts(onPage, found, data.messages, 'en');
        assert.equal(texts.size > 0, found.length > 0);
        const { draft } = readDraft({ surveyDefinitionId: definition.id, responses: judged.answers });
        const { response, faults } = judge(atServer, draft!, {
          nowMs: Date.UTC(2026, 0, 1),
          newId: () => 'id',
        });
        assert.deepEqual(byQuestion(atServer, faults), found);
        if (response !== null) passed += 1;
      }),
      { numRuns: 200 },
    );
    assert.ok(passed > 20, `${passed} passed`);
  });

  it('a form of a browser and the same one of a script are the same answers [D-441]', () => {
    const typed = ['  two\nlines ', 'one\r\ntwo', 'a\ud800b', '\n', 'x'];
    // What browsers make of a text when they send a form.
    const posted = typed.map((text) => text.toWellFormed().replaceAll(/\r\n|\r|\n/g, '\r\n'));
    assert.deepEqual(typed.map(plainText), posted.map(plainText));
    assert.deepEqual(typed.map(plainText), ['two\nlines', 'one\ntwo', 'a\ufffdb', '', 'x']);
  });
});
