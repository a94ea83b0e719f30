// People of the console are throttled apart from the programs of their account. A bucket fills while a test runs, so counts
// are held against what the time that passed has given.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { consoleCall, operatorAside, sessionAside, sessionsAside } from '../../support/console.ts';
import { type Engine, engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { addClients, tokenAside } from '../../support/quick-clients.ts';
import { type Service, setUp, until } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { addUsers } from '../../support/user-population.ts';

const people = 300;
const peopleBeside = 40;
const personBurst = 20;
const peopleBurst = 60;
// The client's own bucket is large: what is looked at is that of the account.
const limits = {
  requestsPerSecond: 1,
  requestsAtOnce: 1,
  clientRequestsPerSecond: 1000,
  clientRequestsAtOnce: 1000,
};

for (const engine of engines)
  describe(`the throttle of people on ${engine.name}`, { concurrency: 1 }, () => personThrottle(engine));

function personThrottle(engine: Engine): void {
  let store: TestStore;
  let service: Service;
  const ids = new Map<number, readonly number[]>();
  const tokens = new Map<number, string>();

  before(async () => {
    store = await engine.readyStore();
    const env = {
      DATABASE_URL: store.databaseUrl,
      ...patience,
      SOUNDINGS_THROTTLE: 'on',
      SOUNDINGS_THROTTLE_CLIENT_RATE: '1',
      SOUNDINGS_THROTTLE_CLIENT_BURST: String(personBurst),
      SOUNDINGS_THROTTLE_ACCOUNT_RATE: '1',
      SOUNDINGS_THROTTLE_ACCOUNT_BURST: String(peopleBurst),
    };
    const accounts = [1, 2, 3].map((id) => ({ id, name: `Account ${id}`, limits }));
    await setUp(['apply', writeCatalogue({ accounts })], env);
    for (const { id } of accounts) {
      const profiles = Array.from({ length: id === 1 ? people : peopleBeside }, (_, index) => ({
        userName: `person-${index}`,
        externalId: `e-${index}`,
        active: true,
      }));
      ids.set(id, await addUsers(store.databaseUrl, id, profiles));
    }
    for (const client of await addClients(store.databaseUrl, [1, 2, 3]))
      tokens.set(tokens.size + 1, await tokenAside(store.databaseUrl, client));
    service = await startService(env);
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  const cookieOf = (accountId: number, index: number): Promise<string> =>
    sessionAside(store.databaseUrl, { accountId, personId: ids.get(accountId)![index]! });
  /** Of people whom no other test knows. */
  const cookiesOf = (accountId: number, count: number): Promise<readonly string[]> =>
    sessionsAside(
      store.databaseUrl,
      ids
        .get(accountId)!
        .slice(-count)
        .map((personId) => ({ accountId, personId })),
    );
  const visit = (cookie: string): Promise<Answer> =>
    consoleCall(service.baseUrl, 'GET', '/session', { cookie });
  const program = (accountId: number): Promise<Answer> =>
    exchange(`${service.baseUrl}/v1/measures`, {
      headers: { authorization: `Bearer ${tokens.get(accountId)}`, accept: 'application/json' },
    });
  /** Asks until it is told to wait; how many were answered before. */
  const drain = async (ask: () => Promise<Answer>, atMost: number): Promise<[number, Answer]> => {
    const startedMs = performance.now();
    for (let allowed = 0; ; allowed += 1) {
      const answer = await ask();
      if (answer.status === 429) return [allowed, answer];
      assert.equal(answer.status, 200, answer.text);
      assert.ok(allowed <= atMost + (performance.now() - startedMs) / 1000, `${allowed} were answered`);
    }
  };
  const isToldToWait = (answer: Answer, name: string, sentence: string): void => {
    assert.deepEqual([answer.status, answer.body.code, answer.body.detail], [429, 'THROTTLED', sentence]);
    const retryAfter = Number(answer.headers['retry-after']);
    assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1, `Retry-After is ${retryAfter}`);
    assert.equal(answer.headers.ratelimit, `"${name}";r=0;t=${retryAfter}`);
    assert.match(String(answer.headers['ratelimit-policy']), new RegExp(`"${name}";q=\\d+;w=\\d+`));
  };

  it('a person who sends too much is told to wait, and nobody beside them is [D-395]', async () => {
    const [cookie, another] = [await cookieOf(1, 0), await cookieOf(1, 0)];
    const [allowed, refusal] = await drain(() => visit(cookie), personBurst);
    assert.ok(allowed >= personBurst, `${allowed} were answered`);
    isToldToWait(refusal, 'person', 'Too many requests of this person.');
    // Signing in once more is no way around it.
    isToldToWait(await visit(another), 'person', 'Too many requests of this person.');
    assert.equal((await visit(await cookieOf(1, 1))).status, 200);
    assert.equal((await visit(await cookieOf(2, 0))).status, 200);
    assert.equal(
      (
        await until(
          () => visit(cookie),
          ({ status }) => status !== 429,
        )
      ).status,
      200,
    );
  });

  it('the people of an account wait together; its program, other accounts and operators inside do not [D-395]', async () => {
    const cookies = await cookiesOf(2, 10);
    let asked = 0;
    const [allowed, refusal] = await drain(() => visit(cookies[asked++ % cookies.length]!), peopleBurst);
    // One visit of the test before may have been taken from it.
    assert.ok(allowed >= peopleBurst - 1, `${allowed} were answered`);
    isToldToWait(refusal, 'people', 'Too many requests of the people of this account.');
    assert.equal((await program(2)).status, 200);
    assert.equal((await visit(await cookieOf(3, 0))).status, 200);
    const inside = await operatorAside(store.databaseUrl, { enteredAccountId: 2 });
    assert.equal((await visit(inside)).status, 200);
  });

  it('a program gains nothing from requests of people, and loses nothing [D-395]', async () => {
    const cookies = await cookiesOf(3, 5);
    const startedMs = performance.now();
    let answered = 0;
    for (let round = 0; round < 50; round += 1) {
      assert.equal((await visit(cookies[round % cookies.length]!)).status, 200);
      const answer = await program(3);
      if (round === 0) assert.equal(answer.status, 200, answer.text);
      if (answer.status === 200) answered += 1;
      else assert.equal(answer.body.message, 'Too many requests of this account.');
    }
    const grown = ((performance.now() - startedMs) / 1000) * limits.requestsPerSecond;
    assert.ok(answered <= limits.requestsAtOnce + grown, `${answered} were answered, 1 + ${grown} may be`);
    // What it was refused has cost the people nothing either: they have had 50 of their 60.
    assert.equal((await visit(cookies[0]!)).status, 200);
  });
}
