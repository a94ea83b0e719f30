// A service that is told to stop: whoever talks to it gets every answer, and it ends by itself with status 0.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Engine, engines, sqlite, type TestStore } from '../../support/engines.ts';
import { basic, exchange } from '../../support/exchange.ts';
import { fairClock } from '../../support/fair-clock.ts';
import { keptResponses, prepareFeedback, surveyId } from '../../support/feedback.ts';
import { rawRequest } from '../../support/raw-http.ts';
import {
  type ApiClientCredentials,
  type ServiceProcess,
  startProcess,
  tokenFor,
  until,
} from '../../support/service.ts';

interface Ready {
  readonly store: TestStore;
  readonly env: Readonly<Record<string, string>>;
  readonly client: ApiClientCredentials;
}

async function prepare(engine: Engine): Promise<Ready> {
  const store = await engine.readyStore();
  const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
  return { store, env, client: await prepareFeedback(env) };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** One request on a connection of this agent: the status, or how it failed. */
function ask(agent: Agent, baseUrl: string, token: string, call: Call): Promise<number | string> {
  return new Promise((resolve) => {
    const outgoing = request(
      baseUrl + call.path,
      {
        agent,
        method: call.method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 'cut off'));
        answer.on('error', () => resolve('cut off'));
      },
    );
    outgoing.on('error', (error) => resolve((error as { code?: string }).code ?? error.message));
    outgoing.end(call.body);
  });
}

interface Load {
  /** How many were answered with success so far. */
  readonly answered: number;
  readonly keptIds: readonly string[];
  /** Everything that was neither a success nor a door that was already shut. */
  readonly failures: readonly (number | string)[];
  readonly over: Promise<void>;
}

/**
 * Callers with a connection each that they keep, who ask again as soon as they have an answer and come back when they
 * are sent away. Each is done when nobody listens any more: that request was never made.
 */
function load(baseUrl: string, token: string, callers: number): Load {
  const keptIds: string[] = [];
  const failures: (number | string)[] = [];
  let answered = 0;
  const caller = async (index: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const responseId = randomUUID();
      const body = JSON.stringify({
        surveyDefinitionId: surveyId,
        responseId,
        submissionTimestamp: '2026-01-15T12:00:00Z',
        responses: { 'Q-STARS': ['4'] },
      });
      const isWriting = index % 2 === 0;
      const outcome = await ask(
        agent,
        baseUrl,
        token,
        isWriting
          ? { method: 'POST', path: '/v1/surveys/ingestion', body }
          : { method: 'GET', path: '/v1/measures' },
      );
      if (outcome === 'ECONNREFUSED') return agent.destroy();
      if (outcome !== 200) failures.push(outcome);
      else {
        answered += 1;
        if (isWriting) keptIds.push(responseId);
      }
    }
  };
  const over = Promise.all(Array.from({ length: callers }, (_, index) => caller(index))).then(() => {});
  return {
    get answered() {
      return answered;
    },
    keptIds,
    failures,
    over,
  };
}

// Begun first and looked at last: it takes its ten seconds while the others run.
const endless = (async () => {
  const ready = await prepare(sqlite);
  const service = await startProcess(ready.env);
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  try {
    socket.write(rawRequest('POST /v1/token HTTP/1.1', ['Content-Length: 10']));
    await exchange(`${service.baseUrl}/livez`);
    const elapsedMs = fairClock(service.pid);
    return { status: await service.stop(), ms: elapsedMs() };
  } finally {
    socket.destroy();
    await service.kill();
    await ready.store.dispose();
  }
})();
// A failure is told by the test that waits for it.
endless.catch(() => {});

for (const engine of engines) {
  for (const workers of [1, 2]) {
    describe(`a service of ${workers} on ${engine.name} is told to stop`, () => {
      let ready: Ready;
      let service: ServiceProcess;

      before(async () => {
        ready = await prepare(engine);
        service = await startProcess(ready.env, ['--workers', String(workers)]);
      });
      after(async () => {
        await service?.kill();
        await ready?.store.dispose();
      });

      it('under load it fails no request, keeps what it answered, and ends with status 0', async () => {
        const token = await tokenFor(service.baseUrl, ready.client);
        const callers = load(service.baseUrl, token, 40);
        await until(
          async () => callers.answered,
          (count) => count > 200,
        );
        const beforeStop = callers.answered;
        const status = await service.stop();
        await callers.over;
        assert.deepEqual(callers.failures, []);
        assert.equal(status, 0, service.output());
        assert.ok(callers.answered > beforeStop, 'It answered while it was draining.');

        // Looked at through another process, so that it is not a memory of the first.
        const other = await startProcess(ready.env);
        try {
          const present = new Set(await keptResponses(other.baseUrl, token));
          assert.deepEqual(
            callers.keptIds.filter((id) => !present.has(id)),
            [],
          );
        } finally {
          await other.kill();
        }
      });
    });
  }
}

describe('while a service drains', () => {
  let ready: Ready;
  let service: ServiceProcess;

  before(async () => {
    ready = await prepare(sqlite);
  });
  after(async () => {
    await service?.kill();
    await ready?.store.dispose();
  });

  it('/readyz says that it is not ready, /livez that it lives, and requests are answered', async () => {
    service = await startProcess(ready.env);
    const token = await tokenFor(service.baseUrl, ready.client);
    const stopped = service.stop();
    const notReady = await until(
      () => exchange(`${service.baseUrl}/readyz`),
      ({ status }) => status === 503,
    );
    assert.deepEqual(notReady.body, { status: 'not ready', reasons: ['The process is shutting down.'] });
    assert.equal((await exchange(`${service.baseUrl}/livez`)).status, 200);
    const measures = await exchange(`${service.baseUrl}/v1/measures`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    assert.equal(measures.status, 200);
    assert.equal(await stopped, 0);
  });

  it('a port for the management says so too, to the end', async () => {
    service = await startProcess({ ...ready.env, SOUNDINGS_MANAGEMENT_PORT: '0' });
    const stopped = service.stop();
    await until(
      () => exchange(`${service.managementUrl}/readyz`),
      ({ status }) => status === 503,
    );
    assert.equal(await stopped, 0);
  });

  it('a request whose body is still on its way is answered when it has come', async () => {
    service = await startProcess(ready.env);
    const { hostname, port } = new URL(service.baseUrl);
    const form = 'grant_type=client_credentials&scope=r_cx_basic';
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      rawRequest(
        'POST /v1/token HTTP/1.1',
        [
          `Authorization: ${basic(ready.client.clientId, ready.client.clientSecret)}`,
          'Content-Type: application/x-www-form-urlencoded',
          `Content-Length: ${form.length}`,
        ],
        form.slice(0, 10),
      ),
    );
    // The service has the first half when it has answered somebody who came later.
    await exchange(`${service.baseUrl}/livez`);
    const stopped = service.stop();
    await until(
      () =>
        exchange(`${service.baseUrl}/livez`).then(
          () => true,
          () => false,
        ),
      (isListening) => !isListening,
    );
    socket.write(form.slice(10));
    await closed;
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.match(text, /^connection: close\r$/im);
    assert.equal(await stopped, 0);
  });

  it('one Ctrl-C that arrives twice is one', async () => {
    service = await startProcess(ready.env);
    process.kill(service.pid, 'SIGINT');
    process.kill(service.pid, 'SIGINT');
    process.kill(service.pid, 'SIGTERM');
    assert.equal(await service.exited, 0);
  });

  it('a second one, later, ends it at once', async () => {
    service = await startProcess(ready.env);
    // A request that stays open keeps it from ending by itself.
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(rawRequest('POST /v1/token HTTP/1.1', ['Content-Length: 10']));
    await exchange(`${service.baseUrl}/livez`);
    process.kill(service.pid, 'SIGTERM');
    await until(
      () =>
        exchange(`${service.baseUrl}/livez`).then(
          () => true,
          () => false,
        ),
      (isListening) => !isListening,
    );
    process.kill(service.pid, 'SIGTERM');
    assert.equal(await service.exited, 1);
    socket.destroy();
  });
});

describe('a caller who never finishes', () => {
  it('holds the end up for ten seconds and no longer', async () => {
    const { status, ms } = await endless;
    assert.equal(status, 0);
    assert.ok(ms < 14_000, `It took ${ms} ms.`);
  });
});

describe('a service that has just loaded the demo', () => {
  it('ends as soon as any other', async () => {
    const store = await sqlite.readyStore();
    const service = await startProcess({ DATABASE_URL: store.databaseUrl }, ['--demo']);
    const beganMs = performance.now();
    assert.equal(await service.stop(), 0, service.output());
    const ms = performance.now() - beganMs;
    assert.ok(ms < 6_000, `It took ${ms} ms.`);
    await store.dispose();
  });
});
