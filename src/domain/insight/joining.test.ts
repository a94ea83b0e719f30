import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Latent, MeasuredQuestion } from '../feedback/definition.ts';
import { canJoin, changeInWords, compositionOfLatent, figureChange, JoinGroups } from './joining.ts';

const question = (id: string, weight = 1, max = 10): MeasuredQuestion => ({
  ...{ id, name: id, phrase: id, label: id, required: false },
  ...{ weight, scale: { min: 1, max }, dontKnow: false },
});

const latentOf = (...questions: readonly MeasuredQuestion[]): Latent => ({
  ...{ id: 'L-SAT', name: 'Satisfaction', type: 'SATISFACTION' },
  questions,
});

const base = [question('Q-1', 0.75), question('Q-2', 0.25)] as const;

describe('versions that may be joined [D-483]', () => {
  const cases: readonly (readonly [string, readonly MeasuredQuestion[], string | null])[] = [
    ['the same', base, null],
    ['other words and another order', [{ ...base[1], name: 'Else' }, base[0]], null],
    [
      'another weight',
      [question('Q-1', 0.5), base[1]],
      'Satisfaction: the weight of Q-1 was 0.75 and is 0.5.',
    ],
    [
      'another scale',
      [base[0], question('Q-2', 0.25, 5)],
      'Satisfaction: the scale of Q-2 was 1 to 10 and is 1 to 5.',
    ],
    ['a question more', [...base, question('Q-3')], 'Satisfaction: Q-3 was added.'],
    ['a question less', [base[1]], 'Satisfaction: Q-1 was taken out.'],
    [
      'many changes',
      ['A', 'B', 'C', 'D', 'E', 'F'].map((id) => question(id)),
      'Satisfaction: A was added; B was added; C was added; D was added; E was added; 3 more changes.',
    ],
  ];
  for (const [what, questions, words] of cases)
    it(what, () => {
      const before = compositionOfLatent(latentOf(...base));
      const now = compositionOfLatent(latentOf(...questions));
      assert.equal(canJoin(before, now), words === null);
      assert.equal(canJoin(now, before), words === null);
      if (words !== null) assert.equal(changeInWords(figureChange(before, now)), words);
    });

  it('a version goes back into the group of one that it can be joined with', () => {
    const groups = new JoinGroups();
    const one = (): ReturnType<typeof compositionOfLatent> => compositionOfLatent(latentOf(...base));
    const other = (): ReturnType<typeof compositionOfLatent> => compositionOfLatent(latentOf(base[0]));
    const numbers = [
      [7, one],
      [3, other],
      [9, one],
      [7, other],
    ] as const;
    assert.deepEqual(
      numbers.map(([number, composition]) => groups.groupOf(number, composition)),
      [0, 1, 0, 0],
    );
  });
});
