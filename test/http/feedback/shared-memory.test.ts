// What the service remembers or uses again between requests must never show in an answer.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { postResponse, prepareFeedback, projectId } from '../../support/feedback.ts';
import { type Service, tokenFor } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { type ProvisioningService, startProvisioning, userBody } from '../../support/users.ts';

const rows = 400;
const path = (offset: number): string =>
  `/v1/projects/${projectId}/data?from=2026-01-15&to=2026-01-15&limit=${rows}&offset=${offset}`;

for (const engine of engines) {
  describe(`pages on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let token: string;
    before(async () => {
      store = await engine.readyStore();
      const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
      const client = await prepareFeedback(env);
      service = await startService(env);
      token = await tokenFor(service.baseUrl, client);
      // Larger than what the system takes from a writer while the reader sleeps.
      for (const letter of ['ä', 'ö']) {
        const post = () => postResponse(service.baseUrl, token, randomUUID(), letter.repeat(10_000));
        const kept = await Promise.all(Array.from({ length: rows }, post));
        assert.deepEqual([...new Set(kept.map(({ status }) => status))], [200]);
      }
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    it('a caller who reads slowly gets its page, whatever is written meanwhile for others', async () => {
      const headers = { authorization: `Bearer ${token}` };
      const expected = (await exchange(service.baseUrl + path(0), { headers })).text;
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      socket.pause();
      socket.write(`GET ${path(0)} HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`);
      for (let others = 0; others < 5; others += 1) {
        const other = await exchange(service.baseUrl + path(rows), { headers });
        assert.ok(other.text.includes('ööö') && !other.text.includes('ää'));
      }
      const pieces: Buffer[] = [];
      for await (const piece of socket) pieces.push(piece as Buffer);
      const answer = Buffer.concat(pieces).toString();
      assert.equal(answer.slice(answer.indexOf('\r\n\r\n') + 4), expected);
    });
  });

  describe(`a remembered user on ${engine.name}`, () => {
    let context: ProvisioningService;
    before(async () => {
      context = await startProvisioning(engine);
    });
    after(() => context?.close());

    it('is shown as another process has changed it a moment ago [D-58]', async () => {
      const other = await context.another();
      const body = userBody('remembered', { externalId: 'remembered' });
      assert.equal((await context.call('POST', '/Users', { body })).status, 200);
      for (let change = 0; change < 10; change += 1) {
        const before = await context.call('GET', '/Users/remembered');
        const name = { givenName: `Ada ${change}`, familyName: 'Lovelace' };
        const replaced = await context.call('PUT', '/Users/remembered', {
          body: userBody('remembered', { externalId: 'remembered', name }),
          baseUrl: other.baseUrl,
        });
        assert.equal(replaced.status, 200, replaced.text);
        const now = await context.call('GET', '/Users/remembered');
        assert.equal(now.body.name.givenName, `Ada ${change}`);
        assert.notEqual(now.headers.get('etag'), before.headers.get('etag'));
      }
    });
  });
}
