// The store's own identity and the keys that sign access tokens (D-13). Backups contain both.

import sql from 'sql-template-tag';
import { auditStatement } from './audit.ts';
import type { Db, Steps } from './db.ts';

export interface StoreIdentity {
  /** Issuer and audience of every token: an id, never an address, so that all replicas agree. */
  readonly storeId: string;
  /** Keys the hashes of client secrets (D-15). */
  readonly secretKey: string;
}

export interface SigningKey {
  readonly kid: string;
  readonly secret: string;
  readonly signsFromMs: number;
}

export async function findIdentity(db: Db): Promise<StoreIdentity | null> {
  const [row] = await db.read<StoreIdentity>(sql`
    select store_id as "storeId", secret_key as "secretKey"
    from store
    where id = 1`);
  return row ?? null;
}

/** Newest first. Keys are few: one a rotation, and those past their tokens' life are dropped by the next one. */
export async function signingKeys(db: Db): Promise<readonly SigningKey[]> {
  return db.read<SigningKey>(sql`
    select kid, secret, signs_from as "signsFromMs"
    from signing_key
    order by signs_from desc, kid desc
    limit 100`);
}

export interface FoundStore extends StoreIdentity {
  readonly kid: string;
  readonly keySecret: string;
  readonly nowMs: number;
}

/** The first process on a new store gives it its identity and first key; a second one changes nothing. */
export function* foundStore(order: FoundStore): Steps<void> {
  const founded = yield sql`
    insert into store (id, store_id, secret_key, created_at)
    values (1, ${order.storeId}, ${order.secretKey}, ${order.nowMs})
    on conflict (id) do nothing
    returning id`;
  if (founded.rows.length === 0) return;
  yield sql`
    insert into signing_key (kid, secret, created_at, signs_from)
    values (${order.kid}, ${order.keySecret}, ${order.nowMs}, ${order.nowMs})`;
}

export interface AddSigningKey {
  readonly changeId: string;
  readonly kid: string;
  readonly keySecret: string;
  readonly nowMs: number;
  readonly signsFromMs: number;
  /** Keys that stopped signing before this have no living token left. */
  readonly uselessBeforeMs: number;
}

export function* addSigningKey(order: AddSigningKey): Steps<void> {
  // A key stops signing when its successor starts, so it is useless once that start is long enough ago.
  yield sql`
    delete from signing_key
    where signs_from < (
      select max(later.signs_from)
      from signing_key later
      where later.signs_from < ${order.uselessBeforeMs})`;
  yield sql`
    insert into signing_key (kid, secret, created_at, signs_from)
    values (${order.kid}, ${order.keySecret}, ${order.nowMs}, ${order.signsFromMs})`;
  yield auditStatement({
    accountId: null,
    id: order.changeId,
    atMs: order.nowMs,
    actor: 'command line',
    action: 'keys.rotate',
    subject: order.kid,
  });
}
