// Links that verbs hand out lead to the service that runs, whatever the environment of the verb says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { lanAddress } from '../../src/cli/start/lan.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, sqlite, type TestStore } from '../support/engines.ts';
import { commandHere, commandHereOk, type ServiceProcess, startProcess, until } from '../support/service.ts';
import { startService } from '../support/service-here.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const catalogue = {
  accounts: [
    {
      id: 1,
      name: 'One',
      projects: [
        {
          id: 5,
          name: 'Badge',
          siteKey: 'badge',
          surveys: [
            {
              id: 'badge-1',
              public: true,
              questions: [{ id: 'Q', name: 'Well?', responseType: 'STAR_RATING' }],
            },
          ],
        },
      ],
    },
  ],
};

/** What the replica has written about itself. */
const hasAddresses = (databaseUrl: string): Promise<unknown> =>
  until(
    () => storeRows(databaseUrl, 'select facts from heartbeat'),
    (rows) => rows.some(({ facts }) => /"addresses":\{"api"/.test(String(facts))),
  );

for (const engine of engines) {
  describe(`the address of the service on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let service: { readonly baseUrl: string; stop(): Promise<unknown> };
    before(async () => {
      store = await engine.readyStore();
      env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(['apply', writeCatalogue(catalogue)], env);
      service = await startService(env);
      await hasAddresses(store.databaseUrl);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    it('is found in the store by verbs that make links, with its port [D-891]', async () => {
      const { port } = new URL(service.baseUrl);
      // The environment of the verb says something else, or nothing.
      for (const own of [
        env,
        { ...env, PORT: '9' },
        { ...env, SOUNDINGS_PUBLIC_URL: 'https://elsewhere.example' },
      ]) {
        const invited = JSON.parse(
          await commandHereOk(['user', 'invite', '--user-name', `u${Math.random()}`, '--json'], own),
        );
        assert.equal(new URL(invited.url).origin, `http://localhost:${port}`);
        const { link } = JSON.parse(await commandHereOk(['share', 'badge', '--json'], own));
        assert.equal(link, `http://localhost:${port}/s/badge`);
      }
      const created = JSON.parse(await commandHereOk(['operator', 'create', 'ada', '--json'], env));
      assert.equal(new URL(created.url).port, port);
    });

    it('gives way to --url; invitations for others never lead to this machine', async () => {
      const { link } = JSON.parse(
        await commandHereOk(['share', 'badge', '--url', 'https://feedback.example', '--json'], env),
      );
      assert.equal(link, 'https://feedback.example/s/badge');
      const { code, stderr } = await commandHere(['invite', 'badge-1', '/dev/null'], env);
      assert.equal(code, 1);
      assert.match(stderr, /Links need the address at which people reach the service/);
      assert.match(
        (await commandHere(['share', 'badge'], env)).stderr,
        /on this machine alone.*soundings serve --lan/,
      );
    });

    it('of a service that knows only this machine gives way to what the settings of invite say', async () => {
      const list = temporaryFile('list.csv', 'who\nada\n');
      const file = `${list}.links`;
      const own = { ...env, SOUNDINGS_PUBLIC_URL: 'https://elsewhere.example' };
      await commandHereOk(['invite', 'badge-1', list, '--copy', 'who', '--out', file], own);
      assert.match(readFileSync(file, 'utf8'), /https:\/\/elsewhere\.example\/s\/badge-1\?i=/);
    });

    it('is what the settings say once the service has stopped, or died half a minute ago', async () => {
      const own = { ...env, SOUNDINGS_PUBLIC_URL: 'https://elsewhere.example' };
      await service.stop();
      const shared = async (): Promise<string> =>
        JSON.parse(await commandHereOk(['share', 'badge', '--json'], own)).link;
      assert.equal(await shared(), 'https://elsewhere.example/s/badge');
      await storeRows(
        store.databaseUrl,
        `insert into heartbeat (replica, at, facts) values ('dead', ${Date.now() - 31_000}, '{"addresses":{"api":"http://a:1","pages":"http://a:1"}}')`,
      );
      assert.equal(await shared(), 'https://elsewhere.example/s/badge');
    });

    it('a row that no replica would write leads nowhere', async () => {
      await storeRows(
        store.databaseUrl,
        `insert into heartbeat (replica, at, facts) values ('odd', ${Date.now()}, '{"addresses":{"api":"javascript:1","pages":"javascript:1"}}')`,
      );
      const { code } = await commandHere(['share', 'badge'], env);
      assert.equal(code, 1);
    });
  });
}

describe('serve --lan', () => {
  const entry = (address: string, extra = {}) =>
    ({ address, family: 'IPv4', internal: false, netmask: '', mac: '', cidr: null, ...extra }) as never;

  it('finds the address of this machine that a phone can reach', () => {
    const lo = [entry('127.0.0.1', { internal: true })];
    assert.equal(lanAddress({ lo }), null);
    assert.equal(
      lanAddress({ lo, docker0: [entry('172.17.0.1')], wlan0: [entry('192.168.1.7')] }),
      '192.168.1.7',
    );
    assert.equal(lanAddress({ lo, eth0: [entry('203.0.113.5')], eth1: [entry('10.0.0.3')] }), '10.0.0.3');
    assert.equal(lanAddress({ lo, eth0: [entry('fe80::1', { family: 'IPv6' })] }), null);
  });

  it('is named by the share page of the console, in each language, while the link leads to this machine', () => {
    for (const language of ['en', 'de', 'fr']) {
      const file = new URL(`../../console/pages/surveys/messages/${language}.ts`, import.meta.url);
      assert.match(readFileSync(file, 'utf8'), /isLocal:\s*'[^']*soundings serve --lan/, language);
    }
  });

  const machine = lanAddress(networkInterfaces());
  it('leads phones to surveys, and serves the console to this machine alone [D-893]', {
    skip: machine === null,
  }, async () => {
    const store = await sqlite.readyStore();
    let service: ServiceProcess | null = null;
    try {
      const env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(['apply', writeCatalogue(catalogue)], env);
      service = await startProcess(env, ['--lan']);
      const { port } = new URL(service.baseUrl);
      const lan = `http://${machine}:${port}`;
      await hasAddresses(store.databaseUrl);
      const { link } = JSON.parse(await commandHereOk(['share', 'badge', '--json'], env));
      assert.equal(link, `${lan}/s/badge`);
      assert.equal((await fetch(link)).status, 200);
      assert.equal((await fetch(`${service.baseUrl}/console/api/session`)).status, 401);
      const refused = await fetch(`${lan}/console/api/session`);
      assert.equal(((await refused.json()) as { code: string }).code, 'CONSOLE_NEEDS_HTTPS');
    } finally {
      await service?.stop();
      await store.dispose();
    }
  });
});
