// The first five minutes of a stranger: `npm start` is `serve --demo`.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeCatalogue } from '../support/catalogue.ts';
import { consoleCall } from '../support/console.ts';
import { engines, postgres, sqlite, type TestStore } from '../support/engines.ts';
import { watchErrorLines } from '../support/error-lines.ts';
import {
  commandHere,
  commandHereOk,
  endingWithUs,
  soundings,
  soundingsOk,
  startedProgram,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows, wholeStore } from '../support/store-rows.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Started {
  readonly stdout: string;
  stderr(): string;
  stop(): Promise<void>;
}

/** Serves and speaks prose, as it does to a person; ready when the port answers and the words are complete. */
async function serveDemo(databaseUrl: string, ...flags: readonly string[]): Promise<Started> {
  const { DATABASE_URL_TEST: _server, NODE_TEST_CONTEXT: _context, ...machine } = process.env;
  const child = endingWithUs(
    spawn(process.execPath, [startedProgram, 'serve', '--demo', '--port', '0', ...flags], {
      cwd: root,
      // A machine that is busy with other tests may take its time.
      env: { ...machine, DATABASE_URL: databaseUrl, SOUNDINGS_STORE_TIMEOUT_MS: '30000' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const errorLines = watchErrorLines();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    errorLines.note(text);
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    await until(
      async () => (child.exitCode === null ? stdout : Promise.reject(new Error(`It ended: ${stderr}`))),
      (text) => /Ctrl-C\.\n|client create .*\n/.test(text),
      60_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { stdout, stderr: () => stderr, stop };
}

async function bash(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: root,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

interface DemoPage {
  readonly total: number;
  readonly items: readonly { readonly responses: readonly { readonly type: string }[] }[];
  readonly summary: { readonly latentScores: readonly { readonly score: number }[] };
}

for (const engine of engines) {
  describe(`serve --demo on ${engine.name}`, () => {
    let store: TestStore;
    let first: Started;

    before(async () => {
      store = await engine.newStore();
      first = await serveDemo(store.databaseUrl);
    });
    after(async () => {
      await first?.stop();
      await store?.dispose();
    });

    const credentials = (): { clientId: string; clientSecret: string; scopes: string[] } => ({
      clientId: /client id +(\S+)/.exec(first.stdout)?.[1] ?? '',
      clientSecret: /client secret +(\S+)/.exec(first.stdout)?.[1] ?? '',
      scopes: [],
    });
    const baseUrl = (): string => /answers on (\S+)/.exec(first.stdout)?.[1] ?? '';

    it('an empty store gets the demo account, and its client’s id and secret are printed [D-01] [D-15]', async () => {
      const { clientId, clientSecret } = credentials();
      assert.match(clientId, /^sc_/);
      assert.match(clientSecret, /^sdgs_/);
      assert.ok((await tokenFor(baseUrl(), credentials())).length > 0);
      const accounts = await storeRows(store.databaseUrl, 'select id from account');
      assert.deepEqual(
        accounts.map(({ id }) => Number(id)),
        [4001],
      );
    });

    it('three curl lines work as printed when they are pasted into a shell', async () => {
      const lines = first.stdout.split('\n').filter((line) => /^ {2}.*\bcurl /.test(line));
      assert.equal(lines.length, 3);
      // A blank line after each: curl itself ends no line.
      const output = await bash(lines.map((line) => `${line}\necho`).join('\n'));
      const answers = output.split('\n').filter((line) => line.trim() !== '');
      assert.equal(answers.length, 2, output);
      // A response is sent, and read back.
      const [sent, read] = answers.map((answer) => JSON.parse(answer));
      assert.equal(sent.responseType, 'SUCCESS', output);
      assert.deepEqual(
        [read.total, read.items[0].id, read.items[0].rating, read.items[0].topic],
        [1, sent.responseId, 4, 'Praise'],
      );
    });

    it('5,000 responses of the last 90 days are there, in two measures and two projects, with all that life brings', async () => {
      assert.match(
        first.stderr(),
        /Loading 5,000 responses.*\n(?:.*\n)*5,000 responses of the last 90 days are loaded/,
      );
      const headers = {
        accept: 'application/json',
        authorization: `Bearer ${await tokenFor(baseUrl(), credentials())}`,
      };
      const day = (back: number): string =>
        new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
      const page = async (source: string, query: string): Promise<DemoPage> =>
        (await (await fetch(`${baseUrl()}/v1/${source}/data?${query}`, { headers })).json()) as DemoPage;
      const sources = ['measures/8840868', 'measures/8840901', 'projects/3223', 'projects/3224'];
      const totals = await Promise.all(
        sources.map(async (source) => (await page(source, `from=${day(91)}&to=${day(1)}&limit=100`)).total),
      );
      assert.equal(
        totals.reduce((sum, total) => sum + total, 0),
        5000,
      );
      assert.ok(Math.min(...totals) > 300, totals.join(' '));
      const { items, summary } = await page(sources[0]!, `from=${day(91)}&to=${day(1)}&limit=100`);
      const types = new Set(items.flatMap(({ responses }) => responses.map(({ type }) => type)));
      assert.deepEqual([...types].sort(), ['CPP', 'CQ', 'EPP', 'MQ']);
      assert.equal(summary.latentScores.length, 7);
      for (const { score } of summary.latentScores) assert.ok(score > 30 && score < 95, String(score));
    });

    it('the public surveys of the demo take the post of a browser, without a token [D-12]', async () => {
      const surveys = await storeRows(store.databaseUrl, 'select document from survey');
      const open = surveys
        .map(({ document }) => JSON.parse(String(document)))
        .filter((survey) => survey.public);
      assert.ok(open.length >= 2);
      const answer = await fetch(`${baseUrl()}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://shop.acme.example' },
        body: JSON.stringify({
          surveyDefinitionId: 'acme-badge-1',
          responses: { 'Q-STARS': ['5'] },
          isTest: true,
        }),
      });
      const allowed = answer.headers.get('access-control-allow-origin');
      assert.deepEqual([answer.status, allowed], [200, 'https://shop.acme.example']);
    });

    it('the worked example of docs/feedback.md comes out as it is written there [D-33] [D-45]', async () => {
      const page = readFileSync(new URL('../../docs/feedback.md', import.meta.url), 'utf8');
      const written = [...page.matchAll(/= \*\*(\d+\.\d{3})\*\*/g)].map(([, score]) => Number(score));
      const answer = await fetch(`${baseUrl()}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: /```json\n([^`]*)```/.exec(page)?.[1] ?? '',
      });
      const { preview } = (await answer.json()) as {
        preview: { latentScores: { id: string; score: number | null }[] };
      };
      const score = (latent: string) => preview.latentScores.find(({ id }) => id === latent)?.score;
      const rounded = ['L-SAT', 'L-LOOK'].map((latent) => Math.round((score(latent) ?? 0) * 1000) / 1000);
      assert.deepEqual([rounded, score('L-RETURN')], [written, null]);
    });

    it('a start names a survey that can be answered, and the page at / leads there', async () => {
      const address = /^Survey: (\S+)$/m.exec(first.stdout)?.[1] ?? '';
      const { origin, pathname } = new URL(address);
      assert.match(await (await fetch(`${origin}/`)).text(), new RegExp(`href="${pathname}"`));
      const answer = await fetch(address);
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type')],
        [200, 'text/html; charset=utf-8'],
      );
      assert.match(await answer.text(), /<form class="survey" method="post"/);
    });

    it('the secret is on no line of the log', () => {
      assert.equal(first.stderr().includes(credentials().clientSecret), false);
    });

    it('one line leads into the console: its code signs in once, and while nobody has a passkey each start has a new one [D-323]', async () => {
      const codeIn = ({ stdout }: Started): string =>
        /^Console: http:\/\/localhost:\d+\/console#(0\.[\w-]{43})@4001$/m.exec(stdout)?.[1] ?? '';
      const open = (service: Started, code: string) =>
        consoleCall(/answers on (\S+)/.exec(service.stdout)?.[1] ?? '', 'POST', '/sign-in/link', {
          body: { code },
        });
      const { status, body } = await open(first, codeIn(first));
      assert.deepEqual(
        [status, body.person, body.mustAddCredential],
        [200, { kind: 'operator', id: '1', name: 'operator' }, true],
      );
      assert.equal((await open(first, codeIn(first))).status, 401);
      assert.equal(first.stderr().includes(codeIn(first)), false);
      const before = await serveDemo(store.databaseUrl);
      const after = await serveDemo(store.databaseUrl, '--workers', '2');
      try {
        assert.equal(after.stdout.match(/^Console: /gm)?.length, 1);
        assert.equal((await open(after, codeIn(before))).status, 401);
        assert.equal((await open(after, codeIn(after))).status, 200);
      } finally {
        await Promise.all([before.stop(), after.stop()]);
      }
      await storeRows(
        store.databaseUrl,
        `insert into password (account_id, person_id, hash, changed_at) values (0, 1, 'x', 1)`,
      );
      const later = await serveDemo(store.databaseUrl);
      await later.stop();
      assert.equal(codeIn(later), '');
      assert.match(later.stdout, /^Console: http:\/\/localhost:\d+\/console \(.*soundings operator link\)$/m);
      const operators = await storeRows(store.databaseUrl, 'select name from operator');
      assert.equal(operators.length, 1);
    });

    it('a second start makes no second client, shows no secret, and says how to get one, in words that work', async () => {
      await first.stop();
      const { api_client: before, account } = await wholeStore(store.databaseUrl);
      const second = await serveDemo(store.databaseUrl);
      try {
        assert.doesNotMatch(second.stdout, /sdgs_/);
        const { api_client: now, account: accounts } = await wholeStore(store.databaseUrl);
        assert.deepEqual([now, accounts], [before, account]);
        const advice = /npx (soundings client create .*)$/m.exec(second.stdout)?.[1] ?? '';
        assert.ok(advice !== '', second.stdout);
        const made = JSON.parse(await bash(`npx ${advice}`, { DATABASE_URL: store.databaseUrl })) as {
          clientId: string;
          clientSecret: string;
          scopes: string[];
        };
        const url = /answers on (\S+)/.exec(second.stdout)?.[1] ?? '';
        assert.ok((await tokenFor(url, made)).length > 0);
      } finally {
        await second.stop();
      }
    });

    it('a store that has somebody’s accounts is left alone, and the advice names one of them', async () => {
      const own = await engine.newStore();
      try {
        const file = writeCatalogue({ accounts: [{ id: 77, name: 'Somebody' }] });
        await commandHereOk(['apply', file], { DATABASE_URL: own.databaseUrl });
        const service = await serveDemo(own.databaseUrl);
        await service.stop();
        assert.match(service.stdout, /client create --account 77 /);
        const { account, api_client: clients } = await wholeStore(own.databaseUrl);
        assert.deepEqual(
          account?.map(({ id }) => Number(id)),
          [77],
        );
        assert.deepEqual(clients, []);
      } finally {
        await own.dispose();
      }
    });
  });

  describe(`soundings demo on ${engine.name}`, () => {
    let store: TestStore;

    before(async () => {
      store = await engine.newStore();
    });
    after(() => store?.dispose());

    const demo = async (databaseUrl: string, ...flags: string[]): Promise<Record<string, unknown>> =>
      JSON.parse(await commandHereOk(['demo', '--json', ...flags], { DATABASE_URL: databaseUrl }));
    const bodies = (databaseUrl: string): Promise<readonly unknown[]> =>
      Promise.all([
        storeRows(
          databaseUrl,
          'select source_id, seq, response_id, row_values from response order by source_id, seq',
        ),
        storeRows(
          databaseUrl,
          'select source_id, seq, external from response_external order by source_id, seq',
        ),
      ]);

    it('loads the account with its client; --responses loads that many more, and without it 5,000 are enough', async () => {
      const env = { DATABASE_URL: store.databaseUrl };
      const few = JSON.parse(await soundingsOk(['demo', '--json', '--responses', '300'], env));
      const { clientId } = few.demoClient as { clientId: string };
      assert.match(clientId, /^sc_/);
      assert.deepEqual([few.accountId, few.loaded, few.total], [4001, 300, 300]);
      const facts = { accountId: 4001, demoClient: null };
      assert.deepEqual(await demo(store.databaseUrl, '--responses', '200'), {
        ...facts,
        loaded: 200,
        total: 500,
      });
      assert.deepEqual(await demo(store.databaseUrl), { ...facts, loaded: 4500, total: 5000 });
      assert.deepEqual(await demo(store.databaseUrl), { ...facts, loaded: 0, total: 5000 });
      const [clients] = await storeRows(store.databaseUrl, 'select count(*) as count from api_client');
      assert.equal(Number(clients?.count), 1);
    });

    it('the same commands on the same day make the same responses, whatever the engine [D-125]', async () => {
      const other = await (engine === sqlite ? postgres : sqlite).newStore();
      const own = await engine.newStore();
      try {
        for (const count of ['150', '50'])
          for (const { databaseUrl } of [own, other]) await demo(databaseUrl, '--responses', count);
        const asText = async (url: string): Promise<string> =>
          JSON.stringify(await bodies(url), (_, value) =>
            typeof value === 'number' ? String(value) : value,
          );
        assert.equal(await asText(own.databaseUrl), await asText(other.databaseUrl));
      } finally {
        await own.dispose();
        await other.dispose();
      }
    });

    it('an account of somebody else with the demo’s number is left alone; other accounts are no hindrance [D-125]', async () => {
      const own = await engine.newStore();
      try {
        const env = { DATABASE_URL: own.databaseUrl };
        await commandHereOk(['apply', writeCatalogue({ accounts: [{ id: 77, name: 'Somebody' }] })], env);
        assert.equal((await demo(own.databaseUrl, '--responses', '10')).loaded, 10);
        const theirs = await engine.newStore();
        const theirEnv = { DATABASE_URL: theirs.databaseUrl };
        await commandHereOk(['apply', writeCatalogue({ accounts: [{ id: 4001, name: 'Mine' }] })], theirEnv);
        const before = await wholeStore(theirs.databaseUrl);
        const { code, stderr } = await soundings(['demo'], theirEnv);
        assert.equal(code, 1);
        assert.match(stderr, /^soundings: Account 4001 is not the demo account, so nothing was loaded\./);
        assert.deepEqual(await wholeStore(theirs.databaseUrl), before);
        await theirs.dispose();
      } finally {
        await own.dispose();
      }
    });

    it('a count that is no count is refused', async () => {
      for (const count of ['0', '-1', '1.5', 'many', '10000001']) {
        const { code, stderr } = await commandHere(['demo', '--responses', count], {
          DATABASE_URL: store.databaseUrl,
        });
        assert.equal(code, 1);
        assert.match(stderr, /^soundings: --responses must be a whole number from 1 to 10,000,000, not "/);
      }
    });
  });
}
