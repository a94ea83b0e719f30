// The number of responses below which an account has figures withheld: from the catalogue to requests, and back.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Sources } from '../../../src/store/feedback/sources.ts';
import { keptAccounts } from '../../../src/store/feedback/whole-catalogue.ts';
import { Minimums } from '../../../src/store/insight/minimum.ts';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { commandHereOk } from '../../support/service.ts';

const accounts = 300;
const minimumOf = (id: number): number => (id % 3 === 0 ? 1 : 1 + (id % 1_000));
const catalogueOf = (minimum: (id: number) => object) => ({
  accounts: Array.from({ length: accounts }, (_, index) => index + 1).map((id) => ({
    id,
    name: `Account ${id}`,
    ...minimum(id),
  })),
});

for (const engine of engines)
  describe(`the minimum of accounts on ${engine.name}`, () => {
    let log: OpenedLog;
    let elapsedMs = 0;
    before(async () => {
      log = await openFeedbackLog(
        engine,
        catalogueOf((id) => ({ insight: { minimum: minimumOf(id) } })),
      );
    });
    after(() => log.dispose());

    const minimumsOfReplica = (): Minimums => {
      const replica = {
        db: log.db,
        elapsedMs: () => elapsedMs,
        config: { definitionsMemoryBytes: 1_000_000 },
      };
      return new Minimums(replica, new Sources(replica));
    };

    it('a request can only raise what its account says, and what the catalogue changes holds within 5 s [D-504]', async () => {
      const minimums = minimumsOfReplica();
      for (let id = 1; id <= accounts; id += 1) {
        assert.equal(await minimums.inForce(id, undefined), minimumOf(id));
        assert.equal(await minimums.inForce(id, 50), Math.max(50, minimumOf(id)));
      }
      assert.equal(await minimums.inForce(accounts + 1, undefined), 1);

      // A file that says nothing leaves it alone; null takes it away, 1 too.
      const change = (id: number): object =>
        id === 1
          ? { insight: { minimum: 1_000 } }
          : id === 2
            ? { insight: null }
            : id === 4
              ? { insight: { minimum: 1 } }
              : {};
      await log.apply(catalogueOf(change));
      elapsedMs += 5_000;
      for (let id = 1; id <= accounts; id += 1) {
        const expected = id === 1 ? 1_000 : id === 2 || id === 4 ? 1 : minimumOf(id);
        assert.equal(await minimums.inForce(id, undefined), expected, `of account ${id}`);
      }
    });

    it('apply shows a change of it with both values [D-504]', async () => {
      const account = { id: 4_001, name: 'Acme' };
      const plan = async (insight: object | null): Promise<string> => {
        const file = writeCatalogue({ ...account, insight });
        const shown = await commandHereOk(['apply', file, '--dry-run'], { DATABASE_URL: log.databaseUrl });
        await log.apply({ ...account, insight });
        return shown;
      };
      assert.match(
        await plan({ minimum: 5 }),
        /^update account 4001 \(Acme\): insight\.minimum from none to 5$/m,
      );
      assert.match(
        await plan({ minimum: 3 }),
        /^update account 4001 \(Acme\): insight\.minimum from 5 to 3$/m,
      );
      assert.match(await plan(null), /^update account 4001 \(Acme\): insight\.minimum from 3 to none$/m);
    });

    it('a dump of the catalogue has the minimum of those that have one, and applies without a change [D-504]', async () => {
      const wanted = catalogueOf((id) => ({ insight: { minimum: minimumOf(id) } }));
      await log.apply(wanted);
      const dumped = await Array.fromAsync(keptAccounts(log.db, null));
      assert.deepEqual(
        dumped.filter(({ id }) => id <= accounts).map(({ insight }) => insight ?? null),
        wanted.accounts.map(({ id }) => (minimumOf(id) === 1 ? null : { minimum: minimumOf(id) })),
      );
      const generation = async () =>
        new Sources({
          db: log.db,
          elapsedMs: () => elapsedMs,
          config: { definitionsMemoryBytes: 1 },
        }).generation();
      const unchanged = await generation();
      await log.apply({ accounts: dumped });
      assert.equal(await generation(), unchanged);
    });
  });
