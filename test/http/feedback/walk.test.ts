// The paging promise: whoever walks the pages of a range while responses keep coming, late ones of past days too,
// neither misses nor doubles a response that existed when the walk began.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { createClient, type Service, setUp, tokenFor } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const writerCount = 4;
/** Two in a hundred. */
const lateEvery = 50;
const pastDays = 28;
const runs = 30;
/** Today, for those who write; the days before it are past. */
const today = Date.UTC(2025, 5, 29);
const dayText = (day: number): string =>
  new Date(today + (day - pastDays) * 86_400_000).toISOString().slice(0, 10);

const kinds = {
  measure: {
    path: '/v1/measures/700/data',
    survey: 'acme-web-older',
    sizes: [1, 2, 3, 7, 10, 25, 64, 99, 100],
  },
  project: { path: '/v1/projects/300/data', survey: 'acme-badge', sizes: [1, 4, 5, 50, 100, 333, 1000] },
};
type Kind = keyof typeof kinds;

interface Walk {
  readonly kind: Kind;
  readonly limit: number;
  readonly from: string;
  readonly to: string;
}

/** Small pages go through past days only: today grows faster than pages of one could follow. */
const someWalk: fc.Arbitrary<Walk> = fc.constantFrom<Kind>('measure', 'project').chain((kind) =>
  fc.constantFrom(...kinds[kind].sizes).chain((limit) =>
    fc
      .tuple(fc.nat(pastDays - 1), fc.nat(limit < 10 ? 6 : pastDays), fc.boolean())
      .map(([first, length, endsToday]) => ({
        kind,
        limit,
        from: dayText(first),
        to: dayText(
          limit < 10 ? Math.min(first + length, pastDays - 1) : endsToday ? pastDays : first + length,
        ),
      })),
  ),
);

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly total: number;
  readonly hasMore: boolean;
}

for (const engine of engines) {
  describe(`a walk through the pages while ${writerCount} writers append, on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let headers: Readonly<Record<string, string>>;
    let nextNumber = 0;
    /** The day of every response that was answered with success, by kind and id. */
    const kept: Record<Kind, Map<string, string>> = { measure: new Map(), project: new Map() };

    before(async () => {
      store = await engine.readyStore();
      const env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_STORE_TIMEOUT_MS: '20000',
      };
      await setUp(['apply', writeCatalogue(feedbackCatalogue)], env);
      const client = await createClient(env, acme);
      service = await startService(env);
      const token = await tokenFor(service.baseUrl, client);
      headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      // More than one block of past days, out of order, before anybody walks.
      const past = Array.from({ length: 300 }, (_, index) => (index * 11) % pastDays);
      for (const kind of ['measure', 'project'] as const)
        await inParallel(past.map((day) => () => append(kind, day)));
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    async function append(kind: Kind, day: number): Promise<void> {
      const id = `${kind} ${++nextNumber}`;
      const experienceDate = dayText(day);
      const answer = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          surveyDefinitionId: kinds[kind].survey,
          responseId: id,
          submissionTimestamp: `${experienceDate}T12:00:00Z`,
          responses: kind === 'measure' ? { 'Q-SAT-1': ['7'], 'Q-FOUND': ['1'] } : { 'Q-STARS': ['4'] },
        }),
      });
      assert.equal(answer.status, 200, answer.text);
      kept[kind].set(id, experienceDate);
    }

    async function readPage(
      { kind, from, to, limit }: Walk,
      page: number,
    ): Promise<Page & { answer: Answer }> {
      const offset = kind === 'measure' ? page : page * limit;
      const query = `from=${from}&to=${to}&limit=${limit}&offset=${offset}`;
      const answer = await exchange(`${service.baseUrl}${kinds[kind].path}?${query}`, { headers });
      assert.equal(answer.status, 200, answer.text);
      return { ...(answer.body as unknown as Page), answer };
    }

    /** Runs while four writers write, mostly today, now and then into the past. */
    async function whileWriting(work: () => Promise<void>): Promise<void> {
      let isOver = false;
      let written = 0;
      const write = async (): Promise<void> => {
        while (!isOver) {
          const number = ++written;
          const day = number % lateEvery === 0 ? (number / lateEvery) % pastDays : pastDays;
          await append(number % 3 === 0 ? 'project' : 'measure', day);
        }
      };
      const writing = Promise.all(Array.from({ length: writerCount }, write));
      try {
        await Promise.race([work(), writing.then(() => assert.fail('The writers have stopped.'))]);
      } finally {
        isOver = true;
        await writing;
      }
    }

    it('sees every response that existed at its start exactly once, for pages of any size, and a page once full never changes [D-35] [D-39]', async () => {
      const fullPages = new Map<string, string>();
      const walkOnce = async (walk: Walk): Promise<void> => {
        const existing = [...kept[walk.kind]].filter(([, day]) => walk.from <= day && day <= walk.to);
        const seen: string[] = [];
        for (let page = 0; ; page += 1) {
          const { items, total, hasMore, answer } = await readPage(walk, page);
          assert.ok(total >= existing.length);
          seen.push(...items.map(({ id }) => id));
          if (items.length === walk.limit) {
            const key = JSON.stringify([walk, page]);
            assert.equal(fullPages.get(key) ?? rowsOf(answer), rowsOf(answer));
            fullPages.set(key, rowsOf(answer));
          }
          // Behind as many as there were, only newcomers can stand.
          if (!hasMore || seen.length >= existing.length + 2 * walk.limit) break;
        }
        assert.equal(new Set(seen).size, seen.length, 'A response was seen twice.');
        const there = new Set(seen);
        const missed = existing.filter(([id]) => !there.has(id));
        assert.deepEqual(missed, []);
      };
      await whileWriting(() =>
        fc.assert(fc.asyncProperty(someWalk, walkOnce), { numRuns: runs, endOnFailure: true }),
      );
      // And again, when thousands have come in behind them: a tenth of all that were full.
      for (const [key, rows] of [...fullPages].filter((_entry, index) => index % 10 === 0)) {
        const [walk, page] = JSON.parse(key) as [Walk, number];
        assert.equal(rowsOf((await readPage(walk, page)).answer), rows);
      }
      assert.ok(fullPages.size > 0);
    });

    it('after all of it every response is on exactly one page, and the total says so [D-35] [D-39]', async () => {
      for (const kind of ['measure', 'project'] as const) {
        const walk = { kind, limit: 100, from: dayText(0), to: dayText(pastDays) };
        const ids: string[] = [];
        for (let page = 0, hasMore = true; hasMore; page += 1) {
          const found = await readPage(walk, page);
          assert.equal(found.total, kept[kind].size);
          ids.push(...found.items.map(({ id }) => id));
          hasMore = found.hasMore;
        }
        assert.deepEqual(ids.toSorted(), [...kept[kind].keys()].toSorted());
      }
    });
  });
}

/** The items of a page as they were sent: the rest of the envelope grows with the range. */
function rowsOf({ text }: Answer): string {
  return text.slice(text.indexOf('"items":['), text.lastIndexOf('],"total":'));
}

async function inParallel(work: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...work];
  const take = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: 8 }, take));
}
