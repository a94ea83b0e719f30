// The client on a network that loses, cuts and refuses: nothing is lost and nothing is doubled, on both engines.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect, type Soundings, SoundingsError } from '../../client/index.ts';
import { engines } from '../support/engines.ts';
import { type Fate, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { seeded } from '../support/seeded.ts';
import { createClient } from '../support/service.ts';

const measureRows = 620;
const projectRows = 180;
const atOnce = 24;
const range = { from: '2025-05-01', to: '2025-06-30' };
const quick = { backoffMs: 1, tries: 12 };
const note = 'A note, "quoted", with\nlines and ß. '.repeat(30);

for (const engine of engines)
  describe(`the client on a bad network, ${engine.name}`, () => {
    let service: FeedbackService;
    let proxy: FaultyProxy;
    let soundings: Soundings;
    let direct: Soundings;
    const chance = seeded(66);

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      proxy = await startFaultyProxy(service.baseUrl);
      const env = { DATABASE_URL: service.databaseUrl };
      const grants = ['r_cx_measures', 'r_cx_projects', 'w_cx_responses'];
      const credentials = await createClient(env, acme, grants);
      soundings = connect({ url: proxy.url, ...credentials, ...quick });
      direct = connect({ url: service.baseUrl, ...credentials });
      proxy.decide = badLuck;
      await sendAll();
      const beside = connect({ url: service.baseUrl, ...(await createClient(env, bolt, grants)) });
      await Promise.all(Array.from({ length: 100 }, (_, index) => beside.send(boltResponse(index))));
    });
    after(async () => {
      proxy.close();
      await service.stop();
    });

    /** Every third request or so meets with something. */
    function badLuck(): Fate {
      if (chance.percent(65)) return 'pass';
      const bytes = chance.below(20_000);
      return chance.pick<Fate>([
        'request lost',
        'answer lost',
        { cutAfterBytes: bytes },
        { endAfterBytes: bytes },
        { status: 429, headers: { 'retry-after': '0' } },
        { status: 502 },
        { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } },
        { status: 504 },
      ]);
    }

    async function sendAll(): Promise<void> {
      const responses = [
        ...Array.from({ length: measureRows }, (_, index) => measureResponse(index)),
        ...Array.from({ length: projectRows }, (_, index) => projectResponse(index)),
      ];
      for (let first = 0; first < responses.length; first += atOnce)
        await Promise.all(responses.slice(first, first + atOnce).map((response) => soundings.send(response)));
    }

    const dayOf = (index: number): string => `2025-05-${String(1 + (index % 28)).padStart(2, '0')}T08:00:00Z`;
    // Every second one leaves its id to the client.
    const idOf = (index: number): object => (index % 2 === 0 ? { responseId: `r-${index}` } : {});
    const measureResponse = (index: number) => ({
      surveyDefinitionId: 'acme-web',
      ...idOf(index),
      submissionTimestamp: dayOf(index),
      responses: { 'Q-SAT-1': [String(1 + (index % 10))], 'Q-FOUND': ['A-YES'] },
      cpps: { data: { note, number: String(index) } },
    });
    const projectResponse = (index: number) => ({
      surveyDefinitionId: 'acme-badge',
      ...idOf(1_000_000 + index),
      submissionTimestamp: dayOf(index),
      responses: { 'Q-STARS': ['4'], 'Q-WORDS': [`words ${index}`] },
      cpps: { data: { number: String(index) } },
    });
    const boltResponse = (index: number) => ({
      surveyDefinitionId: 'bolt-web',
      submissionTimestamp: dayOf(index),
      responses: { 'Q-SAT-1': ['3'] },
    });

    const numberOf = ({ responses = [] }: { responses?: { name: string; answers: string[] }[] }): number =>
      Number(responses.find(({ name }) => name === 'number')?.answers[0]);
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
    const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);

    it('every response that was sent is kept once, with an id of the client or of its own [D-663]', async () => {
      const kept = await direct.measure(700).data(range).all();
      assert.deepEqual(sorted(kept.map(numberOf)), upTo(measureRows));
      const entries = await direct.project(300).data(range).all();
      assert.deepEqual(sorted(entries.map(numberOf)), upTo(projectRows));
      const posts = proxy.seen.filter(({ path }) => path === '/v1/surveys/ingestion');
      assert.ok(posts.length > 1.2 * (measureRows + projectRows), 'the network was bad');
      const repeats = Map.groupBy(
        posts,
        ({ body }) => (JSON.parse(body) as { responseId: string }).responseId,
      );
      assert.equal(repeats.size, measureRows + projectRows);
      for (const [, [first, ...again]] of repeats)
        assert.ok(
          again.every(({ body }) => body === first!.body),
          'the same bytes each time',
        );
    });

    it('pages and rows of a range come once each, also those whose page was cut [D-661]', async () => {
      proxy.decide = badLuck;
      const wanted = await direct.measure(700).data(range).all();
      const rows: unknown[] = [];
      for await (const row of soundings.measure(700).data({ ...range, limit: 17 })) rows.push(row);
      assert.deepEqual(rows, wanted);
      const pages: number[] = [];
      for await (const { seen, total } of soundings
        .measure(700)
        .data({ ...range, limit: 100 })
        .pages()) {
        pages.push(seen);
        assert.equal(total, measureRows);
      }
      assert.deepEqual(pages, [100, 200, 300, 400, 500, 600, measureRows]);
      const entries = await direct.project(300).data(range).all();
      assert.deepEqual(
        await soundings
          .project(300)
          .data({ ...range, limit: 23 })
          .all(),
        entries,
      );
    });

    it('a walk goes on behind the rows that were seen, wherever that is within a page [D-661]', async () => {
      proxy.decide = badLuck;
      const wanted = await direct.measure(700).data(range).all();
      for (const [skip, limit] of [
        [1, 100],
        [100, 100],
        [333, 7],
        [measureRows - 1, 100],
        [measureRows, 50],
        [measureRows + 500, 50],
      ] as const) {
        const rest = await soundings
          .measure(700)
          .data({ ...range, skip, limit })
          .all();
        assert.deepEqual(rest, wanted.slice(skip), `${skip} ${limit}`);
      }
      const entries = await direct.project(300).data(range).all();
      assert.deepEqual(
        await soundings
          .project(300)
          .data({ ...range, skip: 77, limit: 50 })
          .all(),
        entries.slice(77),
      );
    });

    it('the feed of changes comes once, in one sequence, and goes on from a cursor', async () => {
      proxy.decide = badLuck;
      const [one] = await direct.measure(700).data(range).all();
      await service.erase(acme, one!.id);
      const pages = [];
      for await (const page of soundings.measure(700).changes({ limit: 50 }).pages()) pages.push(page);
      const entries = pages.flatMap(({ items }) => items);
      assert.deepEqual(
        entries.filter(({ type }) => type === 'response').map(({ position }) => position),
        upTo(measureRows).map((index) => index + 1),
      );
      assert.equal(entries.at(-1)!.type, 'erased');
      const after = pages[3]!.next;
      assert.deepEqual(await soundings.measure(700).changes({ after, limit: 9 }).all(), entries.slice(200));
      assert.deepEqual(await soundings.measure(700).changes({ position: 600 }).all(), entries.slice(600));
      assert.equal((await soundings.project(300).changes().all()).length, projectRows);
    });

    it('an export as rows has every row once, through cuts in its middle [D-664]', async () => {
      const wanted = await direct.measure(700).data(range).all();
      const log = { cuts: 0 };
      proxy.decide = ({ path }) => (path.includes('/export') ? cut(log) : 'pass');
      const rows = [];
      for await (const row of soundings.measure(700).export(range)) rows.push(row);
      assert.ok(log.cuts > 3);
      assert.deepEqual(
        rows.map(({ position: _position, surveyVersion: _version, digest: _digest, ...row }) => row),
        wanted,
      );
      assert.deepEqual(
        rows.map(({ position }) => position),
        upTo(measureRows).map((index) => index + 1),
      );
    });

    const cut = (log: { cuts: number }): Fate => {
      log.cuts += 1;
      const bytes = 2_000 + chance.below(40_000);
      return log.cuts % 4 === 3
        ? { status: 503, headers: { 'retry-after': '0' } }
        : log.cuts % 4 === 2
          ? { endAfterBytes: bytes }
          : { cutAfterBytes: bytes };
    };

    for (const options of [
      { format: 'ndjson' },
      { format: 'csv' },
      { format: 'csv', header: false },
      { format: 'csv', spreadsheet: true },
    ] as const)
      it(`an export as ${JSON.stringify(options)} is the same file, however often it was cut [D-664]`, async () => {
        const wanted = await fileOf(direct, options);
        const log = { cuts: 0 };
        proxy.decide = ({ path }) => (path.includes('/export') ? cut(log) : 'pass');
        assert.ok(wanted.equals(await fileOf(soundings, options)));
        assert.ok(log.cuts > 3);
      });

    it('Parquet is the same file after a cut, and no file if something was erased meanwhile [D-664]', async () => {
      const wanted = await fileOf(direct, { format: 'parquet' });
      let asked = 0;
      proxy.decide = ({ path }) => {
        if (!path.includes('/export')) return 'pass';
        asked += 1;
        return asked < 4 ? { cutAfterBytes: (wanted.length * asked) / 5 } : 'pass';
      };
      assert.ok(wanted.equals(await fileOf(soundings, { format: 'parquet' })));
      assert.equal(asked, 4);
      // Cut short of its end, with everything in hand that an erasure changes.
      const most = wanted.length - 20;
      proxy.decide = () => ({ cutAfterBytes: most });
      const [, second] = await direct.measure(700).data(range).all();
      const pieces = soundings.measure(700).exportFile({ ...range, format: 'parquet' });
      for (let taken = 0; taken < most; ) taken += (await pieces.next()).value!.length;
      proxy.decide = () => 'pass';
      await service.erase(acme, second!.id);
      await assert.rejects(
        (async () => {
          for await (const _piece of pieces);
        })(),
        (error) => error instanceof SoundingsError && error.code === 'EXPORT_CHANGED',
      );
    });

    async function fileOf(
      from: Soundings,
      options: { format: 'ndjson' | 'csv' | 'parquet'; header?: boolean; spreadsheet?: boolean },
    ): Promise<Buffer> {
      const pieces: Uint8Array[] = [];
      for await (const piece of from.measure(700).exportFile({ ...range, ...options })) pieces.push(piece);
      return Buffer.concat(pieces);
    }
  });
