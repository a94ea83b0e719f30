// What "soundings doctor" says of the work in the background and of the sealing keys.

import type { Config } from '../../config.ts';
import { unmendedMost } from '../../domain/operations/finding-words.ts';
import { keysOfSettings } from '../../store/access/sealer.ts';
import { sealingKeys } from '../../store/access/sealing-keys.ts';
import { backgroundTasks } from '../../store/background-tasks.ts';
import type { Db } from '../../store/engine/db.ts';
import { taskStatuses } from '../../store/engine/work/background-task.ts';
import { countCommentsLeft } from '../../store/erasure/erased-comments.ts';
import { countUnmended } from '../../store/erasure/erasure-mending.ts';
import { figuresBehind } from '../../store/insight/insight-status.ts';
import { type Finding, finding } from './finding.ts';

/** Nothing is wrong while a task is not done; one that fails needs somebody to look at it. */
export async function taskFindings(db: Db, nowMs: number): Promise<readonly Finding[]> {
  const tasks = await taskStatuses(db, backgroundTasks(), nowMs);
  const failing = tasks.filter(({ state }) => state === 'fails');
  const check = 'background';
  if (failing.length > 0)
    return failing.map(({ name, failures, failure }) =>
      finding(check, 'wrong', 'taskFails', { name, failures, failure: failure ?? '' }),
    );
  const left = tasks.filter(({ state }) => state === 'waits' || state === 'runs');
  if (left.length === 0) return [finding(check, 'right', 'tasksDone', { count: tasks.length })];
  return [finding(check, 'right', 'tasksLeft', { names: left.map(({ name }) => name).join(', ') })];
}

/** Responses that were erased by halves, as by an older release, and are not mended yet (D-858). */
export async function erasureFindings(db: Db): Promise<readonly Finding[]> {
  const unmended = await countUnmended(db, unmendedMost);
  const responses = unmended + (await countCommentsLeft(db, unmendedMost - unmended));
  const check = 'erasures';
  return [
    responses === 0
      ? finding(check, 'right', 'erasuresWhole', {})
      : finding(check, 'warning', 'erasuresUnmended', { responses }),
  ];
}

/** What is not added up is added by whoever asks, up to a bound; a service that adds up is behind by some seconds at most. */
const behindMax = 100_000;

export async function insightFindings(db: Db): Promise<readonly Finding[]> {
  const { responses, sources } = await figuresBehind(db);
  const check = 'insight';
  if (responses <= behindMax) return [finding(check, 'right', 'figuresCurrent', { responses })];
  return [finding(check, 'warning', 'figuresBehind', { responses, sources })];
}

/** Where the sealing keys are, and whether every one that is needed is at hand (D-241). */
export async function sealingFindings(db: Db, config: Config, nowMs: number): Promise<readonly Finding[]> {
  const check = 'sealing';
  const ofSettings = new Set((await keysOfSettings(config)).map(({ kid }) => kid));
  const needed = (await sealingKeys(db)).filter(({ lastEndMs }) => lastEndMs > nowMs);
  const missing = needed.filter(({ kid, secret }) => secret === null && !ofSettings.has(kid));
  if (missing.length > 0) return missing.map(({ kid }) => finding(check, 'wrong', 'sealKeyMissing', { kid }));
  if (needed.some(({ secret }) => secret !== null)) return [finding(check, 'warning', 'sealedByStore', {})];
  return [finding(check, 'right', ofSettings.size > 0 ? 'sealedBySetting' : 'nothingSealed', {})];
}
