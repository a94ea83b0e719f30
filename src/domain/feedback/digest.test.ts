import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DayDigests, digestOfBody, digestOfContentHash } from './digest.ts';

// Written down once, and never again: warehouses and backups hold them.
const written: readonly [body: string, digest: string][] = [
  ['{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  ['{"a":"Straße \\u0041 😀"}', '01bbe0eb380eee8e20e125b0d121e225c84e0795dd77964948b112964c0c0716'],
];

describe('digests', () => {
  for (const [body, digest] of written)
    it(`that of the body ${body} never changes [D-250]`, () => {
      assert.equal(digestOfBody(body), digest);
    });

  it('those of a day are continued row by row, from what is known or from nothing, and never change [D-250]', () => {
    const rows = written.map(([body]) => ({ day: 20_000, digest: digestOfBody(body) }));
    const whole = new DayDigests();
    for (const row of [...rows, ...rows]) whole.add(row);
    const first = new DayDigests();
    for (const row of rows) first.add(row);
    const second = new DayDigests(first.entries());
    for (const row of rows) second.add(row);
    second.add({ day: 19_999, digest: rows[0]!.digest });
    assert.deepEqual(whole.entries(), second.entries().slice(1));
    assert.deepEqual(second.entries(), [
      [19_999, { digest: 'c74f3008fdd2f7c5ae5446ab2e522629f63346f68a4026b4f72b91b393475ff6', count: 1 }],
      [20_000, { digest: 'd0e5562863da42a1f4d9ea1982e726a2928e59d46181d44fa0cbf5b844149e40', count: 4 }],
    ]);
  });

  it('a digest of another length is refused rather than folded in', () => {
    assert.throws(() => new DayDigests().add({ day: 1, digest: 'abcd' }), /length/);
  });

  it('the hash that an erased response has stands for its digest, byte for byte [D-251]', () => {
    assert.equal(
      digestOfContentHash('zxy7ZqY4tIYKUWZx-3SFDmzPeH_mxMjSnpwE7-iAvQU'),
      Buffer.from('zxy7ZqY4tIYKUWZx+3SFDmzPeH/mxMjSnpwE7+iAvQU=', 'base64').toString('hex'),
    );
  });
});
