// Following a source as a warehouse does: by pages, with the cursor of the page before, into rows by id.

import assert from 'node:assert/strict';
import type { Answer } from './exchange.ts';

export interface FeedItem {
  readonly id: string;
  readonly responses: readonly { readonly id: string; readonly answers: readonly string[] }[];
  readonly erased?: boolean;
  readonly [member: string]: unknown;
}

export interface Entry {
  readonly type: 'response' | 'external' | 'erased' | 'retained';
  readonly position: number;
  readonly change?: number;
  readonly from?: number;
  readonly to?: number;
  readonly id?: string;
  readonly digest?: string;
  readonly item?: FeedItem;
}

export interface Feed {
  readonly hasMore: boolean;
  readonly items: readonly Entry[];
  readonly next: string;
}

export type GetPage = (query: string) => Promise<Answer>;

export async function pageOf(get: GetPage, query: string): Promise<Feed> {
  const answer = await get(query);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as unknown as Feed;
}

/** Everything behind a cursor, in pages of the sizes that are asked for, until a page says that there is no more. */
export async function follow(
  get: GetPage,
  sizeOf: () => number,
  after: string | null = null,
): Promise<{ readonly entries: readonly Entry[]; readonly next: string }> {
  const entries: Entry[] = [];
  for (let next = after; ; ) {
    const size = sizeOf();
    const page = await pageOf(get, `limit=${size}${next === null ? '' : `&after=${next}`}`);
    entries.push(...page.items);
    next = page.next;
    assert.ok(page.items.length <= size);
    if (!page.hasMore) return { entries, next };
    assert.equal(page.items.length, size);
  }
}

/** What tells entries apart, without what they show. */
export function placesOf(entries: readonly Entry[]): readonly string[] {
  return entries.map(({ type, position, change = '', from = '', to = '' }) =>
    [type, position, change, from, to].join(' '),
  );
}

/** A copy of the source that only the entries have made, in the order of arrival. */
export function warehouseOf(entries: readonly Entry[]): readonly FeedItem[] {
  const rows = new Map<number, FeedItem>();
  for (const { type, position, from = 0, to = 0, item } of entries) {
    if (type === 'response') rows.set(position, item!);
    else if (type === 'external') rows.set(from, item!);
    else
      for (let at = from; at <= to; at += 1) rows.set(at, { ...rows.get(at)!, responses: [], erased: true });
  }
  return [...rows].sort(([one], [other]) => one - other).map(([, item]) => item);
}

/** What one order that never shifts means: nothing twice, nothing missing, every change behind the responses before it. */
export function assertInOrder(entries: readonly Entry[]): void {
  let [position, change] = [0, 0];
  for (const entry of entries) {
    if (entry.type === 'response') {
      position += 1;
      assert.equal(entry.position, position);
    } else {
      change += 1;
      assert.equal(entry.change, change);
      assert.equal(entry.position, position);
      assert.ok(entry.from! >= 1 && entry.from! <= entry.to! && entry.to! <= position);
    }
  }
}
