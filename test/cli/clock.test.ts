// soundings clock, and commands that delete by the trusted time. Nobody serves: the trusted time stands where it is put.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { noteOfDetails } from '../support/audit-note.ts';
import {
  addEndingRows,
  addResponses,
  endingTables,
  responsesOf,
  retainingCatalogue,
  tablesWith,
} from '../support/ended-rows.ts';
import { engines } from '../support/engines.ts';
import { type OpenedLog, openFeedbackLog } from '../support/open-feedback-log.ts';
import { commandHere, commandHereOk, soundings } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';
import { believeTime } from '../support/trusted-time.ts';

const dayMs = 86_400_000;

for (const engine of engines)
  describe(`soundings clock on ${engine.name}`, { concurrency: 1 }, () => {
    let log: OpenedLog;
    let env: { DATABASE_URL: string };

    before(async () => {
      log = await openFeedbackLog(engine, retainingCatalogue);
      env = { DATABASE_URL: log.databaseUrl };
      await addResponses(log, 'old', Date.now() - 2 * dayMs);
      await addEndingRows(log.databaseUrl, 'old', Date.now() - 2 * dayMs);
    });
    after(() => log?.dispose());

    const json = async (...words: string[]) =>
      JSON.parse(await commandHereOk(['clock', ...words, '--json'], env));

    it('a clock that is followed is said to be, and there is nothing to confirm [D-846]', async () => {
      assert.equal((await json('status')).jumpSeconds, 0);
      const { stdout, code } = await soundings(['clock', 'confirm'], env);
      assert.equal(code, 0);
      assert.match(stdout, /follows it\.\nThere is nothing to confirm\./);
      assert.equal((await json('confirm', '--yes')).confirmed, false);
    });

    it('a command deletes nothing for a clock that has jumped, and doctor says so [D-846]', async () => {
      await believeTime(log.databaseUrl, Date.now() - 90 * dayMs);
      assert.equal(JSON.parse(await commandHereOk(['retention', 'run', '--json'], env)).emptied, 0);
      assert.equal((await responsesOf(log.databaseUrl, 'old')).length, 2);
      const { stdout } = await commandHere(['doctor'], env);
      assert.match(stdout, /^warning +trusted time +The clock says .*soundings clock confirm.* 168 h more/m);
    });

    if (engine.name === 'sqlite')
      it('a restored backup keeps the time of its store: nothing is deleted before a week, or a word [D-846]', async () => {
        const folder = temporaryFolder('restored');
        const [file, copy] = [join(folder, 'backup.db'), join(folder, 'copy.db')];
        await commandHereOk(['backup', file], env);
        const restored = { DATABASE_URL: `sqlite:${copy}` };
        await commandHereOk(['restore', file], restored);
        const state = JSON.parse(await commandHereOk(['clock', 'status', '--json'], restored));
        assert.ok(Math.abs(state.jumpSeconds - 90 * 86_400) < 600);
        await commandHereOk(['retention', 'run'], restored);
        assert.equal((await responsesOf(restored.DATABASE_URL, 'old')).length, 2);
      });

    it('it is confirmed with what would be deleted, in numbers, and not without a word [D-846]', async () => {
      const looked = await json('confirm', '--dry-run');
      assert.equal(looked.confirmed, false);
      assert.deepEqual([looked.deletes.responses, looked.deletes.sessions, looked.isWhole], [2, 1, true]);
      const refused = await soundings(['clock', 'confirm'], env);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /2 responses emptied, .*1 ended sessions.* say --yes/);
      assert.ok((await json('status')).jumpSeconds > 0);

      assert.match(await commandHereOk(['clock', 'confirm', '--yes'], env), /believed from now on/);
      assert.equal((await json('status')).jumpSeconds, 0);
      const noted = await storeRows(
        log.databaseUrl,
        `select actor, details from audit where action = 'clock.confirm'`,
      );
      assert.equal(noted.length, 1);
      assert.match(noteOfDetails(noted[0]?.details), /from 20.* to 20/);
      assert.equal(JSON.parse(await commandHereOk(['retention', 'run', '--json'], env)).emptied, 2);
      // The rest goes with whatever deletes it; nothing has yet.
      assert.deepEqual(await tablesWith(log.databaseUrl, 'old'), endingTables);
    });
  });
