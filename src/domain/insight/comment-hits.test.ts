import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold } from '../fold.ts';
import { inOneGo } from '../interruptible.ts';
import { type Hit, hitsOf as hitsInSlices, hitsMax } from './comment-hits.ts';

const hitsOf = (text: string, part: string): readonly Hit[] => inOneGo(hitsInSlices(text, part));

const marked = (text: string, part: string): string => {
  let shown = '';
  let at = 0;
  for (const [begin, end] of hitsOf(text, fold(part))) {
    shown += `${text.slice(at, begin)}[${text.slice(begin, end)}]`;
    at = end;
  }
  return shown + text.slice(at);
};

describe('where a part stands in a comment', () => {
  const cases: readonly (readonly [what: string, text: string, part: string, shown: string])[] = [
    ['plain text', 'Delivery was slow, delivery!', 'DELIVERY', '[Delivery] was slow, [delivery]!'],
    ['ß for ss', 'Straße und STRASSE', 'strasse', '[Straße] und [STRASSE]'],
    ['half of an ß', 'groß', 's', 'gro[ß]'],
    ['an ß that ends a hit', 'weiß es', 'weis', '[weiß] es'],
    ['the capital ẞ', 'GROẞ', 'gross', '[GROẞ]'],
    ['a ligature', 'ofﬁce eﬃcient', 'ffi', 'o[fﬁ]ce e[ﬃ]cient'],
    ['within a ligature', 'eﬃcient', 'fi', 'e[ﬃ]cient'],
    ['full width', 'ＡＢＣ abc', 'abc', '[ＡＢＣ] [abc]'],
    ['half-width kana with its mark', 'ｶﾞﾗｽ', 'ガ', '[ｶﾞ]ﾗｽ'],
    ['an accent as a mark of its own', 'cafe\u0301 au lait', 'café', '[cafe\u0301] au lait'],
    ['a letter without the accent that follows', 'cafe\u0301', 'cafe', 'cafe\u0301'],
    ['several marks', 'a\u0323\u0302b', 'ậ', '[a\u0323\u0302]b'],
    ['marks in another order', 'q\u0307\u0323x', 'q\u0323\u0307', '[q\u0307\u0323]x'],
    ['Hangul from its letters', '\u1112\u1161\u11ab글', '한', '[\u1112\u1161\u11ab]글'],
    ['an emoji', 'ok 👍🏽 ok', '👍', 'ok [👍]🏽 ok'],
    ['a family', '👨‍👩‍👧 nett', 'nett', '👨‍👩‍👧 [nett]'],
    ['behind what grew longer', 'ﷺ then', 'then', 'ﷺ [then]'],
    ['the final sigma', 'ΟΔΟΣ οδός', 'οδοσ', '[ΟΔΟΣ] οδός'],
    ['iota below', 'ᾳ', 'αι', '[ᾳ]'],
    ['Turkish capitals', 'İstanbul', 'i̇stanbul', '[İstanbul]'],
    ['Chinese', '配送太慢了，配送', '配送', '[配送]太慢了，[配送]'],
    ['no hit', 'nothing', 'x', 'nothing'],
    ['hits beside each other', 'aaaa', 'aa', '[aa][aa]'],
  ];
  for (const [what, text, part, shown] of cases)
    it(`${what} [D-500]`, () => assert.equal(marked(text, part), shown));

  it('every hit folds to a text with the part, hits are in order, and there are as many as in the folded text [D-500]', () => {
    const pieces = [
      'ß',
      'ﬁ',
      'Ａ',
      'e\u0301',
      '\u0323',
      '👍',
      's',
      'S',
      '配',
      'ｶﾞ',
      '\u1112\u1161',
      'ŉ',
      ' ',
      'x',
      'ẞ',
    ];
    const someText = fc.array(
      fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 2 })),
      {
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(someText, fc.nat(), fc.integer({ min: 1, max: 4 }), (some, at, length) => {
        const text = some.join('');
        const folded = fold(text);
        if (folded === '') return;
        const characters = [...folded];
        const begin = at % characters.length;
        const part = characters.slice(begin, begin + length).join('');
        const hits = hitsOf(text, part);
        assert.ok(hits.length > 0);
        let last = 0;
        for (const [from, to] of hits) {
          assert.ok(from >= last && to > from && to <= text.length);
          assert.ok(fold(text.slice(from, to)).includes(part), JSON.stringify([text, part, from, to]));
          last = to;
        }
      }),
      { numRuns: 400 },
    );
  });

  it('a text with very many hits tells the first of them [D-500]', () => {
    assert.equal(hitsOf('a'.repeat(1_000), 'a').length, hitsMax);
    assert.equal(hitsOf('ä'.repeat(1_000), 'ä').length, hitsMax);
  });
});
