// Work in the background, by several processes on one store.

import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../../../src/config.ts';
import type { Context } from '../../../../src/context.ts';
import { BackgroundLoop } from '../../../../src/http/server/background-loop.ts';
import { type Db, storeProblem } from '../../../../src/store/engine/db.ts';
import {
  type BackgroundTask,
  findTask,
  moveOf,
  moveTaskAlone,
  taskStatuses,
} from '../../../../src/store/engine/work/background-task.ts';
import { engines } from '../../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../../support/open-db.ts';
import { until } from '../../../support/service.ts';

const reading = readConfig({ flags: {}, env: {}, file: {}, readFile: () => '' });
assert.ok('config' in reading);
const { config } = reading;

interface Line {
  readonly level: number;
  readonly msg: string;
}

function contextOf(db: Db, lines: Line[] = []): Context {
  return {
    config,
    db,
    standby: null,
    now: Date.now,
    elapsedMs: () => performance.now(),
    newId: randomUUIDv7,
    newSecret: () => randomBytes(32).toString('base64url'),
    log: pino({ level: 'info' }, { write: (text) => void lines.push(JSON.parse(text) as Line) }),
  };
}

for (const engine of engines) {
  describe(`work in the background on ${engine.name}`, () => {
    let store: OpenedStore;
    before(async () => {
      store = await openStore(engine);
    });
    after(() => store?.dispose());

    /** Counts to a number, and keeps which steps were its own. */
    function counting(name: string, last: number, made: number[]): BackgroundTask {
      return {
        name,
        about: 'counts',
        ends: true,
        async step({ db, now }, at) {
          const next = Number(at.cursor || '0') + 1;
          const move = moveOf(at, String(next), now(), next === last);
          if (!(await db.write(moveTaskAlone, move))) return 'lost';
          made.push(next);
          return next === last ? 'done' : 'moved';
        },
      };
    }

    it('replicas share a task: each step is made once, and one that stops in the middle does no harm [D-240]', async () => {
      const last = 120;
      const made: number[][] = [[], [], []];
      const views = [store.db, await store.open(), await store.open()];
      const loops = views.map(
        (db, index) => new BackgroundLoop(contextOf(db), [counting('shared', last, made[index]!)]),
      );
      for (const loop of loops) loop.start();
      await until(
        () => findTask(store.db, 'shared'),
        ({ moves }) => moves > 30,
      );
      await loops[0]!.stop();
      await until(
        () => findTask(store.db, 'shared'),
        ({ isDone }) => isDone,
        60_000,
      );
      await Promise.all(loops.map((loop) => loop.stop()));
      const all = made.flat().sort((one, other) => one - other);
      assert.deepEqual(
        all,
        Array.from({ length: last }, (_, index) => index + 1),
      );
    });

    it('a step from where the cursor no longer stands writes nothing, for the whole store and for a part of an account', async () => {
      for (const scope of [
        { accountId: 0, scope: '' },
        { accountId, scope: 'source 7' },
      ]) {
        const at = await findTask(store.db, 'stale', scope);
        assert.equal(await store.db.write(moveTaskAlone, moveOf(at, 'first', 1)), true);
        assert.equal(await store.db.write(moveTaskAlone, moveOf(at, 'late', 2)), false);
        const next = await findTask(store.db, 'stale', scope);
        assert.deepEqual([next.cursor, next.moves], ['first', 1]);
        assert.equal(await store.db.write(moveTaskAlone, moveOf(next, 'second', 3)), true);
        assert.equal(await store.db.write(moveTaskAlone, moveOf(next, 'late', 4)), false);
        assert.equal((await findTask(store.db, 'stale', scope)).cursor, 'second');
      }
    });

    it('a task follows each part of an account by a cursor of its own', async () => {
      const ends: Record<string, number> = { a: 7, b: 3, c: 12 };
      const follower: BackgroundTask = {
        name: 'follower',
        about: 'follows three logs',
        ends: false,
        scopes: async () => Object.keys(ends).map((scope) => ({ accountId, scope })),
        async step({ db, now }, at) {
          const seen = Number(at.cursor || '0');
          if (seen === ends[at.scope]) return 'idle';
          return (await db.write(moveTaskAlone, moveOf(at, String(seen + 1), now()))) ? 'moved' : 'lost';
        },
      };
      const cursors = async (): Promise<number[]> =>
        Promise.all(
          Object.keys(ends).map(async (scope) =>
            Number((await findTask(store.db, 'follower', { accountId, scope })).cursor),
          ),
        );
      const loop = new BackgroundLoop(contextOf(store.db), [follower]);
      loop.start();
      await until(cursors, (seen) => seen.join() === '7,3,12');
      ends.b = 5;
      await until(cursors, (seen) => seen.join() === '7,5,12');
      await loop.stop();
      const [status] = await taskStatuses(store.db, [follower], Date.now());
      assert.equal(status?.state, 'follows');
    });

    it('a task that fails is told of once, kept for operators, holds up no other, and goes on when it can', async () => {
      const lines: Line[] = [];
      let isBroken = true;
      const steps: number[] = [];
      const counts = counting('mended', 3, steps);
      const failing: BackgroundTask = {
        ...counts,
        step: async (context, at) => {
          if (isBroken) throw new TypeError('a row that nobody can read\nat line 1');
          return counts.step(context, at);
        },
      };
      const beside: number[] = [];
      const tasks = [failing, counting('beside', 20, beside)];
      const loop = new BackgroundLoop(contextOf(store.db, lines), tasks);
      loop.start();
      const [failed] = await until(
        () => taskStatuses(store.db, tasks, Date.now()),
        ([one]) => (one?.failures ?? 0) > 1 && beside.length === 20,
      );
      assert.deepEqual([failed?.state, failed?.failure], ['fails', 'a row that nobody can read']);
      assert.equal(lines.filter(({ level }) => level >= 40).length, 1);
      isBroken = false;
      const [mended] = await until(
        () => taskStatuses(store.db, tasks, Date.now()),
        ([one]) => one?.state === 'done',
        30_000,
      );
      await loop.stop();
      assert.deepEqual([mended?.failures, mended?.failure, steps], [0, null, [1, 2, 3]]);
    });

    it('a part that the store cannot serve, or that fails, holds up no other part of its task [D-240] [D-771]', async () => {
      const parts = Array.from({ length: 6 }, (_, index) => ({ accountId, scope: `part ${index}` }));
      const last = 4;
      const taskOf = (name: string, error: Error): BackgroundTask => ({
        ...counting(name, last, []),
        ends: false,
        scopes: async () => parts,
        async step({ db, now }, at) {
          if (at.scope === 'part 2') throw error;
          const next = Number(at.cursor || '0') + 1;
          if (next > last) return 'idle';
          return (await db.write(moveTaskAlone, moveOf(at, String(next), now()))) ? 'moved' : 'lost';
        },
      });
      const lines: Line[] = [];
      const away = taskOf('away', storeProblem('STORE_TIMEOUT', null));
      const faulty = taskOf('faulty', new TypeError('a row that nobody can read'));
      const loop = new BackgroundLoop(contextOf(store.db, lines), [away, faulty]);
      const moves = async (): Promise<string> => {
        const tasks = [away, faulty].flatMap(({ name }) =>
          parts.map((part) => findTask(store.db, name, part)),
        );
        return (await Promise.all(tasks)).map((task) => task.moves).join('');
      };
      loop.start();
      await until(moves, (made) => made === '440444440444', 240_000);
      await loop.stop();
      // What is ours is told and kept; what the store has is told of elsewhere.
      assert.equal(lines.filter(({ level }) => level >= 50).length, 1, JSON.stringify(lines));
      const statuses = await taskStatuses(store.db, [away, faulty], Date.now());
      assert.deepEqual(
        statuses.map(({ state }) => state),
        ['follows', 'fails'],
      );
    });

    it('a stop waits for no pause', async () => {
      const idle: BackgroundTask = { name: 'idle', about: 'waits', ends: false, step: async () => 'idle' };
      const loop = new BackgroundLoop(contextOf(store.db), [idle]);
      loop.start();
      await loop.stop();
      assert.equal((await findTask(store.db, 'idle')).moves, 0);
    });
  });
}
