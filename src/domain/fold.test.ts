import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold, foldInSlices, joinsBefore } from './fold.ts';
import { inOneGo } from './interruptible.ts';

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

  it('is the same in slices, wherever they end, and gives way at each [D-775]', () => {
    const some = [
      'Straße ﬁn ΑΣ Σ ',
      'e\u0301\u0323o\u0308',
      '\ufdfa',
      'ｶﾞﾊﾟ',
      '\u1112\u1161\u11ab한글',
      '\u{1f44d}\u{1f3fd}',
      '\u{16d63}\u{16d67}\u{16d67}',
      '\u0390\u1f80\u0345',
      'ŉİẞ',
    ];
    for (let shift = 0; shift < 24; shift += 1) {
      const long = `${'x'.repeat(shift)}${some.join('').repeat(300)}`;
      assert.equal(inOneGo(foldInSlices(long)), fold(long), String(shift));
    }
    for (const one of some) {
      const long = one.repeat(Math.ceil(20_000 / one.length));
      assert.equal(inOneGo(foldInSlices(long)), fold(long), one);
    }
    let slices = 0;
    const grows = '\ufdfa'.repeat(40_960);
    for (const work = foldInSlices(grows); !work.next().done; ) slices += 1;
    assert.equal(slices, 10);
  });

  it('of a character that joins none before it is by itself what it is behind any other [D-775]', () => {
    for (let code = 0; code < 0x20_000; code += 1) {
      const character = String.fromCodePoint(code);
      if (!character.isWellFormed()) continue;
      // Whatever is composed of several has those behind the first that join.
      for (const part of [...character.normalize('NFD')].slice(1))
        assert.ok(joinsBefore(part), code.toString(16));
      if (joinsBefore(character)) continue;
      const before = 'a\u1112\u304b\u{16d63}\u0390';
      assert.equal(fold(before + character), fold(before) + fold(character), code.toString(16));
    }
  });
});
