// soundings verify --against: two sides compared day by day, by people who have a terminal and nothing else.

import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { dayText } from '../support/digest-model.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import {
  type ApiClientCredentials,
  commandHere,
  commandHereOk,
  createClient,
  type Service,
  soundings,
  soundingsOk,
  tokenFor,
} from '../support/service.ts';
import { startService } from '../support/service-here.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const measureKey = 8840868;
const range = 'from=2025-01-01&to=2027-09-27';

interface Difference {
  readonly account: number;
  readonly source: string;
  readonly day: string;
  readonly here: { readonly count: number; readonly digest: string } | null;
  readonly there: { readonly count: number; readonly digest: string } | null;
}

interface Verdict {
  readonly isSame: boolean;
  readonly sources: number;
  readonly days: number;
  readonly passedOver: number;
  readonly differences: readonly Difference[];
}

const second = {
  accounts: [
    {
      id: 4100,
      name: 'Bolt',
      projects: [
        {
          id: 3223,
          name: 'Badge',
          status: 'ACTIVE',
          surveys: [
            {
              id: 'bolt-badge',
              modelInstanceId: 'm',
              current: true,
              questions: [{ id: 'Q-STARS', name: 'How good?', responseType: 'STAR_RATING', role: 'rating' }],
            },
          ],
        },
      ],
    },
  ],
};

describe('soundings verify --against', () => {
  const folder = temporaryFolder('verify');
  const stores: TestStore[] = [];
  let services: Service[] = [];
  let clients: ApiClientCredentials[] = [];
  const [embedded, server] = [0, 1] as const;
  const env = (side: number): Record<string, string> => ({
    DATABASE_URL: stores[side]!.databaseUrl,
    SOUNDINGS_THROTTLE: 'off',
  });

  // The same on both engines: what the demo says depends on the day alone, and the second account is sent the same.
  before(async () => {
    for (const engine of engines) stores.push(await engine.newStore());
    await Promise.all(
      stores.map(async (_, side) => {
        await commandHereOk(['demo', '--responses', '900'], env(side));
        await commandHereOk(['apply', writeCatalogue(second)], env(side));
      }),
    );
    clients = await Promise.all(stores.map((_, side) => createClient(env(side), 4001)));
    services = await Promise.all(stores.map((_, side) => startService(env(side))));
    for (const [side, service] of services.entries()) {
      const token = await tokenFor(service.baseUrl, await createClient(env(side), 4100));
      for (let index = 0; index < 40; index += 1) {
        const { status } = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            surveyDefinitionId: 'bolt-badge',
            responseId: `bolt-${index}`,
            submissionTimestamp: `${dayText(20_200 + (index % 7))}T12:00:00Z`,
            responses: { 'Q-STARS': ['4'] },
          }),
        });
        assert.equal(status, 200);
      }
    }
  });
  after(async () => {
    for (const service of services) await service.stop();
    for (const store of stores) await store.dispose();
  });

  const verdict = async (
    side: number,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Verdict & { code: number | null; stderr: string }> => {
    const { code, stdout, stderr } = await commandHere(['verify', ...args, '--json'], {
      ...env(side),
      ...more,
    });
    assert.ok(code === 0 || code === 2, `${code} ${stderr}`);
    return { ...(JSON.parse(stdout) as Verdict), code, stderr };
  };
  const credentials = (side: number) => ({
    SOUNDINGS_CLIENT_ID: clients[side]!.clientId,
    SOUNDINGS_CLIENT_SECRET: clients[side]!.clientSecret,
  });

  it('two stores on two engines, in use, are the same: every day of every account', async () => {
    const found = await verdict(embedded, ['--against', stores[server]!.databaseUrl]);
    assert.deepEqual([found.code, found.isSame, found.differences], [0, true, []]);
    assert.ok(found.days > 90 && found.sources >= 3, JSON.stringify(found));
    const other = await verdict(server, ['--against', stores[embedded]!.databaseUrl, '--from-rows']);
    assert.deepEqual([other.isSame, other.days, other.sources], [true, found.days, found.sources]);
    const only = await soundingsOk(
      ['verify', '--against', stores[server]!.databaseUrl, '--account', '4100'],
      env(embedded),
    );
    assert.equal(only, 'The same on both sides: 7 days of 1 measures and projects.\n');
  });

  it('a service is asked for the days of its account, as an API client', async () => {
    for (const [side, other] of [
      [embedded, server],
      [server, embedded],
    ] as const) {
      const args = ['--against', services[other]!.baseUrl, '--account', '4001'];
      const found = await verdict(side, args, credentials(other));
      assert.deepEqual([found.isSame, found.differences], [true, []]);
      assert.ok(found.days > 80 && found.sources >= 2);
    }
    const wrong = await commandHere(
      [
        'verify',
        '--against',
        services[server]!.baseUrl,
        '--client',
        clients[server]!.clientId,
        '--account',
        '4001',
      ],
      { ...env(embedded), SOUNDINGS_CLIENT_SECRET: 'not-it' },
    );
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /answered 401/);
    assert.doesNotMatch(wrong.stderr, /not-it/);
    const nobody = await commandHere(['verify', '--against', services[server]!.baseUrl], env(embedded));
    assert.deepEqual([nobody.code, /SOUNDINGS_CLIENT_SECRET/.test(nobody.stderr)], [1, true]);
  });

  it('erasure changes nothing: neither against a backup of before, nor against the other store [D-251]', async () => {
    const backup = join(folder, 'before.db');
    await commandHereOk(['backup', backup], env(embedded));
    const erased = await storeRows(
      stores[embedded]!.databaseUrl,
      'select response_id from response where account_id = 4001 and seq % 20 = 3 order by source_id, seq limit 6',
    );
    for (const { response_id: id } of erased)
      await commandHereOk(['erase', '--account', '4001', '--response', String(id)], env(embedded));
    for (const args of [
      ['--against', backup],
      ['--against', stores[server]!.databaseUrl],
      ['--against', stores[server]!.databaseUrl, '--from-rows'],
      [backup, '--against', stores[server]!.databaseUrl],
    ])
      assert.equal((await verdict(embedded, args)).isSame, true, args.join(' '));
  });

  it('figures of a warehouse, as CSV or NDJSON, are compared for the sources that they name [D-253]', async () => {
    const token = await tokenFor(services[server]!.baseUrl, clients[server]!);
    const answer = await exchange(`${services[server]!.baseUrl}/v1/measures/${measureKey}/digest?${range}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    const items = answer.body.items as { day: string; count: number; digest: string }[];
    assert.ok(items.length > 80);
    const csv = (lines: readonly (typeof items)[number][]): string =>
      `day,source,digest,count\n${lines.map(({ day, count, digest }) => `${day},measures/${measureKey},"${digest.toUpperCase()}",${count}\n`).join('')}`;
    const file = join(folder, 'figures');
    const against = ['--against', file, '--account', '4001'];
    writeFileSync(file, csv(items.toReversed()));
    const same = await verdict(embedded, against);
    assert.deepEqual([same.isSame, same.sources, same.days], [true, 1, items.length]);
    assert.ok(same.passedOver >= 1 && /were not compared/.test(same.stderr));
    // One day is missing, one has another digest, one another count, and one should not be there.
    const stranger = { day: '2024-01-01', count: 2, digest: 'ab'.repeat(32) };
    const changed = items
      .toSpliced(3, 1)
      .with(10, { ...items[11]!, digest: 'cd'.repeat(32) })
      .with(20, { ...items[21]!, count: items[21]!.count + 1 });
    writeFileSync(
      file,
      [...changed, stranger]
        .map((item) => `${JSON.stringify({ source: `measures/${measureKey}`, ...item })}\n`)
        .join(''),
    );
    const other = await verdict(embedded, against);
    assert.equal(other.code, 2);
    assert.deepEqual(
      other.differences.map(({ account, source, day, here, there }) => [
        account,
        source,
        day,
        here?.count ?? null,
        there?.count ?? null,
      ]),
      [
        [4001, `measures/${measureKey}`, '2024-01-01', null, 2],
        [4001, `measures/${measureKey}`, items[3]!.day, items[3]!.count, null],
        [4001, `measures/${measureKey}`, items[11]!.day, items[11]!.count, items[11]!.count],
        [4001, `measures/${measureKey}`, items[21]!.day, items[21]!.count, items[21]!.count + 1],
      ],
    );
    const words = await soundings(['verify', ...against], env(embedded));
    assert.match(words.stdout, new RegExp(`measures/${measureKey}, 2024-01-01: 0 responses here, 2 there\n`));
    assert.match(words.stderr, /^soundings: 4 of .* days .* differ/m);
  });

  it('a file of figures with faults is refused, every fault with its line', async () => {
    const file = join(folder, 'faulty.csv');
    writeFileSync(file, 'source,day,count,digest\nshop,2026-02-30,many,xyz\nmeasures/1,2026-01-01,1,\n');
    const { code, stderr } = await commandHere(
      ['verify', '--against', file, '--account', '4001'],
      env(embedded),
    );
    assert.equal(code, 1);
    for (const words of [/line 2: the source/, /line 2: the day/, /line 2: the count/, /line 3: the digest/])
      assert.match(stderr, words);
    const columns = join(folder, 'columns.csv');
    writeFileSync(columns, 'source,date,count\n');
    const other = await commandHere(['verify', '--against', columns], env(embedded));
    assert.deepEqual([other.code, /no column day, digest/.test(other.stderr)], [1, true]);
    const several = join(folder, 'several.csv');
    writeFileSync(several, `source,day,count,digest\nmeasures/1,2026-01-01,1,${'ab'.repeat(32)}\n`);
    const unsaid = await commandHere(['verify', '--against', several], env(embedded));
    assert.deepEqual([unsaid.code, /--account/.test(unsaid.stderr)], [1, true]);
    const nowhere = await commandHere(['verify', '--against', join(folder, 'nowhere')], env(embedded));
    assert.deepEqual([nowhere.code, /There is no file/.test(nowhere.stderr)], [1, true]);
    const nothing = await commandHere(['verify'], env(embedded));
    assert.deepEqual([nothing.code, /Name the backup/.test(nothing.stderr)], [1, true]);
  });

  it('what somebody has changed in a store or a backup is found, by its day [D-253]', async () => {
    for (const side of [embedded, server]) {
      const { databaseUrl } = stores[side]!;
      const [row] = await storeRows(
        databaseUrl,
        `select source_id, seq, day from response where account_id = 4100 and response_id = 'bolt-11'`,
      );
      const place = `account_id = 4100 and source_id = ${row!.source_id} and seq = ${row!.seq}`;
      const swap = (from: string, to: string) =>
        storeRows(
          databaseUrl,
          `update response_body set body = replace(body, '${from}', '${to}') where ${place}`,
        );
      await swap('["4"]', '["1"]');
      const found = await verdict(1 - side, ['--against', databaseUrl, '--from-rows']);
      assert.deepEqual(
        found.differences.map(({ account, source, day, here, there }) => [
          account,
          source,
          day,
          here?.count === there?.count,
        ]),
        [[4100, 'projects/3223', dayText(Number(row!.day)), true]],
      );
      await swap('["1"]', '["4"]');
    }
    const backup = join(folder, 'whole.db');
    await commandHereOk(['backup', backup], env(embedded));
    const changed = join(folder, 'changed.db');
    copyFileSync(backup, changed);
    const url = `sqlite:${changed}`;
    const [row] = await storeRows(
      url,
      'select account_id, source_id, day from response where seq = 100 and hash is null order by source_id limit 1',
    );
    await storeRows(
      url,
      `update response_body set body = replace(body, 'surveyDefinitionId', 'surveyDefinition_d')
       where account_id = ${row!.account_id} and source_id = ${row!.source_id} and seq = 100`,
    );
    const found = await verdict(embedded, [changed, '--against', backup]);
    assert.deepEqual(
      found.differences.map(({ day }) => day),
      [dayText(Number(row!.day))],
    );
    // Its own digests tell as well, without anything beside it.
    const { code, stderr } = await commandHere(['verify', changed]);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`the digest of ${dayText(Number(row!.day))} of source`));
  });
});
