// What "soundings doctor" says of webhooks: nobody else would tell an operator that a receiver has taken nothing for days.

import type { Db } from '../../store/engine/db.ts';
import { webhookTrouble } from '../../store/webhooks/deliveries.ts';
import { listWebhooks } from '../../store/webhooks/webhooks.ts';
import { type Finding, finding } from './finding.ts';

const check = 'webhooks';
const hourMs = 3_600_000;
const named = 5;

export async function webhookFindings(db: Db, nowMs: number): Promise<readonly Finding[]> {
  const webhooks = await listWebhooks(db, null);
  const troubled: Finding[] = [];
  let right = 0;
  for (const { id, accountId, secret } of webhooks) {
    const { hasDead, oldestMs, lastFailure } = await webhookTrouble(db, { accountId, webhookId: id });
    const isLate = oldestMs !== null && nowMs - oldestMs >= hourMs;
    const waitedHours = isLate ? Math.floor((nowMs - oldestMs) / hourMs) : null;
    const trouble = { id, account: accountId, waitedHours, hasDead: Number(hasDead) };
    if (!isLate && !hasDead) right += 1;
    else if (secret === null) troubled.push(finding(check, 'warning', 'webhookWithoutSecret', trouble));
    else
      troubled.push(
        finding(check, 'warning', 'webhookTroubled', { ...trouble, failure: lastFailure ?? null }),
      );
  }
  const warnings = troubled.slice(0, named);
  const more = troubled.length - warnings.length;
  if (more > 0) warnings.push(finding(check, 'warning', 'webhooksMore', { count: more }));
  if (warnings.length > 0) return warnings;
  return right === 0 ? [] : [finding(check, 'right', 'webhooksRight', { count: right })];
}
