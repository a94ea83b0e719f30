// Invitations that were taken back. Of the others nothing is kept: a link carries all that there is to know (D-446).

import sql from 'sql-template-tag';
import type { Db } from '../engine/db.ts';

export async function isRevokedInvitation(db: Db, accountId: number, invitationId: string): Promise<boolean> {
  const rows = await db.read(sql`
    select revoked_at as "revokedAtMs"
    from revoked_invitation
    where account_id = ${accountId} and invitation_id = ${invitationId}`);
  return rows.length > 0;
}
