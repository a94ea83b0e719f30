// Which addresses a webhook may be sent to: those of the public internet, and the networks that the operator has named.
// Whoever can enter a webhook must not reach by it what only this machine can reach (D-244). The address that was judged
// is the one that is connected to, because the judgement is part of the lookup of the connection itself.

import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { SharedLookup } from './shared-lookup.ts';

/** Ranges that are not of the public internet (the special-purpose registries of IANA, RFC 6890 and its successors). */
const specialRanges: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
// Of IPv6 only what is handed out to the public (2000::/3), less what is special in it or carries another address.
const publicIpv6: readonly [string, number] = ['2000::', 3];
const specialIpv6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
const mappedPrefix = /^::ffff:(?=\d+\.)/i;

export class ReceiverAddresses {
  readonly #special = new BlockList();
  readonly #public = new BlockList();
  readonly #allowed = new BlockList();
  readonly #names = new SharedLookup();

  /** Networks, or single addresses, that are allowed although they are not public. */
  constructor(allowed: readonly string[]) {
    for (const [network, bits] of specialRanges) this.#special.addSubnet(network, bits, 'ipv4');
    for (const [network, bits] of specialIpv6) this.#special.addSubnet(network, bits, 'ipv6');
    this.#public.addSubnet(...publicIpv6, 'ipv6');
    for (const entry of allowed) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      this.#allowed.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
    }
  }

  /** Whether it may be connected to; without TLS only where the operator has named the network. */
  mayConnect(address: string, isPlain: boolean): boolean {
    const plain = unmapped(address);
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(plain) === 0) return false;
    if (this.#allowed.check(plain, family)) return true;
    if (isPlain || this.#special.check(plain, family)) return false;
    return family === 'ipv4' || this.#public.check(plain, family);
  }

  /** For a connection: only addresses that may be connected to come out of it. */
  lookupFor(isPlain: boolean): LookupFunction {
    return (hostname, options, callback) => {
      this.#names.find(hostname, (error, found) => {
        if (error !== null) return callback(error, []);
        const wanted = Number(String(options.family ?? 0).replace('IPv', ''));
        const addresses = found.filter(
          ({ address, family }) => (wanted === 0 || family === wanted) && this.mayConnect(address, isPlain),
        );
        const [first] = addresses;
        if (first === undefined) return callback(notAllowed(hostname, found), []);
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    };
  }
}

/** IPv4 within IPv6, however it is written. */
function unmapped(address: string): string {
  const text = address.replace(/^\[|\]$/g, '').split('%')[0]!;
  if (mappedPrefix.test(text)) return text.replace(mappedPrefix, '');
  if (isIP(text) !== 6) return text;
  // The form in hexadecimal digits is what a URL turns the other one into.
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(text);
  if (hex === null) return text;
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Says that, and not which addresses a name of somebody else's has. */
export function notAllowed(hostname: string, found: readonly LookupAddress[] = []): Error {
  const which =
    found.length === 0 && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
      ? 'has no address'
      : 'is not a public address';
  return Object.assign(
    new Error(`${hostname} ${which} that may be connected to (SOUNDINGS_WEBHOOK_NETWORKS).`),
    { code: 'ADDRESS_NOT_ALLOWED' },
  );
}
