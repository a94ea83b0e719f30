// Adds responses up in the background, for as long as the service runs. Each source has a cursor of its own (roll-up.ts), which
// replicas move in turn; so the task itself has none, and only says which sources are worth a step (D-478).

import { setImmediate } from 'node:timers/promises';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { segmentSeqs } from '../../domain/insight/comment-parts.ts';
import type { Db } from '../engine/db.ts';
import type { BackgroundTask, StepOutcome } from '../engine/work/background-task.ts';
import { rollUpQueue } from '../feedback/roll-up-queue.ts';
import { advanceBuild, buildsOf } from './builds.ts';
import { indexComments } from './comment-index.ts';
import { LoopLoad } from './loop-load.ts';
import { deleteForm, type RollOptions, rollUpSome } from './roll-up.ts';
import { queueSourcesBehind } from './sources-behind.ts';
import { Versions } from './versions.ts';

const insightTask = 'insight';

const scopePrefix = 'source ';
const scopesAtOnce = 100;
/**
 * While this process has much to do, so many full segments of a source wait for their index: what they cost searches, which look
 * through their comments meanwhile, is bounded by it (D-521).
 */
const segmentsLeftMax = 8;
const loopLoad = new LoopLoad();

const versionsOfStore = new WeakMap<Db, Versions>();

/** What this process remembers of the versions of a store. */
export function versionsOf(db: Db): Versions {
  let versions = versionsOfStore.get(db);
  if (versions === undefined) {
    versions = new Versions(db);
    versionsOfStore.set(db, versions);
  }
  return versions;
}

export const rollUpTask: BackgroundTask = {
  name: insightTask,
  about: 'adds up figures and comments of new responses',
  ends: false,
  hasOwnCursors: true,
  // While there is nothing to do, a look costs no question to the store.
  lookMs: 150,
  async scopes({ db, now }) {
    await queueSourcesBehind(db, now());
    return rollUpQueue(db)
      .due(loopLoad.isBusy)
      .slice(0, scopesAtOnce)
      .map(({ accountId, sourceId }) => ({ accountId, scope: `${scopePrefix}${sourceId}` }));
  },
  async step({ db, now }, { accountId, scope }) {
    const source: SourceKey = { accountId, sourceId: Number(scope.slice(scopePrefix.length)) };
    const queue = rollUpQueue(db);
    const taken = queue.take(source);
    try {
      const options = {
        versions: versionsOf(db),
        nowMs: now(),
        pause: async () => void (await setImmediate()),
      };
      const { outcome, build, added, rolledSeq } = await rollUpSome(db, source, options);
      queue.isThere(source);
      if (outcome === 'none') return 'idle';
      const isSegmentFull =
        Math.floor(rolledSeq / segmentSeqs) > Math.floor((rolledSeq - added) / segmentSeqs);
      const indexing =
        outcome === 'end' || isSegmentFull
          ? await indexComments(db, source, build, {
              pause: options.pause,
              leave: loopLoad.isBusy ? segmentsLeftMax : 0,
            })
          : 'none';
      // There may be more of it, and the turn of this task may end before it.
      if (indexing !== 'none') queue.indexLater(source);
      if (outcome === 'end') {
        if (indexing === 'indexed') return 'moved';
        const other = await workOnBuilds(db, source, options);
        if (other !== 'idle') queue.indexLater(source);
        return other;
      }
      // Whoever was first goes on with it, and may be killed: so it is looked at again.
      if (taken !== null) queue.giveBack({ ...taken, rows: Math.max(1, taken.rows - added) });
      return outcome;
    } catch (error) {
      if (taken !== null) queue.giveBack(taken);
      else queue.indexLater(source);
      if (db.dialect.isSpread) queue.putOff(source);
      throw error;
    }
  },
};

/** What answers is at the end of the log; so what is added up anew goes on, or what nobody reads any more is deleted. */
async function workOnBuilds(db: Db, source: SourceKey, options: RollOptions): Promise<StepOutcome> {
  const { answering, latest, toDelete } = await buildsOf(db, source, options.nowMs);
  if (answering !== null && latest !== null && latest.build > answering.build) {
    const { outcome } = await advanceBuild(db, source, latest.build, options);
    return outcome === 'lost' ? 'lost' : 'moved';
  }
  const [build] = toDelete;
  if (build === undefined) return 'idle';
  await db.write(deleteForm, { ...source, form: build });
  return 'moved';
}
