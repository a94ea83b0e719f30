// Digests of days over HTTP: those of the bodies as they were sent, by the recipe of docs/digests.md.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type ArrivedBody, dayText, digestsOfDays } from '../../support/digest-model.ts';
import { engines } from '../../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { findTool } from '../../support/find-tool.ts';
import { seeded } from '../../support/seeded.ts';
import { storeRows } from '../../support/store-rows.ts';

interface Sent extends ArrivedBody {
  readonly responseId: string;
  readonly body: string;
}

const sources = [
  {
    path: '/v1/measures/700/digest',
    account: acme,
    survey: { surveyDefinitionId: 'acme-web-older', responses: { 'Q-SAT-1': ['4'], 'Q-FOUND': ['1'] } },
  },
  { path: '/v1/projects/300/digest', account: acme, survey: { surveyDefinitionId: 'acme-badge' } },
  {
    path: '/v1/measures/700/digest',
    account: bolt,
    survey: { surveyDefinitionId: 'bolt-web', responses: { 'Q-SAT-1': ['9'] } },
  },
] as const;
const firstDay = Date.UTC(2025, 4, 1) / 86_400_000;
const range = 'from=2025-05-01&to=2025-06-30';
const recipes = readFileSync(new URL('../../../docs/digests.md', import.meta.url), 'utf8');

function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** The nth piece of code of a language on the page. */
function recipe(language: string, index: number): string {
  return [...recipes.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))][index]![1]!;
}

for (const engine of engines) {
  describe(`digests of days on ${engine.name}`, () => {
    let service: FeedbackService;
    const tokens = new Map<number, string>();
    const sent = sources.map((): Sent[] => []);
    const random = seeded(77);

    before(async () => {
      // Little time for one request, so that a log which is far behind takes several.
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        env: { SOUNDINGS_WORK_LIMIT_MS: '200' },
      });
      for (const account of [acme, bolt]) tokens.set(account, await service.token(account));
      // More of the first than a block has, in mixed order, with days that come late.
      const order = random.shuffle([...Array(700).fill(0), ...Array(120).fill(1), ...Array(30).fill(2)]);
      for (let at = 0; at < order.length; at += 50)
        for (const index of new Set(order.slice(at, at + 50)))
          await send(
            index,
            order.slice(at, at + 50).filter((one) => one === index),
          );
    });
    after(() => service?.stop());

    /** Sends one after the other or at once; the order that counts is the order of the log. */
    async function send(index: number, some: readonly number[]): Promise<void> {
      const { account, survey } = sources[index]!;
      for (const _ of some) {
        const responseId = `r ${index} ${sent[index]!.length}`;
        const day = firstDay + random.below(random.percent(80) ? 3 : 50);
        const submissionTimestamp = `${dayText(day)}T12:00:00Z`;
        const url = `https://example.com/${random.percent(5) ? 'ä'.repeat(500) : '?q=Straße 😀'}`;
        const body = JSON.stringify({ ...survey, responseId, submissionTimestamp, url }, null, index);
        const { status, text } = await service.post(body, tokens.get(account)!);
        assert.equal(status, 200, text);
        sent[index]!.push({ responseId, day, body });
      }
    }

    const get = (index: number, query: string = range) =>
      service.get(`${sources[index]!.path}?${query}`, tokens.get(sources[index]!.account)!);

    const model = (index: number) =>
      digestsOfDays(sent[index]!).map(([day, count, digest]) => ({ day: dayText(day), count, digest }));

    const digestsOf = async (index: number) => {
      const { status, body, text } = await get(index);
      assert.equal(status, 200, text);
      assert.equal(body.position, sent[index]!.length);
      assert.match(String(body.mark), /^[\w-]{12}$/);
      return body.items;
    };

    it('are those of the bodies as they were sent, in the order of arrival, and of the own account alone [D-250]', async () => {
      for (const index of sources.keys()) assert.deepEqual(await digestsOf(index), model(index));
    });

    it('a range has its days with both ends, and says the end of the whole log', async () => {
      const all = model(0);
      const [first, last] = [all[1]!.day, all.at(-2)!.day];
      const { body } = await get(0, `from=${first}&to=${last}`);
      assert.deepEqual([body.items, body.position], [all.slice(1, -1), sent[0]!.length]);
      const empty = await get(0, 'from=2024-01-01&to=2024-12-31');
      assert.deepEqual([empty.status, empty.body.items, empty.body.position], [200, [], sent[0]!.length]);
    });

    it('neither erasure nor a retry changes them [D-251]', async () => {
      const before = await digestsOf(0);
      for (const { responseId, body } of random.some(sent[0]!, 25)) {
        await service.erase(acme, responseId);
        assert.equal((await service.post(body, tokens.get(acme)!)).status, 200);
      }
      assert.deepEqual(await digestsOf(0), before);
    });

    it('a response that comes late changes its own day alone, and the position', async () => {
      const before = model(1);
      await send(1, [1]);
      const { day } = sent[1]!.at(-1)!;
      const after = (await digestsOf(1)) as typeof before;
      assert.deepEqual(after, model(1));
      assert.deepEqual(
        after.filter((of) => of.day !== dayText(day)),
        before.filter((of) => of.day !== dayText(day)),
      );
    });

    it('bad days, too many of them, other grants and other accounts are refused as for data', async () => {
      const cases: readonly [query: string, faults: readonly (readonly string[])[]][] = [
        [
          '',
          [
            ['from', 'MISSING'],
            ['to', 'MISSING'],
          ],
        ],
        [
          'from=2025-02-30&to=x',
          [
            ['from', 'INVALID_DATE'],
            ['to', 'INVALID_DATE'],
          ],
        ],
        ['from=2025-05-02&to=2025-05-01', [['to', 'INVALID_RANGE']]],
        ['from=2025-05-01&to=2028-01-26', [['to', 'RANGE_TOO_LONG']]],
        [`${range}&limit=5`, [['limit', 'UNKNOWN']]],
      ];
      for (const index of [0, 1]) {
        for (const [query, faults] of cases) {
          const { status, body } = await get(index, query);
          assert.equal(status, 400);
          const details = (body.detailedErrors ?? []) as { field: string; code: string }[];
          if (index === 0)
            assert.deepEqual(
              details.map(({ field, code }) => [field, code]),
              faults,
            );
        }
        assert.equal((await get(index, 'from=2025-05-01&to=2028-01-25')).status, 200);
      }
      const reader = await service.token(acme, ['r_cx_projects']);
      assert.equal((await service.get(`${sources[0].path}?${range}`, reader)).status, 403);
      assert.equal((await service.get(`${sources[1].path}?${range}`, reader)).status, 200);
      assert.equal((await service.get(`${sources[0].path}?${range}`, null)).status, 401);
      const foreign = await service.get(`/v1/measures/800/digest?${range}`, tokens.get(acme)!);
      assert.deepEqual([foreign.status, foreign.body.errorCode], [404, 'MEASURE_NOT_FOUND']);
    });

    it('of a log from before are right at once, or come with the next request, and are kept then [D-252]', async () => {
      await storeRows(service.databaseUrl, 'update log_counter set digested_seq = 0');
      await storeRows(service.databaseUrl, 'update log_day set digest = null, digested = 0');
      const answers = await Promise.all([0, 0, 0, 1, 2].map((index) => get(index)));
      for (const { status, body, headers } of answers)
        if (status !== 200)
          assert.deepEqual([status, body.errorCode, headers['retry-after']], [503, 'DIGESTS_NOT_READY', '5']);
      for (const index of sources.keys()) {
        while ((await get(index)).status === 503);
        assert.deepEqual(await digestsOf(index), model(index));
      }
      const [row] = await storeRows(
        service.databaseUrl,
        'select max(digested_seq) as digested from log_counter',
      );
      assert.equal(Number(row!.digested), Math.floor(sent[0]!.length / 256) * 256);
    });

    it('a response that an older release has erased has the hash of its content for a digest [D-251]', async () => {
      const at = 3;
      await service.erase(acme, sent[1]![at]!.responseId);
      const [row] = await storeRows(
        service.databaseUrl,
        `select hash from response where account_id = ${acme} and response_id = '${sent[1]![at]!.responseId}'`,
      );
      await storeRows(
        service.databaseUrl,
        `update response set digest = null where response_id = '${sent[1]![at]!.responseId}'`,
      );
      const arrived = sent[1]!.with(at, {
        ...sent[1]![at]!,
        body: Buffer.from(String(row!.hash), 'base64url') as never,
      });
      const expected = digestsOfDays(arrived).map(([day, count, digest]) => ({
        day: dayText(day),
        count,
        digest,
      }));
      assert.deepEqual((await get(1)).body.items, expected);
    });

    it('are what the recipes of the page make of the store and of a table of digests', async (test) => {
      const expected = (await get(0)).body.items as { day: string; count: number; digest: string }[];
      if (engine.name === 'postgres') {
        const client = new pg.Client({ connectionString: service.databaseUrl });
        await client.connect();
        try {
          const [makeAggregate, ofTable] = recipe('sql', 0).split('\n\n');
          await client.query(makeAggregate!);
          const [place] = (
            await client.query<{ source_id: string }>(
              `select source_id from source where account_id = $1 and kind = 'measure' and source_key = 700`,
              [acme],
            )
          ).rows;
          const ofStore = recipe('sql', 1)
            .replace('account_id = 4001', `account_id = ${acme}`)
            .replace('source_id = 1\n', `source_id = ${place!.source_id}\n`);
          const named = `to_char(date '1970-01-01' + response.day::integer, 'YYYY-MM-DD')`;
          const { rows } = await client.query<{ day: string; count: string; digest: string }>(
            ofStore.replace(`date '1970-01-01' + response.day::integer`, named),
          );
          assert.deepEqual(
            rows.map(({ day, count, digest }) => ({ day, count: Number(count), digest })),
            expected,
          );
          await client.query('create table responses (source text, day text, position bigint, digest text)');
          await client.query(
            `insert into responses
             select 'measures/700', day, position, encode(sha256(convert_to(body, 'UTF8')), 'hex')
             from unnest($1::text[], $2::text[]) with ordinality as row (day, body, position)`,
            [sent[0]!.map(({ day }) => dayText(day)), sent[0]!.map(({ body }) => body)],
          );
          const table = await client.query<{ day: string; count: string; digest: string }>(ofTable!);
          assert.deepEqual(
            table.rows.map(({ day, count, digest }) => ({ day, count: Number(count), digest })),
            expected,
          );
        } finally {
          await client.end();
        }
      }
      const duckdb = await import('@duckdb/node-api').catch(() => null);
      if (duckdb === null) test.diagnostic('There is no DuckDB for this system: its recipe was not run.');
      else {
        const instance = await duckdb.DuckDBInstance.create(':memory:');
        const connection = await instance.connect();
        await connection.run('create table responses (source text, day text, position bigint, digest text)');
        const rows = sent[0]!.map(
          ({ day, body }, at) => `('measures/700', '${dayText(day)}', ${at + 1}, '${digestOf(body)}')`,
        );
        // Not in the order of arrival: the recipe has to see to that.
        await connection.run(`insert into responses values ${rows.reverse().join(', ')}`);
        const answer = await connection.runAndReadAll(recipe('duckdb', 0));
        assert.deepEqual(
          answer.getRowsJson().map(([, day, count, digest]) => ({ day, count: Number(count), digest })),
          expected,
        );
        connection.closeSync();
        instance.closeSync();
      }
      const python = findTool('python3');
      if (python === null) return test.diagnostic('There is no python3: its recipe was not run.');
      const lines = sent[0]!.map(({ day, body }) => `measures/700,${dayText(day)},${digestOf(body)}\n`);
      const output = await run(python, ['-c', recipe('python', 0)], lines.join(''));
      assert.equal(
        output,
        expected.map(({ day, count, digest }) => `measures/700,${day},${count},${digest}\n`).join(''),
      );
    });
  });
}

function run(program: string, args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...args], (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin!.end(input);
  });
}
