import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Buckets, type Limit, policyOf, shareOf } from './throttle.ts';

const limit: Limit = { rate: 10, burst: 5 };

describe('token buckets', () => {
  it('a new bucket is full: it gives its burst at once and then nothing [D-28]', () => {
    const buckets = new Buckets();
    const verdicts = Array.from({ length: 7 }, () => buckets.take('a', limit, 1_000));
    assert.deepEqual(
      verdicts.map(({ isAllowed }) => isAllowed),
      [true, true, true, true, true, false, false],
    );
    assert.deepEqual(
      verdicts.map(({ remaining }) => remaining),
      [4, 3, 2, 1, 0, 0, 0],
    );
  });

  it('it fills by its rate, never above its burst [D-28]', () => {
    const buckets = new Buckets();
    for (let times = 0; times < 5; times += 1) buckets.take('a', limit, 0);
    assert.equal(buckets.take('a', limit, 99).isAllowed, false);
    assert.equal(buckets.take('a', limit, 100).isAllowed, true);
    assert.equal(buckets.take('a', limit, 100).isAllowed, false);
    assert.equal(buckets.take('a', limit, 3_600_000).remaining, 4);
  });

  it('a refusal says when the next token comes, and coming then is enough [D-28]', () => {
    const slow: Limit = { rate: 0.25, burst: 1 };
    const buckets = new Buckets();
    buckets.take('a', slow, 0);
    const { isAllowed, waitSeconds } = buckets.take('a', slow, 500);
    assert.deepEqual({ isAllowed, waitSeconds }, { isAllowed: false, waitSeconds: 4 });
    assert.equal(buckets.take('a', slow, 500 + waitSeconds * 1000).isAllowed, true);
  });

  it('what is given back can be taken again, and never makes more than the burst [D-28]', () => {
    const buckets = new Buckets();
    for (let times = 0; times < 100; times += 1) {
      assert.equal(buckets.take('a', limit, 0).isAllowed, true);
      buckets.charge('a', -1, limit, 0);
    }
    for (let times = 0; times < 100; times += 1) buckets.charge('a', -1, limit, 0);
    assert.equal(buckets.take('a', limit, 0).remaining, 4);
  });

  it('each name has a bucket of its own; a number and a text are two names [D-28]', () => {
    const buckets = new Buckets();
    for (let times = 0; times < 6; times += 1) buckets.take('1', limit, 0);
    assert.equal(buckets.take('1', limit, 0).isAllowed, false);
    assert.equal(buckets.take('2', limit, 0).isAllowed, true);
    assert.equal(buckets.take(1, limit, 0).isAllowed, true);
  });

  it('a clock that goes back gives nothing and takes nothing [D-28]', () => {
    const buckets = new Buckets();
    for (let times = 0; times < 5; times += 1) buckets.take('a', limit, 10_000);
    assert.equal(buckets.take('a', limit, 5_000).isAllowed, false);
    assert.equal(buckets.take('a', limit, 5_100).isAllowed, true);
  });

  it('a limit that shrinks, because another replica came, holds at once [D-28]', () => {
    const buckets = new Buckets();
    buckets.take('a', limit, 0);
    const half = shareOf(limit, 2);
    assert.deepEqual(half, { rate: 5, burst: 2.5 });
    const verdicts = Array.from({ length: 4 }, () => buckets.take('a', half, 0).isAllowed);
    assert.deepEqual(verdicts, [true, true, false, false]);
  });

  it('a share is never less than one request, however many replicas there are [D-28]', () => {
    assert.deepEqual(shareOf({ rate: 1, burst: 3 }, 100), { rate: 0.01, burst: 1 });
  });

  it('a hundred thousand names cost bounded memory, and a name in use is not forgotten by a few others [D-28]', () => {
    const buckets = new Buckets();
    for (let index = 0; index < 100_000; index += 1) buckets.take(`n${index}`, limit, 0);
    for (let times = 0; times < 6; times += 1) buckets.take('mine', limit, 0);
    for (let index = 0; index < 1_000; index += 1) buckets.take(`m${index}`, limit, 0);
    assert.equal(buckets.take('mine', limit, 0).isAllowed, false);
  });

  it('whatever the times are, no span gets more than the burst and what its length gives [D-28]', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        (gaps, rate, burst) => {
          const buckets = new Buckets();
          let nowMs = 0;
          let allowed = 0;
          for (const gap of gaps) {
            nowMs += gap;
            const { isAllowed, remaining, waitSeconds } = buckets.take('a', { rate, burst }, nowMs);
            if (isAllowed) allowed += 1;
            else assert.ok(waitSeconds >= 1);
            assert.ok(remaining >= 0 && remaining < burst + 1);
            assert.ok(allowed <= burst + (nowMs * rate) / 1000 + 1e-6);
          }
        },
      ),
    );
  });

  it('what a request cost beyond its token is owed, and nobody waits longer than a minute for it', () => {
    const buckets = new Buckets();
    const limit = { rate: 10, burst: 20 };
    assert.ok(buckets.take('a', limit, 0).isAllowed);
    buckets.charge('a', 119, limit, 0);
    assert.deepEqual(buckets.take('a', limit, 0), { isAllowed: false, remaining: 0, waitSeconds: 11 });
    assert.ok(buckets.take('a', limit, 10_100).isAllowed);
    buckets.charge('a', 1e9, limit, 10_100);
    assert.equal(buckets.take('a', limit, 10_100).waitSeconds, 60);
  });

  it('the policy says how many in how many whole seconds, for the header RateLimit-Policy [D-28]', () => {
    assert.equal(policyOf('client', { rate: 100, burst: 200 }), '"client";q=200;w=2');
    assert.equal(policyOf('signin', { rate: 10 / 60, burst: 10 }), '"signin";q=10;w=60');
    assert.equal(policyOf('fast', { rate: 1000, burst: 10 }), '"fast";q=10;w=1');
  });
});
