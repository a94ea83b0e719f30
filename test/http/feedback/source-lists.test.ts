import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { createClient, type Service, setUp, tokenFor } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const one = (names: readonly string[], projects: readonly string[]): object => ({
  id: 1,
  name: 'One',
  measures: names.map((name, index) => ({ key: 100 + index, name })),
  projects: projects.map((name, index) => ({ id: 500 + index, name, surveys: [] })),
});
const two = { id: 2, name: 'Two', measures: [{ key: 900, name: 'Foreign' }] };

for (const engine of engines) {
  describe(`lists that are remembered, on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let env: Record<string, string>;
    const tokens = new Map<number, string>();

    before(async () => {
      store = await engine.readyStore();
      env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
      await setUp(['apply', writeCatalogue({ accounts: [one(['First'], []), two] })], env);
      const clients = await Promise.all([createClient(env, 1), createClient(env, 2)]);
      service = await startService(env);
      tokens.set(1, await tokenFor(service.baseUrl, clients[0]!));
      tokens.set(2, await tokenFor(service.baseUrl, clients[1]!));
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const ask = async (accountId: number, path: string): Promise<unknown> => {
      const answer = await fetch(`${service.baseUrl}${path}`, {
        headers: { authorization: `Bearer ${tokens.get(accountId)}`, accept: 'application/json' },
      });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      return answer.json();
    };
    const measureNames = async (accountId: number, query = ''): Promise<readonly string[]> => {
      const { items } = (await ask(accountId, `/v1/measures${query}`)) as { items: { name: string }[] };
      return items.map(({ name }) => name);
    };
    const projectNames = async (accountId: number): Promise<readonly string[]> =>
      ((await ask(accountId, '/v1/projects')) as { name: string }[]).map(({ name }) => name);

    it('each account and each page is answered its own, however often they are asked for in turn [D-10]', async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        assert.deepEqual(await measureNames(1), ['First']);
        assert.deepEqual(await measureNames(2), ['Foreign']);
        assert.deepEqual(await measureNames(1, '?offset=1'), []);
        assert.deepEqual(await projectNames(2), []);
      }
    });

    it('many at once are answered alike, each its own [D-10]', async () => {
      const asked = Array.from({ length: 60 }, (_, index) => (index % 2) + 1);
      const answers = await Promise.all(asked.map((accountId) => measureNames(accountId)));
      assert.deepEqual(
        answers,
        asked.map((accountId) => (accountId === 1 ? ['First'] : ['Foreign'])),
      );
    });

    it('what was just applied stands in the lists at once, though they were asked for before [D-13]', async () => {
      assert.deepEqual(await measureNames(1), ['First']);
      assert.deepEqual(await projectNames(1), []);
      await setUp(['apply', writeCatalogue({ accounts: [one(['Renamed', 'Second'], ['New'])] })], env);
      assert.deepEqual(await measureNames(1), ['Renamed', 'Second']);
      assert.deepEqual(await projectNames(1), ['New']);
      assert.deepEqual(await measureNames(2), ['Foreign']);
    });
  });
}
