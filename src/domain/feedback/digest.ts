// Digests, by which two stores, a store and its backup, or a store and a warehouse are compared without looking at what
// anybody said. That of a response is the SHA-256 of its body's bytes as they are kept. That of a day goes over the
// responses of the day in the order of arrival: D0 is empty, and Dn is the SHA-256 of the bytes of Dn-1 followed by the
// 32 bytes of the digest of response n. As text both are 64 lower-case hexadecimal digits (D-250).
//
// Neither can ever change its result: they are kept, also elsewhere.

import { hash } from 'node:crypto';

const digestBytes = 32;

export function digestOfBody(body: string): string {
  return hash('sha256', body, 'hex');
}

/** Of a response that was erased when no digest was kept: the hash of D-41 stands for it (D-251). */
export function digestOfContentHash(contentHash: string): string {
  return Buffer.from(contentHash, 'base64url').toString('hex');
}

/** The digest of a day as far as it goes, and how many responses it goes over. */
export interface DayDigest {
  /** Empty before the first response. */
  readonly digest: string;
  readonly count: number;
}

/** What of a response is folded into the digest of its day. */
interface DigestedRow {
  readonly day: number;
  readonly digest: string;
}

/** The digests of days, continued by rows that follow in the order of arrival. */
export class DayDigests {
  readonly #days = new Map<number, { bytes: Buffer; length: number; count: number }>();

  constructor(known: Iterable<readonly [day: number, digest: DayDigest]> = []) {
    for (const [day, { digest, count }] of known) {
      const bytes = Buffer.alloc(2 * digestBytes);
      const length = bytes.write(digest, 'hex');
      this.#days.set(day, { bytes, length, count });
    }
  }

  add({ day, digest }: DigestedRow): void {
    let known = this.#days.get(day);
    if (known === undefined) {
      known = { bytes: Buffer.alloc(2 * digestBytes), length: 0, count: 0 };
      this.#days.set(day, known);
    }
    const { bytes, length } = known;
    const added = bytes.write(digest, length, 'hex');
    if (added !== digestBytes) throw new Error('A response has a digest of another length.');
    // As a text of one character a byte: a buffer takes three times as long to come back.
    bytes.write(hash('sha256', bytes.subarray(0, length + digestBytes), 'latin1'), 'latin1');
    known.length = digestBytes;
    known.count += 1;
  }

  /** In the order of the days. */
  entries(): (readonly [day: number, digest: DayDigest])[] {
    return [...this.#days]
      .sort(([one], [other]) => one - other)
      .map(([day, { bytes, length, count }]) => [day, { digest: bytes.toString('hex', 0, length), count }]);
  }
}
