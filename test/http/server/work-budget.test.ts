// What one request may use of everybody's time, as its caller sees it.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { addRoute, budgetOf, type Mounted, startMounted } from '../../support/mounted.ts';
import { tokenFor, until } from '../../support/service.ts';

describe('the work of a request', () => {
  let service: Mounted;
  let token: string;
  let started = 0;
  let ended = 0;

  before(async () => {
    service = await startMounted({
      databaseUrl: 'sqlite::memory:',
      env: {
        SOUNDINGS_THROTTLE: 'on',
        SOUNDINGS_THROTTLE_CLIENT_RATE: '1',
        SOUNDINGS_THROTTLE_CLIENT_BURST: '50',
        SOUNDINGS_WORK_LIMIT_UNITS: '40000',
        SOUNDINGS_WORK_UNITS_PER_TOKEN: '1000',
      },
      mount(app, _house, services) {
        const common = { method: 'GET', area: 'service', access: { grant: 'r_cx_users' } } as const;
        addRoute(app, {
          ...common,
          path: '/mounted/endless',
          async handle(_input, request, reply) {
            const budget = budgetOf(services, request, reply);
            started += 1;
            try {
              for (;;) {
                await budget.pause();
                await new Promise((resume) => setImmediate(resume));
              }
            } finally {
              ended += 1;
            }
          },
        });
        addRoute(app, {
          ...common,
          path: '/mounted/spends/:units',
          handle(_input, request, reply) {
            const { units } = request.params as { units: string };
            budgetOf(services, request, reply).spend(Number(units));
            return { units };
          },
        });
      },
    });
    token = await tokenFor(service.baseUrl, await service.newClient());
  });
  after(() => service.stop());

  const get = (path: string): Promise<Response> =>
    fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const remaining = (answer: Response): number =>
    Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);

  it('ends when the caller hangs up, and the log tells it as no failure of anybody [D-165]', async () => {
    const { port } = new URL(service.baseUrl);
    const leaving = httpRequest({
      port,
      path: '/mounted/endless',
      headers: { authorization: `Bearer ${token}` },
    });
    leaving.on('error', () => {});
    leaving.end();
    await until(
      async () => started,
      (count) => count === 1,
    );
    assert.equal(ended, 0);
    leaving.destroy();
    await until(
      async () => ended,
      (count) => count === 1,
    );
    const lines = await until(
      async () =>
        service
          .log()
          .split('\n')
          .filter((line) => line.includes('REQUEST_ABANDONED')),
      (found) => found.length > 0,
    );
    assert.deepEqual(
      lines.map((line) => {
        const { level, route, code } = JSON.parse(line);
        return { level, route, code };
      }),
      [{ level: 30, route: '/mounted/endless', code: 'REQUEST_ABANDONED' }],
    );
    assert.ok(
      !service
        .log()
        .split('\n')
        .some((line) => line.includes('"level":50')),
    );
  });

  it('is billed to the throttle beyond the one token of a request [D-165]', async () => {
    const before = remaining(await get('/mounted/spends/0'));
    await get('/mounted/spends/20000');
    const after = remaining(await get('/mounted/spends/0'));
    // Two requests and twenty tokens; a few tokens may have come in the meantime.
    assert.ok(before - after > 10 && before - after <= 22, `${before} became ${after}`);
  });

  it('is refused with a clear error when it would be more than one request may use [D-165]', async () => {
    const answer = await get('/mounted/spends/40001');
    assert.equal(answer.status, 400);
    const body = (await answer.json()) as { errorCode: string; message: string };
    assert.equal(body.errorCode, 'TOO_MUCH_WORK');
    assert.match(body.message, /narrow it or split it/);
  });
});
