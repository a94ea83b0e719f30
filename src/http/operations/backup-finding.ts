// What doctor says of backups. A store without one is not broken, so whatever is not right here is a warning.

import type { Config } from '../../config.ts';
import { knownBackups } from '../../store/engine/backup-records.ts';
import type { Db } from '../../store/engine/db.ts';
import type { Finding } from './finding.ts';

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
  const warning = (says: string): Finding => ({ check, isRight: true, isWarning: true, says });
  const known = await knownBackups(db, nowMs);
  const { lastGood = null, lastFailure = null, isAnyOfFuture = false } = known ?? {};
  if (lastFailure !== null)
    return warning(
      `The last one failed at ${moment(lastFailure.atMs)}: ${lastFailure.detail} The last good one is of ${lastGood === null ? 'never' : moment(lastGood.atMs)}.`,
    );
  if (lastGood === null)
    return warning(
      isAnyOfFuture
        ? 'The last one is dated in the future: set the clock, and make another with "soundings backup".'
        : 'None is known: make one with "soundings backup", or set SOUNDINGS_BACKUP_EVERY. Of one made by other tools tell with "soundings backup --record".',
    );
  const ageMs = nowMs - lastGood.atMs;
  const oldMs = backupEverySeconds === null ? usualAgeMs : 2 * backupEverySeconds * 1_000 + hourMs;
  const says = `the last good one is of ${moment(lastGood.atMs)}, ${ageText(ageMs)} ago${lastGood.place === null ? '' : ` (${lastGood.place})`}`;
  return ageMs > oldMs
    ? warning(`${says}: make another with "soundings backup".`)
    : { check, isRight: true, says };
}

function moment(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

function ageText(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.floor(ms / 60_000)} min`;
  return ms < 2 * dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} days`;
}
