// Many connections that bring little: those who say nothing, and those who send their body slowly. Everybody else is
// served meanwhile, on old connections and on new ones, and what is held in memory has a bound.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { createClient, type Service, setUp, startProcess, tokenFor, until } from '../../support/service.ts';

const idleCount = 2_000;
const slowCount = 500;
const limitBytes = 4 * 1024 * 1024;
const sentBytes = 60_000;
const announcedBytes = 200_000;

interface Held {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}

for (const engine of engines) {
  describe(`connections that are held on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let service: Service;
    let small: Service;
    let token: string;
    let held: Held[] = [];
    let nextId = 1;

    before(async () => {
      store = await engine.readyStore();
      const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...patience };
      const questions = [{ id: 'Q', name: 'Why?', responseType: 'TEXT' }];
      const surveys = [{ id: 'slow', modelInstanceId: 'M', questions }];
      const measures = [{ key: 1, name: 'One', surveys }];
      await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One', measures }] })], env);
      const client = await createClient(env, 1);
      service = await startProcess(env);
      small = await startProcess({ ...env, SOUNDINGS_BODIES_LIMIT_BYTES: String(limitBytes) });
      token = await tokenFor(service.baseUrl, client);
    });
    after(async () => {
      await Promise.all([service?.stop(), small?.stop()]);
      await store?.dispose();
    });

    const open = async ({ baseUrl }: Service): Promise<Held> => {
      const { hostname, port } = new URL(baseUrl);
      const socket = connect(Number(port), hostname);
      const one: Held = { socket, text: '', isClosed: false };
      held.push(one);
      socket.on('error', () => {});
      socket.on('data', (part: Buffer) => {
        one.text += part.toString();
      });
      socket.on('close', () => {
        one.isClosed = true;
      });
      await once(socket, 'connect');
      return one;
    };
    const letGo = (): void => {
      for (const { socket } of held) socket.destroy();
      held = [];
    };
    const openMany = async (count: number, to: Service): Promise<readonly Held[]> => {
      const opened: Held[] = [];
      for (let left = count; left > 0; left -= 100)
        opened.push(...(await Promise.all(Array.from({ length: Math.min(100, left) }, () => open(to)))));
      return opened;
    };
    const authorization = (): string => `Bearer ${token}`;
    const measures = ({ baseUrl }: Service, headers: Record<string, string> = {}): Promise<Answer> =>
      exchange(`${baseUrl}/v1/measures`, {
        headers: { authorization: authorization(), accept: 'application/json', ...headers },
      });
    const bodyOf = (length: number): string => {
      const empty = JSON.stringify({
        surveyDefinitionId: 'slow',
        responseId: `r-${nextId++}`,
        responses: { Q: [''] },
      });
      return empty.replace('[""]', `["${'x'.repeat(Math.max(0, length - empty.length))}"]`);
    };
    const post = ({ baseUrl }: Service, body = bodyOf(100)): Promise<Answer> =>
      exchange(`${baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { authorization: authorization(), 'content-type': 'application/json' },
        body,
      });
    const head = (framing: string): string =>
      `POST /v1/surveys/ingestion HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization()}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
    const underWay = async ({ baseUrl }: Service): Promise<number> => {
      const { text } = await exchange(`${baseUrl}/metrics`);
      return Number(/^soundings_bodies_under_way_bytes (\d+)$/m.exec(text)?.[1]);
    };
    const assertServed = async (to: Service): Promise<void> => {
      for (let times = 0; times < 5; times += 1) {
        assert.equal((await measures(to)).status, 200);
        assert.equal((await measures(to, { connection: 'close' })).status, 200);
        assert.equal((await exchange(`${to.baseUrl}/livez`)).status, 200);
        assert.equal(
          (await exchange(`${to.baseUrl}/livez`, { headers: { connection: 'close' } })).status,
          200,
        );
      }
    };

    it(`while ${idleCount} connections say nothing, everybody else reads and writes`, async () => {
      await openMany(idleCount, service);
      await assertServed(service);
      assert.equal((await post(service)).status, 200);
      letGo();
    });

    it(`while ${slowCount} bodies come slowly, everybody else reads and writes, and each of them is taken in the end [D-183]`, async () => {
      const slow = await openMany(slowCount, service);
      const bodies = slow.map(() => bodyOf(2_000));
      for (const [index, { socket }] of slow.entries())
        socket.write(head('content-length: 2000') + bodies[index]!.slice(0, 1_000));
      await until(
        () => underWay(service),
        (bytes) => bytes >= slowCount * 1_000,
      );
      await assertServed(service);
      assert.equal((await post(service)).status, 200);
      for (const [index, { socket }] of slow.entries()) socket.write(bodies[index]!.slice(1_000));
      await until(
        async () => slow.filter(({ text }) => text.startsWith('HTTP/1.1 200 ')).length,
        (count) => count === slowCount,
      );
      assert.equal(await underWay(service), 0);
      letGo();
    });

    for (const [framing, headers, begin] of [
      ['of a length that is said', `content-length: ${announcedBytes}`, ''],
      ['in chunks', 'transfer-encoding: chunked', `${announcedBytes.toString(16)}\r\n`],
    ] as const) {
      it(`bodies ${framing} that would take more than the limit are refused with 503 and Retry-After [D-183]`, async () => {
        const slow = await openMany(slowCount, small);
        for (const { socket } of slow) socket.write(`${head(headers)}${begin}${'x'.repeat(sentBytes)}`);
        const answered = (): readonly Held[] => slow.filter(({ text }) => text !== '');
        // Each is either held, of which there is room for so many, or has its answer.
        const roomFor = Math.floor(limitBytes / sentBytes);
        await until(
          async () => answered().length,
          (count) => count >= slowCount - roomFor,
        );
        for (const { text } of answered()) {
          assert.match(text, /^HTTP\/1\.1 503 /);
          assert.match(text, /^retry-after: \d+$/im);
          assert.match(text, /^connection: close$/im);
          assert.match(text, /TOO_MANY_BODIES/);
        }
        assert.ok(slowCount - answered().length > 0, 'none was held');
        const bytes = await underWay(small);
        assert.ok(bytes > 0 && bytes <= limitBytes, `${bytes} bytes`);
        await assertServed(small);
        letGo();
        await until(
          () => underWay(small),
          (left) => left === 0,
        );
        assert.equal((await post(small, bodyOf(announcedBytes))).status, 200);
      });
    }

    it('a body in a thousand tiny pieces is counted with what the pieces take, and kept when it is whole [D-183]', async () => {
      const body = bodyOf(1_000);
      const one = await open(small);
      one.socket.setNoDelay(true);
      one.socket.write(head('transfer-encoding: chunked'));
      for (const character of body.slice(0, 500)) one.socket.write(`1\r\n${character}\r\n`);
      await until(
        () => underWay(small),
        (bytes) => bytes > 500 * 100,
      );
      for (const character of body.slice(500)) one.socket.write(`1\r\n${character}\r\n`);
      one.socket.write('0\r\n\r\n');
      await until(
        async () => one.text,
        (text) => text.startsWith('HTTP/1.1 200 '),
      );
      assert.equal(await underWay(small), 0);
      letGo();
    });

    it('a body that is larger than any may be is too large, however full it is [D-27] [D-183]', async () => {
      const one = await open(small);
      one.socket.write(head('content-length: 99999999999'));
      await until(
        async () => one.text,
        (text) => text.startsWith('HTTP/1.1 413 '),
      );
      letGo();
      for (let times = 0; times < 20; times += 1) assert.equal((await post(small)).status, 200);
      assert.equal(await underWay(small), 0);
    });

    it('nobody who knows no secret can make it hold more than a form [D-183]', async () => {
      const answer = await exchange(`${small.baseUrl}/v1/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'x'.repeat(20_000),
      });
      assert.equal(answer.status, 413);
    });
  });
}
