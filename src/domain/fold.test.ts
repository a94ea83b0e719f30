import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold } from './fold.ts';

/** As the rule says it, character by character. */
function foldedByRule(text: string): string {
  const lowerEach = (some: string): string => [...some].map((character) => character.toLowerCase()).join('');
  return lowerEach(lowerEach(text.normalize('NFKC')).toUpperCase()).normalize('NFKC');
}

describe('folded text', () => {
  it('is that of the rule for every character, alone and beside a sigma, in short and in long texts [D-51]', () => {
    // Behind these lie what nobody has assigned and what is for private use, but for the last group.
    const groups = [
      [0, 0x20_000],
      [0xe0_000, 0xe1_000],
    ] as const;
    // Of a short text and of a long one (D-741).
    for (const [atOnce, begin, end] of [0x40, 0x1000].flatMap((size) =>
      groups.map((one) => [size, ...one] as const),
    ))
      for (let first = begin; first < end; first += atOnce) {
        const characters = Array.from({ length: atOnce }, (_, at) => String.fromCodePoint(first + at)).filter(
          (character) => character.isWellFormed(),
        );
        const text = characters.map((character) => `A${character}\u03a3 \u03a3${character}`).join(' ');
        assert.equal(text.length > 1_024, atOnce > 0x40 && characters.length > 0);
        assert.equal(fold(text), foldedByRule(text), first.toString(16));
      }
  });

  it('is that of the rule where a letter has many marks, as far as anybody writes them [D-741]', () => {
    const marked = 'q\u0301\u0323\u0345\u{1d165}'.repeat(2);
    const long = `${'x'.repeat(2_000)} ${`a${'\u0301\u0323'.repeat(32)} `.repeat(50)} ${marked}`;
    assert.equal(fold(long), foldedByRule(long));
    const name = `a${'\u0301\u0323'.repeat(500)}`;
    assert.equal(fold(name), foldedByRule(name));
  });

  it('of a letter with a hundred thousand marks takes no longer than other text, and loses none of them [D-741]', () => {
    for (const some of ['\u0301\u0323', '\u{1d165}\u0323', '\uff9e\u0301']) {
      const before = process.cpuUsage();
      const folded = fold(`A${some.repeat(50_000)}B`);
      const { user, system } = process.cpuUsage(before);
      // By the rule alone it is half a minute.
      assert.ok((user + system) / 1_000_000 < 3, `${user + system} us`);
      assert.ok(folded.endsWith('b'));
      const count = (text: string, mark: string): number => text.split(mark).length - 1;
      const [one, other] = [...some.normalize('NFKC')];
      // The first ones may have become one character with the letter.
      assert.ok(count(folded, one!) >= 49_999 && count(folded, other!) >= 49_999);
    }
  });
});
