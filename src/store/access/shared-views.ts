// Shared views as they are kept: what a link shows, who made it, until when. Of the code in the link a keyed hash alone is kept. One
// that has ended is kept for a while, so that its link can say so.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { type SharedPage, type SharedViewEnd, sharedViewsMax } from '../../domain/access/shared-view.ts';
import { operatorsAccount, type PersonId } from '../../domain/access/visitor.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';

/** Where a view is found. */
export interface SharedViewKey {
  readonly accountId: number;
  readonly codeHash: string;
}

export interface SharedView {
  readonly accountId: number;
  readonly id: string;
  readonly name: string;
  readonly page: SharedPage;
  /** As the audit log names them. */
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** To some minutes; null where nobody has opened it yet. */
  readonly usedAtMs: number | null;
  /** Null while it is live. */
  readonly end: SharedViewEnd | null;
}

export interface FoundSharedView extends SharedView {
  readonly accountName: string;
}

interface SharedViewRow {
  readonly id: string;
  readonly name: string;
  readonly page: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  readonly used_at: number | null;
  readonly is_maker_there: number;
}

const columns = sql`shared_view.id, shared_view.name, page, created_by, shared_view.created_at, shared_view.expires_at,
  revoked_at, shared_view.used_at`;

/** A view ends with whoever made it: else a suspended person could go on looking by a link of their own (D-555). */
function makerIsThere(accountId: number) {
  return sql`case
    when maker_account_id = ${operatorsAccount} then (
      select count(*) from operator where operator.id = shared_view.maker_id and operator.disabled_at is null)
    else (
      select count(*) from account_user
      where account_user.account_id = ${accountId} and account_user.id = shared_view.maker_id
        and coalesce(account_user.active, 1) = 1)
    end as is_maker_there`;
}

function viewOf(accountId: number, row: SharedViewRow, nowMs: number): SharedView {
  const end =
    row.revoked_at !== null
      ? 'revoked'
      : row.expires_at <= nowMs
        ? 'ended'
        : Number(row.is_maker_there) === 0
          ? 'makerGone'
          : null;
  return {
    accountId,
    id: row.id,
    name: row.name,
    page: JSON.parse(row.page) as SharedPage,
    createdBy: row.created_by,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    usedAtMs: row.used_at,
    end,
  };
}

/** Read at every request, and remembered by nobody: a link that is revoked shows nothing from then on, on every replica. */
export async function findSharedView(
  db: Db,
  { accountId, codeHash }: SharedViewKey,
  nowMs: number,
): Promise<FoundSharedView | null> {
  const [row] = await db.read<SharedViewRow & { account_name: string }>(sql`
    select ${columns}, ${makerIsThere(accountId)}, account.name as account_name
    from shared_view
    join account on account.id = ${accountId} and account.removed_at is null
    where shared_view.account_id = ${accountId} and code_hash = ${codeHash}`);
  return row === undefined ? null : { ...viewOf(accountId, row, nowMs), accountName: row.account_name };
}

/** Those of an account behind an id, in the order in which they were made. */
export async function listSharedViews(
  db: Db,
  accountId: number,
  nowMs: number,
  { after, take }: { readonly after: string; readonly take: number },
): Promise<readonly SharedView[]> {
  const rows = await db.read<SharedViewRow>(sql`
    select ${columns}, ${makerIsThere(accountId)}
    from shared_view
    where shared_view.account_id = ${accountId} and shared_view.id > ${after}
    order by shared_view.id
    limit ${limitOf(take)}`);
  return rows.map((row) => viewOf(accountId, row, nowMs));
}

export interface CreateSharedView extends ChangeStamp {
  readonly accountId: number;
  readonly id: string;
  readonly codeHash: string;
  readonly name: string;
  readonly page: SharedPage;
  readonly maker: PersonId;
  readonly expiresAtMs: number;
}

/** So long after its end a link can still say that it has ended. */
const keptAfterEndMs = 90 * 86_400_000;

export function endedViews(now: TrustedMs): Sql {
  return sql`(expires_at < ${now - keptAfterEndMs} or revoked_at < ${now - keptAfterEndMs})`;
}

/** False where the account has as many live ones as it may. */
export function* createSharedView(input: CreateSharedView): Steps<boolean> {
  const { accountId, id, codeHash, name, page, maker, expiresAtMs, nowMs } = input;
  yield sql`
    delete from shared_view
    where account_id = ${accountId} and ${endedViews(yield* trustedNow(nowMs))}`;
  const { rows } = yield sql`
    select count(*) as live
    from shared_view
    where account_id = ${accountId} and revoked_at is null and expires_at > ${nowMs}`;
  if (Number((rows as unknown as { live: number }[])[0]?.live ?? 0) >= sharedViewsMax) return false;
  yield sql`
    insert into shared_view (account_id, id, code_hash, name, page, maker_account_id, maker_id, created_by, created_at,
      expires_at)
    values (${accountId}, ${id}, ${codeHash}, ${name}, ${JSON.stringify(page)}, ${maker.accountId}, ${maker.personId},
      ${input.actor}, ${nowMs}, ${expiresAtMs})`;
  yield auditStatement(input, {
    accountId,
    action: 'view.create',
    subject: `shared view ${id}`,
    details: auditNote('sharedPage', {
      ...{ kind: page.kind, key: page.key, from: page.from, to: page.to },
      ...{ isFiltered: page.filter !== null, until: new Date(expiresAtMs).toISOString() },
    }),
  });
  return true;
}

export interface RevokeSharedView extends ChangeStamp {
  readonly accountId: number;
  readonly id: string;
}

export type RevokeOutcome = 'revoked' | 'revokedBefore' | 'unknown';

export function* revokeSharedView(input: RevokeSharedView): Steps<RevokeOutcome> {
  const { accountId, id, nowMs } = input;
  const { changed } = yield sql`
    update shared_view
    set revoked_at = ${nowMs}
    where account_id = ${accountId} and id = ${id} and revoked_at is null`;
  if (changed === 0) {
    const { rows } = yield sql`select id from shared_view where account_id = ${accountId} and id = ${id}`;
    return rows.length === 0 ? 'unknown' : 'revokedBefore';
  }
  yield auditStatement(input, { accountId, action: 'view.revoke', subject: `shared view ${id}` });
  return 'revoked';
}

export interface NoteSharedViewUse {
  readonly accountId: number;
  readonly id: string;
  readonly usedAtMs: number;
}

export function* noteSharedViewUse({ accountId, id, usedAtMs }: NoteSharedViewUse): Steps<void> {
  yield sql`
    update shared_view
    set used_at = ${usedAtMs}
    where account_id = ${accountId} and id = ${id} and (used_at is null or used_at < ${usedAtMs})`;
}
