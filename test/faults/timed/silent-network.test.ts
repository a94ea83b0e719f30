// A network that swallows what is sent, without a word to either side, in the middle of a commit. PostgreSQL only: the
// embedded engine has no network.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { type CuttingProxy, cuttingProxy } from '../../support/cutting-proxy.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { createClient, type Service, setUp, startProcess, tokenFor, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

describe('a network that falls silent on postgres', () => {
  const [, postgres] = engines;
  let store: TestStore;
  let proxy: CuttingProxy;
  let service: Service;
  let token: string;

  before(async () => {
    store = await postgres!.readyStore();
    const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
    const questions = [{ id: 'Q', name: 'Why?', responseType: 'TEXT' }];
    const surveys = [{ id: 'survey', modelInstanceId: 'M', questions }];
    const measures = [{ key: 1, name: 'One', surveys }];
    await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One', measures }] })], env);
    const client = await createClient(env, 1);
    proxy = await cuttingProxy(store.databaseUrl);
    // One place for changes, and one for questions.
    service = await startProcess({
      ...env,
      DATABASE_URL: proxy.databaseUrl,
      SOUNDINGS_POOL_SIZE: '2',
      SOUNDINGS_STORE_TIMEOUT_MS: '1000',
    });
    service.expectErrors('STORE_TIMEOUT', 'STORE_UNREACHABLE');
    token = await tokenFor(service.baseUrl, client);
  });
  after(async () => {
    await service?.stop();
    await proxy?.close();
    await store?.dispose();
  });

  const post = async (responseId: string): Promise<number> => {
    const { status } = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ surveyDefinitionId: 'survey', responseId, responses: { Q: ['Why?'] } }),
    });
    return status;
  };

  it('a commit whose answer never comes keeps its place for some seconds, and not until the kernel gives up [D-171]', async () => {
    assert.equal(
      await until(
        () => post('first'),
        (status) => status === 200,
      ),
      200,
    );
    const before = proxy.commits;
    proxy.cutNext('silence');
    await until(
      async () => {
        await post('silent');
        return proxy.commits;
      },
      (commits) => commits > before,
    );
    await until(
      () => post('after'),
      (status) => status === 200,
      60_000,
    );
    assert.equal(await post('silent'), 200);
    const rows = await storeRows(
      store.databaseUrl,
      'select response_id, count(*) as count from response group by 1 order by 1',
    );
    assert.deepEqual(
      rows.map(({ response_id: id, count }) => [id, Number(count)]),
      [
        ['after', 1],
        ['first', 1],
        ['silent', 1],
      ],
    );
  });
});
