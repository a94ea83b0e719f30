import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Grant, grants } from '../../src/domain/access/account.ts';
import { type Code, Problem } from '../../src/domain/problem.ts';
import {
  type ApiClientRecord,
  type CreateClient,
  changeClientGrants,
  createClient,
  findClient,
  finishClientRotation,
  listClients,
  rotateClientSecret,
  setClientDisabled,
} from '../../src/store/access/clients.ts';
import type { Db } from '../../src/store/engine/db.ts';
import { engines } from '../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../support/open-db.ts';
import { storeRows } from '../support/store-rows.ts';

let numbers = 0;
function order(): { changeId: string; nowMs: number; actor: string } {
  numbers += 1;
  return { changeId: `change-${numbers}`, nowMs: numbers, actor: 'test' };
}

function newClient(more: Partial<CreateClient> = {}): CreateClient {
  const base = order();
  return {
    ...base,
    id: `client-${numbers}`,
    accountId,
    name: 'Export',
    mayChangeAdmins: false,
    grants: ['r_cx_measures'],
    secretHash: `first-${numbers}`,
    ...more,
  };
}

function refusedAs(code: Code): (error: unknown) => boolean {
  return (error) => error instanceof Problem && error.code === code;
}

for (const engine of engines) {
  describe(`API clients on ${engine.name}`, () => {
    let store: OpenedStore;
    let db: Db;

    before(async () => {
      store = await openStore(engine);
      db = store.db;
    });
    after(() => store?.dispose());

    const made = async (more: Partial<CreateClient> = {}): Promise<CreateClient> => {
      const client = newClient(more);
      await db.write(createClient, client);
      return client;
    };
    const found = async (id: string): Promise<ApiClientRecord> => {
      const client = await findClient(db, id);
      assert.ok(client !== null);
      return client;
    };

    it('a new client is found as it was made, enabled and with one secret [D-15]', async () => {
      const client = await made({ name: 'Zoë’s export 📈', grants: [...grants] });
      assert.deepEqual(await found(client.id), {
        id: client.id,
        accountId,
        name: 'Zoë’s export 📈',
        grants: [...grants],
        disabled: false,
        secretHashes: [client.secretHash],
        createdAtMs: client.nowMs,
        mayChangeAdmins: false,
        accountLimits: null,
      });
    });

    it('nobody is found under an unknown id, nor under another spelling of a known one', async () => {
      const client = await made({ id: 'sc_Known' });
      for (const id of ['nobody', '', 'sc_known', 'SC_KNOWN', ' sc_Known', 'sc_Know%'])
        assert.equal(await findClient(db, id), null);
      assert.equal((await found(client.id)).id, 'sc_Known');
    });

    it('there is no client without an account [D-10]', async () => {
      const client = newClient({ accountId: 77 });
      await assert.rejects(db.write(createClient, client), refusedAs('INVALID_REQUEST'));
      assert.equal(await findClient(db, client.id), null);
    });

    it('a list is of one account or of all, in a settled order [D-10]', async () => {
      await storeRows(store.databaseUrl, `insert into account (id, name, created_at) values (5, 'Five', 1)`);
      await made({ id: 'b', accountId: 5 });
      await made({ id: 'a', accountId: 5 });
      await made({ id: 'B', accountId: 5 });
      const ofFive = await listClients(db, 5);
      assert.deepEqual(
        ofFive.map(({ id }) => id),
        ['B', 'a', 'b'],
      );
      const all = await listClients(db, null);
      assert.deepEqual(
        all.slice(0, 3).map(({ id }) => id),
        ['B', 'a', 'b'],
      );
      assert.ok(all.some((client) => client.accountId === accountId));
      assert.deepEqual(await listClients(db, 6), []);
    });

    it('while a secret is rotated the old and the new one live, then the new one alone [D-15]', async () => {
      const { id, secretHash } = await made();
      await db.write(rotateClientSecret, { ...order(), id, secretHash: 'second' });
      assert.deepEqual((await found(id)).secretHashes, ['second', secretHash]);
      await db.write(finishClientRotation, { ...order(), id });
      assert.deepEqual((await found(id)).secretHashes, ['second']);
    });

    it('a second rotation waits for the end of the first, and takes no secret away [D-15]', async () => {
      const { id, secretHash } = await made();
      await db.write(rotateClientSecret, { ...order(), id, secretHash: 'second' });
      await assert.rejects(
        db.write(rotateClientSecret, { ...order(), id, secretHash: 'third' }),
        refusedAs('CONFLICT'),
      );
      assert.deepEqual((await found(id)).secretHashes, ['second', secretHash]);
    });

    it('of several rotations at once one is made and the others are told', async () => {
      const { id, secretHash } = await made();
      const outcomes = await Promise.allSettled(
        ['one', 'two', 'three', 'four'].map((name) =>
          db.write(rotateClientSecret, { ...order(), id, secretHash: name }),
        ),
      );
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.equal(refused.length, 3);
      assert.ok(refused.every(({ reason }) => refusedAs('CONFLICT')(reason)));
      const hashes = (await found(id)).secretHashes;
      assert.equal(hashes.length, 2);
      assert.equal(hashes[1], secretHash);
    });

    it('there is nothing to finish where nothing is rotated', async () => {
      const { id, secretHash } = await made();
      await assert.rejects(db.write(finishClientRotation, { ...order(), id }), refusedAs('CONFLICT'));
      assert.deepEqual((await found(id)).secretHashes, [secretHash]);
    });

    it('disabling and enabling turn a client off and on, and change nothing else [D-13]', async () => {
      const { id } = await made();
      const before = await found(id);
      await db.write(setClientDisabled, { ...order(), id, disabled: true });
      assert.deepEqual(await found(id), { ...before, disabled: true });
      await db.write(setClientDisabled, { ...order(), id, disabled: false });
      assert.deepEqual(await found(id), before);
    });

    it('grants are added and taken away, each once, and the answer is what there is afterwards [D-11]', async () => {
      const { id } = await made({ grants: ['r_cx_measures'] });
      const change = (add: readonly Grant[], remove: readonly Grant[]): Promise<readonly Grant[]> =>
        db.write(changeClientGrants, { ...order(), id, add, remove });
      assert.deepEqual(await change(['r_cx_users', 'r_cx_measures'], []), ['r_cx_measures', 'r_cx_users']);
      assert.deepEqual(await change([], ['r_cx_measures', 'w_cx_users']), ['r_cx_users']);
      assert.deepEqual(await change([], ['r_cx_users']), []);
      assert.deepEqual((await found(id)).grants, []);
    });

    it('a change of a client that does not exist says so', async () => {
      const id = 'nobody';
      const refusals = [
        () => db.write(rotateClientSecret, { ...order(), id, secretHash: 'x' }),
        () => db.write(finishClientRotation, { ...order(), id }),
        () => db.write(setClientDisabled, { ...order(), id, disabled: true }),
        () => db.write(changeClientGrants, { ...order(), id, add: ['r_cx_users'], remove: [] }),
      ];
      for (const refusal of refusals) await assert.rejects(refusal(), refusedAs('API_CLIENT_NOT_FOUND'));
    });
  });
}
