// What may have happened to the files of an embedded store while nobody had it open: after a kill, when its log still has the
// last changes, and after an orderly end. It is served whole or refused with a sentence, never empty and never shorter.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { sqlite } from '../support/engines.ts';
import { keptResponses, postResponse, prepareFeedback } from '../support/feedback.ts';
import { type Harm, harmFile, harms, type Part } from '../support/file-rounds.ts';
import {
  type ApiClientCredentials,
  commandHere,
  commandHereOk,
  soundings,
  soundingsOk,
  startedProgram,
  startProcess,
  tokenFor,
} from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const responses = 40;

describe('the files of an embedded store at rest', () => {
  let client: ApiClientCredentials;
  let token: string;
  /** Folders with a store each, as it was left. */
  const left = { killed: temporaryFolder('killed'), stopped: temporaryFolder('stopped') };
  const folders: string[] = Object.values(left);
  const envOf = (folder: string): { DATABASE_URL: string; SOUNDINGS_THROTTLE: string } => ({
    DATABASE_URL: `sqlite:${join(folder, 'store.db')}`,
    SOUNDINGS_THROTTLE: 'off',
  });

  before(async () => {
    const template = await sqlite.readyStore();
    client = await prepareFeedback({ DATABASE_URL: template.databaseUrl });
    for (const how of ['killed', 'stopped'] as const) {
      copyFileSync(template.databaseUrl.slice('sqlite:'.length), join(left[how], 'store.db'));
      const service = await startProcess(envOf(left[how]));
      token = await tokenFor(service.baseUrl, client);
      for (let at = 0; at < responses; at += 1)
        assert.equal(
          (await postResponse(service.baseUrl, token, `r-${at}`, 'words '.repeat(300))).status,
          200,
        );
      await (how === 'killed' ? service.kill() : service.stop());
    }
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** A copy, whose record names the files of the copy. */
  const taken = (how: keyof typeof left): string => {
    const folder = temporaryFolder('rest');
    folders.push(folder);
    cpSync(left[how], folder, { recursive: true });
    const path = join(folder, 'store.db');
    const record = JSON.parse(readFileSync(`${path}.files`, 'utf8')) as Record<string, unknown>;
    for (const [part, end] of [
      ['file', ''],
      ['log', '-wal'],
      ['index', '-shm'],
    ] as const) {
      const found = statSync(`${path}${end}`, { bigint: true, throwIfNoEntry: false });
      if (found !== undefined) record[part] = `${found.dev}:${found.ino}`;
    }
    // A file that was written as late as its record may have all that was in the log.
    utimesSync(path, 1, 1);
    writeFileSync(`${path}.files`, JSON.stringify(record));
    return folder;
  };
  const servedFrom = async (env: Record<string, string>): Promise<number> => {
    const service = await startProcess(env);
    const kept = await keptResponses(service.baseUrl, token);
    await service.stop();
    return kept.length;
  };

  const refusals: readonly (readonly [keyof typeof left, Part, Harm, RegExp])[] = [
    [
      'killed',
      '',
      'deleted',
      /The log .*store\.db-wal is there, and the store it belongs to is not: put .* back/,
    ],
    [
      'killed',
      '',
      'cut to half',
      /store\.db is cut short: it has \d+ of \d+ bytes\. Put the whole file back/,
    ],
    ['killed', '', 'cut to nothing', /store\.db is empty, and was not\. Put the whole file back/],
    [
      'killed',
      '-wal',
      'deleted',
      /The log .*store\.db-wal is missing, cut short or another one.*Put it back/,
    ],
    [
      'killed',
      '-wal',
      'cut to half',
      /The log .*store\.db-wal is missing, cut short or another one.*Put it back/,
    ],
    ['killed', '-wal', 'cut to nothing', /The log .*-wal is missing, cut short or another one.*Put it back/],
    [
      'stopped',
      '',
      'deleted',
      /There was a store at .*store\.db, and its file is gone.*delete .*store\.db\.files/,
    ],
    [
      'stopped',
      '',
      'cut to half',
      /store\.db is cut short: it has \d+ of \d+ bytes\. Put the whole file back/,
    ],
    ['stopped', '', 'cut to nothing', /store\.db is empty, and was not\. Put the whole file back/],
  ];
  for (const [how, part, harm, says] of refusals)
    it(`${how}, then ${part === '' ? 'the file' : part} ${harm}: service and commands refuse it with a sentence, and leave it as it is [D-838]`, async () => {
      const folder = taken(how);
      const env = envOf(folder);
      harmFile(join(folder, `store.db${part}`), harm);
      const sizes = (): unknown =>
        readdirSync(folder)
          .filter((name) => /^store\.db(-wal|-shm)?$/.test(name))
          .map((name) => [name, statSync(join(folder, name)).size]);
      const before = sizes();
      for (const args of [
        ['client', 'list'],
        ['backup', join(folder, 'never.db')],
        ['serve', '--port', '0'],
      ]) {
        const { code, stderr } = await commandHere(args, env);
        assert.equal(code, 1, `${args[0]}: ${stderr}`);
        assert.match(
          stderr,
          args[0] === 'backup' && harm === 'deleted' && part === '' ? /There is no store at/ : says,
        );
        assert.deepEqual(sizes(), before);
      }
    });

  for (const harm of harms)
    it(`killed, then -shm ${harm}: SQLite makes it anew, and the store is served whole [D-838]`, async () => {
      const folder = taken('killed');
      harmFile(join(folder, 'store.db-shm'), harm);
      assert.equal(await servedFrom(envOf(folder)), responses);
    });

  it('killed, and nothing else: served whole; so is a copy of the folder, and what SQLite has put in order meanwhile [D-838]', async () => {
    assert.equal(await servedFrom(envOf(taken('killed'))), responses);
    const copied = temporaryFolder('copied');
    cpSync(left.killed, copied, { recursive: true });
    assert.equal(await servedFrom(envOf(copied)), responses);
    const mended = taken('killed');
    new DatabaseSync(join(mended, 'store.db')).exec(
      'select count(*) from response; pragma wal_checkpoint(truncate)',
    );
    assert.equal(await servedFrom(envOf(mended)), responses);
  });

  it('killed, closed by a program that knows of no record, and killed again by one: served whole [D-838]', async () => {
    const folder = taken('killed');
    const path = join(folder, 'store.db');
    const close = new DatabaseSync(path);
    close.exec('select count(*) from response');
    close.close();
    assert.equal(existsSync(`${path}-wal`), false);
    // A second one leaves a log with salts of its own.
    const script = `
      const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(process.argv[1]);
      db.exec("update account set name = 'Other'");
      process.kill(process.pid, 'SIGKILL');`;
    await promisify(execFile)(process.execPath, ['-e', script, path]).catch(() => {});
    assert.ok(statSync(`${path}-wal`).size > 0);
    assert.equal(await servedFrom(envOf(folder)), responses);
  });

  it('killed, then the file replaced by an older copy: the log beside it is not applied to it [D-838]', async () => {
    const folder = taken('killed');
    const path = join(folder, 'store.db');
    harmFile(path, 'replaced');
    const { code, stderr } = await commandHere(['client', 'list'], envOf(folder));
    assert.equal(code, 1);
    assert.match(stderr, /store\.db was replaced, and the log beside it is that of the store before/);
    for (const end of ['-wal', '-shm']) renameSync(`${path}${end}`, `${path}.old${end}`);
    await commandHereOk(['client', 'list'], envOf(folder));
  });

  it('the record deleted, as the sentence says: it goes on with what is there [D-838]', async () => {
    const folder = taken('killed');
    const path = join(folder, 'store.db');
    rmSync(`${path}-wal`);
    assert.equal((await commandHere(['client', 'list'], envOf(folder))).code, 1);
    rmSync(`${path}.files`);
    await commandHereOk(['client', 'list'], envOf(folder));
  });

  it('a folder that is not there is refused with a sentence and not made; --create makes it, for our own eyes alone [D-839]', async () => {
    const folder = join(temporaryFolder('typo'), 'typo', 'deeper');
    const env = envOf(folder);
    for (const args of [['serve', '--port', '0'], ['migrate'], ['client', 'list'], ['demo']]) {
      const { code, stderr } = await commandHere(args, env);
      assert.equal(code, 1);
      assert.match(stderr, /The folder .*\/typo\/deeper is not there: mend DATABASE_URL, or say --create/);
    }
    const found = JSON.parse((await commandHere(['doctor', '--json'], env)).stdout) as { code: string }[];
    assert.ok(found.some(({ code }) => code === 'storeFolderMissing'));
    assert.equal(existsSync(dirname(folder)), false);
    await commandHereOk(['migrate', '--create'], env);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, 'store.db')).mode & 0o777, 0o600);
  });

  it('the folder of the default is made by itself [D-839]', async () => {
    const here = temporaryFolder('default');
    const program = { command: [process.execPath, startedProgram] as const, folder: here };
    const { code, stderr } = await soundings(['migrate'], {}, '', program);
    assert.equal(code, 0, stderr);
    assert.deepEqual(readdirSync(here), ['data']);
  });

  it('one lock, whatever spelling or link leads to the store: a restore sees that it is in use [D-840]', async () => {
    const folder = taken('stopped');
    const path = join(folder, 'store.db');
    const backup = join(folder, 'backup.db');
    await commandHereOk(['backup', backup], envOf(folder));
    const linked = join(temporaryFolder('linked'), 'folder');
    symlinkSync(folder, linked);
    const other = join(dirname(linked), 'other.db');
    symlinkSync(path, other);
    const spelt = `${folder}/../${basename(folder)}/./store.db`;
    const service = await startProcess({ ...envOf(folder), DATABASE_URL: `sqlite:${spelt}` });
    try {
      service.expectErrors('STORE_MOVED', 'STORE_UNREACHABLE');
      assert.ok(existsSync(`${path}.lock`));
      for (const end of ['', '-wal', '-shm']) renameSync(`${path}${end}`, `${path}.old${end}`);
      for (const place of [path, join(linked, 'store.db'), other, spelt]) {
        const { code, stderr } = await commandHere(['restore', backup, '--to', place], envOf(folder));
        assert.equal(code, 1);
        assert.match(stderr, /A process still uses the store/, place);
      }
    } finally {
      await service.stop();
    }
    assert.deepEqual(
      readdirSync(dirname(linked)).filter((name) => name.endsWith('.lock')),
      [],
    );
    // Where the link leads, and nowhere else.
    await commandHereOk(['restore', backup, '--to', other], envOf(folder));
    assert.ok(statSync(path).size > 0);
    assert.equal(await servedFrom({ ...envOf(folder), DATABASE_URL: `sqlite:${other}` }), responses);
  });

  it('a second name of the file, which would have a log of its own, is refused [D-840]', async () => {
    const folder = taken('stopped');
    linkSync(join(folder, 'store.db'), join(folder, 'second.db'));
    for (const name of ['store.db', 'second.db']) {
      const env = { DATABASE_URL: `sqlite:${join(folder, name)}` };
      const { code, stderr } = await commandHere(['client', 'list'], env);
      assert.equal(code, 1);
      assert.match(stderr, /has 2 names \(hard links\).*delete the others/);
    }
    rmSync(join(folder, 'second.db'));
    // What a restore that was killed leaves is its own, and goes by itself.
    linkSync(join(folder, 'store.db'), join(folder, 'store.db.restore'));
    await commandHereOk(['client', 'list'], envOf(folder));
    assert.equal(existsSync(join(folder, 'store.db.restore')), false);
  });

  it('a lock that cannot be made is a refusal, and nothing is made [D-840]', async () => {
    const folder = temporaryFolder('locked');
    mkdirSync(join(folder, 'store.db.lock'));
    for (const args of [
      ['serve', '--port', '0'],
      ['client', 'list'],
    ]) {
      const { code, stderr } = await commandHere(args, envOf(folder));
      assert.equal(code, 1);
      assert.match(stderr, /The lock .*store\.db\.lock cannot be made: .*Make .* writable/);
    }
    assert.deepEqual(readdirSync(folder), ['store.db.lock']);
  });

  it('verify without a manifest says what it could not check: exit 0 with hasManifest false, 3 with --strict [D-841]', async () => {
    const folder = taken('stopped');
    const backup = join(folder, 'backup.db');
    await soundingsOk(['backup', backup], envOf(folder));
    assert.equal((await soundings(['verify', backup, '--strict'])).code, 0);
    rmSync(`${backup}.json`);
    const lenient = await soundings(['verify', backup]);
    assert.equal(lenient.code, 0);
    assert.match(lenient.stderr, /has no manifest.*nobody can say whether a text in it has changed/);
    const strict = await soundings(['verify', backup, '--strict', '--json']);
    assert.equal(strict.code, 3);
    assert.match(strict.stderr, /could not be checked whole, and --strict/);
    const { hasManifest, unchecked } = JSON.parse(strict.stdout) as Record<string, unknown>;
    assert.deepEqual(
      { hasManifest, unchecked },
      { hasManifest: false, unchecked: ['sha256', 'version', 'storeId', 'at'] },
    );
    assert.equal((await soundings(['verify', backup, '--strict', '--against', backup])).code, 1);
  });
});
