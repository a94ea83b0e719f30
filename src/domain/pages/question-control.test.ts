import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResponseType, MeasuredQuestion } from '../feedback/definition.ts';
import { controlOf } from './question-control.ts';

describe('the control of a question', () => {
  const measured = (min: number, max: number): MeasuredQuestion => ({
    id: 'Q',
    name: 'Q',
    phrase: 'Q',
    label: 'Q',
    required: false,
    weight: 1,
    dontKnow: true,
    scale: { min, max },
  });
  const custom = (responseType: CustomResponseType, scale: { min: number; max: number } | null = null) => ({
    question: { ...measured(0, 1), responseType, answers: [], scale, maxLength: null, role: null, rules: [] },
  });

  it('a scale of up to 21 steps is buttons, and a longer one a list [D-431]', () => {
    assert.equal(controlOf({ question: measured(0, 20) }), 'scale');
    assert.equal(controlOf({ question: measured(-10, 11) }), 'select');
    assert.equal(controlOf({ question: measured(0, 1000) }), 'select');
    assert.equal(controlOf(custom('STAR_RATING', { min: 1, max: 1000 })), 'select');
  });

  it('stars are for numbers of stars that can be counted', () => {
    assert.equal(controlOf(custom('STAR_RATING', { min: 1, max: 5 })), 'stars');
    assert.equal(controlOf(custom('STAR_RATING', { min: -2, max: 2 })), 'scale');
    assert.equal(controlOf(custom('STAR_RATING', { min: 1, max: 11 })), 'scale');
  });

  it('every other kind has one control', () => {
    assert.deepEqual(
      (['NPS', 'RADIO', 'SELECT', 'CHECKBOX', 'TEXT', 'TEXT_AREA'] as const).map((type) =>
        controlOf(custom(type)),
      ),
      ['scale', 'radio', 'select', 'checkbox', 'text', 'textarea'],
    );
  });
});
