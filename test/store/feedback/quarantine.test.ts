// What happens to the quarantine between two steps of a redrive.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { eraseResponse } from '../../../src/store/erasure/erase.ts';
import { settleRedriven } from '../../../src/store/feedback/quarantine.ts';
import { keepRefusals } from '../../../src/store/feedback/refusals.ts';
import { engines } from '../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../support/open-db.ts';

for (const engine of engines) {
  describe(`the quarantine between two steps on ${engine.name}`, () => {
    let store: OpenedStore;
    before(async () => {
      store = await openStore(engine);
    });
    after(() => store?.dispose());

    const nowMs = Date.now();
    const stamp = () => ({ changeId: randomUUIDv7(), nowMs, actor: 'test' });

    it('a body that is erased after it was read is told to whoever has appended it meanwhile [D-289]', async () => {
      const ids = Array.from({ length: 300 }, () => randomUUIDv7());
      const body = (id: string, index: number) => ({
        id,
        responseId: index % 2 === 0 ? `r-${index}` : null,
        receivedAtMs: nowMs,
        day: 1,
        surveyId: 'survey',
        cause: 'REQUIRED',
        faults: '[]',
        moreFaults: 0,
        kid: 'kid',
        sealed: 'x'.repeat(100),
      });
      for (const account of [accountId, accountId + 1])
        await store.db.write(keepRefusals, {
          accountId: account,
          counts: [],
          refusals: [],
          bodies: ids.map(body),
          nowMs,
        });
      for (const responseId of ['r-100', ids[101]!])
        assert.equal(await store.db.write(eraseResponse, { ...stamp(), accountId, responseId }), 'erased');
      const erased = await store.db.write(settleRedriven, {
        ...stamp(),
        accountId,
        surveyId: 'survey',
        accepted: ids.slice(50, 150),
        refused: [{ id: ids[0]!, cause: 'OFF_SCALE', faults: '[]', moreFaults: 0 }],
      });
      assert.deepEqual(new Set(erased), new Set([ids[100], ids[101]]));
      const left = async (account: number): Promise<readonly number[]> => {
        const [row] = await store.db.read<{ bytes: number; bodies: number }>(
          sql`select bytes, bodies from quarantine_room where account_id = ${account}`,
        );
        return [row?.bytes ?? 0, row?.bodies ?? 0];
      };
      assert.deepEqual(await left(accountId), [20_000, 200]);
      assert.deepEqual(await left(accountId + 1), [30_000, 300]);
    });
  });
}
