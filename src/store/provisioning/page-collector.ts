// What no SQL answers is asked of each user: the rest of a filter, and the key of an order that no column has. Those who
// fulfil it are counted, and the page is kept and no more.

import { FirstFew } from '../../domain/first-few.ts';
import { Problem } from '../../domain/problem.ts';
import type { User } from '../../domain/provisioning/user.ts';
import { matches, rememberingFold, sortKeyOf } from '../../scim/evaluate.ts';
import type { Db } from '../engine/db.ts';
import { withGroups } from './memberships.ts';
import { inOrder, type KeyedId } from './search-order.ts';
import {
  type PageRequest,
  pageBytesMax,
  readUsers,
  type Search,
  sizesOf,
  type UserPage,
} from './user-page.ts';
import { type UserRow, userOf } from './user-row.ts';

/** What the keys of an order without an index may take in memory: some hundred thousand of them. */
const keysBytesMax = 16 * 1024 * 1024;
const foundBytes = 64;

type Asked = { readonly [Member in 'residual' | 'narrow']: Search[Member] | undefined };

export class PageCollector {
  readonly #db: Db;
  readonly #accountId: number;
  readonly #asked: Asked;
  readonly #request: PageRequest;
  readonly #fold = rememberingFold();
  /** In the order of ids the page is known as soon as its place is reached; in another order only at the end. */
  readonly #shown: User[] = [];
  readonly #first: FirstFew<KeyedId>;
  #total = 0;
  #bytes = 0;
  #shownBytes = 0;

  constructor(db: Db, accountId: number, asked: Asked, request: PageRequest) {
    this.#db = db;
    this.#accountId = accountId;
    this.#asked = asked;
    this.#request = request;
    const { skip, take } = request.window;
    this.#first = new FirstFew(take === 0 ? 0 : skip + take, inOrder(request.sort));
  }

  /** Users in the order of their ids. */
  async offer(rows: readonly UserRow[]): Promise<void> {
    const { sort, window, view, groupsAt, budget } = this.#request;
    const { residual = null, narrow } = this.#asked;
    const all = rows.map(userOf);
    const users = narrow === undefined ? all : await narrow(all);
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const known =
      groupsAt === null ? users : await withGroups(this.#db, this.#accountId, users, groupsAt, budget);
    for (const user of known) {
      await budget.pause();
      const resource = view(user);
      if (residual !== null && !matches(residual, resource, this.#fold)) continue;
      if (sort !== null) {
        this.keep({ key: sortKeyOf(resource, sort.attribute, this.#fold), id: user.id });
        continue;
      }
      const place = this.#total - window.skip;
      if (place >= 0 && place < window.take) this.#show(user, rowOf.get(user.id)!);
      this.#total += 1;
    }
  }

  /** Once the page is full of bytes, nobody more is on it. */
  #show(user: User, { profile }: UserRow): void {
    this.#shownBytes += Buffer.byteLength(profile);
    if (this.#shown.length === 0 || this.#shownBytes <= pageBytesMax) this.#shown.push(user);
  }

  /** Counts one who fulfils everything, with the key of the order. */
  keep(found: KeyedId): void {
    this.#total += 1;
    this.#bytes += bytesOf(found);
    const gone = this.#first.offer(found);
    if (gone !== null) this.#bytes -= bytesOf(gone);
    if (this.#bytes > keysBytesMax) {
      throw new Problem(
        'TOO_MUCH_WORK',
        'This page lies too deep in an order that no index has. Please sort by id, userName or a name, or narrow the search.',
      );
    }
  }

  async page(): Promise<UserPage> {
    const { sort, window, budget } = this.#request;
    if (sort === null) return { total: this.#total, users: this.#shown };
    const found: KeyedId[] = [];
    let left = Math.min(this.#total, window.skip + window.take) - window.skip;
    for (const one of this.#first.lastToFirst()) {
      if (left <= 0) break;
      left -= 1;
      found.push(one);
      await budget.pause();
    }
    const places = await sizesOf(this.#db, this.#accountId, found.reverse());
    return {
      total: this.#total,
      users: await readUsers(this.#db, this.#accountId, places, budget),
    };
  }
}

const bytesOf = ({ key }: KeyedId): number => foundBytes + (typeof key === 'string' ? 2 * key.length : 0);
