import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf } from './network.ts';

describe('the network of an address [D-181]', () => {
  const rows: readonly (readonly [address: string, bits: number, network: string])[] = [
    ['203.0.113.7', 56, '203.0.113.7'],
    ['::ffff:203.0.113.7', 56, '203.0.113.7'],
    ['::ffff:cb00:7107', 56, '203.0.113.7'],
    ['0:0:0:0:0:FFFF:203.0.113.7', 56, '203.0.113.7'],
    ['2001:db8:1:2ff::1', 56, '2001:db8:1:200:0:0:0:0/56'],
    ['2001:DB8:1:200:ffff:ffff:ffff:ffff', 56, '2001:db8:1:200:0:0:0:0/56'],
    ['2001:db8:1:300::', 56, '2001:db8:1:300:0:0:0:0/56'],
    ['2001:db8:1:2ff::1', 64, '2001:db8:1:2ff:0:0:0:0/64'],
    ['2001:db8:1:2ff::1', 16, '2001:0:0:0:0:0:0:0/16'],
    ['2001:db8::1', 128, '2001:db8:0:0:0:0:0:1/128'],
    ['fe80::1%eth0', 56, 'fe80:0:0:0:0:0:0:0/56'],
    ['::', 56, '0:0:0:0:0:0:0:0/56'],
    ['64:ff9b::203.0.113.7', 128, '64:ff9b:0:0:0:0:cb00:7107/128'],
    ['no address', 56, 'unknown'],
    ['x'.repeat(10_000), 56, 'unknown'],
    ['', 56, 'unknown'],
  ];
  for (const [address, bits, network] of rows) {
    it(`${address.slice(0, 40)} with ${bits} bits is ${network}`, () => {
      assert.equal(networkOf(address, bits), network);
    });
  }
});
