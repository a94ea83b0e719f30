// A store of each release before, with data: its upgrade is killed ten times in the middle, it goes back to that release, which erases a
// response, and forward again. Nothing is lost, and what the older release left undone is mended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { copyDatabase, engines, type TestStore } from '../support/engines.ts';
import { assertDigests } from '../support/kept-digests.ts';
import { missingHistory, type Release, releasedProgram, releases } from '../support/released-program.ts';
import {
  commandHere,
  commandHereOk,
  endingWithUs,
  environment,
  soundings,
  startedProgram,
  startProcess,
  until,
} from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const accountId = 4001;
const responses = 3_000;
const kills = 10;
const counter = new URL('../support/stop-at-progress.ts', import.meta.url).href;

/** A start of this release that is killed at a point of its progress, or as soon as it serves; how far it came, if it lived to say so. */
async function startAndEnd(databaseUrl: string, point: number, signal: NodeJS.Signals): Promise<number> {
  const notes = temporaryFolder('progress');
  const env = {
    ...{ DATABASE_URL: databaseUrl, NODE_OPTIONS: `--import ${counter}` },
    // From when it says that it brings the schema up to date.
    ...{ STOP_FROM: 'told', STOP_IN: 'first', STOP_AT: String(point), STOP_BY: signal, STOP_NOTES: notes },
  };
  const child = endingWithUs(
    spawn(process.execPath, [startedProgram, 'serve', '--port', '0', '--json'], {
      env: environment(env),
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  child.stdout.once('data', () => child.kill(signal));
  await new Promise((resolve) => child.once('close', resolve));
  const [name] = readdirSync(notes).filter((one) => one !== 'sent');
  return name === undefined ? 0 : Number(readFileSync(join(notes, name), 'utf8'));
}

async function copyOf({ databaseUrl }: TestStore): Promise<TestStore> {
  if (!databaseUrl.startsWith('sqlite:')) return copyDatabase(databaseUrl);
  const file = join(temporaryFolder('copy'), 'store.db');
  await storeRows(databaseUrl, 'pragma wal_checkpoint(truncate)');
  copyFileSync(databaseUrl.slice('sqlite:'.length), file);
  return { databaseUrl: `sqlite:${file}`, dispose: async () => {} };
}

/** What the store was given, in one text. */
async function contentOf(databaseUrl: string): Promise<string> {
  const hash = createHash('sha256');
  for (const query of [
    'select account_id, source_id, seq, body from response_body order by account_id, source_id, seq',
    'select account_id, source_id, seq, day, response_id, row_values from response order by account_id, source_id, seq',
    'select account_id, source_id, seq, external from response_external order by account_id, source_id, seq',
    'select account_id, id, address, user_name_key, profile from account_user order by account_id, id',
  ]) {
    const rows = await storeRows(databaseUrl, query);
    hash.update(`${rows.length}\n`);
    for (const row of rows) hash.update(`${JSON.stringify(Object.values(row).map(String))}\n`);
  }
  return hash.digest('hex');
}

/** Until the figures go over every response, and are those of the responses. */
async function untilAddedUp(databaseUrl: string, env: Readonly<Record<string, string>>): Promise<void> {
  await until(
    () =>
      storeRows(
        databaseUrl,
        `select log_counter.source_id
        from log_counter
        left join insight_cursor on insight_cursor.account_id = log_counter.account_id
          and insight_cursor.source_id = log_counter.source_id
        where last_seq > coalesce(rolled_seq, 0) or log_counter.change_no <> insight_cursor.change_no`,
      ),
    (behind) => behind.length === 0,
    120_000,
  );
  await commandHereOk(['insight', 'verify'], env);
}

const stepOf = async (databaseUrl: string): Promise<number> =>
  Number((await storeRows(databaseUrl, 'select max(number) as step from schema_step'))[0]?.step);

for (const engine of engines)
  for (const release of Object.keys(releases) as Release[])
    it(`${release} on ${engine.name}: upgraded through ${kills} kills, back with an erasure, forward again: nothing lost, mended, backup and verify good [D-858]`, {
      skip: missingHistory(release),
    }, async (test) => {
      const older = releasedProgram(release);
      assert.ok(older !== null, 'The history of releases is not here: fetch the whole of it.');
      const store = await engine.newStore();
      const { databaseUrl } = store;
      const env = { DATABASE_URL: databaseUrl };
      // What it says to PostgreSQL is its own affair (account-statements.ts).
      const ofOlder = { ...env, NODE_OPTIONS: '' };
      const oldOk = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await soundings(args, ofOlder, '', older);
        assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
        return stdout;
      };
      await oldOk('demo', '--responses', String(responses));
      const before = await contentOf(databaseUrl);
      const first = await stepOf(databaseUrl);

      const copy = await copyOf(store);
      const progress = await startAndEnd(copy.databaseUrl, 0, 'SIGTERM');
      await copy.dispose();
      const steps: number[] = [];
      for (let kill = 1; kill <= kills; kill += 1) {
        // The steps of the schema take the least of it, and come first.
        await startAndEnd(databaseUrl, Math.ceil(progress ** (kill / (kills + 1))), 'SIGKILL');
        steps.push(await stepOf(databaseUrl));
      }
      test.diagnostic(
        `${progress} points of progress; from step ${first}, after each kill: ${steps.join(', ')}`,
      );
      let service = await startProcess(env);
      assert.equal(await contentOf(databaseUrl), before, 'the upgrade has changed what the store was given');
      await untilAddedUp(databaseUrl, env);
      assert.equal(await service.stop(), 0);
      await assertDigests(databaseUrl);

      const [said] = await storeRows(
        databaseUrl,
        `select response.source_id, response.seq, response_id
        from comment
        join response on response.account_id = comment.account_id and response.source_id = comment.source_id
          and response.seq = comment.seq
        where comment.account_id = ${accountId} and hash is null
        order by response.source_id, response.seq
        limit 1`,
      );
      await oldOk('erase', '--account', String(accountId), '--response', String(said?.response_id));
      const seq = Number(said?.seq);
      const ofSource = `account_id = ${accountId} and source_id = ${said?.source_id}`;
      // It serves and takes changes on the newer schema, as it does after a roll-back.
      const rolledBack = await startProcess(ofOlder, [], older);
      assert.equal((await fetch(`${rolledBack.baseUrl}/readyz`)).status, 200);
      assert.equal(await rolledBack.stop(), 0);

      service = await startProcess(env);
      await until(
        () => storeRows(databaseUrl, `select seq from response where hash is not null and digest is null`),
        (rows) => rows.length === 0,
      );
      await untilAddedUp(databaseUrl, env);
      assert.equal(await service.stop(), 0);
      assert.deepEqual(
        await storeRows(databaseUrl, `select seq from comment where ${ofSource} and seq = ${seq}`),
        [],
      );
      const told = await storeRows(
        databaseUrl,
        `select change_no from log_change where ${ofSource} and kind = 'erased' and first_seq <= ${seq} and last_seq >= ${seq}`,
      );
      assert.equal(told.length, 1);
      await assertDigests(databaseUrl);
      const { stdout } = await commandHere(['doctor', '--json'], env);
      const findings = JSON.parse(stdout) as { check: string; code: string }[];
      assert.equal(findings.find(({ check }) => check === 'erasures')?.code, 'erasuresWhole');
      if (engine.name === 'sqlite') {
        const file = join(temporaryFolder('backup'), 'after.db');
        await commandHereOk(['backup', file], env);
        await commandHereOk(['verify', file], env);
      }
      await store.dispose();
    });
