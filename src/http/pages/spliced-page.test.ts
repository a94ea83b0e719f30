import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import zlib from 'node:zlib';
import { seeded } from '../../../test/support/seeded.ts';
import { holeMarks, SplicedPage } from './spliced-page.ts';

describe('a page with holes', () => {
  it('is the page with its holes filled, and its gzip unpacks to the very same bytes [D-433]', async () => {
    const chance = seeded(4);
    const words = [
      '<p class="x">',
      'é',
      '漢字',
      '😀',
      '\u2028',
      'abc'.repeat(200),
      '',
      '\0',
      randomText(5_000),
    ];
    for (let round = 0; round < 400; round += 1) {
      const marks = holeMarks(chance.below(4));
      const parts = Array.from({ length: chance.below(9) }, () =>
        marks.length > 0 && chance.percent(40)
          ? chance.pick(marks)
          : chance.pick(words).repeat(chance.below(4)),
      );
      const page = await SplicedPage.of(parts.join(''), marks);
      for (let filled = 0; filled < 3; filled += 1) {
        const fillings = marks.map(() =>
          chance.pick(['', 'token', randomText(60), '漢'.repeat(30_000), 'x'.repeat(65_535)]),
        );
        let expected = parts.join('');
        for (const [hole, mark] of marks.entries())
          expected = expected.replaceAll(mark, () => fillings[hole]!);
        assert.equal(page.plain(fillings).toString(), expected);
        assert.equal(zlib.gunzipSync(page.gzip(fillings)).toString(), expected);
      }
    }
  });

  it('marks of holes are never the same, and nothing that a catalogue could say', () => {
    const marks = Array.from({ length: 100 }, () => [...holeMarks(3)]).flat();
    assert.equal(new Set(marks).size, 300);
  });

  it('a filling is not compressed with the page, so that its length tells nothing of what else is on it', async () => {
    const [mark] = holeMarks(1);
    const page = await SplicedPage.of(`${'secret-token '.repeat(50)}${mark}${'secret-token '.repeat(50)}`, [
      mark!,
    ]);
    assert.equal(page.gzip(['secret-token ']).length, page.gzip(['qwxzjvkyb-tok']).length);
  });
});

function randomText(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length);
}
