// What "soundings doctor" says of the work in the background and of the sealing keys.

import type { Config } from '../../config.ts';
import { keysOfSettings } from '../../store/access/sealer.ts';
import { sealingKeys } from '../../store/access/sealing-keys.ts';
import { backgroundTasks } from '../../store/background-tasks.ts';
import { taskStatuses } from '../../store/engine/background-task.ts';
import type { Db } from '../../store/engine/db.ts';
import { figuresBehind } from '../../store/insight/insight-status.ts';
import type { Finding } from './finding.ts';

/** Nothing is wrong while a task is not done; one that fails needs somebody to look at it. */
export async function taskFindings(db: Db, nowMs: number): Promise<readonly Finding[]> {
  const tasks = await taskStatuses(db, backgroundTasks, nowMs);
  const failing = tasks.filter(({ state }) => state === 'fails');
  const check = 'background';
  if (failing.length > 0)
    return failing.map(({ name, failures, failure }) => ({
      check,
      isRight: false,
      says: `${name} has failed ${failures} times (${failure}): it is tried again; look at the log of the service.`,
    }));
  const left = tasks.filter(({ state }) => state === 'waits' || state === 'runs');
  const says =
    left.length > 0
      ? `${left.map(({ name }) => name).join(', ')}: not done yet, "soundings serve" does it`
      : `${tasks.length} task${tasks.length === 1 ? '' : 's'}, none behind`;
  return [{ check, isRight: true, says }];
}

/** What is not added up is added by whoever asks, up to a bound; a service that adds up is behind by some seconds at most. */
const behindMax = 100_000;

export async function insightFindings(db: Db): Promise<readonly Finding[]> {
  const { responses, sources } = await figuresBehind(db);
  const check = 'insight';
  if (responses <= behindMax)
    return [{ check, isRight: true, says: `figures are added up, ${countText(responses)} responses behind` }];
  const says = `${countText(responses)} responses of ${countText(sources)} measures and projects are not added up yet, and their views may answer 503: "soundings serve" does it, and "soundings insight status" shows how far it has come.`;
  return [{ check, isRight: true, isWarning: true, says }];
}

/** Where the sealing keys are, and whether every one that is needed is at hand (D-241). */
export async function sealingFindings(db: Db, config: Config, nowMs: number): Promise<readonly Finding[]> {
  const check = 'sealing';
  const ofSettings = new Set((await keysOfSettings(config)).map(({ kid }) => kid));
  const needed = (await sealingKeys(db)).filter(({ lastEndMs }) => lastEndMs > nowMs);
  const missing = needed.filter(({ kid, secret }) => secret === null && !ofSettings.has(kid));
  if (missing.length > 0)
    return missing.map(({ kid }) => ({
      check,
      isRight: false,
      says: `What the key ${kid} has sealed cannot be opened: put it back into SOUNDINGS_SEAL_KEY, behind the one that seals now.`,
    }));
  if (needed.some(({ secret }) => secret !== null))
    return [
      {
        check,
        isRight: true,
        isWarning: true,
        says: 'Sealed by a key of the store: whoever has a backup can open it. Give a key of your own in SOUNDINGS_SEAL_KEY; the old one opens on.',
      },
    ];
  const says = ofSettings.size > 0 ? 'by the key of SOUNDINGS_SEAL_KEY' : 'nothing is sealed yet';
  return [{ check, isRight: true, says }];
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}
