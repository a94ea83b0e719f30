import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SurveyDefinition } from '../feedback/definition.ts';
import { surveyTexts } from './survey-texts.ts';

const base = { phrase: 'short', label: 'l', required: false, weight: 1, dontKnow: true };
const definition: SurveyDefinition = {
  id: 's',
  modelInstanceId: 's',
  version: 1,
  current: true,
  public: true,
  origins: [],
  closed: false,
  language: 'de',
  translations: {
    fr: {
      questions: {
        Q1: { phrase: 'Question', labels: { min: 'mal', max: 'bien' } },
        Q2: { answers: { A: 'Oui' } },
      },
    },
  },
  page: {
    intro: 'Hallo',
    sections: [{ title: 'Erstens', questions: ['Q2'] }, { questions: ['Q3', 'Q2', 'nobody'] }],
    translations: { fr: { sections: ['Premier', 'never shown'] } },
  },
  latents: [
    {
      id: 'L',
      name: 'L',
      type: 'ELEMENTS',
      questions: [
        {
          ...base,
          id: 'Q1',
          name: 'Frage',
          scale: { min: 1, max: 5, labels: { min: 'schlecht', max: 'gut' } },
        },
        {
          ...base,
          id: 'Q3',
          name: 'Noch eine',
          scale: { min: 1, max: 5 },
          dontKnowText: 'Kann ich nicht sagen',
        },
      ],
    },
  ],
  questions: [
    {
      ...base,
      id: 'Q2',
      name: 'Und?',
      responseType: 'RADIO',
      answers: [
        { id: 'A', text: 'Ja', label: 'Ja', value: null },
        { id: 'B', text: 'Nein', label: 'Nein', value: null },
      ],
      scale: null,
      maxLength: null,
      role: null,
      rules: [],
    },
  ],
  parameters: { custom: [], external: [] },
};

describe('the texts of a survey', () => {
  const french = surveyTexts(definition, 'fr', 'Laden');

  it('people are asked the name of a question, and what a translation leaves out is in the own language [D-410, D-430]', () => {
    assert.deepEqual(french.questions.get('Q1')?.phrase, { text: 'Question', language: 'fr' });
    assert.deepEqual(french.questions.get('Q3')?.phrase, { text: 'Noch eine', language: 'de' });
    assert.deepEqual(french.questions.get('Q1')?.labels, {
      min: { text: 'mal', language: 'fr' },
      max: { text: 'bien', language: 'fr' },
    });
    assert.deepEqual(
      [...french.questions.get('Q2')!.answers.values()],
      [
        { text: 'Oui', language: 'fr' },
        { text: 'Nein', language: 'de' },
      ],
    );
    assert.deepEqual(french.intro, { text: 'Hallo', language: 'de' });
    assert.equal(french.thanks, null);
  });

  it('the heading of a survey without a title is the name of its measure or project', () => {
    assert.deepEqual(french.title, { text: 'Laden', language: 'de' });
  });

  it('each question stands in the first section that names it, the others in a last one', () => {
    assert.deepEqual(
      french.sections.map(({ title, questions }) => [title?.text ?? null, questions]),
      [
        ['Premier', ['Q2']],
        [null, ['Q3']],
        [null, ['Q1']],
      ],
    );
  });

  it('what is said for "Don\'t know" may be missing, and the page then has words of its own', () => {
    assert.equal(french.questions.get('Q1')?.dontKnow, null);
    assert.equal(french.questions.get('Q3')?.dontKnow?.text, 'Kann ich nicht sagen');
  });
});
