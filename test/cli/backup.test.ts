// Backups of an embedded store by the command line: made, checked, restored, and refused where something is wrong.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { backupsIn, refusal, rowsOfStore } from '../support/backups.ts';
import { sqlite, type TestStore } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { postResponse, prepareFeedback, projectId } from '../support/feedback.ts';
import { restoreStore } from '../support/kept-store.ts';
import { disagreements } from '../support/log-agreement.ts';
import {
  commandHereOk,
  environment,
  type Program,
  soundings,
  soundingsOk,
  startedProgram,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const program = fileURLToPath(new URL('../../bin/soundings.js', import.meta.url));

interface Made {
  readonly file: string;
  readonly at: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly schema: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly positions: readonly { readonly key: number; readonly position: number }[];
  readonly removed: readonly string[];
  readonly isRecorded: boolean;
}

describe('backups of an embedded store', () => {
  const folder = temporaryFolder('backups');
  let store: TestStore;
  let path: string;
  let env: Record<string, string>;
  let good: Made;

  before(async () => {
    store = await sqlite.newStore();
    path = store.databaseUrl.slice('sqlite:'.length);
    env = { DATABASE_URL: store.databaseUrl };
    await commandHereOk(['demo', '--responses', '700'], env);
    good = JSON.parse(await soundingsOk(['backup', join(folder, 'good.db'), '--json'], env)) as Made;
  });
  after(() => store?.dispose());

  it('one file for our own eyes with a manifest, and everything in it row by row when it is restored [D-291] [D-292]', async () => {
    const { file, bytes, counts, positions } = good;
    assert.deepEqual(readdirSync(folder).sort(), ['good.db', 'good.db.json']);
    assert.deepEqual(
      [file, `${file}.json`].map((one) => statSync(one).mode & 0o777),
      [0o600, 0o600],
    );
    assert.equal(statSync(file).size, bytes);
    assert.equal(counts.responses, 700);
    assert.equal(
      positions.reduce((sum, { position }) => sum + position, 0),
      700,
    );
    const manifest = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Made;
    assert.deepEqual([manifest.sha256, manifest.at, manifest.schema], [good.sha256, good.at, good.schema]);
    const restored = join(temporaryFolder(), 'restored.db');
    const said = JSON.parse(await soundingsOk(['restore', file, '--to', restored, '--json'], env));
    assert.equal(said.store, restored);
    assert.equal(statSync(restored).mode & 0o777, 0o600);
    assert.deepEqual(await rowsOfStore(`sqlite:${restored}`), await rowsOfStore(store.databaseUrl));
    assert.deepEqual(await disagreements(`sqlite:${restored}`), []);
  });

  it('made where the priority cannot be changed, by the command and by the service [D-721]', async (test) => {
    if (process.platform !== 'linux')
      return test.diagnostic('not tried: priorities of threads are those of Linux');
    // As low as can be, without the right to raise it; only root has that right.
    const lowest = ['nice', '-n', '19'] as const;
    const command = [
      ...(process.getuid?.() === 0 ? (['setpriv', '--bounding-set=-sys_nice', ...lowest] as const) : lowest),
      process.execPath,
      startedProgram,
    ] as const;
    const here = temporaryFolder();
    const low: Program = { command, folder: here };
    const { code, stderr } = await soundings(['backup', join(here, 'low.db')], env, '', low);
    assert.equal(code, 0, stderr);
    const kept = { ...env, SOUNDINGS_BACKUP_FOLDER: here, SOUNDINGS_BACKUP_EVERY: '6h' };
    rmSync(join(here, 'low.db'));
    const service = await startProcess(
      { ...kept, DATABASE_URL: `sqlite:${join(here, 'fresh.db')}` },
      [],
      low,
    );
    await until(
      async () => backupsIn(here).length,
      (count) => count === 1,
    );
    assert.equal(await service.stop(), 0);
  });

  it('a copy of the running file alone would have been empty: all of it is in the log [D-291]', async () => {
    const here = temporaryFolder();
    const live = { DATABASE_URL: `sqlite:${join(here, 'live.db')}` };
    const service = await startProcess(live);
    try {
      await prepareFeedback(live);
      copyFileSync(join(here, 'live.db'), join(here, 'naive.db'));
      const { file } = JSON.parse(
        await commandHereOk(['backup', join(here, 'real.db'), '--json'], live),
      ) as Made;
      assert.match(await refusal(['verify', join(here, 'naive.db')], {}), /no store of Soundings/);
      assert.match(await soundingsOk(['verify', file]), /would restore/);
      // The file of the running store itself is no backup either.
      assert.match(
        await refusal(['verify', join(here, 'live.db')], {}),
        /somebody uses or used, and no backup/,
      );
    } finally {
      await service.stop();
    }
  });

  it('made by a newer version before an upgrade: the store keeps its schema, and the backup has it too [D-296]', async () => {
    const old = await restoreStore(sqlite, 13);
    try {
      const made = JSON.parse(
        await commandHereOk(['backup', join(folder, 'before-upgrade.db'), '--json'], {
          DATABASE_URL: old.databaseUrl,
        }),
      ) as Made;
      assert.deepEqual([made.schema, made.isRecorded], [13, false]);
      const steps = await storeRows(old.databaseUrl, 'select max(number) as last from schema_step');
      assert.equal(steps[0]?.last, 13);
      const restored = join(temporaryFolder(), 'restored.db');
      await soundingsOk(['restore', made.file, '--to', restored]);
      // Its digests are worked out when it is served.
      assert.deepEqual(await disagreements(`sqlite:${restored}`, { mayLackDigests: true }), []);
      const status = await commandHereOk(['migrate', '--status'], { DATABASE_URL: `sqlite:${restored}` });
      assert.match(status, /up to date/);
    } finally {
      await old.dispose();
    }
  });

  it('in a folder they are numbered; --keep deletes the oldest of this store by number, whatever the clock said [D-293]', async () => {
    const here = temporaryFolder();
    const other = { DATABASE_URL: `sqlite:${join(temporaryFolder(), 'other.db')}` };
    await commandHereOk(['migrate'], other);
    await commandHereOk(['backup', here], other);
    await commandHereOk(['backup', here, '--keep', '9'], env);
    const [ofOther, first] = backupsIn(here);
    assert.match(first!, /^soundings-000002-\d{8}T\d{6}Z\.db$/);
    // A clock that was ahead when it was made.
    const ahead = 'soundings-000002-29990101T000000Z.db';
    for (const end of ['', '.json']) renameSync(join(here, `${first}${end}`), join(here, `${ahead}${end}`));
    // Neither is ours: one by its name, one without a manifest.
    writeFileSync(join(here, 'letters.db'), 'a letter');
    writeFileSync(join(here, 'soundings-000001-20200101T000000Z.db'), 'looks like one');
    await commandHereOk(['backup', here, '--keep', '2'], env);
    const made = JSON.parse(await commandHereOk(['backup', here, '--keep', '2', '--json'], env)) as Made;
    assert.deepEqual(made.removed, [ahead]);
    const names = backupsIn(here);
    assert.equal(names.length, 5);
    assert.ok(names.includes(ofOther!) && names.includes('letters.db'));
    assert.deepEqual(names.filter((name) => /-00000[34]-/.test(name)).length, 2);
    assert.ok(!existsSync(join(here, `${ahead}.json`)));
  });

  it('what lies under the name of the manifest is left as it is, unless a killed backup of this store left it there [D-306]', async () => {
    const here = temporaryFolder();
    writeFileSync(join(here, 'catalogue.json'), '{"accounts":[]}');
    assert.match(
      await refusal(['backup', join(here, 'catalogue')], env),
      /catalogue\.json exists already, and was left as it is/,
    );
    const other = { DATABASE_URL: `sqlite:${join(temporaryFolder(), 'other.db')}` };
    await commandHereOk(['migrate'], other);
    await commandHereOk(['backup', join(here, 'of-other.db')], other);
    rmSync(join(here, 'of-other.db'));
    assert.match(await refusal(['backup', join(here, 'of-other.db')], env), /exists already/);
    assert.equal(readFileSync(join(here, 'catalogue.json'), 'utf8'), '{"accounts":[]}');
    assert.deepEqual(readdirSync(here).sort(), ['catalogue.json', 'of-other.db.json']);
    copyFileSync(`${good.file}.json`, join(here, 'again.db.json'));
    await commandHereOk(['backup', join(here, 'again.db')], env);
    await commandHereOk(['verify', join(here, 'again.db')]);
  });

  it('SOUNDINGS_BACKUP_FOLDER and SOUNDINGS_BACKUP_KEEP are the place and the number where none are named', async () => {
    const here = temporaryFolder();
    const settings = { ...env, SOUNDINGS_BACKUP_FOLDER: here, SOUNDINGS_BACKUP_KEEP: '1' };
    const first = (await commandHereOk(['backup'], settings)).trim();
    const second = (await commandHereOk(['backup'], settings)).trim();
    assert.ok(!existsSync(first) && existsSync(second));
    assert.deepEqual(backupsIn(here), [second.slice(here.length + 1)]);
  });

  it('refused in one sentence, with nothing left behind: no place, a taken name, no folder, no right, no store', async () => {
    const here = temporaryFolder();
    writeFileSync(join(here, 'taken.db'), 'something');
    const refused: readonly [args: readonly string[], says: RegExp, env?: Record<string, string>][] = [
      [['backup'], /Name a file or a folder/],
      [['backup', join(here, 'taken.db')], /exists already, and was left as it is/],
      [['backup', join(here, 'missing', 'x.db')], /The folder .* is not there: make it first/],
      [['backup', `${here}/missing/`], /The folder .* is not there: make it first/],
      [['backup', '/proc/soundings.db'], /cannot be written/],
      [['backup', here, '--keep', '0'], /--keep must be a number from 1/],
      [['backup', here, '--keep', 'all'], /--keep must be a number from 1/],
      [['backup', here, '--at', '2026-01-01T00:00:00Z'], /belong to --record/],
      [['backup', here], /in memory/, { DATABASE_URL: 'sqlite::memory:' }],
      [['backup', here], /There is no store at/, { DATABASE_URL: `sqlite:${here}/none.db` }],
      [['backup', here], /no store of Soundings/, { DATABASE_URL: `sqlite:${here}/taken.db` }],
      [['backup', here, '--record'], /--record copies nothing/],
      [['backup', '--record', '--at', 'yesterday'], /--at must be a moment/],
      [['backup', '--record', '--at', '2999-01-01T00:00:00Z'], /must not be in the future/],
      [['backup', '--record', '--note', ' '], /--note must have 1 to 500/],
    ];
    await Promise.all(
      refused.map(async ([args, says, other]) => assert.match(await refusal(args, other ?? env), says)),
    );
    assert.deepEqual(
      readdirSync(here).filter((name) => !name.endsWith('.lock')),
      ['taken.db'],
    );
  });

  it('refused while another backup of the store is under way', async () => {
    const holder = new DatabaseSync(`${path}.lock`);
    holder.exec('pragma journal_mode = memory; begin immediate');
    assert.match(await refusal(['backup', folder], env), /Another backup of .* is under way: wait/);
    holder.close();
    await commandHereOk(['backup', temporaryFolder()], env);
  });

  it('a disk without room for it: one sentence, and nothing is left', async () => {
    const here = temporaryFolder();
    // Files of this process may not grow beyond 1 MiB, which ends as a disk does that runs full on the way.
    const shell = `ulimit -f 2048; exec "$0" "$1" backup "$2"`;
    const { stderr, code } = await new Promise<{ stderr: string; code: unknown }>((resolve) => {
      execFile(
        'sh',
        ['-c', shell, process.execPath, program, here],
        { env: { ...environment(env), NODE_DISABLE_COMPILE_CACHE: '1' } },
        (error, _stdout, text) => resolve({ stderr: text, code: error?.code }),
      );
    });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /soundings: .*(no room for it|cannot be written).*Nothing is left of it/);
    assert.deepEqual(readdirSync(here), []);
  });

  it('a damaged one is neither good nor restored: flipped, cut short, no store, newer, without its manifest [D-292]', async () => {
    const here = temporaryFolder();
    const named = (name: string): string => join(here, name);
    const copyOf = (name: string): string => {
      for (const end of ['', '.json']) copyFileSync(`${good.file}${end}`, `${named(name)}${end}`);
      return named(name);
    };
    const flipped = copyOf('flipped.db');
    const bytes = readFileSync(flipped);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(flipped, bytes);
    truncateSync(copyOf('cut.db'), Math.floor(good.bytes * 0.7));
    appendFileSync(copyOf('longer.db'), 'more');
    copyFileSync(good.file, named('cut-alone.db'));
    truncateSync(named('cut-alone.db'), Math.floor(good.bytes * 0.7));
    writeFileSync(named('letter.db'), 'This is a letter to a friend. '.repeat(100));
    const foreign = new DatabaseSync(named('foreign.db'));
    foreign.exec('create table friends (name text)');
    foreign.close();
    copyFileSync(good.file, named('newer.db'));
    const newer = new DatabaseSync(named('newer.db'));
    newer.exec(`insert into schema_step (number, name, applied_at) values (999, 'of tomorrow', 0)`);
    newer.close();
    writeFileSync(`${copyOf('broken-manifest.db')}.json`, '{');
    copyFileSync(good.file, named('pipe-manifest.db'));
    execFileSync('mkfifo', [named('pipe-manifest.db.json')]);
    copyFileSync(good.file, named('miscounted.db'));
    const miscounted = new DatabaseSync(named('miscounted.db'));
    miscounted.exec('update log_counter set last_seq = last_seq + 1');
    miscounted.close();
    mkdirSync(named('folder.db'));
    const expected: Readonly<Record<string, RegExp>> = {
      'flipped.db': /is damaged \(its SHA-256 is not the one of its manifest\): use another backup/,
      'cut.db': /is cut short: it has \d+ of \d+ bytes/,
      'longer.db': /is damaged/,
      'cut-alone.db': /is cut short: it has \d+ of \d+ bytes/,
      'letter.db': /is no store of Soundings/,
      'foreign.db': /is no store of Soundings/,
      'newer.db': /is of a newer version of Soundings: its schema is at step 999/,
      'broken-manifest.db': /The manifest .* cannot be read/,
      'pipe-manifest.db': /The manifest .* cannot be read/,
      'miscounted.db': /does not agree with itself: source \d+ of account 4001 counts \d+ responses, and has/,
      'folder.db': /is not a file/,
      'missing.db': /There is no file/,
    };
    const restored = ['flipped.db', 'cut-alone.db', 'newer.db'];
    await Promise.all([
      ...Object.entries(expected).map(async ([name, says]) =>
        assert.match(await refusal(['verify', named(name)], {}), says, name),
      ),
      ...restored.map(async (name) =>
        assert.match(
          await refusal(['restore', named(name), '--to', named(`never-${name}`)], {}),
          expected[name]!,
        ),
      ),
    ]);
    assert.ok(readdirSync(here).every((name) => !name.startsWith('never') || name.endsWith('.lock')));
    // Without its manifest it restores, and nobody claims to know more than can be seen.
    copyFileSync(good.file, named('alone.db'));
    const { code, stderr } = await soundings(['verify', named('alone.db')]);
    assert.equal(code, 0);
    assert.match(stderr, /has no manifest beside it/);
  });

  it('programs of a stranger are refused with the file that has them: triggers, views, virtual tables [D-307]', async () => {
    const here = temporaryFolder();
    const programs: Readonly<Record<string, string>> = {
      trigger: 'create trigger spy after delete on api_client begin delete from audit; end',
      view: 'create view spy as select * from api_client',
      table: 'create virtual table spy using fts5(a)',
    };
    for (const [type, statement] of Object.entries(programs)) {
      const file = join(here, `${type}.db`);
      copyFileSync(good.file, file);
      const crafted = new DatabaseSync(file);
      crafted.exec(statement);
      crafted.close();
      const says = new RegExp(`has a ${type} "spy.*" that no version of Soundings makes`);
      assert.match(await refusal(['verify', file], {}), says);
      assert.match(await refusal(['restore', file, '--to', join(here, 'never.db')], {}), says);
    }
    assert.ok(!existsSync(join(here, 'never.db')));
    // An ordinary table does nothing, whatever its name.
    const odd = join(here, 'odd.db');
    copyFileSync(good.file, odd);
    const crafted = new DatabaseSync(odd);
    crafted.exec(`create table "it's" (a text)`);
    crafted.close();
    await commandHereOk(['verify', odd]);
  });

  it('restore overwrites nothing: it says what would be lost, and how to move the old store away with its files [D-294] [D-295]', async () => {
    const before = await commandHereOk(['backup', join(folder, 'earlier.db'), '--json'], env);
    const { file } = JSON.parse(before) as Made;
    await commandHereOk(['demo', '--responses', '40'], env);
    const [response] = await storeRows(store.databaseUrl, 'select response_id as id from response limit 1');
    await commandHereOk(['erase', '--account', '4001', '--response', String(response?.id)], env);
    const service = await startProcess(env);
    const running = await refusal(['restore', file], env);
    assert.match(running, /nothing is overwritten/);
    assert.match(
      running,
      /has 40 responses that the backup has not \((measure|project) \d+ of account 4001: \d+/,
    );
    assert.match(running, /response\.erase 1.*Erase and revoke again/s);
    assert.ok(
      running.includes(`mv ${path} ${path}.old`) && running.includes(`mv ${path}-wal ${path}.old-wal`),
    );
    // Moved away under a service that still runs: what it writes would be lost.
    for (const end of ['', '-wal', '-shm']) renameSync(`${path}${end}`, `${path}.old${end}`);
    assert.match(
      await refusal(['restore', file], env),
      /A process still uses the store.*stop the service first/,
    );
    service.expectErrors('STORE_MOVED', 'STORE_UNREACHABLE');
    await service.stop();
    // What a store left beside its place would be taken for the log of the new one.
    writeFileSync(`${path}-wal`, 'left behind');
    assert.match(await refusal(['restore', file], env), /-wal/);
    rmSync(`${path}-wal`);
    const { stdout, stderr } = await soundings(['restore', file, '--compare', `${path}.old`], env);
    assert.match(stdout, /is restored: 700 responses/);
    assert.match(stderr, /has 40 responses that the backup has not/);
    assert.deepEqual(await disagreements(store.databaseUrl), []);
    const again = await startProcess(env);
    await until(
      async () => (await fetch(`${again.baseUrl}/readyz`)).status,
      (status) => status === 200,
    );
    await again.stop();
    assert.deepEqual(
      readdirSync(dirname(path)).filter((name) => name.includes('.restore')),
      [],
    );
  });

  it('after a restore, readers who saw more than the backup has are answered 410, and the others go on [D-295]', async () => {
    const here = temporaryFolder();
    const own = { DATABASE_URL: `sqlite:${join(here, 'feed.db')}`, SOUNDINGS_THROTTLE: 'off' };
    const client = await prepareFeedback(own);
    let service = await startProcess(own);
    let token = await tokenFor(service.baseUrl, client);
    const post = async (id: string): Promise<void> => {
      assert.equal((await postResponse(service.baseUrl, token, id)).status, 200);
    };
    const follow = (after = ''): ReturnType<typeof exchange> =>
      exchange(
        `${service.baseUrl}/v1/projects/${projectId}/changes?limit=1000${after === '' ? '' : `&after=${after}`}`,
        { headers: { authorization: `Bearer ${token}` } },
      );
    const cursorOf = async (): Promise<string> => String((await follow()).body.next);
    for (let at = 0; at < 300; at += 1) await post(`before-${at}`);
    const early = await cursorOf();
    for (let at = 0; at < 7; at += 1) await post(`just-before-${at}`);
    const atBackup = await cursorOf();
    const { file } = JSON.parse(await commandHereOk(['backup', join(here, 'b.db'), '--json'], own)) as Made;
    for (let at = 0; at < 5; at += 1) await post(`lost-${at}`);
    const late = await cursorOf();
    await service.stop();
    for (const name of readdirSync(here).filter((one) => /^feed\.db(-wal|-shm)?$/.test(one)))
      renameSync(join(here, name), join(here, name.replace('feed', 'old')));
    await soundingsOk(['restore', file], own);
    service = await startProcess(own);
    token = await tokenFor(service.baseUrl, client);
    assert.equal((await follow(late)).status, 410);
    // Others have the numbers of those that were lost; the reader must not go on behind them as if nothing were.
    for (let at = 0; at < 20; at += 1) await post(`after-${at}`);
    assert.equal((await follow(late)).status, 410);
    for (const [cursor, count] of [
      [early, 27],
      [atBackup, 20],
    ] as const) {
      const answer = await follow(cursor);
      assert.equal(answer.status, 200, answer.text);
      assert.equal((answer.body.items as unknown[]).length, count);
    }
    await service.stop();
  });

  it('through npx as through node, and a store in a folder that nobody can write to is told in a sentence', async () => {
    const here = temporaryFolder();
    const run = (args: readonly string[], settings: Record<string, string>): Promise<string> =>
      new Promise((resolve, reject) => {
        execFile(
          'npx',
          ['--offline', '--yes', 'soundings', ...args],
          {
            cwd: dirname(dirname(program)),
            env: {
              ...environment(settings),
              npm_config_cache: temporaryFolder('npm'),
              npm_config_update_notifier: 'false',
            },
          },
          (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
        );
      });
    const file = (await run(['backup', here], env)).trim();
    assert.match(await commandHereOk(['verify', file]), /would restore/);
    // No mode keeps root out; a folder of /proc does.
    assert.match(
      await refusal(['restore', file, '--to', '/proc/self/soundings.db'], env),
      /cannot be written|cannot be made/,
    );
  });
});
