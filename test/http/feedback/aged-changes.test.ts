// A store that is two years old by the clock of the test: what the feed still has, who goes on, and who begins again.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FeedItem, follow, pageOf, warehouseOf } from '../../support/change-feed.ts';
import { endChanges } from '../../support/end-changes.ts';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { commandHereOk, until } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';
import { believeTime } from '../../support/trusted-time.ts';

const dayMs = 86_400_000;
const keptDays = 400;
const startMs = Date.UTC(2024, 0, 15, 12);
const months = 24;
const monthDays = 30;
/** Of each month: the externals of one response, and the erasure of another one. */
const changesOfMonth = 2;

for (const engine of engines)
  describe(`the feed of a store of two years on ${engine.name}`, { concurrency: 1 }, () => {
    let service: FeedbackService;
    /** Where a follower stood at the end of each month, and the number of the last response then. */
    const cursors: { readonly next: string; readonly position: number }[] = [];
    /** By the clock of the service, which a token outlives by hours only. */
    const token = (accountId = acme): Promise<string> => service.token(accountId);
    const changes = async (query: string): Promise<Answer> =>
      service.get(`/v1/measures/700/changes?${query}`, await token());
    const all = (): number => 1_000;

    async function post(id: string, survey = 'acme-web', accountId = acme): Promise<void> {
      const body = {
        ...{ surveyDefinitionId: survey, responseId: id },
        responses: { 'Q-SAT-1': ['7'], ...(survey === 'acme-web' ? { 'Q-FOUND': ['A-YES'] } : {}) },
      };
      const { status, text } = await service.post(body, await token(accountId));
      assert.equal(status, 200, text);
    }
    async function liveMonth(name: string): Promise<void> {
      for (const kind of ['kept', 'added', 'erased']) await post(`${name}-${kind}`);
      await service.addExternal(acme, { [`${name}-added`]: { loyalty_tier: `tier of ${name}` } });
      await service.erase(acme, `${name}-erased`);
    }
    /** What deletes by time does so, at the time of the service. */
    async function end(): Promise<void> {
      await believeTime(service.databaseUrl, service.nowMs);
      await endChanges(service.databaseUrl, service.nowMs, keptDays);
    }
    const numbersOf = async (accountId = acme): Promise<readonly number[]> => {
      const rows = await storeRows(
        service.databaseUrl,
        `select change_no from log_change where account_id = ${accountId} order by change_no`,
      );
      return rows.map((row) => Number(row.change_no));
    };
    async function data(): Promise<readonly FeedItem[]> {
      const path = '/v1/measures/700/data?from=2020-01-01&to=2035-12-31&limit=100';
      const { status, text, body } = await service.get(path, await token());
      assert.equal(status, 200, text);
      assert.equal(body.hasMore, false);
      return body.items as FeedItem[];
    }

    before(async () => {
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        nowMs: startMs,
        // The test ends them itself.
        env: { SOUNDINGS_CHANGES_DAYS: '0' },
      });
      await post('only', 'bolt-web', bolt);
      await post('other', 'bolt-web', bolt);
      await service.erase(bolt, 'only');
      for (let month = 0; month < months; month += 1) {
        await liveMonth(`m${month}`);
        const { next, entries } = await follow(changes, all, cursors.at(-1)?.next ?? null);
        cursors.push({ next, position: entries.filter(({ type }) => type === 'response').at(-1)!.position });
        service.pass(monthDays * dayMs);
      }
    });
    after(async () => {
      await service?.stop();
    });

    it('nothing ends by a clock that is not believed, or where changes are kept for ever [D-845] [D-894]', async () => {
      await believeTime(service.databaseUrl, startMs);
      await endChanges(service.databaseUrl, service.nowMs, keptDays);
      await believeTime(service.databaseUrl, service.nowMs);
      await endChanges(service.databaseUrl, service.nowMs, 0);
      assert.equal((await numbersOf()).length, months * changesOfMonth);
    });

    it('a change that the roll-up or a webhook has not passed stays [D-894]', async () => {
      // Of a release to come: nobody here moves it.
      await storeRows(
        service.databaseUrl,
        `insert into insight_cursor (account_id, source_id, form, rolled_seq, rolled_id, change_no, moves, updated_at)
         select account_id, source_id, 999, 1, 'm0-kept', 2, 1, 1 from log_counter where account_id = ${acme} and change_no > 0`,
      );
      await end();
      assert.equal((await numbersOf())[0], 3);
      await storeRows(service.databaseUrl, 'delete from insight_cursor where form = 999');
      const env = { DATABASE_URL: service.databaseUrl };
      const words = ['--account', String(acme)];
      const made = JSON.parse(
        await commandHereOk(
          [
            ...['webhook', 'create', ...words, '--name', 'slow', '--json'],
            ...['--url', 'https://example.com/', '--event', 'response.erased'],
          ],
          env,
        ),
      ) as { id: string };
      await storeRows(
        service.databaseUrl,
        `update background_task set cursor = '9 5' where account_id = ${acme} and name = 'webhooks'`,
      );
      await end();
      assert.equal((await numbersOf())[0], 6);
      await commandHereOk(['webhook', 'remove', made.id, ...words], env);
    });

    it('what is older than its days is gone, and the rest has no gap [D-894]', async () => {
      await end();
      const kept = Math.floor(keptDays / monthDays) * changesOfMonth;
      const numbers = await numbersOf();
      assert.deepEqual(
        numbers,
        Array.from({ length: kept }, (_, index) => months * changesOfMonth - kept + index + 1),
      );
    });

    it('the newest change of a source stays, however old it is [D-894]', async () => {
      assert.deepEqual(await numbersOf(bolt), [1]);
    });

    it('a cursor goes on where no change behind it is gone, also when the one that it has read last is [D-895]', async () => {
      const [oldest] = await numbersOf();
      const month = oldest! / changesOfMonth - 1.5;
      const { next } = cursors[month]!;
      const { entries } = await follow(changes, all, next);
      assert.equal(entries.find(({ change }) => change !== undefined)?.change, oldest);
      assert.equal(entries.length, (months - 1 - month) * 5);
      const last = await pageOf(changes, `after=${cursors.at(-1)!.next}`);
      assert.deepEqual([last.items, last.hasMore], [[], false]);
    });

    it('a cursor with a change behind it that is gone is 410, with the words how to begin again [D-895]', async () => {
      const [oldest] = await numbersOf();
      const { status, body } = await changes(`after=${cursors[oldest! / changesOfMonth - 2.5]!.next}`);
      assert.deepEqual([status, body.errorCode], [410, 'CHANGES_GONE']);
      assert.match(
        JSON.stringify(body),
        /\/v1\/measures\/700\/export .*\/v1\/measures\/700\/changes\?position=N.*Export-End-Position/,
      );
    });

    it('a position is 410 as long as a change behind it is gone, and no longer [D-895]', async () => {
      const [oldest] = await numbersOf();
      const month = oldest! / changesOfMonth - 1.5;
      const { position } = cursors[month]!;
      assert.equal((await changes(`position=${position}`)).status, 410);
      assert.equal((await changes('position=1')).status, 410);
      const { items } = await pageOf(changes, `position=${position + 1}&limit=1000`);
      assert.deepEqual(
        [items[0]?.position, items.find(({ change }) => change !== undefined)?.change],
        [position + 2, oldest],
      );
    });

    it('whoever begins at the start, or from an export, has the same as the data shows [D-895]', async () => {
      const { entries, next } = await follow(changes, () => 7);
      assert.equal(entries.filter(({ type }) => type === 'response').length, months * 3);
      assert.deepEqual(warehouseOf(entries), await data());
      const file = await exchange(
        `${service.baseUrl}/v1/measures/700/export?from=2020-01-01&to=2035-12-31&format=ndjson`,
        { headers: { accept: '*/*', authorization: `Bearer ${await token()}` } },
      );
      assert.equal(file.status, 200);
      const position = Number(file.headers['export-end-position']);
      assert.equal(position, months * 3);
      await liveMonth('later');
      const exported = file.text
        .trim()
        .split('\n')
        .map((line) => {
          const { position: _position, surveyVersion: _version, digest: _digest, ...item } = JSON.parse(line);
          return item as FeedItem;
        });
      const { items } = await pageOf(changes, `position=${position}&limit=1000`);
      const copy = warehouseOf([
        ...exported.map((item, index) => ({ type: 'response', position: index + 1, item }) as const),
        ...items,
      ]);
      assert.deepEqual(copy, await data());
      const behind = await follow(changes, all, next);
      assert.deepEqual(warehouseOf([...entries, ...behind.entries]), await data());
    });

    it('a cursor that has read all goes on for ever [D-895]', async () => {
      const { next } = await follow(changes, all);
      service.pass(1_000 * dayMs);
      await end();
      assert.equal((await numbersOf()).length, 1);
      assert.deepEqual((await pageOf(changes, `after=${next}`)).items, []);
      await liveMonth('last');
      service.pass(1_000 * dayMs);
      await post('afterwards');
      await service.erase(acme, 'afterwards');
      await end();
      const gone = await changes(`after=${next}`);
      assert.equal(gone.status, 410, 'it has not read what was made and ended meanwhile');
      const whole = await follow(changes, all);
      assert.deepEqual(warehouseOf(whole.entries), await data());
    });

    it('a service ends them by itself [D-894]', async () => {
      const { databaseUrl } = service;
      await liveMonth('served');
      await storeRows(databaseUrl, 'update log_change set at = 1');
      await believeTime(databaseUrl, Date.now());
      assert.ok((await numbersOf()).length > 1);
      const other = await startService({ DATABASE_URL: databaseUrl, SOUNDINGS_CHANGES_DAYS: '30' });
      try {
        await until(
          () => numbersOf(),
          (numbers) => numbers.length === 1,
          30_000,
        );
      } finally {
        await other.stop();
      }
    });
  });
