import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CatalogueFault, inFileOrder, type Phrase, phrase } from './catalogue-fault.ts';
import { phraseCodes } from './catalogue-sentences.ts';
import { faultLine, faultSentence } from './fault-sentence.ts';

const aText = phrase('aText', { most: 4000 });

describe('what is wrong with a catalogue, in the sentences of files, terminals and the interface', () => {
  for (const [sentence, what] of [
    [
      'weight must be a whole number from 1 to 20.',
      phrase('otherKind', { member: 'weight', kind: phrase('anInteger', { min: 1, max: 20 }) }),
    ],
    ['The document must be an object with members.', phrase('noObject', { member: phrase('theDocument') })],
    [
      'name is missing: a text of 1 to 4000 characters (in quotes, if it looks like a number).',
      phrase('missing', { member: 'name', kind: aText }),
    ],
    [
      'scale is missing: {min, max} of a measured question.',
      phrase('missing', { member: 'scale', kind: phrase('aScale') }),
    ],
    [
      'retainDays must be a whole number from 1 to 9, or forever.',
      phrase('otherKind', {
        member: 'retainDays',
        kind: phrase('aNumberOrForever', { number: phrase('anInteger', { min: 1, max: 9 }) }),
      }),
    ],
    [
      'web-1 has responses, and scale.labels of Q1 cannot change; give the change a new version with an id of its own.',
      phrase('usedVersion', {
        survey: 'web-1',
        change: phrase('memberKept', { member: phrase('labelsOfScale'), question: 'Q1' }),
      }),
    ],
    [
      'This is the measure 7, and keeps its key.',
      phrase('keptName', { kind: phrase('measure'), key: 7, member: 'key' }),
    ],
    ['The measure key 10 is taken already, in line 3.', phrase('measureKeyTaken', { value: 10, line: 3 })],
  ] as const satisfies readonly (readonly [string, Phrase])[])
    it(`${sentence} [D-1041]`, () => assert.equal(faultSentence(what), sentence));

  it('what a file says in braces, or as the name of a value, is no value', () => {
    const what = phrase('noHelp', { question: '{question} {constructor} $& {0}' });
    assert.equal(
      faultSentence(what),
      '{question} {constructor} $& {0} has no help that could be translated.',
    );
  });

  it('every code has a sentence of its own', () => {
    const sentences = phraseCodes.map((code) => faultSentence({ code, values: {} }));
    assert.equal(new Set(sentences).size, phraseCodes.length);
  });

  it('the same fault of the same place is told once, in the order of the file', () => {
    const fault = (line: number, what: Phrase): CatalogueFault => ({ line, path: 'x', ...what });
    const found = [
      fault(9, aText),
      fault(2, aText),
      fault(9, phrase('aText', { most: 4000 })),
      fault(9, phrase('aText', { most: 1 })),
    ];
    assert.deepEqual(
      inFileOrder(found).map(({ line, values }) => [line, values.most]),
      [
        [2, 4000],
        [9, 4000],
        [9, 1],
      ],
    );
    assert.equal(
      faultLine('shop.yaml', fault(9, phrase('emptySection'))),
      'shop.yaml:9: x: A section needs questions.',
    );
  });
});
