// What "soundings doctor" says of admins: somebody has left and is admin still, or somebody may not be the one who was made admin.

import { openRefusals } from '../../store/access/admin-refusals.ts';
import { restingAdmins } from '../../store/access/admin-rules.ts';
import type { Db } from '../../store/engine/db.ts';
import { type Finding, finding } from './finding.ts';

const check = 'admins';
/** So many of each are named. */
const named = 5;

export async function adminFindings(db: Db): Promise<readonly Finding[]> {
  const [refused, resting] = await Promise.all([openRefusals(db, named), restingAdmins(db, named)]);
  return [
    ...refused.map(({ userId, accountId, act, times }) =>
      finding(check, 'warning', 'adminRefused', { user: userId, account: accountId, act, times }),
    ),
    ...resting.map(({ userId, accountId }) =>
      finding(check, 'warning', 'adminRests', { user: userId, account: accountId }),
    ),
  ];
}
