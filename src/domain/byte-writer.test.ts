import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteWriter, WriterPool } from './byte-writer.ts';

const MiB = 1024 * 1024;

describe('writers of answers', () => {
  it('are used again, and hold no more memory between answers than they may, however large those were [D-169]', () => {
    const pool = new WriterPool(16 * MiB);
    for (let round = 0; round < 3; round += 1) {
      const lent = Array.from({ length: 200 }, () => pool.lend());
      for (const [at, writer] of lent.entries()) writer.bytes(Buffer.alloc((at % 4) * MiB + 1));
      for (const writer of lent) pool.takeBack(writer);
      assert.ok(pool.idleBytes <= 16 * MiB, `${pool.idleBytes}`);
      assert.ok(pool.idleBytes > 8 * MiB, `${pool.idleBytes}`);
    }
    const before = pool.idleBytes;
    const again = pool.lend();
    assert.equal(again.end, 0);
    assert.equal(pool.idleBytes, before - again.target.length);
  });
  it('that go on in smaller pieces let the memory of the first one go with it [D-169]', () => {
    const writer = new ByteWriter();
    writer.bytes(Buffer.alloc(MiB + 1, 'a'));
    const first = writer.take(MiB / 4);
    assert.equal(writer.target.length, MiB / 4);
    writer.text('b'.repeat(100));
    assert.equal(first.length, MiB + 1);
    assert.ok(first.every((byte) => byte === 97));
    assert.equal(writer.take().toString(), 'b'.repeat(100));
  });
});
