import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import {
  type ApiClientCredentials,
  createClient,
  type Service,
  setUp,
  tokenFor,
} from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const measures = Array.from({ length: 7 }, (_, index) => ({
  key: 100 + index,
  name: `Measure ${index}`,
  channel: 'STORE',
  active: index !== 3,
}));

for (const engine of engines) {
  describe(`GET /v1/measures on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let client: ApiClientCredentials;
    let token: string;

    before(async () => {
      store = await engine.readyStore();
      const env = { DATABASE_URL: store.databaseUrl };
      const file = writeCatalogue({
        accounts: [
          { id: 1, name: 'One', measures },
          { id: 2, name: 'Two', measures: [{ key: 900, name: 'Foreign' }] },
        ],
      });
      await setUp(['apply', file], env);
      client = await createClient(env, 1);
      service = await startService({ ...env, SOUNDINGS_PUBLIC_URL: 'https://feedback.example' });
      token = await tokenFor(service.baseUrl, client);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    interface List {
      readonly hasMore: boolean;
      readonly links: readonly { rel: string; href: string }[];
      readonly items: readonly { id: number; factType: string; links: readonly { href: string }[] }[];
    }
    const ask = async (query: string): Promise<List> => {
      const answer = await fetch(`${service.baseUrl}/v1/measures${query}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      });
      assert.equal(answer.status, 200);
      return (await answer.json()) as List;
    };

    it('lists the measures of the account alone, ordered by id, with links from the public URL [D-10] [D-31]', async () => {
      const body = await ask('');
      assert.deepEqual(
        body.items.map(({ id }) => id),
        measures.map(({ key }) => key),
      );
      assert.equal(body.hasMore, false);
      const first = body.items[0]!;
      assert.deepEqual(
        Object.keys(first).sort(),
        ['active', 'channel', 'dateCreated', 'factType', 'id', 'links', 'modelInstanceId', 'name'].sort(),
      );
      assert.equal(first.factType, 'NON_HIERARCHY');
      assert.match(
        first.links[1]!.href,
        /^https:\/\/feedback\.example\/v1\/measures\/100\/data\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/,
      );
    });

    it('pages by page number, and its links lead from each page to the next and back [D-31]', async () => {
      const seen: number[] = [];
      let query: string | null = '?limit=3';
      while (query !== null) {
        const body = await ask(query);
        seen.push(...body.items.map(({ id }) => id));
        const next = body.links.find((link) => link.rel === 'next');
        assert.equal(next !== undefined, body.hasMore);
        query = next === undefined ? null : new URL(next.href).search;
      }
      assert.deepEqual(
        seen,
        measures.map(({ key }) => key),
      );
    });

    it('the last page does not say hasMore when it is exactly full', async () => {
      const body = await ask('?limit=7');
      assert.equal(body.hasMore, false);
    });
  });
}
