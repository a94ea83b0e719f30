// What stands between programs and the page of a survey, over HTTP: flags that rows carry, limits by network, work while a
// survey runs hot, and tokens that ingestion asks for.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type Mounted, startMounted } from '../../support/mounted.ts';
import { day, type MovingClock, movingClock } from '../../support/moving-clock.ts';
import { type Challenge, eraseOf, tokenOf, workFor } from '../../support/page-work.ts';
import { type Fields, SurveyPageClient, tokenIn } from '../../support/survey-page.ts';

const acme = 4001;
const other = 4002;
const population = 300;
const hotPerMinute = 40;

const questions = [
  {
    id: 'Q-FOUND',
    name: 'Did you find it?',
    responseType: 'RADIO',
    required: true,
    answers: [
      { id: 'A-YES', text: 'Yes' },
      { id: 'A-NO', text: 'No' },
    ],
  },
  { id: 'Q-WHY', name: 'Why?', responseType: 'TEXT_AREA' },
];
const project = (id: number, surveyId: string, rest: object = {}) => ({
  id,
  name: `Project ${id}`,
  siteKey: `site-${surveyId}`,
  status: 'ACTIVE',
  surveys: [{ id: surveyId, public: true, questions, ...rest }],
});
const answers = { 'q.Q-FOUND': 'A-YES', 'q.Q-WHY': 'It was there.' };
const longEnoughMs = 60_000;

interface Item {
  readonly id: string;
  readonly quality?: { readonly suspect: readonly string[] };
}

let networks = 0;
const newNetwork = (): string => {
  networks += 1;
  return `10.${networks >> 8}.${networks & 0xff}.1`;
};
const from = (address: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': address });

for (const engine of engines) {
  describe(`protection of pages on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let clock: MovingClock;
    let mounted: Mounted;
    let pages: SurveyPageClient;
    let token: string;
    let foreignToken: string;

    before(async () => {
      store = await engine.readyStore();
      clock = movingClock({ isStill: true });
      mounted = await startMounted({
        databaseUrl: store.databaseUrl,
        now: clock.now,
        elapsedMs: clock.elapsedMs,
        env: {
          SOUNDINGS_THROTTLE: 'on',
          SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
          SOUNDINGS_PAGE_HOT_PER_MINUTE: String(hotPerMinute),
          SOUNDINGS_THROTTLE_CLIENT_RATE: '100000',
          SOUNDINGS_THROTTLE_CLIENT_BURST: '100000',
        },
        account: {
          id: acme,
          name: 'Acme',
          projects: [
            project(1, 'flags'),
            project(2, 'hot'),
            project(3, 'narrow'),
            project(4, 'guarded', { page: { protect: 'page' } }),
            project(5, 'many'),
            project(6, 'office'),
          ],
        },
      });
      pages = new SurveyPageClient(mounted, clock);
      await pages.apply({ accounts: [{ id: other, name: 'Other', projects: [project(1, 'strange')] }] });
      token = await tokenOf(mounted, acme);
      foreignToken = await tokenOf(mounted, other);
    });
    after(async () => {
      await mounted?.stop();
      await store?.dispose();
    });

    const read = (path: string, of = token, accept = 'application/json'): Promise<Answer> =>
      exchange(`${mounted.baseUrl}${path}`, { headers: { authorization: `Bearer ${of}`, accept } });
    const range = (): string =>
      `from=2020-01-01&to=${new Date(clock.now() + day).toISOString().slice(0, 10)}`;
    async function items(projectId: number, of = token): Promise<readonly Item[]> {
      const { status, body, text } = await read(`/v1/projects/${projectId}/data?${range()}&limit=1000`, of);
      assert.equal(status, 200, text);
      return body.items as readonly Item[];
    }
    const suspectsOf = async (projectId: number): Promise<readonly (readonly string[] | null)[]> =>
      (await items(projectId)).map(({ quality }) => quality?.suspect ?? null);

    /** Somebody who takes her time, from a network of her own, unless said otherwise. */
    async function send(
      name: string,
      fields: Fields = {},
      { address = newNetwork(), afterMs = longEnoughMs }: { address?: string; afterMs?: number } = {},
    ): Promise<Answer> {
      const given = { token: await pages.token(name), ...answers, ...fields };
      clock.pass(afterMs);
      return pages.send(name, given, from(address));
    }
    /** So many at once, each from another network. */
    async function heat(name: string, count: number): Promise<void> {
      const page = await pages.get(`/s/${name}`);
      assert.equal(page.status, 200);
      const tokens = await Promise.all(Array.from({ length: count }, () => pages.token(name)));
      clock.pass(longEnoughMs);
      await Promise.all(
        tokens.map((one) => pages.send(name, { token: one, ...answers }, from(newNetwork()))),
      );
    }

    it('what looks like a program is kept, and its row says why, wherever it is read [D-465] [D-467]', async () => {
      assert.equal((await send('flags')).status, 303);
      assert.equal((await send('flags', { website: 'https://spam.example' })).status, 303);
      assert.equal((await send('flags', {}, { afterMs: 400 })).status, 303);
      assert.equal((await send('flags', { website: 'x' }, { afterMs: 0 })).status, 303);
      const wanted = [null, ['HONEYPOT'], ['TOO_FAST'], ['HONEYPOT', 'TOO_FAST']];
      assert.deepEqual(await suspectsOf(1), wanted);

      const changes = await read('/v1/projects/1/changes');
      const entries = changes.body.items as readonly { readonly item: Item }[];
      assert.deepEqual(
        entries.map(({ item: { quality } }) => quality?.suspect ?? null),
        wanted,
      );
      const ndjson = await read(`/v1/projects/1/export?${range()}&format=ndjson`, token, '*/*');
      assert.deepEqual(
        ndjson.text
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as Item).quality?.suspect ?? null),
        wanted,
      );
      const csv = await read(`/v1/projects/1/export?${range()}&format=csv`, token, '*/*');
      const [header = '', ...rows] = csv.text.trim().split('\n');
      assert.match(header, /,digest,quality$/);
      assert.deepEqual(
        rows.map((row) => row.slice(row.lastIndexOf(',') + 1)),
        ['', 'HONEYPOT', 'TOO_FAST', 'HONEYPOT;TOO_FAST'],
      );
      assert.deepEqual(await items(1, foreignToken), []);
    });

    it('the same token sent twice is one row, whatever speaks against the second, and no body can say it [D-467]', async () => {
      const given = { token: await pages.token('flags'), ...answers };
      const before = (await items(1)).length;
      assert.equal((await pages.send('flags', { ...given, website: 'x' }, from(newNetwork()))).status, 303);
      clock.pass(longEnoughMs);
      assert.equal((await pages.send('flags', given, from(newNetwork()))).status, 303);
      assert.deepEqual((await suspectsOf(1)).slice(before), [['HONEYPOT', 'TOO_FAST']]);

      const body = JSON.stringify({
        surveyDefinitionId: 'flags',
        responses: { 'Q-FOUND': ['A-NO'] },
        quality: { suspect: ['HONEYPOT'] },
      });
      const posted = await exchange(`${mounted.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...from(newNetwork()) },
        body,
      });
      assert.equal(posted.status, 200);
      assert.match(String(posted.body.message), /not known and not used: quality/);
      assert.equal((await suspectsOf(1)).at(-1), null);
    });

    it('of an erased response nothing is left that speaks against it [D-467]', async () => {
      const [row] = (await items(1)).filter(({ quality }) => quality !== undefined);
      assert.ok(row);
      await eraseOf(mounted, acme, row.id);
      const erased = (await items(1)).find(({ id }) => id === row.id);
      assert.deepEqual(
        [erased?.quality, (erased as { erased?: boolean } | undefined)?.erased],
        [undefined, true],
      );
    });

    it('an office that opens a link at one moment opens it, though nobody has asked for it before [D-436]', async () => {
      const visitors = 120;
      const opened = await Promise.all(Array.from({ length: visitors }, () => pages.get('/s/office')));
      assert.deepEqual([...new Set(opened.map(({ status }) => status))], [200]);
      // They have used up next to nothing of what the network may look up.
      const wrong = await Promise.all(Array.from({ length: 45 }, (_, at) => pages.get(`/s/wrong-${at}`)));
      assert.deepEqual([...new Set(wrong.map(({ status }) => status))], [404]);
      clock.pass(longEnoughMs);
    });

    it('beyond what a network may send it waits, its answers are kept, and another network is served', async () => {
      const address = '203.0.113.9';
      const burst = 50;
      const tokens = await Promise.all(Array.from({ length: burst + 1 }, () => pages.token('narrow')));
      clock.pass(longEnoughMs);
      for (const one of tokens.slice(0, burst))
        await pages.send('narrow', { token: one, ...answers }, from(address));
      const last = { token: tokens.at(-1)!, ...answers };
      const refused = await pages.send('narrow', last, from(address));
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
      assert.match(refused.text, /It was there\./);
      assert.equal(tokenIn(refused.text), last.token);
      assert.equal((await send('narrow')).status, 303);
    });

    it('a survey that runs hot asks for work, takes what was worked for, and flags what has waited [D-466]', async () => {
      await heat('hot', hotPerMinute + 1);
      const before = (await items(2)).length;
      const given = { token: await pages.token('hot'), ...answers };
      const address = newNetwork();
      const asked = await pages.sendText(
        'hot',
        JSON.stringify({ fields: Object.fromEntries(Object.entries(given).map(([k, v]) => [k, [v]])) }),
        { 'content-type': 'application/json', ...from(address) },
      );
      assert.equal(asked.status, 429, asked.text);
      const challenge = asked.body.work as Challenge;
      assert.equal((await items(2)).length, before);
      const worked = { ...given, work: workFor(challenge) };
      assert.equal((await pages.send('hot', worked, from(address))).status, 303);
      assert.deepEqual((await suspectsOf(2)).slice(before), [['TOO_FAST']]);

      // Without scripts: the page again, with the answers and what is to be brought back.
      const slow = { token: await pages.token('hot'), ...answers };
      const page = await pages.send('hot', slow, from(address));
      assert.equal(page.status, 429);
      assert.match(page.text, /It was there\./);
      const [, work = ''] = /name="work" value="([^"]+)"/.exec(page.text) ?? [];
      assert.notEqual(work, '');
      assert.equal((await pages.send('hot', { ...slow, work }, from(address))).status, 429);
      clock.pass(challenge.waitSeconds * 1_000);
      assert.equal((await pages.send('hot', { ...slow, work }, from(address))).status, 303);
      assert.deepEqual((await suspectsOf(2)).slice(before + 1), [['NO_WORK']]);

      assert.equal((await send('strange')).status, 303);
      const { text } = await exchange(`${mounted.baseUrl}/metrics`);
      assert.match(text, /^soundings_page_sends_total\{verdict="work"\} \d+$/m);
    });

    it(`of ${population} sends every suspect is kept and counted, and no other is flagged [D-465] [D-468]`, async () => {
      // Asked for once before: what nobody knows yet is looked up, which is held to a network's share.
      const tokens = [await pages.token('many')];
      while (tokens.length < population) tokens.push(await pages.token('many'));
      clock.pass(longEnoughMs);
      let at = 0;
      // In portions that heat nothing.
      while (at < population) {
        await Promise.all(
          tokens.slice(at, at + 20).map((one, index) => {
            const isSpam = (at + index) % 7 === 0;
            const fields = { token: one, ...answers, ...(isSpam ? { website: 'x' } : {}) };
            return pages.send('many', fields, from(newNetwork()));
          }),
        );
        at += 20;
        clock.pass(longEnoughMs);
      }
      const { body } = await read(`/v1/projects/5/data?${range()}&limit=1000`);
      assert.equal(body.total, population);
      const flagged = (await suspectsOf(5)).filter((suspect) => suspect !== null);
      assert.deepEqual([flagged.length, ...new Set(flagged.flat())], [Math.ceil(population / 7), 'HONEYPOT']);
    });

    it('with protect: page anonymous posts need the token of the page, and are judged like it [D-469]', async () => {
      const post = (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
        exchange(`${mounted.baseUrl}/v1/surveys/ingestion`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...from(newNetwork()),
            ...headers,
          },
          body: JSON.stringify(body),
        });
      const response = { surveyDefinitionId: 'guarded', responses: { 'Q-FOUND': ['A-YES'] } };
      const codeOf = ({ status, body }: Answer): unknown[] => [status, body.errorCode];
      const required = [403, 'PAGE_TOKEN_REQUIRED'];
      const foreign = await pages.token('flags');
      // As a page asks for it that draws its own form.
      const issued = await exchange(`${mounted.baseUrl}/s/guarded/token`, { headers: from(newNetwork()) });
      const pageToken = String(issued.body.token);
      assert.deepEqual([issued.status, issued.headers['cache-control']], [200, 'no-store']);
      assert.ok(Math.abs(Date.parse(String(issued.body.expires)) - clock.now() - day) < longEnoughMs);
      const invitation = await exchange(`${mounted.baseUrl}/v1/surveys/guarded/invitations`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ invitations: [{}] }),
      });
      const [{ url: link } = { url: '' }] = invitation.body.items as readonly { url: string }[];
      const invited = new URL(link).searchParams.get('i') ?? '';
      clock.pass(longEnoughMs);
      assert.deepEqual(codeOf(await post(response)), required);
      for (const wrong of ['', 'x', invited, foreign, `${pageToken}A`, 'A'.repeat(60)])
        assert.deepEqual(codeOf(await post(response, { 'soundings-page-token': wrong })), required);
      const otherId = await post({ ...response, responseId: 'mine' }, { 'soundings-page-token': pageToken });
      assert.deepEqual(codeOf(otherId), [400, 'INVALID_RESPONSE']);
      const test = await post({ ...response, isTest: true }, { 'soundings-page-token': pageToken });
      assert.equal(test.status, 200);
      assert.deepEqual(await items(4), []);

      const kept = await post(response, { 'soundings-page-token': pageToken });
      assert.equal(kept.status, 200, kept.text);
      const again = await post(
        { ...response, responseId: kept.body.responseId },
        { 'soundings-page-token': pageToken },
      );
      assert.deepEqual([again.status, again.body.responseId], [200, kept.body.responseId]);
      assert.deepEqual(await suspectsOf(4), [null]);
      const fast = await post(response, { 'soundings-page-token': await pages.token('guarded') });
      assert.equal(fast.status, 200);
      assert.deepEqual(await suspectsOf(4), [null, ['TOO_FAST']]);
      // The page itself, and programs with an access token, go on as before.
      assert.equal((await send('guarded')).status, 303);
      const own = await post(response, { authorization: `Bearer ${token}` });
      assert.equal(own.status, 200);
      assert.deepEqual(await suspectsOf(4), [null, ['TOO_FAST'], null, null]);

      await heat('guarded', hotPerMinute + 1);
      const hotToken = { 'soundings-page-token': await pages.token('guarded') };
      clock.pass(1_000);
      const asked = await post(response, hotToken);
      assert.deepEqual(codeOf(asked), [429, 'PAGE_WORK_REQUIRED']);
      const challenge = { text: String(asked.headers['soundings-page-work']), bits: 10, waitSeconds: 0 };
      const worked = await post(response, { ...hotToken, 'soundings-page-work': workFor(challenge) });
      assert.equal(worked.status, 200, worked.text);
      assert.equal((await suspectsOf(4)).at(-1), null);
      assert.equal((await post(response, { authorization: `Bearer ${token}` })).status, 200);
      clock.pass(day + 1_000);
      assert.deepEqual(codeOf(await post(response, { 'soundings-page-token': pageToken })), required);
    });
  });
}
