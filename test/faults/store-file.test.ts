// What can happen to the file of the embedded store under a running service: it is moved, deleted, replaced or damaged.
// Nothing that was acknowledged may be missing from the file that is found at its path afterwards.

import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sqlite, type TestStore } from '../support/engines.ts';
import { keptResponses, postResponse, prepareFeedback } from '../support/feedback.ts';
import { callStandard, standardUser } from '../support/scim.ts';
import {
  type ApiClientCredentials,
  type ServiceProcess,
  soundings,
  soundingsOk,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';

const population = 120;

interface Readiness {
  readonly status: number;
  readonly reasons: readonly string[];
}

interface Finding {
  readonly check: string;
  readonly isRight: boolean;
  readonly says: string;
}

describe('the file of an embedded store', () => {
  let store: TestStore;
  let file: string;
  let env: Record<string, string>;
  let client: ApiClientCredentials;
  let service: ServiceProcess;
  let token: string;
  let posted = 0;

  before(async () => {
    store = await sqlite.newStore();
    file = join(dirname(store.databaseUrl.slice('sqlite:'.length)), 'made', 'by', 'us', 'store.db');
    env = { DATABASE_URL: `sqlite:${file}`, SOUNDINGS_THROTTLE: 'off' };
    await soundingsOk(['migrate', '--create'], env);
    client = await prepareFeedback(env);
    await start();
    for (let at = 0; at < population; at += 1) {
      assert.equal(await post(), 200);
      assert.equal(await createUser(), 201);
    }
  });
  after(async () => {
    await service?.kill();
    await store?.dispose();
  });

  async function start(): Promise<void> {
    service = await startProcess(env);
    service.expectErrors('STORE_MOVED', 'STORE_DAMAGED');
    token = await tokenFor(service.baseUrl, client);
  }
  const post = async (): Promise<number> => {
    posted += 1;
    return (await postResponse(service.baseUrl, token, `r-${posted}`, 'some words '.repeat(50))).status;
  };
  let users = 0;
  const createUser = async (): Promise<number> => {
    users += 1;
    const body = standardUser(`user-${users}`, { name: { familyName: `Family ${users}` } });
    return (await callStandard(service.baseUrl, token, 'POST', '/Users', { body })).status;
  };
  const readyz = async (): Promise<Readiness> => {
    const answer = await fetch(`${service.baseUrl}/readyz`);
    const { reasons } = (await answer.json()) as { reasons: string[] };
    return { status: answer.status, reasons };
  };
  const doctor = async (): Promise<Finding[]> =>
    (JSON.parse((await soundings(['doctor', '--json'], env)).stdout) as Finding[]).filter(
      ({ isRight }) => !isRight,
    );
  const assertRefused = async (): Promise<void> => {
    // The very next change is refused: nobody waits for the next look.
    const statuses = [
      await post(),
      await createUser(),
      ...(await Promise.all(Array.from({ length: 30 }, post))),
    ];
    assert.deepEqual([...new Set(statuses)], [503]);
    const { status, reasons } = await readyz();
    assert.equal(status, 503);
    assert.match(
      reasons.join(),
      /was deleted, moved, replaced or cut short: put it back, or stop the service/,
    );
    const reading = async (): Promise<number> =>
      (await callStandard(service.baseUrl, token, 'GET', '/Users?count=1', {})).status;
    await until(reading, (answered) => answered === 503);
  };

  it('is made for our own eyes alone, with its folders and everything beside it', async () => {
    const modes = [dirname(file), file, `${file}-wal`, `${file}-shm`, `${file}.reserve`].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    );
    assert.deepEqual(modes, ['700', '600', '600', '600', '600']);
    // A folder that was there before is nobody's to change.
    const own = join(dirname(store.databaseUrl.slice('sqlite:'.length)), 'open');
    mkdirSync(own, 0o755);
    const mode = statSync(own).mode;
    await soundingsOk(['migrate'], { DATABASE_URL: `sqlite:${join(own, 'store.db')}` });
    assert.equal(statSync(own).mode, mode);
    assert.equal(statSync(join(own, 'store.db')).mode & 0o777, 0o600);
  });

  it('moved away: changes and questions are 503 and it is not ready; moved back: it goes on by itself [D-173]', async () => {
    renameSync(file, `${file}.away`);
    await assertRefused();
    renameSync(`${file}.away`, file);
    await until(readyz, ({ status }) => status === 200);
    assert.equal(await post(), 200);
    const kept = await keptResponses(service.baseUrl, token);
    assert.equal(kept.length, population + 1);
  });

  it('replaced by a copy: nothing goes into the old one, and a restart serves the new one [D-173]', async () => {
    await storeRows(env.DATABASE_URL!, 'pragma wal_checkpoint(truncate)');
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    await assertRefused();
    await service.stop();
    // A heartbeat may have come between the copy and its place: then the log is that of the old one, and goes with it (D-838).
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    await start();
    assert.equal((await readyz()).status, 200);
    assert.equal(await post(), 200);
    assert.equal((await keptResponses(service.baseUrl, token)).length, population + 2);
  });

  it('its log deleted, without which the last changes are gone: 503 and not ready [D-173]', async () => {
    renameSync(`${file}-wal`, `${file}-wal.away`);
    await assertRefused();
    renameSync(`${file}-wal.away`, `${file}-wal`);
    await until(readyz, ({ status }) => status === 200);
  });

  it('deleted under load: whatever was acknowledged was in the file when it was answered [D-173]', async () => {
    await service.stop();
    copyFileSync(file, `${file}.backup`);
    await start();
    const acknowledged: string[] = [];
    let refused = 0;
    let isOver = false;
    const load = Array.from({ length: 8 }, async (_, lane) => {
      for (let at = 0; !isOver; at += 1) {
        const id = `loaded-${lane}-${at}`;
        const { status } = await postResponse(service.baseUrl, token, id);
        if (status === 200) acknowledged.push(id);
        else refused += 1;
      }
    });
    await until(
      async () => acknowledged.length,
      (count) => count > 40,
    );
    // Somebody else still has it under another name, so that it can be looked into afterwards.
    renameSync(file, `${file}.gone`);
    await until(
      async () => refused,
      (count) => count > 40,
    );
    isOver = true;
    await Promise.all(load);
    await service.kill();
    renameSync(`${file}-wal`, `${file}.gone-wal`);
    rmSync(`${file}-shm`, { force: true });
    const gone = await startProcess({ ...env, DATABASE_URL: `sqlite:${file}.gone` });
    const kept = new Set(await keptResponses(gone.baseUrl, token));
    await gone.stop();
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
    );
    renameSync(`${file}.backup`, file);
    await start();
    assert.equal((await readyz()).status, 200);
  });

  it('damaged while serving: changes are 503, it is not ready, and doctor says what to do [D-173]', async () => {
    assert.deepEqual(await doctor(), []);
    await storeRows(env.DATABASE_URL!, 'pragma wal_checkpoint(truncate)');
    // All pages but the first, which says what the file is.
    const bytes = statSync(file).size;
    const opened = openSync(file, 'r+');
    writeSync(opened, Buffer.alloc(bytes - 8192, 0xa5), 0, bytes - 8192, 8192);
    closeSync(opened);
    await until(createUser, (status) => status === 503);
    assert.equal(await post(), 503);
    const notReady = await until(readyz, ({ status }) => status === 503);
    assert.match(notReady.reasons.join(), /damaged: run "soundings doctor"/);
    const [wrong] = await doctor();
    assert.match(wrong!.says, /is damaged: .*restore a backup.*\.recover/);
    await service.kill();
  });

  it('something else at its path: commands say that it is damaged, and not that a folder should be writable', async () => {
    rmSync(`${file}-wal`, { force: true });
    rmSync(`${file}-shm`, { force: true });
    const opened = openSync(file, 'w');
    writeSync(opened, 'This is a letter to a friend. '.repeat(1_000));
    closeSync(opened);
    const { code, stderr } = await soundings(['serve', '--port', '0'], env);
    assert.equal(code, 1);
    assert.match(stderr, /is damaged: file is not a database\. .*restore a backup/);
    const [wrong] = await doctor();
    assert.match(wrong!.says, /is damaged: file is not a database/);
  });
});
