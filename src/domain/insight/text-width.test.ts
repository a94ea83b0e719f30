import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitText, textWidth, wrapText } from './text-width.ts';

describe('the width of a text in a terminal', () => {
  const widths: readonly (readonly [text: string, width: number])[] = [
    ['', 0],
    ['plain', 5],
    ['Größe', 5],
    ['Gro\u0308ße', 5],
    ['配送が遅い', 10],
    ['ｶﾅ', 2],
    ['한국어', 6],
    ['👟', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['▅▃█', 3],
    ['موقع', 4],
    ['a\u200bb', 2],
  ];
  for (const [text, width] of widths)
    it(`${JSON.stringify(text)} takes ${width} columns`, () => {
      assert.equal(textWidth(text), width);
    });

  it('a text is filled up or cut to exactly its column, however wide its letters are', () => {
    for (const [text] of widths)
      for (const width of [1, 2, 3, 5, 9, 20]) {
        assert.equal(textWidth(fitText(text, width)), width, JSON.stringify([text, width]));
        assert.equal(textWidth(fitText(text, width, 'end')), width);
      }
  });

  it('lines are broken between words, a word without an end anywhere, and nothing is lost', () => {
    assert.deepEqual(wrapText('one two three', 8), ['one two', 'three']);
    assert.deepEqual(wrapText('one two\nthree', 20), ['one two', 'three']);
    assert.deepEqual(wrapText('荷物の追跡が更新されません', 8), ['荷物の追', '跡が更新', 'されませ', 'ん']);
    const long = `${'x'.repeat(50)} ${'短い文'.repeat(9)} end`;
    const lines = wrapText(long, 12);
    assert.ok(lines.every((line) => textWidth(line) <= 12));
    assert.equal(lines.join('').replaceAll(' ', ''), long.replaceAll(' ', ''));
  });
});
