// Bodies that stand still, of one sender: it may fill its own part of what bodies may take, and no more.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { type Answer, exchange } from '../support/exchange.ts';
import { patience } from '../support/patience.ts';
import { createClient, type Service, setUp, startProcess, tokenFor, until } from '../support/service.ts';

const limitBytes = 4 * 1024 * 1024;
// Together half as much again as all bodies may take.
const stalledCount = 300;
const stalledBytes = 20_000;
// Larger than what is left over when bodies of the size above fill everything, and allowed without a token.
const othersBytes = 30_000;

interface Stalled {
  readonly socket: Socket;
  text: string;
}

for (const engine of engines) {
  describe(`bodies of one sender on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let service: Service;
    let tokens: readonly string[];
    let stalled: Stalled[] = [];
    let nextId = 1;

    before(async () => {
      store = await engine.readyStore();
      const env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
        SOUNDINGS_BODY_LIMIT_BYTES: '262144',
        SOUNDINGS_BODIES_LIMIT_BYTES: String(limitBytes),
        ...patience,
      };
      const accounts = [1, 2].map((id) => ({
        id,
        name: `Account ${id}`,
        measures: [
          {
            key: 1,
            name: 'One',
            surveys: [
              {
                id: `survey-${id}`,
                modelInstanceId: 'M',
                public: true,
                questions: [{ id: 'Q', name: 'Why?', responseType: 'TEXT' }],
              },
            ],
          },
        ],
      }));
      await setUp(['apply', writeCatalogue({ accounts })], env);
      const clients = [await createClient(env, 1), await createClient(env, 2)];
      service = await startProcess(env);
      tokens = await Promise.all(clients.map((client) => tokenFor(service.baseUrl, client)));
    });
    afterEach(async () => {
      for (const { socket } of stalled) socket.destroy();
      stalled = [];
      await until(underWay, (bytes) => bytes === 0);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const ofAccount = (id: number): string => `authorization: Bearer ${tokens[id - 1]}`;
    const ofNetwork = (number: number): string => `x-forwarded-for: 198.51.100.${number}`;
    const underWay = async (): Promise<number> => {
      const { text } = await exchange(`${service.baseUrl}/metrics`);
      return Number(/^soundings_bodies_under_way_bytes (\d+)$/m.exec(text)?.[1]);
    };
    const stall = async (sender: string): Promise<void> => {
      const { hostname, port } = new URL(service.baseUrl);
      const socket = connect(Number(port), hostname);
      const one: Stalled = { socket, text: '' };
      stalled.push(one);
      socket.on('error', () => {});
      socket.on('data', (part: Buffer) => {
        one.text += part.toString();
      });
      await once(socket, 'connect');
      socket.write(
        `POST /v1/surveys/ingestion HTTP/1.1\r\nhost: x\r\n${sender}\r\ncontent-type: application/json\r\n` +
          `transfer-encoding: chunked\r\n\r\n${(200_000).toString(16)}\r\n${'x'.repeat(stalledBytes)}`,
      );
    };
    const refused = (): readonly Stalled[] => stalled.filter(({ text }) => text !== '');
    /** As many as would fill everything; those who find no room are told so. */
    const stallMany = async (senderOf: (index: number) => string): Promise<void> => {
      for (let index = 0; index < stalledCount; index += 1) await stall(senderOf(index));
      await until(
        async () => refused().length,
        (count) => count >= stalledCount - Math.floor(limitBytes / stalledBytes),
      );
      for (const { text } of refused()) {
        assert.match(text, /^HTTP\/1\.1 503 /);
        assert.match(text, /^retry-after: \d+$/im);
        assert.match(text, /TOO_MANY_BODIES/);
      }
      assert.ok(refused().length < stalledCount, 'none was held');
    };
    const post = (sender: string, surveyId: number): Promise<Answer> => {
      const [name = '', value = ''] = sender.split(/: (.*)/);
      const response = {
        surveyDefinitionId: `survey-${surveyId}`,
        responseId: `r-${nextId++}`,
        responses: { Q: ['x'.repeat(othersBytes - 200)] },
      };
      const headers = { [name]: value, 'content-type': 'application/json' };
      const body = JSON.stringify(response);
      return exchange(`${service.baseUrl}/v1/surveys/ingestion`, { method: 'POST', headers, body });
    };

    it('one account whose bodies stand still has a quarter; another account and anonymous callers go on posting [D-184]', async () => {
      await stallMany(() => ofAccount(1));
      assert.equal((await post(ofAccount(2), 2)).status, 200);
      assert.equal((await post(ofNetwork(1), 2)).status, 200);
      assert.ok((await underWay()) <= limitBytes / 4);
    });

    it('one network without a token has a quarter; other networks and those with a token go on posting [D-184]', async () => {
      await stallMany(() => ofNetwork(1));
      assert.equal((await post(ofNetwork(2), 1)).status, 200);
      assert.equal((await post(ofAccount(1), 1)).status, 200);
      assert.ok((await underWay()) <= limitBytes / 4);
    });

    it('many networks without a token have a half together; accounts go on posting [D-184]', async () => {
      await stallMany((index) => ofNetwork(1 + (index % 20)));
      assert.equal((await post(ofAccount(1), 1)).status, 200);
      assert.equal((await post(ofAccount(2), 2)).status, 200);
      assert.ok((await underWay()) <= limitBytes / 2);
    });

    it('whoever was over its part posts again as soon as its bodies are gone [D-184]', async () => {
      await stallMany(() => ofAccount(1));
      for (const { socket } of stalled) socket.destroy();
      await until(underWay, (bytes) => bytes === 0);
      for (let times = 0; times < 20; times += 1) assert.equal((await post(ofAccount(1), 1)).status, 200);
    });
  });
}
