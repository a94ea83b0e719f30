// A healthy service on a machine that has far more to do than it can: eight clients with requests of all kinds, beside thirty loops that take
// every processor they get. SOAK_MINUTES says how long for each engine.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { atExit } from '../../support/at-exit.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { postResponse, prepareFeedback, projectId } from '../../support/feedback.ts';
import { patchOf, standardUser } from '../../support/scim.ts';
import { type ServiceProcess, startProcess, tokenFor } from '../../support/service.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 20);
const clients = 8;
const loops = 30;
const refusedShareMax = 0.01;
const days = 'from=2026-01-01&to=2026-01-31';

function busyLoops(): () => void {
  const children: ChildProcess[] = Array.from({ length: loops }, () =>
    spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  const end = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  atExit(end);
  return end;
}

for (const engine of engines) {
  describe(`a busy machine, on ${engine.name}`, { timeout: (minutes + 15) * 60_000 }, () => {
    let store: TestStore;
    let service: ServiceProcess;
    let token: string;
    let endLoops = (): void => {};

    before(async () => {
      store = await engine.newStore();
      // What a service has unless it is told otherwise.
      const env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_STORE_TIMEOUT_MS: '1500',
        SOUNDINGS_WORK_LIMIT_MS: '20000',
      };
      const client = await prepareFeedback(env);
      service = await startProcess(env);
      service.expectErrors('STORE_TIMEOUT', 'STORE_UNREACHABLE', 'WRITE_QUEUE_FULL');
      token = await tokenFor(service.baseUrl, client);
      endLoops = busyLoops();
    });
    after(async () => {
      endLoops();
      await service?.stop();
      await store?.dispose();
    });

    const get = (path: string): Promise<Answer> =>
      exchange(service.baseUrl + path, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      });
    const users = (method: string, path: string, body?: object): Promise<Answer> =>
      exchange(`${service.baseUrl}/scim/v2/Users${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

    /** The requests of one client in turn, each with what it is. */
    const requests = (client: number, at: number): readonly (readonly [string, () => Promise<Answer>])[] => {
      const name = `user-${client}-${at}`;
      let id = '';
      return [
        ['ingestion', () => postResponse(service.baseUrl, token, `r-${client}-${at}`, 'It was slow.')],
        [
          'user made',
          async () => {
            const answer = await users('POST', '', standardUser(name));
            id = String(answer.body.id ?? '');
            return answer;
          },
        ],
        ['user found', () => users('GET', `?filter=userName%20eq%20%22${name}%22`)],
        [
          'user changed',
          () => users('PATCH', `/${id}`, patchOf({ op: 'replace', path: 'displayName', value: name })),
        ],
        ['measures', () => get('/v1/measures')],
        ['page', () => get(`/v1/projects/${projectId}/data?${days}&limit=100`)],
        ['users', () => users('GET', '?count=50')],
        ['users searched', () => users('GET', `?filter=displayName%20co%20%22${client}-${at}%22`)],
        ['ready', () => get('/readyz')],
      ];
    };

    it(`${minutes} minutes of requests: no 5xx but 503 with Retry-After, and those below one in a hundred [D-900]`, async (t) => {
      const counts = new Map<string, number>();
      let asked = 0;
      let refused = 0;
      const wrong: string[] = [];
      const endsAtMs = performance.now() + minutes * 60_000;
      const client = async (number: number): Promise<void> => {
        for (let at = 0; performance.now() < endsAtMs; at += 1)
          for (const [what, ask] of requests(number, at)) {
            const { status, headers, text } = await ask();
            asked += 1;
            counts.set(`${what} ${status}`, (counts.get(`${what} ${status}`) ?? 0) + 1);
            if (status < 500) continue;
            if (status === 503 && headers['retry-after'] !== undefined) refused += 1;
            else wrong.push(`${what}: ${status} ${text}`);
          }
      };
      await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
      t.diagnostic(
        `${asked} requests: ${[...counts].map(([what, count]) => `${what}: ${count}`).join(', ')}`,
      );
      assert.deepEqual(wrong, []);
      assert.ok(refused < asked * refusedShareMax, `${refused} of ${asked} were refused.`);
    });
  });
}
