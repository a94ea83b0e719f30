// soundings export: the responses of a range as NDJSON, CSV or Parquet, streamed.

import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { engines } from '../support/engines.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { csvOfParquet, readParquet } from '../support/parquet.ts';
import {
  type CommandResult,
  commandHere,
  commandHereOk,
  environment,
  soundings,
  startedProgram,
  until,
} from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const may = ['--from', '2025-05-01', '--to', '2025-05-31'];
const responseCount = 12;

/** Days of May in an order that is not that of arrival; every third one answers the older version. */
function bodyOf(index: number): object {
  const isOlder = index % 3 === 2;
  return {
    surveyDefinitionId: isOlder ? 'acme-web-older' : 'acme-web',
    responseId: `r-${index}`,
    submissionTimestamp: `2025-05-${String(((index * 7) % 31) + 1).padStart(2, '0')}T10:00:00Z`,
    locale: 'de-AT',
    url: 'https://shop.example/?a=1,2',
    responses: {
      'Q-SAT-1': [String((index % 10) + 1)],
      'Q-FOUND': [index === 0 ? 'A-NO' : 'A-YES'],
      ...(isOlder ? { 'Q-PRICE': ['1'] } : { 'Q-WHERE': ['W-MENU', 's'] }),
      ...(index === 0 ? { 'Q-WHY': ['=1+1 "x",\ny'] } : {}),
    },
    cpps: { metrics: { cart_value: index }, data: { campaign: `c${index}` } },
  };
}

const entry = {
  surveyDefinitionId: 'acme-badge',
  responseId: 'p-1',
  submissionTimestamp: '2025-05-09T08:00:00Z',
  url: 'https://shop.example/',
  responses: { 'Q-STARS': ['4'], 'Q-TOPIC': ['T-TECH'] },
};

// What each engine wrote, to be held against the other.
const written = new Map<string, readonly string[]>();

for (const engine of engines) {
  describe(`soundings export on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
      const bodies = Array.from({ length: responseCount }, (_, index) => bodyOf(index));
      const june = { ...bodyOf(0), responseId: 'june', submissionTimestamp: '2025-06-01T00:00:00Z' };
      for (const body of [...bodies, june, entry])
        assert.equal((await service.post(body, token)).status, 200);
      await service.addExternal(acme, { 'r-3': { loyalty_tier: 'gold' } });
      const args = ['erase', '--account', String(acme), '--response', 'r-4'];
      await commandHereOk(args, { DATABASE_URL: service.databaseUrl });
    });
    after(() => service?.stop());

    const exported = (...flags: string[]): Promise<CommandResult> =>
      // Without a file the data itself goes to standard output.
      (flags.includes('--out') ? commandHere : soundings)(['export', '--account', String(acme), ...flags], {
        DATABASE_URL: service.databaseUrl,
      });
    const ok = async (...flags: string[]): Promise<string> => {
      const { code, stdout, stderr } = await exported(...flags);
      assert.equal(code, 0, stderr);
      return stdout;
    };

    for (const source of ['measure 700', 'project 300'] as const) {
      it(`NDJSON of a ${source} is the items of its data, byte for byte, each behind its position [D-35] [D-36] [D-39] [D-264]`, async () => {
        const [kind = '', key = ''] = source.split(' ');
        const path = `/v1/${kind}s/${key}/data?from=2025-05-01&to=2025-05-31&limit=100`;
        const page = (await service.get(path, token)).text;
        const lines = (await ok(`--${kind}`, key, ...may, '--format', 'ndjson')).split('\n');
        assert.equal(lines.pop(), '');
        const items = lines.map((line) =>
          line.replace(/^\{"position":\d+,"surveyVersion":\d+,"digest":"[\da-f]{64}",/, '{'),
        );
        assert.equal(
          page.slice(0, page.indexOf('],"total"')),
          `{"hasMore":false,"items":[${items.join(',')}`,
        );
        const positions = lines.map((line) => JSON.parse(line).position as number);
        assert.deepEqual(
          positions,
          positions.map((_, index) => index + 1),
        );
        assert.equal(lines.length, kind === 'measure' ? responseCount : 1);
      });
    }

    it('CSV is one row a respondent: its own members, scores, then questions and parameters by id [D-36] [D-124]', async () => {
      const csv = await ok('--measure', '700', ...may, '--format', 'csv');
      const [header = [], ...rows] = parse(csv) as string[][];
      assert.deepEqual(header.slice(0, 27), [
        ...['id', 'responseTime', 'experienceDate', 'modelInstanceId'],
        ...['L-LOOK', 'L-SAT', 'L-RETURN', 'L-PRICE'],
        ...['Q-LOOK-1', 'Q-LOOK-2', 'Q-SAT-1', 'Q-SAT-2', 'Q-RETURN', 'Q-PRICE'],
        ...['Q-FOUND', 'Q-WHY', 'Q-WHERE', 'Q-NPS'],
        ...['CPP-CART', 'CPP-LANG', 'EPP-TIER'],
        ...['brandName', 'browser', 'browserName', 'browserVendor', 'browserVersion', 'completionTimeInMs'],
      ]);
      assert.deepEqual(header.slice(-8), [
        ...['url', 'wurflId', 'otherParameters', 'erased'],
        ...['position', 'surveyVersion', 'digest', 'quality'],
      ]);
      assert.equal(new Set(header).size, header.length);
      const cells = rows.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell])));
      assert.deepEqual(
        cells.map(({ id }) => id),
        Array.from({ length: responseCount }, (_, index) => `r-${index}`),
      );
      const filled = (index: number) =>
        Object.fromEntries(
          Object.entries(cells[index] ?? {}).filter(([name, cell]) => cell !== '' && name !== 'digest'),
        );
      assert.deepEqual(filled(0), {
        id: 'r-0',
        responseTime: '2025-05-01T10:00:00.000Z',
        experienceDate: '2025-05-01',
        modelInstanceId: 'model-web-3',
        'L-SAT': '0',
        'Q-SAT-1': '1',
        'Q-FOUND': '2',
        'Q-WHY': '=1+1 "x",\ny',
        'Q-WHERE': 'In the menu;s',
        'CPP-CART': '0',
        'CPP-LANG': 'de-AT',
        url: 'https://shop.example/?a=1,2',
        otherParameters: '{"campaign":["c0"]}',
        position: '1',
        surveyVersion: '3',
      });
      assert.equal(cells[3]?.['EPP-TIER'], 'gold');
      // The older version declares no parameters, so they stand under their names.
      const { locale, otherParameters, modelInstanceId, 'Q-PRICE': price } = filled(2);
      assert.deepEqual(
        [locale, JSON.parse(String(otherParameters)), modelInstanceId, price],
        ['de-AT', { campaign: ['c2'], cart_value: ['2'] }, 'model-web-2', '1'],
      );
      const { 'L-SAT': score, ...rest } = filled(4);
      assert.ok(Math.abs(Number(score) - (4 / 9) * 100) < 1e-9);
      assert.deepEqual(rest, {
        id: 'r-4',
        responseTime: '2025-05-29T10:00:00.000Z',
        experienceDate: '2025-05-29',
        modelInstanceId: 'model-web-3',
        erased: 'true',
        position: '5',
        surveyVersion: '3',
      });
    });

    it('Parquet has the cells of CSV, with types [D-265] [D-266]', async () => {
      const file = join(temporaryFolder(), 'may.parquet');
      await ok('--measure', '700', ...may, '--format', 'parquet', '--out', file);
      const read = await readParquet(file);
      const csv = await ok('--measure', '700', ...may, '--format', 'csv');
      const [header = [], ...rows] = parse(csv) as string[][];
      assert.deepEqual(csvOfParquet(read), [header, ...rows]);
    });

    it('CSV of a project has rating and topic in the place of scores [D-39]', async () => {
      const csv = await ok('--project', '300', ...may, '--format', 'csv');
      const [header = [], row = []] = parse(csv) as string[][];
      assert.deepEqual(
        header.slice(0, 11).map((name, index) => [name, row[index]]),
        [
          ['id', 'p-1'],
          ['responseTime', '2025-05-09T08:00:00.000Z'],
          ['experienceDate', '2025-05-09'],
          ['modelInstanceId', 'model of acme-badge'],
          ['url', 'https://shop.example/'],
          ['locale', ''],
          ['rating', '4'],
          ['topic', 'Technical issue'],
          ['Q-STARS', '4'],
          ['Q-TOPIC', 'Technical issue'],
          ['Q-WORDS', ''],
        ],
      );
    });

    it('--spreadsheet keeps a text from being taken for a formula, and says that it is UTF-8', async () => {
      const csv = await ok('--measure', '700', ...may, '--format', 'csv', '--spreadsheet');
      assert.ok(csv.startsWith('\ufeffid,'));
      assert.ok(csv.includes(`"'=1+1 ""x"",\ny"`));
      const plain = await exported('--measure', '700', ...may, '--format', 'ndjson', '--spreadsheet');
      assert.equal(plain.code, 1);
    });

    it('only the days that were asked for, both ends included; an empty range is an export without rows [D-35]', async () => {
      const days = (from: string, to: string): Promise<CommandResult> =>
        exported('--measure', '700', '--from', from, '--to', to, '--format', 'ndjson');
      const [one, both, none] = await Promise.all([
        days('2025-06-01', '2025-06-01'),
        days('2025-05-01', '2025-06-01'),
        days('2024-01-01', '2024-12-31'),
      ]);
      assert.deepEqual([one.code, JSON.parse(one.stdout).id], [0, 'june']);
      assert.equal(both.stdout.split('\n').length - 1, responseCount + 1);
      assert.deepEqual([none.code, none.stdout], [0, '']);
      assert.match(none.stderr, /0 rows were written/);
    });

    it('standard output holds data alone; progress and the count go to standard error, --json as facts', async () => {
      const flags = ['--measure', '700', ...may, '--format', 'ndjson'];
      const plain = await exported(...flags);
      assert.match(plain.stderr, /^Exporting measure 700 \.\.\.\n12 rows were written\.\n$/);
      for (const line of plain.stdout.trimEnd().split('\n')) assert.match(line, /^\{"position":\d+,/);
      const file = join(temporaryFolder(), 'data.ndjson');
      const facts = JSON.parse(await ok(...flags, '--out', file, '--json'));
      assert.deepEqual(facts, { rows: responseCount, endPosition: responseCount + 1, file });
      assert.equal(readFileSync(file, 'utf8'), plain.stdout);
      assert.deepEqual(readdirSync(dirname(file)), ['data.ndjson']);
    });

    it('a file that exists is left as it is unless --force is given; what is no file is never replaced', async () => {
      const folder = temporaryFolder();
      const file = join(folder, 'data.csv');
      writeFileSync(file, 'mine');
      const flags = ['--measure', '700', ...may, '--format', 'csv'];
      const refused = await exported(...flags, '--out', file);
      assert.deepEqual([refused.code, readFileSync(file, 'utf8')], [1, 'mine']);
      assert.match(refused.stderr, /exists already, and was left as it is\. --force overwrites it\.\n$/);
      await ok(...flags, '--out', file, '--force');
      assert.match(readFileSync(file, 'utf8'), /^id,/);
      const target = await exported(...flags, '--out', folder, '--force');
      const nowhere = await exported(...flags, '--out', join(folder, 'none', 'x.csv'));
      assert.deepEqual([target.code, nowhere.code], [1, 1]);
      assert.match(nowhere.stderr, /cannot be written: .*none is not there/);
      assert.deepEqual(readdirSync(folder), ['data.csv']);
    });

    it('what cannot be exported is said in one sentence', async () => {
      const cases: [string[], RegExp][] = [
        [['--measure', '999', ...may, '--format', 'csv'], /Account 4001 has no measure 999\./],
        [['--project', '900', ...may, '--format', 'csv'], /Account 4001 has no project 900\./],
        [['--measure', 'web', ...may, '--format', 'csv'], /--measure must be the number of a measure/],
        [[...may, '--format', 'csv'], /Name one of --measure and --project/],
        [['--measure', '700', '--project', '300', ...may, '--format', 'csv'], /Name one of/],
        [['--measure', '700', ...may, '--format', 'xlsx'], /--format is ndjson, csv or parquet, not "xlsx"/],
        [
          ['--measure', '700', '--from', '2025-02-30', '--to', 'x', '--format', 'csv'],
          /--from: "2025-02-30" is not a day .* --to: "x" is not a day/,
        ],
        [
          ['--measure', '700', '--from', '2025-05-02', '--to', '2025-05-01', '--format', 'csv'],
          /--to: The last day, 2025-05-01, lies before the first/,
        ],
      ];
      // The first two ask the store; the others never get that far.
      for (const [flags, says] of cases.slice(0, engine.name === 'sqlite' ? cases.length : 2)) {
        const { code, stdout, stderr } = await exported(...flags);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, says);
        assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
      }
    });

    it('both engines write the same bytes', async () => {
      const outputs = [
        await ok('--measure', '700', ...may, '--format', 'csv'),
        await ok('--measure', '700', ...may, '--format', 'ndjson'),
        await ok('--project', '300', ...may, '--format', 'ndjson'),
      ];
      const other = [...written.values()][0];
      written.set(engine.name, outputs);
      if (other !== undefined) assert.deepEqual(outputs, other);
    });
  });

  describe(`a large export on ${engine.name}`, () => {
    let service: FeedbackService;
    let total: number;
    const everything = ['--measure', '8840868', '--from', '1990-01-01', '--to', '2100-01-01'];

    before(async () => {
      service = await startFeedback(engine, { catalogue: { accounts: [{ id: 1, name: 'Other' }] } });
      const loaded = await commandHereOk(['demo', '--responses', '6000', '--json'], {
        DATABASE_URL: service.databaseUrl,
      });
      assert.equal(JSON.parse(loaded).loaded, 6000);
      const path = '/v1/measures/8840868/data?from=1990-01-01&to=2100-01-01&limit=1';
      total = Number((await service.get(path, await service.token(4001))).body.total);
      assert.ok(total > 2000);
    });
    after(() => service?.stop());

    const start = (...flags: string[]): ChildProcessWithoutNullStreams =>
      spawn(process.execPath, [startedProgram, 'export', '--account', '4001', ...everything, ...flags], {
        env: environment({ DATABASE_URL: service.databaseUrl }),
        stdio: 'pipe',
      });
    const exitOf = (child: ChildProcessWithoutNullStreams): Promise<number | null> =>
      new Promise((resolve) => child.once('exit', resolve));

    it('waits for a slow reader in little memory, and leaves out what came in after it began [D-35] [D-123]', async () => {
      const child = start('--format', 'ndjson');
      const exit = exitOf(child);
      // The first bytes are there, and nobody reads on: all the rest has to wait in the store.
      await new Promise((resolve) => child.stdout.once('readable', resolve));
      const late = {
        surveyDefinitionId: 'acme-web-browse-3',
        responses: {
          'Q-SAT-1': ['7'],
          'Q-SAT-2': ['7'],
          'Q-SAT-3': ['7'],
          'Q-FOUND': ['A-YES'],
          'Q-VISIT': ['A-WEEK'],
        },
      };
      const { status, text: answer } = await service.post(late, null);
      assert.equal(status, 200, answer);
      const memoryKb = (): number =>
        Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' }));
      // It has come to rest when its memory no longer grows.
      let before = 0;
      await until(
        async () => {
          const now = memoryKb();
          const isAtRest = now <= before;
          before = now;
          return isAtRest;
        },
        (isAtRest) => isAtRest,
      );
      assert.equal(child.exitCode, null);
      assert.ok(before < 200 * 1024, `${before} KiB`);
      const lines = (await text(child.stdout)).trimEnd().split('\n');
      assert.deepEqual([await exit, lines.length], [0, total]);
      assert.equal(new Set(lines.map((line) => JSON.parse(line).id)).size, total);
    });

    for (const [signal, isTidy] of [
      ['SIGKILL', false],
      ['SIGTERM', true],
      ['SIGINT', true],
    ] as const) {
      it(`${signal} half way leaves no half file under the final name${isTidy ? ', nor under any other' : ''} [D-123]`, async () => {
        const folder = temporaryFolder();
        const watcher = watch(folder);
        const child = start('--format', 'csv', '--out', join(folder, 'all.csv'));
        const exit = exitOf(child);
        // It is under way as soon as there is anything in the folder.
        await new Promise((resolve) => watcher.once('change', resolve));
        child.kill(signal);
        watcher.close();
        assert.notEqual(await exit, 0);
        assert.equal(existsSync(join(folder, 'all.csv')), false);
        if (isTidy) assert.deepEqual(readdirSync(folder), []);
      });
    }

    it('a reader who goes away ends it with a sentence, and not with success', async () => {
      const child = start('--format', 'ndjson');
      const exit = exitOf(child);
      const errors = text(child.stderr);
      await new Promise((resolve) => child.stdout.once('readable', resolve));
      child.stdout.destroy();
      assert.notEqual(await exit, 0);
      assert.match(await errors, /Whoever read standard output has gone; the export is not whole\.\n$/);
    });
  });
}
