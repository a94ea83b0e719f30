import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messagesOf } from '../pages/messages/messages.ts';
import { answersOf, type MeasuredQuestion, surveyLanguages } from './definition.ts';

describe('what a survey can say to people', () => {
  it('a page speaks each language that a survey can be written in [D-410]', () => {
    assert.equal(surveyLanguages.length, 12);
    for (const language of surveyLanguages) assert.notEqual(messagesOf(language).send, '');
  });

  it('the words of the page for "Don\'t know" are not those of rows [D-411]', () => {
    const question: MeasuredQuestion = {
      id: 'Q',
      name: 'Q',
      phrase: 'Q',
      label: 'Q',
      required: false,
      weight: 1,
      scale: { min: 1, max: 2, labels: { min: 'bad', max: 'good' } },
      dontKnow: true,
      dontKnowText: 'I cannot say',
    };
    assert.deepEqual(
      answersOf(question).map(({ text }) => text),
      ['1', '2', "Don't know"],
    );
  });
});
