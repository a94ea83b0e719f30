import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SurveyDefinition } from '../feedback/definition.ts';
import { prepareSurvey } from '../feedback/survey.ts';
import { embedSettings } from './embed-settings.ts';
import { messagesOf } from './messages/messages.ts';
import { publicDefinition } from './public-definition.ts';
import { themeColours } from './theme.ts';

const question = {
  label: '',
  required: false,
  maxLength: null,
  role: null,
  scale: null,
  rules: [],
  answers: [],
};
const definition: SurveyDefinition = {
  id: 'shop-2',
  modelInstanceId: 'm-2',
  version: 2,
  current: true,
  public: true,
  origins: [],
  closed: false,
  title: 'Your visit',
  translations: {
    ar: { title: 'زيارتك' },
    de: {
      title: 'Ihr Besuch',
      questions: { 'Q-WHY': { phrase: 'Was lief schief?' }, 'Q-WHERE': { answers: { 'W-MENU': 'Im Menü' } } },
    },
  },
  page: {
    intro: 'Thank you for your time.',
    sections: [{ title: 'First', questions: ['Q-WHY'] }],
    thanks: { text: 'Done.', url: 'https://shop.example/done' },
    privacy: 'https://shop.example/privacy',
    invite: { sample: 25, after: 10 },
    translations: { de: { intro: 'Danke für Ihre Zeit.', sections: ['Zuerst'] } },
  },
  latents: [
    {
      id: 'L-SAT',
      name: 'Satisfaction',
      type: 'SATISFACTION',
      questions: [
        {
          id: 'Q-SAT',
          name: 'How satisfied are you?',
          phrase: 'Satisfaction',
          label: 'Reported as',
          required: true,
          weight: 0.75,
          scale: { min: 1, max: 10, labels: { min: 'poor', max: 'great' } },
          dontKnow: true,
          dontKnowText: 'No idea',
        },
      ],
    },
  ],
  questions: [
    {
      ...question,
      id: 'Q-WHY',
      name: 'What went wrong?',
      phrase: '',
      help: 'A few words.',
      responseType: 'TEXT_AREA',
      maxLength: 500,
      rules: [{ question: 'Q-SAT', operator: 'lt', answer: 3 }],
    },
    {
      ...question,
      id: 'Q-WHERE',
      name: 'Where?',
      phrase: '',
      responseType: 'CHECKBOX',
      answers: [
        { id: 'W-MENU', text: 'In the menu', label: '', value: null },
        { id: 'W-SEARCH', text: 'By the search', label: '', value: 's' },
      ],
    },
  ],
  parameters: { custom: [], external: [] },
};
const prepared = prepareSurvey(definition, { kind: 'measure', active: true });

describe('a survey as other pages are shown it', () => {
  it('has every text in the language that it has, and the others in its own [D-455]', () => {
    const { theme, ...german } = publicDefinition(prepared, 'The shop', 'de');
    assert.deepEqual(theme, themeColours(undefined));
    assert.deepEqual(german, {
      surveyDefinitionId: 'shop-2',
      version: 2,
      isOpen: true,
      language: 'de',
      direction: 'ltr',
      languages: ['en', 'de', 'ar'],
      title: 'Ihr Besuch',
      intro: 'Danke für Ihre Zeit.',
      thanks: { text: 'Done.', url: 'https://shop.example/done' },
      privacy: 'https://shop.example/privacy',
      sections: [{ title: 'Zuerst', questions: ['Q-WHY'] }, { questions: ['Q-SAT', 'Q-WHERE'] }],
      questions: [
        {
          id: 'Q-SAT',
          type: 'MEASURED_QUESTION',
          phrase: 'How satisfied are you?',
          required: true,
          scale: { min: 1, max: 10, labels: { min: 'poor', max: 'great' } },
          dontKnow: { id: 'Q-SAT-DK', text: 'No idea' },
        },
        {
          id: 'Q-WHY',
          type: 'TEXT_AREA',
          phrase: 'Was lief schief?',
          help: 'A few words.',
          required: false,
          maxLength: 500,
          rules: [{ question: 'Q-SAT', operator: 'lt', answer: 3 }],
        },
        {
          id: 'Q-WHERE',
          type: 'CHECKBOX',
          phrase: 'Where?',
          required: false,
          answers: [
            { id: 'W-MENU', text: 'Im Menü', value: null },
            { id: 'W-SEARCH', text: 'By the search', value: 's' },
          ],
        },
      ],
    });
    const arabic = publicDefinition(prepared, 'The shop', 'ar');
    assert.deepEqual([arabic.direction, arabic.title, arabic.sections[0]?.title], ['rtl', 'زيارتك', 'First']);
  });

  it('what is loaded before anything is shown has the rules of the offer and texts of the same language [D-456]', () => {
    const { invite, title, texts, content, isOpen } = embedSettings(
      prepared,
      'The shop',
      'de',
      messagesOf('de'),
      '/assets/a.js',
    );
    assert.deepEqual(invite, { sample: 25, after: 10 });
    assert.deepEqual([title, content, isOpen], ['Ihr Besuch', '/assets/a.js', true]);
    assert.equal(texts.decline, messagesOf('de').decline);
  });
});
