import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Ask, SharedLookup } from './shared-lookup.ts';

describe('addresses of receivers', () => {
  const found = [{ address: '192.0.2.1', family: 4 }];

  function machine() {
    let elapsedMs = 0;
    const asked: [hostname: string, answer: Parameters<Ask>[1]][] = [];
    const shared = new SharedLookup(
      (hostname, answer) => asked.push([hostname, answer]),
      () => elapsedMs,
    );
    const find = (hostname: string): Promise<string> =>
      new Promise((resolve) => {
        shared.find(hostname, (error, addresses) => resolve(error?.message ?? addresses[0]!.address));
      });
    return { asked, find, pass: (ms: number) => (elapsedMs += ms) };
  }

  it('a name is asked for once for all who want it at the same time, and anew afterwards', async () => {
    const { asked, find } = machine();
    const all = [...Array.from({ length: 20 }, () => find('one.example')), find('other.example')];
    assert.deepEqual(
      asked.map(([hostname]) => hostname),
      ['one.example', 'other.example'],
    );
    for (const [, answer] of asked) answer(null, found);
    assert.deepEqual(new Set(await Promise.all(all)), new Set(['192.0.2.1']));
    void find('one.example');
    assert.equal(asked.length, 3);
  });

  it('a name whose servers do not answer is not asked for again for a minute; one that is unknown at once is', async () => {
    const { asked, find, pass } = machine();
    const first = find('dead.example');
    pass(10_000);
    asked[0]![1](new Error('EAI_AGAIN'), []);
    assert.equal(await first, 'EAI_AGAIN');
    assert.equal(await find('dead.example'), 'EAI_AGAIN');
    assert.equal(asked.length, 1);
    pass(60_000);
    void find('dead.example');
    assert.equal(asked.length, 2);
    const unknown = find('unknown.example');
    asked[2]![1](new Error('ENOTFOUND'), []);
    assert.equal(await unknown, 'ENOTFOUND');
    void find('unknown.example');
    assert.equal(asked.length, 4);
  });
});
