import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReceiverAddresses } from './receiver-address.ts';

describe('addresses that webhooks may be sent to [D-244]', () => {
  const addresses = new ReceiverAddresses([]);

  it('those of the public internet, with TLS alone', () => {
    for (const address of ['8.8.8.8', '93.184.216.34', '2606:2800:220:1::1', '172.32.0.1', '100.128.0.1']) {
      assert.equal(addresses.mayConnect(address, false), true, address);
      assert.equal(addresses.mayConnect(address, true), false, address);
    }
  });

  it('none of this machine, of private networks, of links or of what carries such an address', () => {
    const refused = [
      ...['0.0.0.0', '127.0.0.1', '127.8.8.8', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
      ...['169.254.169.254', '100.64.0.1', '198.18.0.1', '192.0.2.1', '224.0.0.1', '255.255.255.255'],
      ...[
        '::1',
        '::',
        'fe80::1',
        'fe80::1%eth0',
        'fc00::1',
        'fd12::1',
        'ff02::1',
        '2001:db8::1',
        '2002:7f00:1::',
      ],
      ...['::ffff:127.0.0.1', '::ffff:7f00:1', '[::ffff:7f00:1]', '::FFFF:10.0.0.1', '0:0:0:0:0:ffff:7f00:1'],
      ...['64:ff9b::7f00:1', '::7f00:1', '2001:0:1::', 'localhost', '', '127.1'],
    ];
    for (const address of refused) assert.equal(addresses.mayConnect(address, false), false, address);
  });

  it('networks that the operator has named, and no others', () => {
    const named = new ReceiverAddresses(['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32']);
    for (const address of ['10.1.2.3', '192.168.7.7', 'fd00:1::9', '::ffff:10.1.2.3']) {
      assert.equal(named.mayConnect(address, false), true, address);
      assert.equal(named.mayConnect(address, true), true, address);
    }
    for (const address of ['10.2.0.1', '192.168.7.8', 'fd00:2::9', '127.0.0.1'])
      assert.equal(named.mayConnect(address, false), false, address);
  });

  it('a name is judged by the addresses that are then connected to', async () => {
    const lookup = addresses.lookupFor(false);
    const failure = await new Promise<Error | null>((resolve) => {
      lookup('localhost', { all: true }, (error) => resolve(error));
    });
    assert.match(String(failure), /localhost is not a public address/);
    const allowed = new ReceiverAddresses(['127.0.0.0/8', '::1']).lookupFor(true);
    const found = await new Promise<unknown>((resolve) => {
      allowed('localhost', { family: 4 }, (_error, address) => resolve(address));
    });
    assert.equal(found, '127.0.0.1');
  });
});
