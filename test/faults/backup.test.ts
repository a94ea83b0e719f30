// Backups while everything else goes on: under load, killed half-way, made by the service itself, and after the clock was
// set back.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BackupRounds } from '../support/backup-rounds.ts';
import { backupsIn } from '../support/backups.ts';
import { engines, postgres, sqlite, type TestStore } from '../support/engines.ts';
import { startMounted } from '../support/mounted.ts';
import {
  commandHere,
  commandHereOk,
  endingWithUs,
  environment,
  type ServiceProcess,
  soundings,
  soundingsOk,
  startedProgram,
  startProcess,
  until,
} from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const rounds = 2;
const kills = 3;

interface Finding {
  readonly check: string;
  readonly isWarning?: true;
  readonly says: string;
}

/** Those that a failed test has left would keep this process alive. */
const started: ServiceProcess[] = [];
async function start(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServiceProcess> {
  const service = await startProcess(env, args);
  started.push(service);
  return service;
}
after(async () => {
  for (const service of started) await service.kill();
});

async function backupFinding(env: Readonly<Record<string, string>>): Promise<Finding> {
  const findings = JSON.parse((await commandHere(['doctor', '--json'], env)).stdout) as Finding[];
  return findings.find(({ check }) => check === 'backup')!;
}

async function metric(service: ServiceProcess, name: string): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.split(' ')[1]);
}

describe('backups under full ingestion', () => {
  let store: TestStore;
  let load: BackupRounds;
  before(async () => {
    store = await sqlite.newStore();
    load = new BackupRounds(store.databaseUrl);
    await load.start();
  });
  after(async () => {
    await load?.stop();
    await store?.dispose();
  });

  it(`${rounds} in a row: each restores to what was acknowledged before it was begun, row by row [D-291]`, async () => {
    for (let round = 0; round < rounds; round += 1) await load.round();
    assert.equal(load.backups.length, 2);
  });

  /** Starts a command and kills it as soon as something with this in its name appears in the folder. */
  async function killedAt(args: readonly string[], folder: string, name: RegExp): Promise<void> {
    const watcher = watch(folder);
    const child = endingWithUs(
      spawn(process.execPath, [startedProgram, ...args], { env: environment(load.env), stdio: 'ignore' }),
    );
    watcher.on('change', (_event, changed) => {
      if (name.test(String(changed))) child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.once('exit', resolve));
    watcher.close();
  }

  it(`killed ${kills} times half-way: no file under a name that is no whole backup, and the next one is good [D-292]`, async () => {
    const moments = [/\.part$/, /\.part-journal$/, /\.part$/, /\.json$/, /\.db$/];
    for (let kill = 0; kill < kills; kill += 1) {
      const before = new Set(load.backups);
      await killedAt(['backup', load.folder], load.folder, moments[kill]!);
      for (const name of load.backups.filter((one) => !before.has(one)))
        await load.resting(async () =>
          assert.match(await soundingsOk(['verify', join(load.folder, name)]), /would restore/),
        );
    }
    await load.round();
    assert.deepEqual(
      readdirSync(load.folder).filter((name) => name.includes('.part')),
      [],
    );
  });

  it('a restore that is killed leaves no store, or the whole one; it can be done again [D-295]', async () => {
    // A restore has nothing to do with the store that goes on, and would share the processors with it.
    await load.stop();
    const folder = temporaryFolder();
    const file = join(load.folder, load.backups.at(-1)!);
    for (const moment of [/\.restore$/, /\.restore-wal$/, /\.restore-journal$/, /^store\.db$/]) {
      const place = join(folder, 'store.db');
      await killedAt(['restore', file, '--to', place], folder, moment);
      if (!existsSync(place)) await soundingsOk(['restore', file, '--to', place]);
      assert.equal((await storeRows(`sqlite:${place}`, 'pragma integrity_check'))[0]?.integrity_check, 'ok');
      const [count] = await storeRows(`sqlite:${place}`, 'select count(*) as count from response');
      assert.ok(Number(count?.count) > 0);
      for (const name of readdirSync(folder)) renameSync(join(folder, name), join(temporaryFolder(), name));
    }
  });
});

describe('backups that the service makes by itself', () => {
  let store: TestStore;
  let folder: string;
  let env: Record<string, string>;
  before(async () => {
    store = await sqlite.newStore();
    folder = temporaryFolder('backups');
    env = {
      DATABASE_URL: store.databaseUrl,
      SOUNDINGS_BACKUP_FOLDER: folder,
      SOUNDINGS_BACKUP_EVERY: '6h',
      SOUNDINGS_BACKUP_KEEP: '2',
    };
    await commandHereOk(['demo', '--responses', '300'], env);
  });
  after(() => store?.dispose());

  it('one at the start where none is known, by one of two processes, and none at the next start [D-297]', async () => {
    const warning = await backupFinding(env);
    assert.ok(warning.isWarning);
    assert.match(warning.says, /None is known: make one with "soundings backup"/);
    for (let time = 0; time < 2; time += 1) {
      const service = await start(env, ['--workers', '2']);
      const age = await until(
        () => metric(service, 'soundings_backup_age_seconds'),
        (seconds) => seconds >= 0,
      );
      assert.ok(age < 120);
      assert.equal(await metric(service, 'soundings_backup_failing'), 0);
      if (time === 0) assert.equal(await metric(service, 'soundings_backups_made_total'), 1);
      assert.equal(await service.stop(), 0);
    }
    const [made, ...others] = backupsIn(folder);
    assert.deepEqual(others, []);
    assert.match(await soundingsOk(['verify', join(folder, made!)]), /300 responses/);
    const right = await backupFinding(env);
    assert.equal(right.isWarning, undefined);
    assert.match(right.says, /the last good one is of \d{4}-.*, 0 min ago/);
  });

  it('one that fails is one line of the log, a figure and a warning of doctor; the service goes on [D-297]', async () => {
    const lost = { ...env, SOUNDINGS_BACKUP_FOLDER: join(folder, 'not-mounted') };
    const service = await start(lost);
    service.expectErrors('BACKUP_FAILED');
    await until(
      () => metric(service, 'soundings_backup_failing'),
      (failing) => failing === 1,
    );
    assert.equal(await metric(service, 'soundings_backups_failed_total'), 1);
    assert.match(
      service.output(),
      /"code":"BACKUP_FAILED","reason":"The folder .*not-mounted is not there: make it first\."/,
    );
    assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
    // The last good one is still known.
    assert.ok((await metric(service, 'soundings_backup_age_seconds')) >= 0);
    await service.stop();
    const warning = await backupFinding(lost);
    assert.ok(warning.isWarning);
    assert.match(
      warning.says,
      /The last one failed at .*not-mounted is not there.* The last good one is of \d{4}-/,
    );
    // It is made as soon as it can be.
    mkdirSync(join(folder, 'not-mounted'));
    const again = await start(lost);
    await until(
      () => metric(again, 'soundings_backup_failing'),
      (failing) => failing === 0,
    );
    await again.stop();
    assert.equal(backupsIn(join(folder, 'not-mounted')).length, 1);
  });

  it('under load, and stopped in the middle of it: nothing is left that has no name of its own', async () => {
    const other = await sqlite.newStore();
    const busy = temporaryFolder('backups');
    const load = new BackupRounds(other.databaseUrl, {
      SOUNDINGS_BACKUP_FOLDER: busy,
      SOUNDINGS_BACKUP_EVERY: '1m',
    });
    try {
      await load.start();
      await until(
        async () => backupsIn(busy).length,
        (count) => count === 1,
      );
      await load.compare(join(busy, backupsIn(busy)[0]!), new Map());
    } finally {
      await load.stop();
      await other.dispose();
    }
    assert.deepEqual(
      readdirSync(busy).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('the clock set back, and forward again: due at once, never the newest deleted, no age below zero [D-293] [D-297]', async () => {
    const other = await sqlite.newStore();
    const here = temporaryFolder('backups');
    let nowMs = Date.now();
    const mounted = await startMounted({
      databaseUrl: other.databaseUrl,
      env: { SOUNDINGS_BACKUP_FOLDER: here, SOUNDINGS_BACKUP_EVERY: '1h', SOUNDINGS_BACKUP_KEEP: '1' },
      now: () => nowMs,
    });
    const { backups } = mounted.services;
    const newest = async (number: number): Promise<void> => {
      const name = new RegExp(`^soundings-${String(number).padStart(6, '0')}-`);
      await until(
        async () => backupsIn(here),
        (names) => names.length === 1 && name.test(names[0]!),
      );
      await until(
        async () => backups.ageSeconds,
        (age) => age !== null && age < 120,
      );
    };
    try {
      backups.start();
      await newest(1);
      // A year back: what is on record is dated in the future, and says nothing.
      nowMs -= 365 * 86_400_000;
      await newest(2);
      nowMs += 366 * 86_400_000;
      await newest(3);
    } finally {
      await backups.stop();
      await mounted.stop();
      await other.dispose();
    }
  });
});

for (const engine of engines) {
  describe(`backups that an operator reports on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(['migrate'], env);
    });
    after(() => store?.dispose());

    it('doctor and /metrics know the age of the youngest, and its moment is in the audit log [D-297]', async () => {
      const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
      for (const moment of [at, '2026-01-31T02:00:00+01:00'])
        await commandHereOk(['backup', '--record', '--at', moment, '--note', 'base backup 31'], env);
      const finding = await backupFinding(env);
      assert.equal(finding.isWarning, undefined);
      assert.match(finding.says, /180 min ago|3 h ago/);
      assert.match(finding.says, /base backup 31/);
      const service = await start(env);
      const age = await until(
        () => metric(service, 'soundings_backup_age_seconds'),
        (seconds) => seconds >= 0,
      );
      await service.stop();
      assert.ok(age >= 3 * 3_600 && age < 3 * 3_600 + 300, `${age}`);
      const audit = await storeRows(
        store.databaseUrl,
        `select action from audit where action like 'backup.%'`,
      );
      assert.equal(audit.length, 2);
    });
  });
}

describe('a backup where a database server keeps the store', () => {
  let store: TestStore;
  before(async () => {
    store = await postgres.newStore();
  });
  after(() => store?.dispose());

  it('is not made: the commands for just this database are shown, without its password, and the exit status says so', async () => {
    const url = new URL(store.databaseUrl);
    url.password = 'pass-word-9';
    const { code, stdout, stderr } = await soundings(['backup'], { DATABASE_URL: url.href });
    assert.equal(code, 1);
    assert.ok(!`${stdout}${stderr}`.includes('pass-word-9'));
    const database = basename(url.pathname);
    assert.match(
      stdout,
      new RegExp(`pg_dump --host=${url.hostname} --port=${url.port} --username=\\S+ --dbname=${database} `),
    );
    assert.match(stdout, /pg_basebackup .*--wal-method=stream/);
    assert.match(stderr, /No backup was made/);
    const restore = await soundings(['restore', join(dirname(startedProgram), 'x.db')], {
      DATABASE_URL: url.href,
    });
    assert.equal(restore.code, 1);
    assert.match(restore.stderr, /pg_restore .*name a file with --to/s);
    assert.ok(!restore.stderr.includes('pass-word-9'));
    const every = await soundings(['config'], { DATABASE_URL: url.href, SOUNDINGS_BACKUP_EVERY: '6h' });
    assert.match(
      every.stderr,
      /SOUNDINGS_BACKUP_EVERY: the service backs up an embedded store in a file alone/,
    );
  });
});
