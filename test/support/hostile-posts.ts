// Very many hostile posts to the page of a survey from one network, while somebody of another network answers it and another
// account reads its data.

import assert from 'node:assert/strict';
import { writeCatalogue } from './catalogue.ts';
import type { Engine } from './engines.ts';
import { exchange } from './exchange.ts';
import { fairClock } from './fair-clock.ts';
import { neighbourIsServedWhile, type Watch } from './neighbour.ts';
import { patience } from './patience.ts';
import { createClient, setUp, startProcess, tokenFor } from './service.ts';
import { formText, tokenIn } from './survey-page.ts';

const atOnce = 40;
// The page and the send together, with a commit: what a person would notice.
const personBoundMs = 750;
const hostileAddress = '203.0.113.66';

const questions = Array.from({ length: 25 }, (_, index) => ({
  id: `Q-${index}`,
  name: `Question ${index}`,
  responseType: index % 5 === 4 ? 'TEXT' : 'RADIO',
  ...(index % 5 === 4 ? {} : { answers: [{ id: 'A-1' }, { id: 'A-2' }, { id: 'A-3' }] }),
}));
const project = (id: number, surveyId: string) => ({
  id,
  name: `Project ${id}`,
  siteKey: `site-${surveyId}`,
  status: 'ACTIVE',
  surveys: [{ id: surveyId, public: true, questions }],
});
const answers = Object.fromEntries(
  questions.map(({ id, responseType }) => [`q.${id}`, responseType === 'TEXT' ? 'so so' : 'A-2']),
);

/** Holds a service to what neighbours are promised meanwhile, or looks at it in another way. */
export async function floodOfHostilePosts(engine: Engine, count: number, watch?: Watch): Promise<void> {
  const store = await engine.readyStore();
  const env = {
    DATABASE_URL: store.databaseUrl,
    ...patience,
    SOUNDINGS_THROTTLE: 'on',
    // The neighbour asks without a pause.
    SOUNDINGS_THROTTLE_CLIENT_RATE: '100000',
    SOUNDINGS_THROTTLE_CLIENT_BURST: '100000',
    SOUNDINGS_THROTTLE_ACCOUNT_RATE: '100000',
    SOUNDINGS_THROTTLE_ACCOUNT_BURST: '100000',
    SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
  };
  const file = writeCatalogue({
    accounts: [
      { id: 1, name: 'One', projects: [project(1, 'attacked')] },
      { id: 2, name: 'Two', projects: [project(1, 'beside')] },
    ],
  });
  await setUp(['apply', file], env);
  const [own, foreign] = await Promise.all([createClient(env, 1), createClient(env, 2)]);
  const service = await startProcess(env);
  try {
    const page = `${service.baseUrl}/s/attacked`;
    const open = async (address: string): Promise<string> => {
      const { status, text } = await exchange(page, { headers: { 'x-forwarded-for': address } });
      assert.equal(status, 200);
      return tokenIn(text);
    };
    const post = (address: string, body: string, type = 'application/x-www-form-urlencoded') =>
      exchange(page, {
        method: 'POST',
        headers: { 'content-type': type, 'x-forwarded-for': address },
        body,
      });
    // What nobody knows yet is looked up, which is held to a network's share; from here on the page is in memory.
    await open('10.200.0.1');
    // Some have a token that is good, some one of their own making; some are long, some are JSON.
    const good = await Promise.all(Array.from({ length: 500 }, () => open(hostileAddress)));
    const long = 'x'.repeat(20_000);
    const bodies = (index: number): readonly [string, string?] => {
      const token = good[index % good.length]!;
      switch (index % 5) {
        case 0:
          return [formText({ ...answers, token, website: 'http://spam.example' })];
        case 1:
          return [formText({ ...answers, token: `${token.slice(0, 50)}AAAAAAAAAA` })];
        case 2:
          return [formText({ token, 'q.Q-4': long, work: `${long}~1,2,3` })];
        case 3:
          return [JSON.stringify({ fields: { token: [token], 'q.Q-0': ['A-1'] } }), 'application/json'];
        default:
          return [formText({ ...answers })];
      }
    };
    let sent = 0;
    const statuses = new Map<number, number>();
    const attack = async (): Promise<void> => {
      while (sent < count) {
        sent += 1;
        const { status } = await post(hostileAddress, ...bodies(sent));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const waitsMs: number[] = [];
    let persons = 0;
    const answer = async (): Promise<void> => {
      persons += 1;
      const address = `10.${persons >> 8}.${persons & 0xff}.1`;
      const passed = fairClock(service.pid, process.pid);
      const { status, headers } = await post(address, formText({ ...answers, token: await open(address) }));
      waitsMs.push(passed());
      assert.deepEqual([status, String(headers.location).split('?')[0]], [303, '/s/attacked/thanks']);
    };
    await answer();
    waitsMs.length = 0;
    const startedAtMs = performance.now();
    const foreignToken = await tokenFor(service.baseUrl, foreign);
    const held: Watch = watch ?? ((_service, work) => neighbourIsServedWhile(service, foreignToken, work));
    await held(service, async () => {
      const attacks = Array.from({ length: atOnce }, attack);
      // Fewer than would heat the survey by themselves.
      while (sent < count && persons < 100) {
        await answer();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await Promise.all(attacks);
    });
    const late = waitsMs.filter((ms) => ms > personBoundMs);
    assert.ok(
      late.length <= Math.max(2, waitsMs.length / 100),
      `${late.length} of ${waitsMs.length} persons waited longer: ${late.map(Math.round).join(', ')}`,
    );
    // 500 and above would be our own failure.
    assert.ok(Math.max(...statuses.keys()) < 500, JSON.stringify([...statuses]));
    const seconds = (performance.now() - startedAtMs) / 1000;
    const token = await tokenFor(service.baseUrl, own);
    const { body } = await exchange(
      `${service.baseUrl}/v1/projects/1/data?from=2020-01-01&to=2100-01-01&limit=1`,
      { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
    );
    // A network has a quarter of what heats a survey at once, and an eighth a minute; then it has to work.
    const hostileRows = Number(body.total) - persons;
    assert.ok(hostileRows <= 30 + seconds / 4 + 1, `${hostileRows} rows of the one who attacks`);
  } finally {
    await service.stop();
    await store.dispose();
  }
}
