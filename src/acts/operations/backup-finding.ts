// What doctor says of backups. A store without one is not broken, so whatever is not right here is a warning.

import type { Config } from '../../config.ts';
import type { Db } from '../../store/engine/db.ts';
import { knownBackups } from '../../store/operations/backup-records.ts';
import { type Finding, finding } from './finding.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
// Where nothing says how often, a week without one is worth a word.
const usualAgeMs = 7 * dayMs;

export async function backupFinding(
  db: Db,
  { backupEverySeconds }: Pick<Config, 'backupEverySeconds'>,
  nowMs: number,
): Promise<Finding> {
  const check = 'backup';
  const known = await knownBackups(db, nowMs);
  const { lastGood = null, lastFailure = null, isAnyOfFuture = false } = known ?? {};
  if (lastFailure !== null) {
    const good = lastGood === null ? null : moment(lastGood.atMs);
    const { atMs, detail } = lastFailure;
    return finding(check, 'warning', 'backupFailed', { at: moment(atMs), detail: detail ?? '', good });
  }
  if (lastGood === null)
    return finding(check, 'warning', isAnyOfFuture ? 'backupOfFuture' : 'backupNone', {});
  const ageMs = nowMs - lastGood.atMs;
  const oldMs = backupEverySeconds === null ? usualAgeMs : 2 * backupEverySeconds * 1_000 + hourMs;
  const values = { at: moment(lastGood.atMs), ageMs, place: lastGood.place };
  return ageMs > oldMs
    ? finding(check, 'warning', 'backupOld', values)
    : finding(check, 'right', 'backupGood', values);
}

function moment(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
