// Readiness is about changes too: a store that answers every question and fails at every change is not ready.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { commandHere, commandHereOk, until } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';

const refusing = {
  sqlite: [
    `create trigger refuse before insert on heartbeat begin select raise(abort, 'refused by the test'); end`,
  ],
  postgres: [
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$`,
    'create trigger refuse before insert on heartbeat for each row execute function refuse()',
  ],
};
const allowing = { sqlite: 'drop trigger refuse', postgres: 'drop trigger refuse on heartbeat' };

interface Finding {
  readonly check: string;
  readonly isRight: boolean;
  readonly says: string;
}

for (const engine of engines) {
  describe(`readiness on ${engine.name}`, () => {
    it('a store that answers and takes no changes is not ready, doctor says so, and it is ready again when it does', async () => {
      const store = await engine.newStore();
      const env = { DATABASE_URL: store.databaseUrl };
      const service = await startService(env);
      const readyz = async (): Promise<{ status: number; reasons: string[] }> => {
        const answer = await fetch(`${service.baseUrl}/readyz`);
        return { status: answer.status, reasons: ((await answer.json()) as { reasons: string[] }).reasons };
      };
      try {
        assert.equal((await readyz()).status, 200);
        for (const statement of refusing[engine.name]) await storeRows(store.databaseUrl, statement);
        const refused = await until(readyz, ({ status }) => status === 503);
        assert.deepEqual(refused.reasons, ['The store takes no changes.']);
        const { code, stdout } = await commandHere(['doctor', '--json'], env);
        assert.equal(code, 1);
        const wrong = (JSON.parse(stdout) as Finding[]).filter(({ isRight }) => !isRight);
        assert.deepEqual(
          wrong.map(({ check }) => check),
          ['changes'],
        );
        assert.match(wrong[0]!.says, /refused by the test/);
        await storeRows(store.databaseUrl, allowing[engine.name]);
        await until(readyz, ({ status }) => status === 200);
        await commandHereOk(['doctor'], env);
        assert.deepEqual(
          await storeRows(store.databaseUrl, 'select replica from heartbeat where at = 0'),
          [],
        );
      } finally {
        await service.stop();
        await store.dispose();
      }
    });
  });
}
