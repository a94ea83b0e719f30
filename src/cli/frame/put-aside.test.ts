import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PutAside } from './put-aside.ts';

describe('values that are put aside', () => {
  it('come back as they were and in their order, also where they do not fit into memory, and leave no file behind', () => {
    const folder = mkdtempSync(join(tmpdir(), 'soundings-aside-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      // 12 MB with characters of several bytes, and small ones between the large.
      const values = Array.from({ length: 400 }, (_, number) => ({
        number,
        text: `\u2028é\u{1f600}\n${'x'.repeat(number % 10 === 0 ? 300_000 : number)}`,
      }));
      using aside = new PutAside<(typeof values)[number]>();
      for (const value of values) aside.add(value);
      assert.deepEqual([...aside.values()], values);
      assert.deepEqual([...aside.values()], values);
      assert.deepEqual(readdirSync(folder), []);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
