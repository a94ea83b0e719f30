import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { MessageBuffer } from './postgres-socket.ts';

/** Bytes that are the same in every run and differ from place to place. */
function bytesOf(seed: number, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let index = 0; parts.length * 32 < length; index += 1)
    parts.push(createHash('sha256').update(`${seed} ${index}`).digest());
  return Buffer.concat(parts).subarray(0, length);
}

function message(seed: number, contentBytes: number): Buffer {
  const head = Buffer.from('D0000');
  head.writeUInt32BE(4 + contentBytes, 1);
  return Buffer.concat([head, bytesOf(seed, contentBytes)]);
}

/** What is handed over when the bytes arrive in pieces of these sizes, in turn. */
function received(sent: Buffer, pieces: readonly number[]): Buffer[] {
  const handed: Buffer[] = [];
  const buffer = new MessageBuffer((whole) => void handed.push(Buffer.from(whole)));
  for (let at = 0, turn = 0; at < sent.length; turn += 1) {
    const free = buffer.free();
    assert.notEqual(free.length, 0, 'there is always room for more');
    const length = Math.min(pieces[turn % pieces.length]!, free.length, sent.length - at);
    sent.copy(free, 0, at, at + length);
    buffer.arrived(length);
    at += length;
  }
  return handed;
}

function endsOf(parts: readonly Buffer[]): number[] {
  let end = 0;
  return parts.map(({ length }) => {
    end += length;
    return end;
  });
}

describe('what a connection to PostgreSQL reads', () => {
  const sizes = [0, 1, 5, 100, 4_091, 65_531, 65_532, 70_000, 3, 300_000, 12, 131_067, 0, 900];
  const messages = sizes.map((size, seed) => message(seed, size));
  const sent = Buffer.concat(messages);

  for (const pieces of [[1], [7, 4, 1], [5], [65_536], [65_536, 1], [10_000, 3, 64_000]])
    it(`is handed over whole, in order and once, when it arrives in pieces of ${pieces.join(', ')} bytes`, () => {
      const handed = received(sent, pieces);
      assert.ok(Buffer.concat(handed).equals(sent));
      const ends = new Set(endsOf(messages));
      for (const end of endsOf(handed)) assert.ok(ends.has(end), 'a part ends where a message ends');
    });

  it('takes memory for what has arrived, not for the length that a message announces', () => {
    const buffer = new MessageBuffer(() => assert.fail('no message is whole'));
    const head = Buffer.from([68, 0xff, 0xff, 0xff, 0xff]);
    head.copy(buffer.free());
    buffer.arrived(head.length);
    assert.ok(buffer.free().length < 1024 * 1024);
  });

  it('gives memory back behind a long message', () => {
    let handed = 0;
    const buffer = new MessageBuffer((whole) => {
      handed += whole.length;
    });
    const long = message(1, 500_000);
    for (let at = 0; at < long.length; ) {
      const length = long.copy(buffer.free(), 0, at);
      buffer.arrived(length);
      at += length;
    }
    assert.equal(handed, long.length);
    assert.equal(buffer.free().length, 64 * 1024);
  });
});
