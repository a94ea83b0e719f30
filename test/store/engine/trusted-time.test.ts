// Clocks that are wrong, and what is deleted by them: nothing that should not be, and what should be after a week. The replicas
// are the part of a service that moves the trusted time; the clocks are the test's.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.ts';
import { operatorsAccount } from '../../../src/domain/access/visitor.ts';
import { TrustedClock } from '../../../src/http/server/trusted-clock.ts';
import type { Db } from '../../../src/store/engine/db.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { openDb } from '../../../src/store/open-db.ts';
import { isRevokedInvitation, revokeInvitations } from '../../../src/store/pages/invitations.ts';
import { findLink } from '../../../src/store/people/one-time-links.ts';
import { findSession } from '../../../src/store/people/session-lookup.ts';
import { noteOfDetails } from '../../support/audit-note.ts';
import {
  addEndingRows,
  addResponses,
  auditKeepDays,
  deleteAll,
  endingTables,
  responsesOf,
  retainingCatalogue,
  tablesWith,
} from '../../support/ended-rows.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { day, type MovingClock, movingClock } from '../../support/moving-clock.ts';
import { patient } from '../../support/open-db.ts';
import { openFeedbackLog } from '../../support/open-feedback-log.ts';
import { storeRows } from '../../support/store-rows.ts';

const hour = 3_600_000;
const minute = 60_000;
const year = 365 * day;
/** What is to be kept ends so long after the beginning: before any of the wrong times, and after all that is served. */
const youngEnds = 20 * day;

const reading = readConfig({
  flags: {},
  env: { SOUNDINGS_AUDIT_KEEP_DAYS: String(auditKeepDays) },
  file: {},
  readFile: () => '',
});
assert.ok('config' in reading);
const { config } = reading;

/** A store with something that has ended and something that has not, and clocks to be wrong by. */
class World {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly clock: MovingClock = movingClock({ isStill: true });
  #replica: TrustedClock | null = null;

  constructor(db: Db, databaseUrl: string) {
    this.db = db;
    this.databaseUrl = databaseUrl;
  }

  newReplica(clock: Pick<MovingClock, 'now' | 'elapsedMs'> = this.clock): TrustedClock {
    const { now, elapsedMs } = clock;
    return new TrustedClock({
      ...{ db: this.db, now, elapsedMs, newId: randomUUIDv7 },
      log: pino({ enabled: false }),
    });
  }

  /** A new process begins to serve; the one of before is gone. */
  async start(): Promise<void> {
    this.#replica = this.newReplica();
    await this.#replica.look();
  }

  /** Time passes while somebody serves, and what deletes does so. */
  async serve(ms: number): Promise<void> {
    await this.pass(ms);
    await this.delete();
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; ) {
      const step = Math.min(left, hour);
      this.clock.pass(step);
      left -= step;
      await this.#replica?.look();
    }
  }

  delete(): Promise<void> {
    return deleteAll({ db: this.db, config, now: this.clock.now });
  }

  /** What is left of a name: tables, and responses that are not emptied. */
  async left(name: string): Promise<readonly string[]> {
    const { databaseUrl } = this;
    return [...(await tablesWith(databaseUrl, name)), ...(await responsesOf(databaseUrl, name))];
  }
}

const everything = [...endingTables, 'response', 'response'];

async function inWorld(engine: Engine, work: (world: World) => Promise<void>): Promise<void> {
  const log = await openFeedbackLog(engine, retainingCatalogue);
  try {
    const { databaseUrl, db } = log;
    const world = new World(db, databaseUrl);
    const startMs = world.clock.now();
    await storeRows(databaseUrl, `insert into operator (id, name, created_at) values (1, 'op', 1)`);
    await storeRows(
      databaseUrl,
      `insert into sealing_key (kid, secret, created_at, last_end) values ('newest', 's', 2, ${year * 100})`,
    );
    await addEndingRows(databaseUrl, 'old', startMs - 2 * day);
    await addEndingRows(databaseUrl, 'young', startMs + youngEnds);
    await addResponses(log, 'old', startMs - 2 * day);
    await addResponses(log, 'young', startMs + youngEnds);
    await world.start();
    await work(world);
    // Whatever the clocks have done, nothing that had ended before opens anything.
    const nowMs = world.clock.now();
    const session = { accountId: operatorsAccount, tokenHash: 'old' };
    assert.equal(await findSession(db, session, nowMs), null);
    assert.equal(await findLink(db, { accountId: operatorsAccount, codeHash: 'old' }, nowMs), null);
  } finally {
    await log.dispose();
  }
}

for (const engine of engines) {
  describe(`a wrong clock on ${engine.name}`, { concurrency: 1 }, () => {
    it('two years ahead for three minutes empties nothing that had its time left, and what had none goes [D-845]', () =>
      inWorld(engine, async (world) => {
        world.clock.set(2 * year);
        for (let minutes = 0; minutes < 3; minutes += 1) await world.serve(minute);
        assert.deepEqual(await world.left('young'), everything);
        assert.deepEqual(await world.left('old'), []);
        world.clock.set(-2 * year);
        await world.serve(10 * day);
        assert.deepEqual(await world.left('young'), everything);
        await world.serve(11 * day);
        assert.deepEqual(await world.left('young'), []);
      }));

    for (const [name, aheadMs] of [
      ['an hour', hour],
      ['a day', day],
    ] as const)
      it(`${name} ahead is followed: what ends then goes, and nothing else [D-845]`, () =>
        inWorld(engine, async (world) => {
          await addEndingRows(world.databaseUrl, 'soon', world.clock.now() + aheadMs - minute);
          world.clock.set(aheadMs);
          await world.serve(2 * minute);
          assert.deepEqual(await world.left('soon'), []);
          assert.deepEqual(await world.left('young'), everything);
        }));

    for (const [name, aheadMs] of [
      ['a month', 31 * day],
      ['two years', 2 * year],
    ] as const)
      it(`${name} ahead deletes nothing for a week of serving, and is then believed [D-846]`, () =>
        inWorld(engine, async (world) => {
          world.clock.set(aheadMs);
          await world.serve(7 * day - hour);
          assert.deepEqual(await world.left('young'), everything);
          await world.serve(2 * hour);
          assert.deepEqual(await world.left('young'), []);
          const noted = await storeRows(
            world.databaseUrl,
            `select actor, details from audit where action = 'clock.believe'`,
          );
          assert.equal(noted.length, 1);
          assert.match(noteOfDetails(noted[0]?.details), /from 20.* to 20.*after a week of serving/);
        }));

    it('a clock that is set back deletes nothing of what is written by it, and the trusted time goes on [D-846]', () =>
      inWorld(engine, async (world) => {
        world.clock.set(-60 * day);
        await world.start();
        await addEndingRows(world.databaseUrl, 'meanwhile', world.clock.now() + day);
        await world.serve(hour);
        assert.deepEqual(await world.left('young'), everything);
        assert.equal((await world.left('meanwhile')).length, endingTables.length);
        world.clock.set(60 * day);
        await world.serve(hour);
        assert.deepEqual(await world.left('young'), everything);
        assert.deepEqual(await world.left('meanwhile'), []);
        await world.serve(20 * day);
        assert.deepEqual(await world.left('young'), []);
      }));

    it('an invitation that is revoked by a clock that is behind stays revoked for as long as it could be good [D-845]', () =>
      inWorld(engine, async (world) => {
        const revoke = (id: string): Promise<unknown> =>
          world.db.write(revokeInvitations, {
            ...{ changeId: randomUUIDv7(), nowMs: world.clock.now(), actor: 'test' },
            ...{ accountId: 4001, surveyId: 'one', invitationIds: [id] },
          } as never);
        world.clock.set(-2 * year);
        await world.start();
        await revoke('taken back');
        world.clock.set(2 * year);
        await world.serve(hour);
        await revoke('another');
        assert.equal(await isRevokedInvitation(world.db, 4001, 'taken back'), true);
      }));

    it('ahead, and killed again and again: each start finds what the one before knew [D-846]', () =>
      inWorld(engine, async (world) => {
        world.clock.set(2 * year);
        for (let start = 0; start < 10; start += 1) {
          await world.start();
          await world.serve(minute);
        }
        assert.deepEqual(await world.left('young'), everything);
        world.clock.set(-2 * year);
        await world.start();
        await world.serve(8 * day);
        assert.deepEqual(await world.left('young'), everything);
      }));

    it('a store at rest for 90 days goes on deleting after a week of serving, also when that is interrupted [D-846]', () =>
      inWorld(engine, async (world) => {
        world.clock.set(90 * day);
        await world.start();
        await world.serve(3 * day);
        assert.deepEqual(await world.left('young'), everything);
        // A night of rest is no jump.
        world.clock.set(10 * hour);
        await world.start();
        await world.serve(3 * day);
        assert.deepEqual(await world.left('young'), everything);
        await world.serve(day + hour);
        assert.deepEqual(await world.left('young'), []);
      }));

    for (const [name, isSeen] of [
      ['stood still', false],
      ['went on', true],
    ] as const)
      it(`a machine that slept for a month, while its clock of ages ${name}, deletes nothing until a week later [D-846]`, () =>
        inWorld(engine, async (world) => {
          if (isSeen) world.clock.pass(31 * day);
          else world.clock.set(31 * day);
          await world.serve(6 * day);
          assert.deepEqual(await world.left('young'), everything);
          await world.serve(day + 2 * hour);
          assert.deepEqual(await world.left('young'), []);
        }));

    it('two replicas that disagree: neither is believed alone, and time passes once [D-847]', () =>
      inWorld(engine, async (world) => {
        const ahead: Pick<MovingClock, 'now' | 'elapsedMs'> = {
          now: () => world.clock.now() + 2 * year,
          elapsedMs: world.clock.elapsedMs,
        };
        const startMs = world.clock.now();
        const wrong = world.newReplica(ahead);
        for (let hours = 0; hours < 8 * 24; hours += 1) {
          world.clock.pass(hour / 2);
          await wrong.look();
          world.clock.pass(hour / 2);
          await world.pass(minute);
          if (hours % 24 !== 0) continue;
          await world.delete();
          await deleteAll({ db: world.db, config, now: ahead.now });
        }
        assert.deepEqual(await world.left('young'), everything);
        const [row] = await storeRows(world.databaseUrl, 'select at from trusted_time');
        const servedMs = world.clock.now() - startMs;
        assert.ok(Math.abs(Number(row?.at) - startMs - servedMs) <= 2 * hour);
      }));

    it('two replicas that disagree after a rest: nothing is deleted until one clock is set, or confirmed [D-847]', () =>
      inWorld(engine, async (world) => {
        const ahead: Pick<MovingClock, 'now' | 'elapsedMs'> = {
          now: () => world.clock.now() + 2 * year,
          elapsedMs: world.clock.elapsedMs,
        };
        world.clock.set(90 * day);
        const [one, other] = [world.newReplica(), world.newReplica(ahead)];
        for (let hours = 0; hours < 10 * 24; hours += 1)
          for (const replica of [one, other]) {
            world.clock.pass(hour / 2);
            await replica.look();
          }
        await world.delete();
        await deleteAll({ db: world.db, config, now: ahead.now });
        assert.deepEqual(await world.left('young'), everything);
        for (let hours = 0; hours <= 7 * 24 + 1; hours += 1) {
          world.clock.pass(hour);
          await one.look();
        }
        await world.delete();
        assert.deepEqual(await world.left('young'), []);
      }));

    for (const [name, wallMs, expected] of [
      ['the clock is right', 0, 'the clock'],
      ['the clock is two years ahead', 2 * year, 'a day after'],
      ['the store rested for 90 days', 90 * day, 'a day after'],
    ] as const)
      it(`a store of before begins with the earlier of the clock and a day after its newest time, when ${name} [D-845]`, async () => {
        const store = await engine.readyStore();
        const db = await openDb(store.databaseUrl, patient);
        try {
          await migrate(db, Date.now);
          const newest = Date.now() - hour;
          for (const statement of [
            'drop table trusted_time',
            'drop index response_erased_without_digest',
            'alter table audit drop column invited',
            'delete from schema_step where number >= 29',
            `update store set created_at = ${newest - 300 * day}`,
            `delete from audit`,
            `delete from heartbeat`,
            `delete from background_task`,
            `insert into background_task (account_id, name, scope, cursor, moves, updated_at, failures) values (0, 'audit-end', '', '', 1, ${newest}, 0)`,
          ])
            await storeRows(store.databaseUrl, statement);
          const nowMs = Date.now() + wallMs;
          await migrate(db, () => nowMs);
          const [row] = await storeRows(store.databaseUrl, 'select at from trusted_time');
          assert.equal(Number(row?.at), expected === 'the clock' ? nowMs : newest + day);
        } finally {
          await db.close();
          await store.dispose();
        }
      });

    it('many replicas that look at the same moment move the time once [D-845]', () =>
      inWorld(engine, async (world) => {
        const startMs = world.clock.now();
        const replicas = Array.from({ length: 5 }, () => world.newReplica());
        // The wall clock stands a week behind and says nothing of the pace.
        world.clock.set(-30 * day);
        await Promise.all(replicas.map((one) => one.look()));
        for (let hours = 0; hours < 24; hours += 1) {
          world.clock.pass(hour);
          await Promise.all(replicas.map((one) => one.look()));
        }
        const [row] = await storeRows(world.databaseUrl, 'select at from trusted_time');
        const movedMs = Number(row?.at) - startMs;
        assert.ok(movedMs <= 24 * hour && movedMs >= 20 * hour, `${movedMs / hour} h`);
      }));
  });
}
