// soundings apply and soundings catalogue dump at size: many accounts, many measures, many versions, large files.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { buildContext } from '../../src/cli/frame/open-context.ts';
import type { Terminal } from '../../src/cli/frame/terminal.ts';
import { apply, catalogueFamily } from '../../src/cli/surveys/catalogue.ts';
import { applyParts } from '../../src/cli/surveys/catalogue-apply.ts';
import { CatalogueFile } from '../../src/cli/surveys/catalogue-reading.ts';
import { readConfig } from '../../src/config.ts';
import { schemaStatus } from '../../src/store/engine/migrate.ts';
import { openDb } from '../../src/store/open-db.ts';
import { engines, isSpread, type TestStore } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { manyAccount, manyAccounts, ndjsonOf, surveyOf, yamlOf } from '../support/many-accounts.ts';
import { leaveStatistics, rowsRead } from '../support/rows-read.ts';
import { type CommandResult, commandHere, environment, soundings, until } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFile, temporaryFolder } from '../support/temporary-file.ts';

for (const engine of engines) {
  describe(`a large catalogue on ${engine.name}`, () => {
    let store: TestStore;
    let env: Readonly<Record<string, string>>;

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
    });
    after(() => store?.dispose());

    // In the process of the test: most of what a command takes for a small file is to start.
    const applied = async (file: string, account?: string): Promise<readonly string[]> => {
      const { terminal, printed } = quietTerminal(env);
      await apply.run(terminal, {}, { isJson: true, values: { file, account } });
      return (JSON.parse(printed.join('')) as { changes: string[] }).changes;
    };
    const dump = async (
      of: Readonly<Record<string, string>>,
      options: { account?: string; format: string },
    ): Promise<string> => {
      const file = `${temporaryFolder()}/dump.${options.format}`;
      const values = { ...options, out: file };
      await catalogueFamily.verbs.dump!.run(quietTerminal(of).terminal, {}, { isJson: false, values });
      return file;
    };
    const count = async (table: string): Promise<number> =>
      Number((await storeRows(store.databaseUrl, `select count(*) as number from ${table}`))[0]?.number);
    const accounts = manyAccounts(1_000);
    const wrong = (id: number): object => ({ ...manyAccount(id), nome: 'a typo' });

    it('one fault among many documents names its line, and nothing is changed; so do faults that only the store knows [D-211]', async () => {
      await applied(temporaryFile('one.ndjson', ndjsonOf([manyAccount(1)])));
      const thief = {
        id: 900_000,
        name: 'Thief',
        measures: [{ key: 1, name: 'M', surveys: [{ id: 'survey-1-2' }] }],
      };
      // Some 32 MB, most of it in texts.
      const description = 'x'.repeat(4_000);
      const lines = Array.from({ length: 2_000 }, (_, index) =>
        JSON.stringify({
          ...manyAccount(index + 2, 1),
          projects: [1, 2, 3, 4].map((id) => ({ id, name: 'Project', description })),
        }),
      );
      lines[1_500] = JSON.stringify(wrong(1_500));
      lines[1_700] = JSON.stringify(thief);
      lines[lines.length - 2] = lines.at(-2)!.slice(0, -3);
      const { code, stdout, stderr } = await commandHere(
        ['apply', temporaryFile('many.ndjson', lines.join('\n'))],
        env,
      );
      assert.deepEqual([code, stdout, await count('account')], [1, '', 1]);
      const said = [...stderr.matchAll(/many\.ndjson:(\d+): (.*)/g)].map(([, line, words]) => [
        Number(line),
        words,
      ]);
      // What is wrong with the line that breaks off is said in several ways.
      assert.deepEqual([...new Set(said.map(([line]) => line))], [1_501, 1_701, lines.length - 1]);
      assert.match(String(said[0]?.[1]), /nome is not a member that is known here/);
      assert.match(String(said[1]?.[1]), /The survey id survey-1-2 is taken already/);
    });

    it('no more than 100 faults are listed, and it says that there are more', async () => {
      const file = temporaryFile(
        'wrong.ndjson',
        ndjsonOf(Array.from({ length: 2_000 }, (_, id) => wrong(id + 2))),
      );
      const { code, stderr } = await commandHere(['apply', file], env);
      assert.deepEqual([code, [...stderr.matchAll(/wrong\.ndjson:\d+:/g)].length], [1, 100]);
      assert.match(stderr, /and more: these are the first 100/);
    });

    it('1,000 accounts with 3,000 measures are applied, in either form; again, nothing changes [D-210] [D-211]', async () => {
      const yaml = temporaryFile('some.yaml', yamlOf(accounts.slice(0, 250)));
      const ndjson = temporaryFile('many.ndjson', ndjsonOf(accounts));
      // One account with three measures and versions is there already.
      assert.equal((await applied(yaml)).length, 7 * 249);
      assert.equal((await applied(ndjson)).length, 7 * 750);
      assert.deepEqual(
        [await count('account'), await count('source'), await count('survey'), await count('log_counter')],
        [1_000, 3_000, 3_000, 3_000],
      );
      assert.deepEqual(await applied(ndjson), []);
      const changed = accounts.map((account) =>
        account.id % 100 === 0 ? { ...account, name: 'New' } : account,
      );
      assert.equal((await applied(temporaryFile('changed.ndjson', ndjsonOf(changed)))).length, 10);
    });

    it('--account applies one account of the file, whatever else is wrong with it', async () => {
      const file = temporaryFile(
        'some.ndjson',
        ndjsonOf([wrong(1), { ...manyAccount(2), name: 'Two' }, { ...manyAccount(3), name: 'Three' }]),
      );
      assert.deepEqual(await applied(file, '3'), ['update account 3 (Three): name']);
      const { code, stderr } = await commandHere(['apply', file, '--account', '4'], env);
      assert.deepEqual([code, /names no account 4/.test(stderr)], [1, true]);
      await applied(temporaryFile('back.ndjson', ndjsonOf([manyAccount(3)])));
    });

    it('a document of more than 8 MB is refused with a sentence that says how to cut it [D-210]', async () => {
      const large = JSON.stringify({ accounts: manyAccounts(6_000, 5_000_000) });
      const { code, stderr } = await commandHere(['apply', temporaryFile('large.json', large)], env);
      assert.deepEqual([code, await count('account')], [1, 1_000]);
      assert.match(
        stderr,
        /large\.json:1: This document has more than 8 MB\. Cut the file: one account in each/,
      );
    });

    it('what was dumped changes nothing when it is applied, and makes the same catalogue elsewhere [D-212]', async () => {
      const limits = { requestsPerSecond: 5 };
      const demo = readFileSync('examples/demo.yaml', 'utf8');
      await applied(temporaryFile('more.yaml', `${demo}\n${yamlOf([{ ...manyAccount(7), limits }])}`));
      const ndjson = await dump(env, { format: 'ndjson' });
      assert.deepEqual(await applied(ndjson), []);
      assert.deepEqual(await applied(await dump(env, { format: 'yaml', account: '4001' })), []);
      const other = await engine.newStore();
      try {
        const there = { DATABASE_URL: other.databaseUrl };
        const { code, stderr } = await soundings(['apply', '-'], there, readFileSync(ndjson, 'utf8'));
        assert.equal(code, 0, stderr);
        const again = await dump(there, { format: 'ndjson' });
        assert.ok(readFileSync(ndjson).equals(readFileSync(again)));
      } finally {
        await other.dispose();
      }
    });

    it('two catalogues that are applied at once are both applied, and neither waits for the other to end [D-770]', async () => {
      const halves = [manyAccounts(400, 10_001), manyAccounts(400, 20_001)];
      const changes = await Promise.all(
        halves.map((half, index) => applied(temporaryFile(`half-${index}.ndjson`, ndjsonOf(half)))),
      );
      assert.deepEqual(
        changes.map(({ length }) => length),
        [2_800, 2_800],
      );
    });

    it('33,000 measures in one account are applied, and applied again, and only what is named is read [D-211] [D-750] [D-751]', async () => {
      const measures = Array.from({ length: 33_000 }, (_, index) => ({
        key: index + 1,
        name: `Measure ${index + 1} ${'of many '.repeat(15)}`,
      }));
      const file = temporaryFile('wide.ndjson', ndjsonOf([{ id: 30_000, name: 'Wide', measures }]));
      await leaveStatistics(store.databaseUrl);
      const read = await rowsRead(store.databaseUrl);
      assert.equal((await applied(file)).length, 33_001);
      assert.deepEqual(await applied(file), []);
      // Each of them once or twice in each run, by its key. With a plan that reads the account for one key it was 1,000 times.
      if (engine.name === 'postgres') {
        // The server adds a connection's reading when it has ended.
        const newlyRead = async (): Promise<number> => (await rowsRead(store.databaseUrl)) - read;
        const perMeasure = (await until(newlyRead, (now) => now >= 33_000)) / 33_000;
        assert.ok(perMeasure < 20, `${perMeasure} rows were read for each measure`);
      }
      const rows = await storeRows(
        store.databaseUrl,
        'select count(*) as number, max(source_id) as last from source where account_id = 30000',
      );
      assert.deepEqual([Number(rows[0]?.number), Number(rows[0]?.last)], [33_000, 33_000]);
      const dumped = readFileSync(await dump(env, { format: 'ndjson', account: '30000' }), 'utf8');
      const parts = dumped
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { measures: object[] });
      // Each has at most some 4 MB, and together they are the account.
      assert.equal(parts.length, 2);
      assert.deepEqual(
        parts.flatMap((part) => part.measures),
        measures,
      );
    });
  });

  describe(`an apply that stops half-way on ${engine.name}`, () => {
    let store: TestStore;
    let env: Readonly<Record<string, string>>;
    // Three groups: one has 1,000 measures and accounts.
    const accounts = manyAccounts(700);
    const file = temporaryFile('many.ndjson', ndjsonOf(accounts));

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      const first = await commandHere(
        ['apply', temporaryFile('two.ndjson', ndjsonOf([manyAccount(9_999), manyAccount(400, 0)]))],
        env,
      );
      assert.equal(first.code, 0, first.stderr);
    });
    after(() => store?.dispose());

    const made = async (): Promise<number> => {
      let rows = 0;
      for (const table of ['account', 'source', 'survey'])
        rows += Number(
          (await storeRows(store.databaseUrl, `select count(*) as number from ${table}`))[0]?.number,
        );
      return rows - 8;
    };

    it('by a store that does not answer says how far it came, and the same command goes on [D-211]', async () => {
      const reading = readConfig({ flags: {}, env, file: {}, readFile: () => '' });
      assert.ok('config' in reading);
      // Several machines on the processors of one answer later than one; whoever waits for the row waits this long.
      const timeoutMs = (await isSpread()) ? 15_000 : 3_000;
      const db = await openDb(store.databaseUrl, { timeoutMs, poolSize: 4 });
      // As every command does, which tells whether accounts are spread over machines: a group is of one account then.
      await schemaStatus(db);
      const before = db.dialect.isSpread ? 399 : 250;
      const context = await buildContext(reading.config, db);
      // On PostgreSQL somebody has a row of the second group; on SQLite somebody takes the store after the first one. It is no
      // row of a table that every machine of a Citus has: those are written by one at a time, whatever the row.
      const holder = engine.name === 'postgres' ? await holdMeasure(store.databaseUrl, 400) : null;
      let lock: DatabaseSync | null = null;
      let changed = 0;
      try {
        const parts = (await CatalogueFile.open(file, 'many.ndjson')).parts();
        const applying = applyParts(
          context,
          { name: 'many.ndjson', parts, isDryRun: false },
          {
            onChanged: (words) => {
              changed += words.length;
              if (engine.name === 'sqlite') {
                lock = new DatabaseSync(store.databaseUrl.slice('sqlite:'.length));
                lock.exec('begin immediate');
              }
            },
          },
        );
        await assert.rejects(applying, ({ message }: Error) => {
          const made = (7 * before).toLocaleString('en');
          assert.ok(
            message.startsWith(
              `The store did not answer in time. ${made} of 4,899 changes are made and stay; the next is in line ${before + 1} of the file. Run the same command again: `,
            ),
            message,
          );
          return true;
        });
      } finally {
        await db.close();
        (lock as DatabaseSync | null)?.close();
        await holder?.end();
      }
      assert.deepEqual([changed, await made()], [7 * before, 7 * before]);
      const { code, stdout, stderr } = await commandHere(['apply', file, '--json'], env);
      assert.equal(code, 0, stderr);
      assert.deepEqual([JSON.parse(stdout).changes.length, await made()], [4_899 - 7 * before, 4_899]);
    });

    it('by a signal, whenever it comes, says what is true of the store, and the same command goes on [D-211]', async () => {
      const renamed = temporaryFile(
        'renamed.ndjson',
        ndjsonOf(accounts.map((one) => ({ ...one, name: 'New' }))),
      );
      const stopped = await stoppedAtFirstLine(['apply', renamed], env);
      const [{ number: there }] = (await storeRows(
        store.databaseUrl,
        `select count(*) as number from account where name = 'New'`,
      )) as [{ number: unknown }];
      // Where it was done before the signal came, it says so.
      const said = /(\d+) of 700 changes are made and stay|(\d+) changed\./.exec(
        stopped.stderr + stopped.stdout,
      );
      assert.ok(said, stopped.stderr);
      assert.equal(Number(said[1] ?? said[2]), Number(there));
      assert.equal(stopped.code, said[1] === undefined ? 0 : 143);
      const { code, stdout } = await commandHere(['apply', renamed, '--json'], env);
      assert.deepEqual([code, JSON.parse(stdout).changes.length], [0, 700 - Number(there)]);
    });
  });

  describe(`5,000 versions of surveys in one account on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    const versionsOf = (key: number, count = 100): object[] =>
      Array.from({ length: count }, (_, index) =>
        surveyOf(`wide-${key}-${index + 1}`, index + 1, index + 1 === count),
      );
    const measures = Array.from({ length: 50 }, (_, index) => ({
      key: index + 1,
      name: `Measure ${index + 1}`,
      surveys: versionsOf(index + 1),
    }));
    const neighbour = manyAccount(4_002);

    before(async () => {
      const catalogue = { accounts: [{ id: 4_001, name: 'Wide', measures }, neighbour] };
      service = await startFeedback(engine, { catalogue });
      token = await service.token(4_001);
    });
    after(() => service?.stop());

    it('are listed, each takes responses, and a page shows them by their own version [D-30]', async () => {
      const list = await service.get('/v1/measures?limit=100', token);
      assert.deepEqual([list.status, (list.body.items as object[]).length], [200, 50]);
      const definition = await service.get('/v1/measures/37/definition', token);
      assert.equal(definition.body.version, 100);
      const versions = [1, 50, 99, 100];
      for (const version of versions) {
        const { status } = await service.post(
          { surveyDefinitionId: `wide-37-${version}`, responses: { 'Q-SAT': ['7'], 'Q-FOUND': ['A-NO'] } },
          token,
        );
        assert.equal(status, 200);
      }
      const page = await service.get('/v1/measures/37/data?from=2000-01-01&to=2100-01-01', token);
      assert.deepEqual(
        (page.body.items as { modelInstanceId: string }[]).map(({ modelInstanceId }) => modelInstanceId),
        versions.map((version) => `wide-37-${version}`),
      );
    });

    it('get one more, and the others stay as they are', async () => {
      const next = surveyOf('wide-37-101', 101);
      await service.apply({
        accounts: [{ id: 4_001, name: 'Wide', measures: [{ key: 37, name: 'Measure 37', surveys: [next] }] }],
      });
      const rows = await storeRows(
        service.databaseUrl,
        `select survey_no, document from survey where account_id = 4001 order by source_id, survey_no`,
      );
      assert.equal(rows.length, 5_001);
      const current = rows.filter(
        ({ document }) => (JSON.parse(String(document)) as { current: boolean }).current,
      );
      assert.equal(current.length, 50);
      const definition = await service.get('/v1/measures/37/definition', token);
      assert.equal(definition.body.version, 101);
      const { status } = await service.post(
        { surveyDefinitionId: 'wide-37-101', responses: { 'Q-SAT': ['1'] } },
        token,
      );
      assert.equal(status, 200);
    });
  });
}

/** Keeps what is printed to itself. */
function quietTerminal(env: Readonly<Record<string, string>>): { terminal: Terminal; printed: string[] } {
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  return { terminal: { env, isInteractive: false, isWatched: false, print, tell: () => {} }, printed };
}

/** Makes the row of a measure and keeps it to itself until the connection ends. */
async function holdMeasure(databaseUrl: string, accountId: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into source (account_id, source_id, kind, source_key, document, created_at)
    values (${accountId}, 1, 'measure', 1, '{}', 1)`,
  );
  return client;
}

/** Runs a command and sends SIGTERM when it has said the first thing on standard output. */
function stoppedAtFirstLine(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const child = spawn(process.execPath, ['bin/soundings.js', ...args], {
    env: environment(env),
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout === '') child.kill('SIGTERM');
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
