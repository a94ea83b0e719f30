// Callers who never come to the end of what they say.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { mountAreas } from '../../../support/area-routes.ts';
import { sqlite, type TestStore } from '../../../support/engines.ts';
import { exchange } from '../../../support/exchange.ts';
import { type Mounted, startMounted } from '../../../support/mounted.ts';
import { rawRequest } from '../../../support/raw-http.ts';

const host = 'Host: soundings.test';
const posted = (headers: readonly string[], body = ''): string =>
  rawRequest('POST /mounted/echo HTTP/1.1', ['Content-Type: application/json', ...headers], body);

describe('requests that are too slow', () => {
  const patienceMs = 20_000;
  const stepMs = 400;
  let store: TestStore;
  let service: Mounted;

  before(async () => {
    store = await sqlite.readyStore();
    service = await startMounted({ databaseUrl: store.databaseUrl, mount: mountAreas });
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  /** What is said at once, and what follows a byte at a time for ever. */
  const kinds: Readonly<Record<string, { readonly start: string; readonly drip: string }>> = {
    'says nothing': { start: '', drip: '' },
    'stops in the request line': { start: 'GET /liv', drip: '' },
    'stops in the headers': { start: `GET /livez HTTP/1.1\r\n${host}\r\n`, drip: '' },
    'never ends its request line': { start: 'GET /', drip: 'x' },
    'never ends its headers': { start: `GET /livez HTTP/1.1\r\n${host}\r\n`, drip: 'X-Test: a\r\n' },
    'never sends its body': { start: posted(['Content-Length: 1000']), drip: '' },
    'never ends its body': { start: posted(['Content-Length: 1000'], '['), drip: ' ' },
    'never ends its chunks': {
      start: posted(['Transfer-Encoding: chunked'], '1\r\n[\r\n'),
      drip: '1\r\n \r\n',
    },
  };

  it('are cut off after 15 seconds, many at once, while others are answered', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const open = (start: string, drip: string): Promise<number> => {
      const startedAtMs = performance.now();
      const socket: Socket = connect(Number(port), hostname);
      if (start !== '') socket.write(start);
      const dripping = drip === '' ? undefined : setInterval(() => socket.write(drip), stepMs);
      const tooLate = setTimeout(() => socket.destroy(), patienceMs);
      socket.on('error', () => {});
      socket.resume();
      return new Promise((resolve) =>
        socket.on('close', () => {
          clearInterval(dripping);
          clearTimeout(tooLate);
          resolve(performance.now() - startedAtMs);
        }),
      );
    };
    const all = Object.entries(kinds).flatMap(([what, { start, drip }]) =>
      Array.from({ length: 10 }, async () => ({ what, ms: await open(start, drip) })),
    );
    let areClosed = false;
    const closing = Promise.all(all).then((closed) => {
      areClosed = true;
      return closed;
    });
    // Asked all the while, four times a second.
    let slowestMs = 0;
    while (!areClosed) {
      const askedAtMs = performance.now();
      assert.equal((await exchange(`${service.baseUrl}/livez`)).status, 200);
      slowestMs = Math.max(slowestMs, performance.now() - askedAtMs);
      await Promise.race([closing, new Promise((resume) => setTimeout(resume, 250))]);
    }
    const late = (await closing).filter(({ ms }) => ms > 17_500);
    assert.deepEqual(late, []);
    assert.ok(slowestMs < 1_000, `The slowest answer took ${slowestMs} ms.`);
  });
});
