// What "soundings doctor" says of webhooks: nobody else would tell an operator that a receiver has taken nothing for days.

import type { Db } from '../../store/engine/db.ts';
import { webhookTrouble } from '../../store/webhooks/deliveries.ts';
import { listWebhooks } from '../../store/webhooks/webhooks.ts';
import type { Finding } from './finding.ts';

const check = 'webhooks';
const hourMs = 3_600_000;
const named = 5;

export async function webhookFindings(db: Db, nowMs: number): Promise<readonly Finding[]> {
  const webhooks = await listWebhooks(db, null);
  const troubled: string[] = [];
  let right = 0;
  for (const { id, accountId, secret } of webhooks) {
    const { hasDead, oldestMs, lastFailure } = await webhookTrouble(db, { accountId, webhookId: id });
    const isLate = oldestMs !== null && nowMs - oldestMs >= hourMs;
    const faults = [
      ...(isLate ? [`its oldest message has waited for ${Math.floor((nowMs - oldestMs) / hourMs)} h`] : []),
      ...(hasDead
        ? [`messages were given up ("soundings webhook deliveries ${id} --account ${accountId} --dead")`]
        : []),
    ];
    if (faults.length === 0) right += 1;
    else {
      const why =
        secret === null ? 'it has no secret: soundings webhook rotate' : (lastFailure ?? 'not tried');
      troubled.push(`${id} of account ${accountId}: ${faults.join(', and ')} (${why}).`);
    }
  }
  const warning = (says: string): Finding => ({ check, isRight: true, isWarning: true, says });
  const warnings = troubled.slice(0, named).map(warning);
  const more = troubled.length - warnings.length;
  if (more > 0) warnings.push(warning(`${more} more: see "soundings webhook list".`));
  if (warnings.length > 0) return warnings;
  return right === 0 ? [] : [{ check, isRight: true, says: `${right}, none of which is behind` }];
}
