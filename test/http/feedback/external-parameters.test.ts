// External parameters over HTTP: what another system knows of responses, appended or corrected, as NDJSON or CSV.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Entry, follow } from '../../support/change-feed.ts';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { storeRows } from '../../support/store-rows.ts';

const count = 260;

for (const engine of engines) {
  describe(`external parameters over HTTP on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let reader: string;
    let foreign: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme, ['w_cx_responses']);
      reader = await service.token(acme);
      foreign = await service.token(bolt);
      const respond = async (body: object, by = reader): Promise<void> => {
        const { status, text } = await service.post(body, by);
        assert.equal(status, 200, text);
      };
      for (let index = 0; index < count; index += 20)
        await Promise.all(
          Array.from({ length: 20 }, (_, more) =>
            respond({
              surveyDefinitionId: 'acme-web',
              responseId: `r-${index + more}`,
              submissionTimestamp: '2025-05-04T10:00:00Z',
              responses: { 'Q-SAT-1': ['7'], 'Q-FOUND': ['A-YES'] },
            }),
          ),
        );
      await respond({
        surveyDefinitionId: 'acme-badge',
        responseId: 'badge',
        responses: { 'Q-STARS': ['4'] },
      });
      await respond({
        surveyDefinitionId: 'acme-public',
        responseId: 'other',
        responses: { 'Q-SAT-1': ['4'] },
      });
      await respond(
        { surveyDefinitionId: 'bolt-web', responseId: 'r-1', responses: { 'Q-SAT-1': ['4'] } },
        foreign,
      );
    });
    after(() => service?.stop());

    const send = (
      body: string | Uint8Array,
      { type = 'application/x-ndjson', query = '', by = token as string | null, key = 700 } = {},
    ): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/measures/${key}/external-parameters?${query}`, {
        method: 'POST',
        headers: { 'content-type': type, ...(by === null ? {} : { authorization: `Bearer ${by}` }) },
        body,
      });
    const ndjson = (rows: readonly object[]): string =>
      rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const tierOf = async (id: string): Promise<unknown> => {
      const { body } = await service.get(
        `/v1/measures/700/data?from=2025-05-04&to=2025-05-04&limit=100&offset=${Math.floor(place(id) / 100)}`,
        reader,
      );
      const items = body.items as { id: string; responses: { id: string; answers: string[] }[] }[];
      return items.find((item) => item.id === id)?.responses.find((one) => one.id === 'EPP-TIER')?.answers[0];
    };
    let order: readonly string[] = [];
    const place = (id: string): number => order.indexOf(id);
    const feed = async (): Promise<readonly Entry[]> =>
      (
        await follow(
          (query) => service.get(`/v1/measures/700/changes?${query}`, reader),
          () => 1_000,
        )
      ).entries;
    const facts = ({ status, body }: Answer): unknown[] => [
      status,
      body.changed,
      body.unchanged,
      body.skippedCount,
    ];
    const audit = async (): Promise<readonly unknown[]> =>
      (
        await storeRows(
          service.databaseUrl,
          `select action, subject from audit where action like 'external.%' order by at, id`,
        )
      ).map(({ action, subject }) => `${action} ${subject}`);

    it('NDJSON and CSV say the same, are shown with the data and in the changes, and are audited [D-37] [D-260]', async () => {
      order = (await feed()).map(({ item }) => item!.id);
      const lines = ndjson([
        { responseId: 'r-0', loyalty_tier: 'gold' },
        { responseId: 'r-1', 'EPP-TIER': 7 },
        { responseId: 'r-2', loyalty_tier: null },
      ]);
      assert.deepEqual(facts(await send(lines)), [200, 2, 1, 0]);
      const table = 'responseId,loyalty_tier\r\nr-2,"silver, ""2"""\r\nr-0,gold\r\n';
      assert.deepEqual(facts(await send(table, { type: 'text/csv; charset=utf-8' })), [200, 1, 1, 0]);
      assert.deepEqual(await Promise.all(['r-0', 'r-1', 'r-2'].map(tierOf)), ['gold', '7', 'silver, "2"']);
      const entries = (await feed()).slice(count);
      assert.deepEqual(
        entries.map(({ type, item }) => [type, item!.id]),
        [...['r-0', 'r-1'].toSorted((one, other) => place(one) - place(other)), 'r-2'].map((id) => [
          'external',
          id,
        ]),
      );
      assert.deepEqual(await audit(), [
        'external.append 2 responses: loyalty_tier, EPP-TIER',
        'external.append 1 responses: loyalty_tier',
      ]);
    });

    it('another value than is there is a fault, unless it is to be replaced; a correction is in the changes [D-260]', async () => {
      const line = ndjson([{ responseId: 'r-0', loyalty_tier: 'basic' }]);
      const refused = await send(line);
      assert.deepEqual(
        [refused.status, refused.body.detailedErrors],
        [400, [{ field: 'line 1', code: 'INVALID', message: 'loyalty_tier is "gold" already, not "basic"' }]],
      );
      const before = (await feed()).length;
      assert.deepEqual(facts(await send(line, { query: 'replace=true&dryRun=true' })), [200, 1, 0, 0]);
      assert.deepEqual([await tierOf('r-0'), (await feed()).length], ['gold', before]);
      assert.deepEqual(facts(await send(line, { query: 'replace=true' })), [200, 1, 0, 0]);
      assert.deepEqual(facts(await send(line, { query: 'replace=true' })), [200, 0, 1, 0]);
      assert.equal(await tierOf('r-0'), 'basic');
      const [entry, ...others] = (await feed()).slice(before);
      assert.deepEqual([entry?.type, entry?.item?.id, others], ['external', 'r-0', []]);
      assert.equal((await audit()).at(-1), 'external.replace 1 responses: loyalty_tier');
      const twice = ndjson(['gold', 'silver'].map((tier) => ({ responseId: 'r-0', loyalty_tier: tier })));
      const answer = await send(twice, { query: 'replace=true' });
      assert.deepEqual([answer.status, await tierOf('r-0')], [400, 'basic']);
    });

    it('every fault is named with its line, those of form and those of the store, and nothing is changed [D-260]', async () => {
      const before = await feed();
      const lines = [
        '{"responseId":"r-3","loyalty_tier":"gold"}',
        'no JSON',
        '["r-3"]',
        '{"loyalty_tier":"gold"}',
        '',
        '{"responseId":"","loyalty_tier":"gold"}',
        '{"responseId":"r-3","colour":"red","loyalty_tier":["gold"]}',
        '{"responseId":"r-3","loyalty_tier":"a\\u0000b"}',
        `{"responseId":"r-3","loyalty_tier":"${'x'.repeat(4_001)}"}`,
        '{"responseId":"r-3","loyalty_tier":"silver"}',
        '{"responseId":"r-1","loyalty_tier":"eight"}',
      ].join('\n');
      const { status, body } = await send(lines);
      assert.equal(status, 400);
      assert.deepEqual(
        (body.detailedErrors as { field: string; message: string }[]).map(
          ({ field, message }) => `${field}: ${message}`,
        ),
        [
          'line 2: The line is not a JSON object.',
          'line 3: The line is not a JSON object.',
          'line 4: responseId must be a text.',
          'line 6: responseId is empty.',
          'line 7: "colour" is not an external parameter that a survey of the measure declares.',
          'line 7: The value of loyalty_tier must be a text, a number, true or false.',
          'line 8: The value of loyalty_tier holds the character NUL.',
          'line 9: The value of loyalty_tier is longer than 4000 characters.',
          'line 10: loyalty_tier is "gold" already, not "silver"',
          'line 11: loyalty_tier is "7" already, not "eight"',
        ],
      );
      const wrong = [
        [Buffer.from([0x7b, 0xff, 0x7d]), 'application/x-ndjson', /not UTF-8/],
        ['responseId,loyalty_tier\nr-3,"gold\n', 'text/csv', /not CSV: Quote Not Closed/],
        ['responseId;loyalty_tier\nr-3;gold\n', 'text/csv', /separated by commas/],
        ['', 'application/x-ndjson', /There is no line/],
        [`${','.repeat(2_000)}\n`, 'text/csv', /more than 1000 columns/],
        ['nonsense\n'.repeat(60_000), 'application/x-ndjson', /Only the first \d+ faults are listed/],
      ] as const;
      for (const [text, type, says] of wrong) {
        const refused = await send(text, { type });
        assert.equal(refused.status, 400, refused.text);
        assert.match(refused.text, says);
      }
      assert.deepEqual(await feed(), before);
    });

    it('a quote within a cell is 400 with its line and column, and neither log nor audit has the cell [D-870]', async () => {
      for (const cell of ['canary@example.com "x"', '"canary@example.com" x', '"canary@example.com']) {
        const refused = await send(`responseId,loyalty_tier\nr-3,gold\nr-4,${cell}\n`, { type: 'text/csv' });
        assert.equal(refused.status, 400, refused.text);
        assert.match(refused.text, /line [34]/);
        assert.match(refused.text, /column 2/);
        assert.doesNotMatch(refused.text, /canary/);
      }
      const deep = await send(`${'['.repeat(20_000)}canary@example.com\n{"canary@example.com\n`);
      assert.equal(deep.status, 400, deep.text);
      assert.doesNotMatch(service.log(), /canary/);
      assert.doesNotMatch(JSON.stringify(await audit()), /canary/);
    });

    it('responses of another measure, of a project or of another account are unknown, erased ones get nothing more [D-10] [D-121]', async () => {
      await service.erase(acme, 'r-5');
      const ids = ['other', 'badge', 'nobody', 'r-5', 'r-6'];
      const { status, body } = await send(
        ndjson(ids.map((responseId) => ({ responseId, loyalty_tier: 'gold' }))),
      );
      assert.deepEqual([status, body.changed, body.skippedCount], [200, 1, 4]);
      assert.deepEqual(body.skipped, [
        { line: 1, responseId: 'other', reason: 'unknown' },
        { line: 2, responseId: 'badge', reason: 'unknown' },
        { line: 3, responseId: 'nobody', reason: 'unknown' },
        { line: 4, responseId: 'r-5', reason: 'erased' },
      ]);
      const line = ndjson([{ responseId: 'r-1', loyalty_tier: 'gold' }]);
      const theirs = await send(line, { by: foreign });
      assert.deepEqual([theirs.status, (await tierOf('r-1')) as string], [400, '7']);
    });

    it('needs the grant of responses, a measure of the account, a content type that it reads and a body within its limits', async () => {
      const line = ndjson([{ responseId: 'r-7', loyalty_tier: 'gold' }]);
      const status = async (answer: Promise<Answer>): Promise<number> => (await answer).status;
      const narrow = await service.token(acme, ['r_cx_measures']);
      assert.deepEqual(
        [
          await status(send(line, { by: null })),
          await status(send(line, { by: narrow })),
          await status(send(line, { key: 800 })),
          await status(send(line, { type: 'application/json' })),
          await status(send(line, { query: 'replace=yes' })),
          await status(send('\n'.repeat(4 * 1024 * 1024 + 1))),
          await status(send('{"responseId":"x"}\n'.repeat(50_001))),
        ],
        [401, 403, 404, 415, 400, 413, 413],
      );
      assert.equal(await tierOf('r-7'), undefined);
    });

    it('lines that say the same again are no change, within a body and in the next one [D-260]', async () => {
      const lines = Array.from({ length: 2_500 }, (_, index) => ({
        responseId: `r-${10 + (index % (count - 10))}`,
        loyalty_tier: `tier ${index % (count - 10)}`,
      }));
      const before = (await audit()).length;
      assert.deepEqual(facts(await send(ndjson(lines))), [200, count - 10, 0, 0]);
      // Only lines that change something are written: those that say the same again are not.
      assert.equal((await audit()).length, before + 1);
      assert.deepEqual(facts(await send(ndjson(lines))), [200, 0, count - 10, 0]);
      assert.equal((await audit()).length, before + 1);
    });
  });
}
