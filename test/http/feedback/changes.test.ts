// The changes of a measure or project: every response and what became of it, once, in one order, by pages.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  assertInOrder,
  type Entry,
  type FeedItem,
  follow,
  pageOf,
  placesOf,
  warehouseOf,
} from '../../support/change-feed.ts';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { seeded } from '../../support/seeded.ts';
import { until } from '../../support/service.ts';

const count = 300;
const seed = Math.floor(Math.random() * 2 ** 31);

for (const engine of engines) {
  describe(`the changes of a source on ${engine.name}, seed ${seed}`, () => {
    const random = seeded(seed);
    let service: FeedbackService;
    let token: string;
    let foreign: string;
    /** The bodies of the account, as they were sent. */
    const sent = new Map<string, string>();

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
      foreign = await service.token(bolt);
      for (let index = 0; index < count; index += 20)
        await Promise.all(Array.from({ length: 20 }, (_, more) => post(index + more)));
    });
    after(() => service?.stop());

    /** In mixed order, to a measure and a project of one account and a measure of another. */
    async function post(index: number): Promise<void> {
      const words = random.percent(5) ? 'long '.repeat(2_000) : `words ${index}`;
      const bodies = [
        {
          surveyDefinitionId: random.percent(30) ? 'acme-web-older' : 'acme-web',
          responseId: `web-${index}`,
          submissionTimestamp: new Date(Date.UTC(2025, 4, 1 + random.below(28))).toISOString(),
          responses: { 'Q-SAT-1': [String(1 + random.below(10))], 'Q-FOUND': ['A-YES'] },
          cpps: {
            data: { note: words.slice(0, 4_000), more: words.slice(0, 4_000), page: words.slice(0, 4_000) },
          },
        },
        { surveyDefinitionId: 'acme-badge', responseId: `badge-${index}`, responses: { 'Q-STARS': ['4'] } },
      ];
      for (const body of random.shuffle(bodies)) {
        sent.set(body.responseId, JSON.stringify(body));
        const { status, text } = await service.post(body, token);
        assert.equal(status, 200, text);
      }
      const other = {
        surveyDefinitionId: 'bolt-web',
        responseId: `web-${index}`,
        responses: { 'Q-SAT-1': ['5'] },
      };
      assert.equal((await service.post(other, foreign)).status, 200);
    }

    const measure = (query: string, key = 700): Promise<Answer> =>
      service.get(`/v1/measures/${key}/changes?${query}`, token);
    const project = (query: string): Promise<Answer> =>
      service.get(`/v1/projects/300/changes?${query}`, token);
    const anySize = (): number => 1 + random.below(60);
    async function data(): Promise<readonly FeedItem[]> {
      const items: FeedItem[] = [];
      for (let offset = 0; ; offset += 1) {
        const { body } = await service.get(
          `/v1/measures/700/data?from=2020-01-01&to=2035-12-31&limit=100&offset=${offset}`,
          token,
        );
        items.push(...(body.items as FeedItem[]));
        if (body.hasMore !== true) return items;
      }
    }

    it('shows every response once, in the order of arrival, as the data shows it, whatever the sizes of the pages [D-258]', async () => {
      const { entries } = await follow(measure, anySize);
      assertInOrder(entries);
      assert.deepEqual(
        entries.map(({ item }) => item),
        await data(),
      );
      assert.equal(entries.length, count);
      const ofProject = await follow(project, anySize);
      assertInOrder(ofProject.entries);
      const { body } = await service.get(
        '/v1/projects/300/data?from=2020-01-01&to=2035-12-31&limit=1000',
        token,
      );
      assert.deepEqual(
        ofProject.entries.map(({ item }) => item),
        body.items,
      );
    });

    it('external parameters and erasures come behind the responses that were there, each once, and make the same copy [D-257] [D-258]', async () => {
      const { next } = await follow(measure, anySize);
      const web = (await data()).filter(({ modelInstanceId }) => modelInstanceId === 'model-web-3');
      const given = random.some(web, 40);
      await service.addExternal(
        acme,
        Object.fromEntries(given.map(({ id }) => [id, { loyalty_tier: `tier of ${id}` }])),
      );
      await post(count);
      const erased = random.some(given, 10);
      for (const { id } of erased) await service.erase(acme, id);
      await post(count + 1);
      const later = await follow(measure, anySize, next);
      const kinds = Map.groupBy(later.entries, ({ type }) => type);
      assert.deepEqual(
        [kinds.get('response')?.length, kinds.get('external')?.length, kinds.get('erased')?.length],
        [2, 40, 10],
      );
      assert.deepEqual(
        kinds.get('external')!.map(({ position }) => position),
        Array(40).fill(count),
      );
      assert.deepEqual(
        kinds.get('erased')!.map(({ id, position }) => [id, position]),
        erased.map(({ id }) => [id, count + 1]),
      );
      const shown = kinds.get('external')!.find(({ item }) => !item!.erased)!;
      assert.deepEqual(shown.item!.responses.at(-1)!.answers, [`tier of ${shown.item!.id}`]);
      const whole = await follow(measure, anySize);
      assertInOrder(whole.entries);
      assert.deepEqual(warehouseOf(whole.entries), await data());
      // An erased response is shown so where it came in, and nothing of it is in any entry.
      const ids = new Set(erased.map(({ id }) => id));
      const ofErased = whole.entries.filter(({ item }) => item !== undefined && ids.has(item.id));
      assert.deepEqual(new Set(ofErased.map(({ item }) => item!.erased)), new Set([true]));
      assert.equal(ofErased.length, 20);
    });

    it('every entry that shows a response has the digest of its body, also when it was erased [D-250]', async () => {
      const shown = (await follow(measure, anySize)).entries.filter(({ item }) => item !== undefined);
      assert.ok(shown.length > count);
      for (const { digest, item } of shown) assert.equal(digest, hash('sha256', sent.get(item!.id)!));
    });

    it('a cursor stays good: what lies behind it is the same now and later, by large pages and by small ones [D-258]', async () => {
      const first = await pageOf(measure, 'limit=37');
      const one = await follow(measure, () => 1_000, first.next);
      // Some of them were erased by the test before, and would not change again.
      const kept = first.items.find(({ item }) => item!.erased !== true)!;
      await service.erase(acme, kept.item!.id);
      await post(count + 2);
      const other = await follow(measure, () => 7, first.next);
      assert.deepEqual(placesOf(other.entries).slice(0, one.entries.length), placesOf(one.entries));
      assert.deepEqual(placesOf(other.entries.slice(one.entries.length)), [
        `erased ${count + 2} ${one.entries.length + 37 - count - 2 + 1} ${kept.position} ${kept.position}`,
        `response ${count + 3}   `,
      ]);
      const nothing = await pageOf(measure, `after=${other.next}`);
      assert.deepEqual(nothing, { hasMore: false, items: [], next: other.next });
    });

    it('begins behind a position, with the changes that were made there or later [D-258]', async () => {
      const { entries } = await follow(measure, () => 1_000);
      for (const position of [0, 1, 100, 255, 256, 257, count, count + 3]) {
        const rest = await pageOf(measure, `position=${position}&limit=1000`);
        const isBehind = (entry: Entry): boolean =>
          entry.type === 'response' ? entry.position > position : entry.position >= position;
        assert.deepEqual(placesOf(rest.items), placesOf(entries.filter(isBehind)), String(position));
      }
    });

    it('refuses what is no cursor of this source, and names every other fault', async () => {
      const { next } = await pageOf(measure, 'limit=1');
      const refused = async (answer: Promise<Answer>): Promise<unknown[]> => {
        const { status, body } = await answer;
        return [status, (body.detailedErrors as { field: string }[] | undefined)?.map(({ field }) => field)];
      };
      const mixed = Buffer.from(next, 'base64url').toString().replace('.1.', '.2.');
      for (const wrong of [
        'x',
        next.slice(1),
        `${next}A.`,
        Buffer.from(mixed).toString('base64url'),
        'x'.repeat(201),
      ])
        assert.deepEqual(await refused(measure(`after=${wrong}`)), [400, ['after']], wrong);
      assert.deepEqual(await refused(measure(`after=${next}`, 703)), [400, ['after']]);
      const ofOther = service.get(`/v1/measures/700/changes?after=${next}`, foreign);
      assert.deepEqual(await refused(ofOther), [400, ['after']]);
      assert.deepEqual((await project(`after=${next}`)).status, 400);
      assert.deepEqual(await refused(measure(`after=${next}&position=3`)), [400, ['position']]);
      assert.deepEqual(await refused(measure('limit=1001&wait=21&offset=1')), [
        400,
        ['offset', 'limit', 'wait'],
      ]);
      assert.deepEqual(await refused(measure('limit=0&position=-1')), [400, ['position', 'limit']]);
    });

    it('opens with the grant of the data, for sources of the account alone', async () => {
      const [measures, projects] = [
        await service.token(acme, ['r_cx_measures']),
        await service.token(acme, ['r_cx_projects']),
      ];
      const status = async (path: string, by: string | null): Promise<number> =>
        (await service.get(`/v1/${path}/changes`, by)).status;
      assert.deepEqual(
        await Promise.all([
          status('measures/700', measures),
          status('projects/300', measures),
          status('measures/700', projects),
          status('projects/300', projects),
          status('measures/700', null),
          status('measures/800', token),
          status('measures/800', foreign),
          status('projects/900', token),
        ]),
        [200, 403, 403, 200, 401, 404, 200, 404],
      );
    });

    it('waits for the next change, and is answered with it [D-259]', async () => {
      const { next } = await follow(measure, () => 1_000);
      const waiting = [measure(`after=${next}&wait=20`), measure(`after=${next}&wait=20`)];
      const ofOther = service.get('/v1/measures/800/changes?wait=1', foreign);
      await post(count + 3);
      for (const answer of waiting) {
        const { items } = (await answer).body as unknown as { items: readonly Entry[] };
        assert.deepEqual(placesOf(items), [`response ${count + 4}   `]);
      }
      assert.deepEqual((await ofOther).body.items, []);
      const again = await follow(measure, () => 1_000);
      const erasing = measure(`after=${again.next}&wait=20`);
      await service.erase(acme, `web-${count + 3}`);
      const { items } = (await erasing).body as unknown as { items: readonly Entry[] };
      assert.deepEqual(
        items.map(({ type, id }) => [type, id]),
        [['erased', `web-${count + 3}`]],
      );
    });

    it('lets ten requests of an API client wait at once, and those of another client besides [D-259]', async () => {
      const { next } = await follow(measure, () => 1_000);
      const end = new AbortController();
      const ask = async (): Promise<readonly unknown[]> => {
        const answer = await fetch(`${service.baseUrl}/v1/measures/700/changes?after=${next}&wait=20`, {
          headers: { accept: 'application/json', authorization: `Bearer ${token}` },
          signal: end.signal,
        });
        const { errorCode } = (await answer.json()) as { errorCode: unknown };
        return [answer.status, errorCode, answer.headers.get('retry-after')];
      };
      const waiting = Array.from({ length: 11 }, ask);
      assert.deepEqual(await Promise.race(waiting), [429, 'TOO_MANY_WAITS', '1']);
      // Whoever does not wait is answered as ever, and another client of the account may wait.
      assert.equal((await measure(`after=${next}`)).status, 200);
      const other = await service.token(acme);
      assert.equal((await service.get(`/v1/measures/700/changes?after=${next}&wait=1`, other)).status, 200);
      // Those who go away make room.
      end.abort();
      await Promise.allSettled(waiting);
      await until(
        () => measure(`after=${next}&wait=1`),
        ({ status }) => status === 200,
      );
    });
  });
}
