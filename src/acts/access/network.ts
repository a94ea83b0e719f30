// The network under which limits by address count. Whoever has one IPv6 address has a whole network of them, so those are
// counted by prefix; an IPv4 address is counted by itself, also where it is written as an IPv6 one.

import { isIPv4, isIPv6 } from 'node:net';

export function networkOf(address: string, ipv6PrefixBits: number): string {
  if (isIPv4(address)) return address;
  // A proxy may hand on anything; all that is no address counts as one network.
  if (!isIPv6(address)) return 'unknown';
  const groups = groupsOf(address.replace(/%.*$/, ''));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6]!, groups[7]!].map((group) => `${group >> 8}.${group & 0xff}`).join('.');
  const kept = groups.map((group, index) => {
    const bits = Math.min(16, Math.max(0, ipv6PrefixBits - 16 * index));
    return group & (0xffff << (16 - bits)) & 0xffff;
  });
  return `${kept.map((group) => group.toString(16)).join(':')}/${ipv6PrefixBits}`;
}

/** The eight numbers of an IPv6 address; two colons stand for as many zeros as are missing. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = numbersOf(head);
  const after = numbersOf(tail ?? '');
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function numbersOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
