import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cache } from './cache.ts';

const bytesOf = (text: string): number => text.length;

describe('what a process remembers', () => {
  it('stays within its bytes, and what was used last stays longest', () => {
    const cache = new Cache<number, string>({ bytesMax: 10 * 1_208, bytesOf });
    const text = 'x'.repeat(1_000);
    for (let key = 0; key < 10; key += 1) cache.set(key, text);
    assert.equal(cache.get(0), text);
    cache.set(10, text);
    assert.equal(cache.size, 10);
    assert.equal(cache.get(0), text);
    assert.equal(cache.get(1), undefined);
  });

  it('does not remember what alone is larger than all of it may be', () => {
    const cache = new Cache<number, string>({ bytesMax: 2_000, bytesOf });
    cache.set(1, 'x'.repeat(3_000));
    assert.equal(cache.get(1), undefined);
  });

  it('has an age that counts from before the question', () => {
    const cache = new Cache<number, string>({ bytesMax: 2_000, bytesOf, ageMaxMs: 1_000 });
    cache.set(1, 'young');
    cache.set(2, 'old', performance.now() - 1_001);
    assert.equal(cache.get(1), 'young');
    assert.equal(cache.get(2), undefined);
  });

  it('asks once for all who miss the same key at the same time', async () => {
    const cache = new Cache<string, string>({ bytesMax: 10_000, bytesOf });
    let asked = 0;
    const ask = async (): Promise<string | null> => {
      asked += 1;
      return 'there';
    };
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.find('a', ask)));
    assert.deepEqual([...new Set(answers)], ['there']);
    assert.equal(cache.find('a', ask), 'there');
    assert.equal(asked, 1);
  });

  it('remembers no absence, and tells none to those who came after the question was asked', async () => {
    const cache = new Cache<string, string>({ bytesMax: 10_000, bytesOf });
    let asked = 0;
    const ask = async (): Promise<string | null> => {
      asked += 1;
      return null;
    };
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.find('a', ask)));
    assert.deepEqual([...new Set(answers)], [null]);
    // One for the first, and one for all who came while it was under way.
    assert.equal(asked, 2);
    const { promise, resolve } = Promise.withResolvers<null>();
    const early = cache.find('a', () => promise);
    const late = cache.find('a', async () => 'made meanwhile');
    resolve(null);
    assert.deepEqual(await Promise.all([early, late]), [null, 'made meanwhile']);
  });

  it('does not remember the answer to a question that was asked before the key was forgotten', async () => {
    const cache = new Cache<string, string>({ bytesMax: 10_000, bytesOf });
    const { promise, resolve } = Promise.withResolvers<string>();
    const stale = cache.find('a', () => promise);
    cache.delete('a');
    resolve('stale');
    assert.equal(await stale, 'stale');
    assert.equal(cache.get('a'), undefined);
  });

  it('lets a question that failed be asked again', async () => {
    const cache = new Cache<string, string>({ bytesMax: 10_000, bytesOf });
    await assert.rejects(async () => cache.find('a', () => Promise.reject(new Error('away'))), /away/);
    assert.equal(await cache.find('a', async () => 'back'), 'back');
  });
});
