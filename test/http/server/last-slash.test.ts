// A slash at the end of an address means what it means without it, for every operation that the documents have.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { documentedOperations } from '../../support/api-document.ts';
import { apiDocuments } from '../../support/declared-operations.ts';
import { sqlite, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import type { Service } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const operations = apiDocuments.flatMap(documentedOperations);
const below = operations.filter(({ path }) => /^\/(v1|scim\/v2|console\/api)\//.test(path));

describe('a slash at the end of an address', () => {
  let store: TestStore;
  let service: Service;
  before(async () => {
    store = await sqlite.readyStore();
    service = await startService({ DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' });
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  const asked = async (method: string, path: string): Promise<readonly unknown[]> => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const { status, headers: answered } = await exchange(`${service.baseUrl}${path}`, {
      ...{ method, headers },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
    return [status, answered.allow, answered['content-type']];
  };

  it('leads to the same operation, with a query and without [D-91]', async () => {
    assert.ok(below.length > 150, String(below.length));
    for (const { method, path: pattern } of below) {
      const path = pattern.replaceAll(/\{[^}]+\}/g, '1');
      for (const query of ['', '?x=1'])
        assert.deepEqual(
          await asked(method, `${path}/${query}`),
          await asked(method, `${path}${query}`),
          `${method} ${path}`,
        );
    }
  });

  it('is one: two of them, and one above the interface, are another address', async () => {
    for (const path of ['/v1/measures//', '/v1//measures', '/s/'])
      assert.equal((await exchange(`${service.baseUrl}${path}`)).status, 404, path);
  });
});
