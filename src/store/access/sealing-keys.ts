// The keys that seal secrets which must be readable again, such as those of webhooks (D-241). They are apart from the keys
// that sign: a stolen one opens what is kept and forges nothing. The newest of the store seals, unless the settings
// have one; older ones open until the last thing that they sealed has ended.

import sql, { type Sql } from 'sql-template-tag';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';

interface SealingKey {
  readonly kid: string;
  /** Null for a key of the settings, which the store knows by name alone. */
  readonly secret: string | null;
  readonly createdAtMs: number;
  /** When the last thing that it sealed ends; 0 where it has sealed nothing. */
  readonly lastEndMs: number;
}

/** The end of what has none by itself, such as the secret of a webhook: the last moment that a date can have. */
export const lastingMs = 8_640_000_000_000_000;

const keysMax = 1_000;
// Another process may still seal by the key that it found when it last looked.
const retiredForMs = 3_600_000;

/** Newest first. */
export async function sealingKeys(db: Db): Promise<readonly SealingKey[]> {
  return db.read<SealingKey>(sql`
    select kid, secret, created_at as "createdAtMs", last_end as "lastEndMs"
    from sealing_key
    order by created_at desc, kid desc
    limit ${limitOf(keysMax)}`);
}

interface NewSealingKey {
  readonly kid: string;
  readonly secret: string;
  readonly nowMs: number;
}

/** The first process that seals anything makes a key, where there is none. */
export function* foundSealingKey(input: NewSealingKey): Steps<void> {
  const { rows } = yield sql`select kid from sealing_key where secret is not null limit 1`;
  if (rows.length === 0) yield insertKey(input);
}

export function* addSealingKey(input: NewSealingKey & ChangeStamp): Steps<void> {
  const { nowMs } = input;
  // A clock that was ahead may have made a key that would count as newer than this one.
  yield sql`update sealing_key set created_at = ${nowMs - 1} where created_at >= ${nowMs}`;
  yield insertKey(input);
  yield auditStatement(input, {
    accountId: null,
    action: 'keys.rotate',
    subject: `sealing key ${input.kid}`,
  });
}

function insertKey({ kid, secret, nowMs }: NewSealingKey): Sql {
  return sql`
    insert into sealing_key (kid, secret, created_at, last_end)
    values (${kid}, ${secret}, ${nowMs}, 0)`;
}

interface NoteSealed {
  readonly kid: string;
  readonly isOfSettings: boolean;
  readonly endMs: number;
  readonly nowMs: number;
}

/** Keeps until when the key is needed, before anything is sealed by it; false for a key that is gone. */
export function* noteSealed({ kid, isOfSettings, endMs, nowMs }: NoteSealed): Steps<boolean> {
  if (isOfSettings)
    yield sql`
      insert into sealing_key (kid, created_at, last_end)
      values (${kid}, ${nowMs}, 0)
      on conflict (kid) do nothing`;
  const { changed } = yield sql`
    update sealing_key
    set last_end = case when last_end < ${endMs} then ${endMs} else last_end end
    where kid = ${kid}`;
  return changed === 1;
}

/** Drops the keys that have a successor and sealed nothing that is still in use. */
export function* dropEndedSealingKeys({ nowMs }: { readonly nowMs: number }): Steps<void> {
  yield sql`
    delete from sealing_key
    where ${endedSealingKeys(yield* trustedNow(nowMs))}`;
}

function endedSealingKeys(now: TrustedMs): Sql {
  return sql`
    last_end < ${now}
      and created_at < (
        select max(later.created_at)
        from sealing_key later
        where later.created_at < ${now - retiredForMs})`;
}

interface RevokeSealingKey extends ChangeStamp {
  readonly kid: string;
}

/** Whether there was such a key. What it sealed can never be opened again. */
export function* revokeSealingKey(input: RevokeSealingKey): Steps<boolean> {
  const { changed } = yield sql`delete from sealing_key where kid = ${input.kid}`;
  if (changed === 0) return false;
  yield auditStatement(input, {
    accountId: null,
    action: 'keys.revoke',
    subject: `sealing key ${input.kid}`,
  });
  return true;
}
