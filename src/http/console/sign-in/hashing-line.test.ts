import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { HashingLine } from './hashing-line.ts';

class Answer extends EventEmitter {
  destroyed = false;
}

/** Work that ends when it is told to, in the order in which it was begun. */
class Works {
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];

  readonly of = (name: string) => (): Promise<string> => {
    this.begun.push(name);
    return new Promise((resolve) => this.#ends.push(() => resolve(name)));
  };

  async endFirst(): Promise<void> {
    this.#ends.shift()!();
    await setImmediate();
  }
}

const from = (answer = new Answer(), isKnown = false) => ({
  answer: answer as unknown as ServerResponse,
  isKnown,
});

describe('the line before the hashing of passwords', () => {
  it('two are made at once, and those who were here before come before others [D-333]', async () => {
    const line = new HashingLine();
    const works = new Works();
    const all = ['a', 'b', 'c', 'd'].map((name) => line.run(works.of(name), from()));
    const known = line.run(works.of('known'), from(new Answer(), true));
    await setImmediate();
    assert.deepEqual([works.begun, line.waiting], [['a', 'b'], 3]);
    for (let ended = 0; ended < 5; ended += 1) await works.endFirst();
    assert.deepEqual(works.begun, ['a', 'b', 'known', 'c', 'd']);
    assert.deepEqual(await Promise.all([...all, known]), ['a', 'b', 'c', 'd', 'known']);
  });

  it('has fifty places for each of the two; who comes then is told to retry [D-333]', async () => {
    const line = new HashingLine();
    const works = new Works();
    const all = Array.from({ length: 52 }, (_, index) => line.run(works.of(`${index}`), from()));
    await assert.rejects(line.run(works.of('late'), from()), {
      code: 'TOO_MANY_SIGN_INS',
      headers: { 'retry-after': '2' },
    });
    all.push(line.run(works.of('known'), from(new Answer(), true)));
    for (let ended = 0; ended < 53; ended += 1) await works.endFirst();
    assert.equal((await Promise.all(all)).length, 53);
    assert.deepEqual([works.begun.length, works.begun[2], line.waiting], [53, 'known', 0]);
  });

  it('a line that moves is waited in for a minute, one that stands still for ten seconds at most [D-333]', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const line = new HashingLine();
    const works = new Works();
    const all = Array.from({ length: 12 }, (_, index) => line.run(works.of(`${index}`), from()));
    const ends = Promise.allSettled(all);
    for (let look = 0; look < 5; look += 1) {
      await works.endFirst();
      t.mock.timers.tick(10_000);
    }
    assert.deepEqual([works.begun.length, line.waiting], [7, 5]);
    await works.endFirst();
    t.mock.timers.tick(10_000);
    assert.deepEqual([works.begun.length, line.waiting], [8, 0], 'a minute has passed');
    const [later, last] = [line.run(works.of('later'), from()), line.run(works.of('last'), from())];
    const told = [later, last].map((one) => assert.rejects(one, { code: 'TOO_MANY_SIGN_INS' }));
    t.mock.timers.tick(10_000);
    await Promise.all(told);
    for (let ended = 0; ended < 2; ended += 1) await works.endFirst();
    const statuses = (await ends).map(({ status }) => status);
    assert.deepEqual(statuses.filter((status) => status === 'rejected').length, 4);
  });

  it('whoever goes away leaves the line, and what fails gives its place back [D-333]', async () => {
    const line = new HashingLine();
    const works = new Works();
    const answer = new Answer();
    const first = line.run(works.of('first'), from());
    const failing = line.run(() => Promise.reject(new Error('broken')), from());
    const leaving = line.run(works.of('leaving'), from(answer));
    const last = line.run(works.of('last'), from());
    const left = assert.rejects(leaving, { code: 'REQUEST_ABANDONED' });
    answer.emit('close');
    await left;
    await assert.rejects(failing, /broken/);
    await setImmediate();
    assert.deepEqual(works.begun, ['first', 'last']);
    await works.endFirst();
    await works.endFirst();
    assert.deepEqual(await Promise.all([first, last]), ['first', 'last']);
    assert.equal(answer.listenerCount('close'), 0);
  });
});
