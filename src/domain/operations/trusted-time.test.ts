import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayMs } from '../dates.ts';
import { agreedForMs, jumpMs, mayObject, nextTrustedTime, servedMaxMs } from './trusted-time.ts';

const hourMs = 3_600_000;
const known = { atMs: 100 * dayMs, claimedMs: null, agreedMs: 0 };

describe('the trusted time', () => {
  it('follows a clock that is a day away or less, ahead and behind [D-845]', () => {
    for (const byMs of [0, 1, -1, hourMs, -hourMs, dayMs, -dayMs]) {
      const wallMs = known.atMs + 60_000 + byMs;
      const { atMs, claimedMs } = nextTrustedTime(known, { servedMs: 60_000, wallMs });
      assert.deepEqual([atMs, claimedMs], [wallMs, null]);
    }
  });

  it('goes on at its own pace while the clock has jumped, by an hour between two looks at most [D-845]', () => {
    for (const [servedMs, passedMs] of [
      [60_000, 60_000],
      [servedMaxMs, servedMaxMs],
      [30 * dayMs, servedMaxMs],
      [-5, 0],
    ] as const)
      for (const byMs of [2 * dayMs, 700 * dayMs, -60 * dayMs]) {
        const wallMs = known.atMs + passedMs + byMs;
        const next = nextTrustedTime(known, { servedMs, wallMs });
        assert.deepEqual(next, {
          atMs: known.atMs + passedMs,
          claimedMs: wallMs,
          agreedMs: 0,
          isBelieved: false,
        });
      }
  });

  it('believes a clock that has agreed for a week of serving, and counts anew when it jumps again [D-846]', () => {
    let time = nextTrustedTime(known, { servedMs: 0, wallMs: known.atMs + 90 * dayMs });
    const serve = (servedMs: number, byMs = 0): void => {
      time = nextTrustedTime(time, { servedMs, wallMs: (time.claimedMs ?? time.atMs) + servedMs + byMs });
    };
    for (let hours = 0; hours < 167; hours += 1) serve(hourMs);
    assert.deepEqual([time.isBelieved, time.agreedMs], [false, agreedForMs - hourMs]);
    serve(0, 2 * dayMs);
    assert.deepEqual([time.isBelieved, time.agreedMs], [false, 0]);
    for (let hours = 0; hours < 168; hours += 1) serve(hourMs);
    assert.deepEqual([time.isBelieved, time.claimedMs], [true, null]);
    assert.equal(time.atMs, known.atMs + 92 * dayMs + 335 * hourMs);
  });

  it('is spoken for by a replica whose clock does not share a claim, once there is something to take back [D-847]', () => {
    const claim = { atMs: 0, claimedMs: 700 * dayMs, agreedMs: hourMs };
    assert.equal(mayObject(claim, 0), true);
    assert.equal(mayObject({ ...claim, agreedMs: 0 }, 0), false);
    assert.equal(mayObject(claim, 700 * dayMs - dayMs), false);
    assert.equal(mayObject(known, 0), false);
  });

  it('says by how much a clock has jumped', () => {
    assert.deepEqual(
      [0, dayMs, -dayMs, dayMs + 1, -2 * dayMs].map((byMs) => jumpMs(0, byMs)),
      [0, 0, 0, dayMs + 1, -2 * dayMs],
    );
  });
});
