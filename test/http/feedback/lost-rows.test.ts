// A store that loses its last rows, as when a standby takes over without them, and gives their numbers to others. What
// a process remembers of the log must not show any more, whatever it has read before.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { type StoreRow, storeRows, storeTables } from '../../support/store-rows.ts';

interface Page {
  readonly total: number;
  readonly items: readonly { readonly id: string }[];
  readonly summary: { readonly latentScores: readonly { readonly id: string; readonly count: number }[] };
}

const days = 40;
const everything = 'from=2025-05-01&to=2025-07-31';
const someDays = 'from=2025-05-05&to=2025-05-09';

for (const engine of engines) {
  describe(`a log that lost its last rows on ${engine.name}`, () => {
    let posted = 0;

    async function append(
      service: FeedbackService,
      token: string,
      count: number,
      life: string,
    ): Promise<void> {
      const bodies = Array.from({ length: count }, () => {
        posted += 1;
        // Another order of days in each life, so that a row in the place of another has another day.
        const day = (posted * (life === 'first' ? 7 : 11)) % days;
        return {
          surveyDefinitionId: 'acme-web',
          responseId: `${life}-${posted}`,
          submissionTimestamp: new Date(Date.UTC(2025, 4, 1 + day, 12)).toISOString(),
          responses: { 'Q-SAT-1': ['5'], 'Q-FOUND': ['A-YES'] },
        };
      });
      for (let first = 0; first < count; first += 40) {
        const some = bodies.slice(first, first + 40);
        const answers = await Promise.all(some.map((body) => service.post(body, token)));
        assert.ok(answers.every(({ status }) => status === 200));
      }
    }

    async function walk(service: FeedbackService, token: string, range: string): Promise<string[]> {
      const ids: string[] = [];
      for (let offset = 0; ; offset += 1) {
        const path = `/v1/measures/700/data?${range}&limit=50&offset=${offset}&excludeResponseDetails=true`;
        const { status, body, text } = await service.get(path, token);
        assert.equal(status, 200, text);
        const { items, total, summary } = body as unknown as Page;
        ids.push(...items.map(({ id }) => id));
        if (items.length > 0) continue;
        assert.equal(ids.length, total);
        assert.equal(summary.latentScores.find(({ id }) => id === 'L-SAT')?.count ?? 0, total);
        return ids;
      }
    }

    async function kept(service: FeedbackService, first: string, last: string): Promise<string[]> {
      const rows = await storeRows(
        service.databaseUrl,
        `select response_id, submitted_at from response where account_id = ${acme} order by seq`,
      );
      const within = ({ submitted_at: at }: StoreRow): boolean =>
        Number(at) >= Date.parse(first) && Number(at) < Date.parse(last);
      return rows.filter(within).map(({ response_id: id }) => String(id));
    }

    // [rows that stay, rows that are lost, rows that come in their place]
    const losses = [
      [40, 30, 30],
      [200, 400, 400],
      [600, 250, 300],
      [300, 300, 7],
    ] as const;
    for (const [stay, lost, come] of losses) {
      for (const isReadBetween of [false, true]) {
        const when = isReadBetween ? 'and was read before others came' : 'and others came before it was read';
        it(`${stay} rows that lost ${lost}, ${come} in their place, ${when}: each is read once, and no other [D-159]`, async () => {
          const service = await startFeedback(engine, { catalogue: feedbackCatalogue });
          try {
            const token = await service.token(acme);
            const other = await service.token(bolt);
            await append(service, token, stay, 'first');
            const before = await logTables(service.databaseUrl);
            await append(service, token, lost, 'first');
            assert.equal((await walk(service, token, everything)).length, stay + lost);
            await walk(service, token, someDays);
            await restore(service.databaseUrl, before);
            if (isReadBetween) assert.equal((await walk(service, token, everything)).length, stay);
            await append(service, token, come, 'second');
            const all = await walk(service, token, everything);
            assert.deepEqual(all, await kept(service, '2025-05-01', '2025-08-01'));
            assert.equal(all.length, stay + come);
            assert.deepEqual(
              await walk(service, token, someDays),
              await kept(service, '2025-05-05', '2025-05-10'),
            );
            assert.deepEqual(await walk(service, other, everything), []);
          } finally {
            await service.stop();
          }
        });
      }
    }
  });
}

type Tables = ReadonlyMap<string, readonly StoreRow[]>;

async function logTables(databaseUrl: string): Promise<Tables> {
  const names = (await storeTables(databaseUrl)).filter((name) => /^(log_|response)/.test(name));
  const tables = new Map<string, readonly StoreRow[]>();
  for (const name of names) tables.set(name, await storeRows(databaseUrl, `select * from ${name}`));
  return tables;
}

/** The log as it was, mark for mark. */
async function restore(databaseUrl: string, tables: Tables): Promise<void> {
  for (const [name, rows] of tables) {
    await storeRows(databaseUrl, `delete from ${name}`);
    if (rows.length === 0) continue;
    const columns = Object.keys(rows[0]!);
    const values = rows.map((row) => `(${columns.map((column) => literal(row[column])).join(', ')})`);
    await storeRows(databaseUrl, `insert into ${name} (${columns.join(', ')}) values ${values.join(', ')}`);
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
