// Invitations that were made, as far as the store hears of it, and those that were taken back. Of an invitation nothing is kept
// until it is revoked: its link carries all that there is to know (D-446). Then its id stands here until it must have ended.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { invitationDaysMax } from '../../domain/pages/invitation.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, insertInto, limitOf, type Steps } from '../engine/db.ts';
import { latestNow, type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import type { InvitedSurvey } from './invitation-seal.ts';

const dayMs = 86_400_000;

export interface NoteInvitations extends ChangeStamp, InvitedSurvey {
  readonly count: number;
  readonly endsAtMs: number;
}

/** That invitations were made is in the audit log before the first of them leaves. */
export function* noteInvitations(input: NoteInvitations): Steps<void> {
  const { accountId, surveyId, count, endsAtMs } = input;
  yield auditStatement(input, {
    accountId,
    action: 'invitation.create',
    subject: `survey ${surveyId}`,
    details: auditNote('invitations', { count, until: new Date(endsAtMs).toISOString() }),
    invited: count,
  });
}

export interface RevokeInvitations extends ChangeStamp, InvitedSurvey {
  /** Without repetitions; some hundreds. */
  readonly invitationIds: readonly string[];
}

export function endedRevocations(now: TrustedMs): Sql {
  return sql`ends_at < ${now}`;
}

/**
 * How many of them were not revoked before. When one of them ends is not known here, so each stays for as long as an invitation
 * can be good; those that must have ended go.
 */
export function* revokeInvitations(input: RevokeInvitations): Steps<number> {
  const { accountId, surveyId, invitationIds, nowMs } = input;
  yield sql`
    delete from revoked_invitation
    where account_id = ${accountId} and ${endedRevocations(yield* trustedNow(nowMs))}`;
  // By a clock that is behind it would end, and be deleted, before the invitation does.
  const endsAtMs = (yield* latestNow(nowMs)) + (invitationDaysMax + 1) * dayMs;
  const { changed } = yield insertInto(
    'revoked_invitation',
    invitationIds,
    {
      account_id: ['integer', () => accountId],
      invitation_id: ['text', (id) => id],
      revoked_at: ['integer', () => nowMs],
      ends_at: ['integer', () => endsAtMs],
    },
    'on conflict (account_id, invitation_id) do nothing',
  );
  if (changed > 0)
    yield auditStatement(input, {
      accountId,
      action: 'invitation.revoke',
      subject: `survey ${surveyId}`,
      details:
        changed === 1
          ? auditNote('invitationRevoked', { invitation: invitationIds.join(', ') })
          : auditNote('invitationsRevoked', { count: changed }),
    });
  return changed;
}

export async function isRevokedInvitation(db: Db, accountId: number, invitationId: string): Promise<boolean> {
  const rows = await db.read(sql`
    select revoked_at as "revokedAtMs"
    from revoked_invitation
    where account_id = ${accountId} and invitation_id = ${invitationId}`);
  return rows.length > 0;
}

/** Those of some hundreds that are revoked. */
export async function revokedAmong(
  db: Db,
  accountId: number,
  invitationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (invitationIds.length === 0) return new Set();
  const rows = await db.read<{ id: string }>(sql`
    select invitation_id as id
    from revoked_invitation
    where account_id = ${accountId} and ${db.dialect.isAmong(sql`invitation_id`, invitationIds, 'text')}`);
  return new Set(rows.map(({ id }) => id));
}

export interface RevokedInvitation {
  readonly invitationId: string;
  readonly revokedAtMs: number;
}

/** In the order of their ids, behind one of them. */
export async function revokedInvitations(
  db: Db,
  accountId: number,
  { after, take }: { readonly after: string; readonly take: number },
): Promise<readonly RevokedInvitation[]> {
  return db.read<RevokedInvitation>(sql`
    select invitation_id as "invitationId", revoked_at as "revokedAtMs"
    from revoked_invitation
    where account_id = ${accountId} and invitation_id > ${after}
    order by invitation_id
    limit ${limitOf(take)}`);
}
