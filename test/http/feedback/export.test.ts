// Exports over HTTP: the same rows in three formats, sent while they are read, gone on with after a cut.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { engines } from '../../support/engines.ts';
import { measureRows, type Population, populate, projectRows } from '../../support/export-population.ts';
import { openExport, readExport, readPart } from '../../support/export-reader.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { csvOfParquet, readParquet } from '../../support/parquet.ts';
import { commandHereOk, until } from '../../support/service.ts';
import { csvOfItem, type ShownItem } from '../../support/shown-cells.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

const may = 'from=2025-05-01&to=2025-05-31';
const sources = [
  { name: 'measure', path: '/v1/measures/700/export', rows: measureRows },
  { name: 'project', path: '/v1/projects/300/export', rows: projectRows },
] as const;

const linesOf = (bytes: Buffer): string[] => bytes.toString().split('\n').slice(0, -1);
const itemsOf = (bytes: Buffer): ShownItem[] => linesOf(bytes).map((line) => JSON.parse(line) as ShownItem);

for (const engine of engines) {
  describe(`exports over HTTP on ${engine.name}`, () => {
    let service: FeedbackService;
    let population: Population;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      population = await populate(service);
      token = population.token;
    });
    after(() => service?.stop());

    const urlOf = (path: string, format: string, more = ''): string =>
      `${service.baseUrl}${path}?${may}&format=${format}${more}`;
    const measure = (format: string, more = ''): string => urlOf(sources[0].path, format, more);

    for (const { name, path, rows } of sources) {
      it(`NDJSON, CSV and Parquet of a ${name} say the same of every row [D-264] [D-265] [D-266]`, async () => {
        const [ndjson, csv, parquet] = await Promise.all([
          readExport(urlOf(path, 'ndjson'), token),
          readExport(urlOf(path, 'csv'), token),
          // The third one waits for a place.
          until(
            () => readExport(urlOf(path, 'parquet'), token),
            ({ status }) => status !== 429,
          ),
        ]);
        for (const { status, headers } of [ndjson, csv, parquet]) {
          assert.equal(status, 200);
          assert.deepEqual(
            [headers['export-rows'], headers['export-end-position']],
            [String(rows), String(rows)],
          );
        }
        const items = itemsOf(ndjson.bytes);
        assert.deepEqual(
          items.map(({ position }) => position),
          Array.from({ length: rows }, (_, index) => index + 1),
        );
        assert.deepEqual(
          items.filter(({ erased }) => erased === true).map(({ id }) => id),
          population.erased.filter((id) => items.some((item) => item.id === id)),
        );
        const [header = [], ...cells] = parse(csv.bytes) as string[][];
        assert.deepEqual(
          cells,
          items.map((item) => csvOfItem(header, item, name)),
        );
        const file = join(temporaryFolder(), 'file.parquet');
        writeFileSync(file, parquet.bytes);
        const read = await readParquet(file);
        assert.deepEqual(csvOfParquet(read), [header, ...cells]);
        const types = Object.fromEntries(read.columns.map((column) => [column.name, column.type]));
        const common = {
          id: 'VARCHAR',
          responseTime: 'TIMESTAMP WITH TIME ZONE',
          experienceDate: 'DATE',
          erased: 'BOOLEAN',
          position: 'BIGINT',
          surveyVersion: 'BIGINT',
        };
        const own =
          name === 'measure'
            ? {
                'L-SAT': 'DOUBLE',
                'Q-LOOK-1': 'DOUBLE',
                'Q-LOOK-1:text': 'VARCHAR',
                'Q-WHERE': 'VARCHAR[]',
                'Q-NPS': 'DOUBLE',
              }
            : { rating: 'DOUBLE', topic: 'VARCHAR', 'Q-STARS': 'DOUBLE' };
        for (const [column, type] of Object.entries({ ...common, ...own }))
          assert.deepEqual([column, types[column]], [column, type]);
      });
    }

    it('the items are those of the data endpoint, and toggles leave out what they leave out there', async () => {
      const toggles = '&excludeMQ=true&excludePassedParams=true';
      const { bytes } = await readExport(measure('ndjson', `${toggles}&until=100`), token);
      const path = `/v1/measures/700/data?${may}&limit=100${toggles}`;
      const { items } = JSON.parse((await service.get(path, token)).text) as { items: object[] };
      const shown = itemsOf(bytes).map(
        ({ position: _position, surveyVersion: _version, digest: _digest, ...item }) => item,
      );
      assert.deepEqual(shown, items);
      const csv = await readExport(measure('csv', `${toggles}&until=5`), token);
      const [header = []] = parse(csv.bytes) as string[][];
      assert.deepEqual(header, [
        ...['id', 'responseTime', 'experienceDate', 'modelInstanceId'],
        ...['L-LOOK', 'L-SAT', 'L-RETURN', 'L-PRICE', 'Q-FOUND', 'Q-WHY', 'Q-WHERE', 'Q-NPS'],
        ...['erased', 'position', 'surveyVersion', 'digest', 'quality'],
      ]);
    });

    it('the digests of its rows make up those of the days, erased ones too [D-250] [D-264]', async () => {
      const { bytes, headers } = await readExport(measure('ndjson', '&excludeResponseDetails=true'), token);
      const days = new Map<string, { count: number; digest: Buffer }>();
      for (const { experienceDate, digest } of itemsOf(bytes)) {
        const before = days.get(experienceDate) ?? { count: 0, digest: Buffer.alloc(0) };
        const next = Buffer.concat([before.digest, Buffer.from(digest, 'hex')]);
        days.set(experienceDate, {
          count: before.count + 1,
          digest: createHash('sha256').update(next).digest(),
        });
      }
      const { body } = await service.get(`/v1/measures/700/digest?${may}`, token);
      const made = [...days].map(([day, { count, digest }]) => ({
        day,
        count,
        digest: digest.toString('hex'),
      }));
      assert.deepEqual(
        body.items,
        made.sort((one, other) => (one.day < other.day ? -1 : 1)),
      );
      assert.equal(String(body.position), headers['export-end-position']);
    });

    it('the command writes the same bytes', async () => {
      for (const format of ['ndjson', 'csv', 'parquet']) {
        const file = join(temporaryFolder(), 'file');
        const days = ['--from', '2025-05-01', '--to', '2025-05-31'];
        const of = ['--account', String(acme), '--project', '300', ...days, '--format', format];
        await commandHereOk(['export', ...of, '--out', file], { DATABASE_URL: service.databaseUrl });
        const { bytes } = await readExport(urlOf(sources[1].path, format), token);
        assert.ok(bytes.equals(readFileSync(file)), format);
      }
    });

    it('a slow reader gets what was there when it began, and what is erased meanwhile as erased [D-123] [D-267]', async () => {
      const incoming = await openExport(measure('ndjson'), token);
      const late = {
        surveyDefinitionId: 'acme-web-older',
        responseId: 'late',
        responses: { 'Q-SAT-1': ['3'], 'Q-FOUND': ['A-YES'], 'Q-PRICE': ['1'] },
      };
      const posted = { ...late, submissionTimestamp: '2025-05-03T00:00:00Z' };
      assert.equal((await service.post(posted, token)).status, 200);
      const last = `m-${measureRows - 1}`;
      await service.erase(acme, last);
      const items = itemsOf(await buffer(incoming));
      assert.equal(items.length, Number(incoming.headers['export-rows']));
      assert.equal(items.length, measureRows);
      assert.equal(items.find(({ id }) => id === last)?.erased, true);
      // Whoever goes on from there finds the one that came in, and nothing else.
      const end = incoming.headers['export-end-position'];
      const next = await readExport(measure('ndjson', `&after=${end}`), token);
      assert.deepEqual(
        itemsOf(next.bytes).map(({ id, position }) => [id, position]),
        [['late', measureRows + 1]],
      );
    });

    for (const format of ['ndjson', 'csv'] as const) {
      it(`${format}: a cut answer never looks whole, and what comes behind its last row makes it so [D-267]`, async () => {
        const whole = await readExport(measure(format), token);
        const part = await readPart(measure(format), token, 1_000_000);
        assert.deepEqual([part.status, part.isWhole, whole.isWhole], [200, false, true]);
        assert.ok(part.bytes.length < whole.bytes.length);
        const { kept, position } = format === 'ndjson' ? wholeLines(part.bytes) : wholeRecords(part.bytes);
        const end = part.headers['export-end-position'];
        const header = format === 'csv' ? '&header=false' : '';
        const more = `&after=${position}&until=${end}${header}`;
        const rest = await readExport(measure(format, more), token);
        assert.equal(Number(rest.headers['export-rows']), Number(part.headers['export-rows']) - position);
        assert.ok(Buffer.concat([kept, rest.bytes]).equals(whole.bytes));
      });
    }

    it('rows of some days are counted between any two positions as they are sent', async () => {
      const days = 'from=2025-05-07&to=2025-05-09';
      const all = itemsOf((await readExport(measure('ndjson'), token)).bytes).filter(
        ({ experienceDate }) => experienceDate >= '2025-05-07' && experienceDate <= '2025-05-09',
      );
      const bounds = [
        [0, 1],
        [0, 256],
        [255, 257],
        [256, 2559],
        [1000, 1000],
        [2500, measureRows],
        [2599, measureRows],
      ] as const;
      for (const [first, last] of bounds) {
        const url = `${service.baseUrl}/v1/measures/700/export?${days}&format=ndjson&after=${first}&until=${last}`;
        const { headers, bytes } = await readExport(url, token);
        const wanted = all.filter(({ position }) => position > first && position <= last);
        assert.deepEqual(itemsOf(bytes), wanted);
        assert.deepEqual(
          [headers['export-rows'], headers['export-end-position']],
          [String(wanted.length), String(last)],
        );
      }
    });

    it('an empty range is a file without rows, in every format', async () => {
      const none = 'from=2024-01-01&to=2024-12-31';
      const of = (format: string) =>
        readExport(`${service.baseUrl}/v1/measures/700/export?${none}&format=${format}`, token);
      const [ndjson, csv] = [await of('ndjson'), await of('csv')];
      assert.deepEqual([ndjson.bytes.length, ndjson.headers['export-rows'], ndjson.isWhole], [0, '0', true]);
      assert.equal((parse(csv.bytes) as string[][]).length, 1);
      const file = join(temporaryFolder(), 'none.parquet');
      writeFileSync(file, (await of('parquet')).bytes);
      const read = await readParquet(file);
      assert.deepEqual(csvOfParquet(read), parse(csv.bytes));
    });

    it('NDJSON and CSV are compressed as the caller asks; Parquet is so by itself', async () => {
      const plain = await readExport(measure('csv'), token);
      const gzip = await readExport(measure('csv'), token, { 'accept-encoding': 'gzip' });
      const zstd = await readExport(measure('ndjson'), token, { 'accept-encoding': 'zstd' });
      const parquet = await readExport(measure('parquet'), token, { 'accept-encoding': 'gzip, zstd' });
      assert.deepEqual(
        [gzip, zstd, parquet].map(({ headers }) => headers['content-encoding']),
        ['gzip', 'zstd', undefined],
      );
      assert.ok(gunzipSync(gzip.bytes).equals(plain.bytes));
      assert.equal(linesOf(zstdDecompressSync(zstd.bytes)).length, Number(zstd.headers['export-rows']));
      assert.ok(zstd.bytes.length * 5 < Number(plain.bytes.length));
    });

    it('CSV for a spreadsheet takes no text for a formula; else texts are as they were sent [D-124]', async () => {
      const plain = (await readExport(measure('csv'), token)).bytes.toString();
      const safe = (await readExport(measure('csv', '&spreadsheet=true'), token)).bytes.toString();
      assert.ok(plain.startsWith('id,') && safe.startsWith('\ufeffid,'));
      assert.match(plain, /,=1\+1,/);
      assert.match(safe, /,'=1\+1,/);
      assert.doesNotMatch(safe, /,=/);
    });

    it('an account has so many exports at once, others are not kept from theirs, and a reader who leaves makes room [D-268]', async () => {
      const readers = [
        await openExport(measure('ndjson'), token),
        await openExport(measure('ndjson'), token),
      ];
      const refused = await service.get(`/v1/measures/700/export?${may}&format=csv`, token, {
        accept: 'text/csv',
      });
      assert.deepEqual([refused.status, refused.body.errorCode], [429, 'THROTTLED']);
      assert.ok(Number(refused.headers['retry-after']) > 0);
      const other = await readExport(measure('ndjson'), population.otherToken);
      assert.deepEqual([other.status, other.bytes.length], [200, 0]);
      for (const reader of readers) reader.destroy();
      const { status } = await until(
        () => readExport(measure('ndjson', '&until=1'), token),
        (answer) => answer.status === 200,
      );
      assert.equal(status, 200);
    });

    it('whoever leaves before an export has begun keeps no place [D-268]', async () => {
      const { hostname, port } = new URL(service.baseUrl);
      const lines = [
        `GET ${measure('ndjson')} HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: Bearer ${token}`,
      ];
      for (let round = 0; round < 12; round += 1) {
        // The client and the source are asked for again, which takes some time where there is a server to ask.
        service.pass(5_000);
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write([...lines, 'Accept: */*', '', ''].join('\r\n'));
        socket.resetAndDestroy();
        await once(socket, 'close');
      }
      const { status } = await until(
        () => readExport(measure('ndjson', '&until=1'), token),
        (answer) => answer.status === 200,
        5_000,
      );
      assert.equal(status, 200);
    });

    it('what is asked for is judged as strictly as a page, and a foreign source is not found', async () => {
      const get = (query: string, path = sources[0].path as string, accept = '*/*') =>
        service.get(`${path}?${query}`, token, { accept });
      const faults: [string, string[]][] = [
        ['from=2025-05-01&format=csv', ['to']],
        [`${may}`, ['format']],
        [`${may}&format=xlsx`, ['format']],
        [`${may}&format=csv&limit=5`, ['limit']],
        [`${may}&format=csv&after=-1`, ['after']],
        [`${may}&format=csv&after=x&until=1.5`, ['after', 'until']],
        [`${may}&format=csv&after=9&until=8`, ['until']],
        [`${may}&format=ndjson&header=false&spreadsheet=true`, ['header', 'spreadsheet']],
        [`${may}&format=ndjson&after=99999&until=100000`, ['after', 'until']],
        ['from=2025-05-02&to=2025-05-01&format=csv', ['to']],
      ];
      for (const [query, fields] of faults) {
        const { status, body } = await get(query);
        const named = (body.detailedErrors as { field: string }[]).map(({ field }) => field);
        assert.deepEqual([query, status, named], [query, 400, fields]);
      }
      const asked = `${may}&format=csv`;
      assert.equal((await get(asked, '/v1/measures/800/export')).status, 404);
      assert.equal((await get(asked, '/v1/projects/900/export')).status, 404);
      assert.equal((await get(asked, sources[0].path, 'application/json')).status, 406);
      assert.equal((await get(asked, sources[0].path, 'application/x-ndjson')).status, 406);
      assert.equal((await get(asked, sources[0].path, 'text/csv')).status, 200);
      const narrow = await service.token(acme, ['r_cx_measures']);
      const path = `${sources[1].path}?${asked}`;
      assert.equal((await service.get(path, narrow, { accept: '*/*' })).status, 403);
      assert.equal((await service.get(path, null, { accept: '*/*' })).status, 401);
      assert.equal((await get(`${asked}&excludeMQ=true`, sources[1].path)).status, 400);
    });

    it('HEAD tells how many rows there are, and takes no place', async () => {
      for (let time = 0; time < 5; time += 1) {
        const { status, headers } = await headOf(measure('parquet'), token);
        assert.deepEqual([status, Number(headers['export-rows']) >= measureRows], [200, true]);
      }
    });

    it('a reader who never ends is cut off, and rows are billed to the throttle [D-268]', async () => {
      const strict = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        databaseUrl: service.databaseUrl,
        // Enough for whoever reads, on a busy machine too.
        env: { SOUNDINGS_EXPORT_TIME_LIMIT_MS: '4000', SOUNDINGS_THROTTLE: 'on' },
      });
      try {
        const path = `/v1/measures/700/export?${may}&format=`;
        const own = await strict.token(acme);
        const incoming = await openExport(`${strict.baseUrl}${path}ndjson`, own);
        await until(
          async () => strict.log(),
          (log) => log.includes('An export was not read within its time.'),
        );
        await assert.rejects(buffer(incoming));
        assert.equal(incoming.complete, false);
        const left = async (): Promise<number> => {
          const { headers } = await strict.get('/v1/measures', own);
          return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
        };
        const before = await left();
        await readExport(`${strict.baseUrl}${path}parquet&excludeResponseDetails=true`, own);
        // One for the export, one for each thousand of its rows, and one for the question; what is left is rounded.
        const cost = before - (await left());
        assert.ok(
          cost >= 2 + Math.floor(measureRows / 1000) && cost <= 3 + Math.ceil(measureRows / 1000),
          `${cost}`,
        );
      } finally {
        await strict.stop();
      }
    });
  });
}

function headOf(
  url: string,
  token: string,
): Promise<{ status: number; headers: IncomingMessage['headers'] }> {
  return fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${token}`, accept: '*/*' } }).then(
    ({ status, headers }) => ({ status, headers: Object.fromEntries(headers) }),
  );
}

/** What docs/export.md tells whoever goes on: the whole lines, and the position of the last one. */
function wholeLines(bytes: Buffer): { kept: Buffer; position: number } {
  const kept = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  return { kept, position: itemsOf(kept).at(-1)!.position };
}

/** Likewise of CSV, where a line break may stand in a text: the last record that has its end. */
function wholeRecords(bytes: Buffer): { kept: Buffer; position: number } {
  let end = bytes.lastIndexOf('\n') + 1;
  for (;;) {
    try {
      const records = parse(bytes.subarray(0, end), { columns: true }) as { position: string }[];
      return { kept: bytes.subarray(0, end), position: Number(records.at(-1)!.position) };
    } catch {
      end = bytes.subarray(0, end - 1).lastIndexOf('\n') + 1;
    }
  }
}
