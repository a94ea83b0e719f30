// The digests of days by the recipe of docs/digests.md, from bodies alone.

import { createHash } from 'node:crypto';

export interface ArrivedBody {
  readonly day: number;
  /** As it is kept; for a response that was erased long ago, the bytes of its hash. */
  readonly body: string | Buffer;
}

export type ModelDay = readonly [day: number, count: number, digest: string];

/** Each day begins empty, and takes in the digest of one body after the other, in the order of arrival. */
export function digestsOfDays(arrived: readonly ArrivedBody[]): readonly ModelDay[] {
  const days = new Map<number, { count: number; digest: Buffer }>();
  for (const { day, body } of arrived) {
    const before = days.get(day) ?? { count: 0, digest: Buffer.alloc(0) };
    const ofBody = typeof body === 'string' ? createHash('sha256').update(body, 'utf8').digest() : body;
    const digest = createHash('sha256').update(before.digest).update(ofBody).digest();
    days.set(day, { count: before.count + 1, digest });
  }
  return [...days]
    .sort(([one], [other]) => one - other)
    .map(([day, { count, digest }]) => [day, count, digest.toString('hex')] as const);
}

/** The number of a day as YYYY-MM-DD. */
export function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
