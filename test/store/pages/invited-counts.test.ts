// How many people were invited: of entries of this release, of those of a release of before, and while a task brings these over.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { auditEntries, firstIdAt } from '../../../src/store/engine/audit-log.ts';
import { findTask, type TaskContext } from '../../../src/store/engine/work/background-task.ts';
import { noteInvitations } from '../../../src/store/pages/invitations.ts';
import { invitedCounts, madeInvitations } from '../../../src/store/pages/invited-counts.ts';
import { engines } from '../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../support/open-db.ts';
import { storeRows } from '../../support/store-rows.ts';

const neighbour = accountId + 1;
const expires = '2026-11-15T08:00:00.000Z';
const nowMs = Date.UTC(2026, 7, 1);

for (const engine of engines)
  describe(`how many people were invited, on ${engine.name}`, () => {
    let store: OpenedStore;
    before(async () => {
      store = await openStore(engine);
    });
    after(() => store?.dispose());

    let written = 0;
    /** As a release of before wrote them: by a sentence. */
    const writtenBefore = async (
      entries: readonly (readonly [account: number, action: string, note: string | null])[],
    ): Promise<void> => {
      const values = entries.map(([account, action, note]) => {
        written += 1;
        const details = note === null ? 'null' : `'{"note":"${note}"}'`;
        return `(${account}, '${firstIdAt(nowMs + written)}', ${nowMs + written}, 'user 1', '${action}', 'survey web-1', ${details})`;
      });
      await storeRows(
        store.databaseUrl,
        `insert into audit (account_id, id, at, actor, action, subject, details) values ${values.join(', ')}`,
      );
    };
    const invites = (count: number, account = accountId) =>
      store.db.write(noteInvitations, {
        ...{ changeId: randomUUIDv7(), nowMs, actor: 'user 1' },
        ...{ accountId: account, surveyId: 'web-1', count, endsAtMs: Date.parse(expires) },
      });
    const read = async (account = accountId): Promise<readonly number[]> => {
      const entries = await auditEntries(
        store.db,
        { accountId: account, action: 'invitation.create' },
        { after: null, isNewestFirst: false, take: 100 },
      );
      const made = entries.flatMap((entry) => madeInvitations(entry) ?? []);
      assert.ok(made.every((one) => one.expires === expires));
      return made.map(({ invited }) => invited).toSorted((one, other) => one - other);
    };
    const columns = async (account: number): Promise<readonly unknown[]> => {
      const rows = await storeRows(
        store.databaseUrl,
        `select invited from audit where account_id = ${account} and action = 'invitation.create' order by id`,
      );
      return rows.map(({ invited }) => (invited === null ? null : Number(invited)));
    };
    const detailsNow = () =>
      storeRows(store.databaseUrl, 'select account_id, id, details from audit order by account_id, id');
    const step = async () =>
      invitedCounts.step(
        { db: store.db, config: {} as TaskContext['config'], now: Date.now, newId: randomUUIDv7 },
        await findTask(store.db, invitedCounts.name),
      );

    it('the column says it from now on, and old notes until a task has read them; nobody is counted twice [D-1042]', async () => {
      const others = Array.from({ length: 4_500 }, () => [accountId, 'thing.make', null] as const);
      await writtenBefore([
        [accountId, 'invitation.create', `200 invitations until ${expires}`],
        ...others,
        [accountId, 'invitation.create', `3 invitations until ${expires}`],
        [accountId, 'invitation.create', 'a word of nobody'],
        [neighbour, 'invitation.create', `40 invitations until ${expires}`],
      ]);
      await invites(5);
      await invites(60, neighbour);
      assert.deepEqual(await columns(accountId), [null, null, null, 5]);
      const before = await detailsNow();
      assert.deepEqual(
        [await read(), await read(neighbour)],
        [
          [3, 5, 200],
          [40, 60],
        ],
      );
      let rounds = 0;
      let lost = 0;
      for (;;) {
        // Two replicas at once.
        const outcomes = await Promise.all([step(), step()]);
        assert.deepEqual(
          [await read(), await read(neighbour)],
          [
            [3, 5, 200],
            [40, 60],
          ],
        );
        rounds += 1;
        lost += outcomes.filter((outcome) => outcome === 'lost').length;
        if (outcomes.includes('done')) break;
      }
      // Of two that have read the same cursor one does the work.
      assert.ok(rounds > 3 && lost > 0, `${rounds} ${lost}`);
      assert.equal(await step(), 'done');
      assert.deepEqual((await columns(accountId)).toSorted(), [200, 3, 5, null]);
      assert.deepEqual((await columns(neighbour)).toSorted(), [40, 60]);
      assert.deepEqual(await detailsNow(), before);
    });

    it('what a release of before writes beside this one, after the task, is read from its note', async () => {
      await writtenBefore([[accountId, 'invitation.create', `7 invitations until ${expires}`]]);
      assert.deepEqual(await read(), [3, 5, 7, 200]);
    });
  });
