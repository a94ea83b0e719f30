// The store's own identity and the keys that sign access tokens (D-13). Backups contain both.

import sql, { join, type Sql } from 'sql-template-tag';
import { Problem } from '../../domain/problem.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';

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

/** The one that signs is among those that are read only while there are not more of them (D-872). */
const keysMax = 50;

/** Newest first. Keys are few: one a rotation, and those past their tokens' life are dropped. */
export async function signingKeys(db: Db): Promise<readonly SigningKey[]> {
  return db.read<SigningKey>(sql`
    select kid, secret, signs_from as "signsFromMs"
    from signing_key
    order by signs_from desc, kid desc
    limit 100`);
}

interface FoundStore extends StoreIdentity {
  readonly kid: string;
  readonly keySecret: string;
  readonly nowMs: number;
}

/** The first process on a new store gives it its identity and first key; a second one changes nothing. */
export function* foundStore(input: FoundStore): Steps<void> {
  const founded = yield sql`
    insert into store (id, store_id, secret_key, created_at)
    values (1, ${input.storeId}, ${input.secretKey}, ${input.nowMs})
    on conflict (id) do nothing
    returning id`;
  if (founded.rows.length === 0) return;
  yield insertKey(input.kid, input.keySecret, input.nowMs, input.nowMs);
}

interface AddSigningKey extends ChangeStamp {
  readonly kid: string;
  readonly keySecret: string;
  readonly signsFromMs: number;
  readonly retiredBeforeMs: number;
}

export function* addSigningKey(input: AddSigningKey): Steps<void> {
  yield* dropRetiredKeys(input);
  const { rows } = yield sql`select count(*) as "kept" from signing_key`;
  if (Number(rows[0]?.kept) >= keysMax)
    throw new Problem(
      'CONFLICT',
      `There are ${keysMax} keys whose tokens may still live, which is the most. Wait until the oldest have ended, or revoke one.`,
    );
  // A clock that was ahead may have made a key whose time would come after this one's, which then would never sign.
  yield sql`
    update signing_key
    set signs_from = ${input.signsFromMs - 1}
    where signs_from >= ${input.signsFromMs}`;
  yield insertKey(input.kid, input.keySecret, input.nowMs, input.signsFromMs);
  yield noteKey(input, 'keys.rotate', input.kid);
}

interface DropRetiredKeys {
  readonly nowMs: number;
  readonly retiredBeforeMs: number;
}

/** Successors that began to sign so long ago that nothing of before them can be alive. */
function endedSuccessors(now: TrustedMs, longestMs: number): Sql {
  return sql`later.signs_from < ${now - longestMs}`;
}

/**
 * A key stops signing when its successor starts. Where that start is before this moment, nothing that the key signed
 * can still be alive, and it goes.
 */
export function* dropRetiredKeys({ nowMs, retiredBeforeMs }: DropRetiredKeys): Steps<void> {
  const now = yield* trustedNow(nowMs);
  yield sql`
    delete from signing_key
    where signs_from < (
      select max(later.signs_from)
      from signing_key later
      where ${endedSuccessors(now, nowMs - retiredBeforeMs)})`;
}

interface RevokeSigningKey extends ChangeStamp {
  readonly kid: string;
  /** Of a key that takes over at once where none would be left to sign. */
  readonly newKid: string;
  readonly newSecret: string;
}

interface RevokedKeys {
  readonly revoked: readonly string[];
  readonly isReplaced: boolean;
}

/**
 * Takes a key away with all that are older: how long those may have signed is told by their successors, and without
 * them an old key would count as having signed up to a later moment than it did.
 */
export function* revokeSigningKey(input: RevokeSigningKey): Steps<RevokedKeys> {
  // Takes the rows first, so that two commands at once do not both find a key that is left.
  yield sql`update signing_key set signs_from = signs_from`;
  const { rows } = yield sql`
    select kid, signs_from
    from signing_key
    order by signs_from desc, kid desc
    limit 10000`;
  const keys = rows as unknown as { kid: string; signs_from: number }[];
  const place = keys.findIndex(({ kid }) => kid === input.kid);
  if (place === -1)
    throw new Problem('INVALID_REQUEST', `There is no key ${input.kid}. See "soundings keys list".`);
  const revoked = keys.slice(place).map(({ kid }) => kid);
  yield sql`delete from signing_key where kid in (${join(revoked)})`;
  const isReplaced = !keys.slice(0, place).some(({ signs_from: fromMs }) => fromMs <= input.nowMs);
  if (isReplaced) yield insertKey(input.newKid, input.newSecret, input.nowMs, input.nowMs);
  yield noteKey(input, 'keys.revoke', revoked.join(' '));
  return { revoked, isReplaced };
}

function insertKey(kid: string, secret: string, nowMs: number, signsFromMs: number): Sql {
  return sql`
    insert into signing_key (kid, secret, created_at, signs_from)
    values (${kid}, ${secret}, ${nowMs}, ${signsFromMs})`;
}

function noteKey(change: ChangeStamp, action: string, subject: string) {
  return auditStatement(change, { accountId: null, action, subject });
}
