import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  changeClientGrants,
  createClient,
  finishClientRotation,
  rotateClientSecret,
  setClientDisabled,
} from '../../../src/store/access/clients.ts';
import { addSigningKey } from '../../../src/store/access/signing-keys.ts';
import type { Db } from '../../../src/store/engine/db.ts';
import { beat, setMaintenance } from '../../../src/store/engine/replicas.ts';
import { auditOf } from '../../support/audit-of.ts';
import { engines } from '../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../support/open-db.ts';
import { wholeStore } from '../../support/store-rows.ts';

for (const engine of engines) {
  describe(`the audit log on ${engine.name}`, () => {
    let store: OpenedStore;
    let db: Db;

    before(async () => {
      store = await openStore(engine);
      db = store.db;
    });
    after(() => store?.dispose());

    let numbers = 0;
    const order = (): { changeId: string; nowMs: number; actor: string; id: string } => {
      numbers += 1;
      return { changeId: `change-${numbers}`, nowMs: 1_000 + numbers, actor: `actor ${numbers}`, id: 'sc_1' };
    };

    it('every change of an API client leaves who, when, what and to whom, newest first', async () => {
      const client = {
        accountId,
        name: 'Export',
        grants: ['r_cx_measures' as const],
        secretHash: 'hash-canary',
        mayChangeAdmins: false,
      };
      await db.write(createClient, { ...order(), ...client });
      await db.write(rotateClientSecret, { ...order(), secretHash: 'hash-canary' });
      await db.write(finishClientRotation, order());
      await db.write(setClientDisabled, { ...order(), disabled: true });
      await db.write(setClientDisabled, { ...order(), disabled: false });
      await db.write(changeClientGrants, { ...order(), add: ['w_cx_users'], remove: [] });
      const entries = await auditOf(db, accountId, 100);
      assert.deepEqual(
        entries.map((entry) => ({ ...entry })),
        [
          { action: 'client.grants', subject: 'sc_1 r_cx_measures w_cx_users' },
          { action: 'client.enable', subject: 'sc_1' },
          { action: 'client.disable', subject: 'sc_1' },
          { action: 'client.rotate.finish', subject: 'sc_1' },
          { action: 'client.rotate', subject: 'sc_1' },
          { action: 'client.create', subject: 'sc_1' },
        ].map((entry, index) => ({
          ...entry,
          accountId,
          id: `change-${6 - index}`,
          atMs: 1_006 - index,
          actor: `actor ${6 - index}`,
        })),
      );
    });

    it('what concerns the whole store stands apart from every account', async () => {
      await db.write(setMaintenance, { on: true, nowMs: 2_001, changeId: 'on', actor: 'command line' });
      await db.write(setMaintenance, { on: false, nowMs: 2_002, changeId: 'off', actor: 'command line' });
      await db.write(addSigningKey, {
        changeId: 'key',
        actor: 'command line',
        kid: 'kid-1',
        keySecret: 'key-canary',
        nowMs: 2_003,
        signsFromMs: 2_003,
        retiredBeforeMs: 0,
      });
      const entries = await auditOf(db, null, 100);
      assert.deepEqual(
        entries.map(({ accountId: of, atMs, actor, action, subject }) => [of, atMs, actor, action, subject]),
        [
          [null, 2_003, 'command line', 'keys.rotate', 'kid-1'],
          [null, 2_002, 'command line', 'maintenance.off', 'store'],
          [null, 2_001, 'command line', 'maintenance.on', 'store'],
        ],
      );
      const ofAccount = await auditOf(db, accountId, 100);
      assert.equal(
        ofAccount.some(({ id }) => ['on', 'off', 'key'].includes(id)),
        false,
      );
    });

    it('a change that is refused leaves no entry, and no account sees the entries of another [D-10]', async () => {
      const before = await auditOf(db, accountId, 100);
      await assert.rejects(db.write(setClientDisabled, { ...order(), id: 'nobody', disabled: true }));
      await assert.rejects(db.write(finishClientRotation, order()));
      assert.deepEqual(await auditOf(db, accountId, 100), before);
      assert.deepEqual(await auditOf(db, accountId + 1, 100), []);
    });

    it('a heartbeat is no event, and secrets are never written there', async () => {
      const before = await auditOf(db, null, 100);
      await db.write(beat, { replica: 'r', nowMs: 1, forgetBeforeMs: 0 });
      assert.deepEqual(await auditOf(db, null, 100), before);
      const { audit } = await wholeStore(store.databaseUrl);
      assert.doesNotMatch(JSON.stringify(audit), /canary/);
    });

    it('gives no more entries than were asked for', async () => {
      const two = await auditOf(db, accountId, 2);
      assert.deepEqual(
        two.map(({ action }) => action),
        ['client.grants', 'client.enable'],
      );
    });
  });
}
