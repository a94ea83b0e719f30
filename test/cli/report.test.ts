// Reports: the figures of the interface, for people. They are held against the answers of the endpoints, which have a recount of
// their own (test/http/insight).

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { textWidth } from '../../src/domain/insight/text-width.ts';
import { engines } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import {
  canary,
  firstDay,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  sendInsight,
} from '../support/insight-population.ts';
import { type CommandResult, commandHere, commandHereOk, soundings } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

type Json = Record<string, unknown>;
type Row = Readonly<Record<string, string>>;

const whole = ['--from', firstDay, '--to', lastDay];
const march = ['--from', '2026-03-01', '--to', '2026-03-31'];
const measure = ['--account', String(insightAcme), '--measure', '700'];
const project = ['--account', String(insightAcme), '--project', '300'];
/** What a page must show as text, and a spreadsheet must not take for a formula. */
const hostileText = '=cmd|"/C calc"!A1 <script src="https://evil.example/x.js"></script> & \u202etxt.exe';
const arabicText = 'الموقع بطيء جدًا';

for (const engine of engines) {
  describe(`soundings report on ${engine.name}`, { concurrency: 1 }, () => {
    let service: FeedbackService;
    let env: Readonly<Record<string, string>>;
    let token: string;
    let folder: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: insightCatalogue, nowMs: insightNowMs });
      env = { DATABASE_URL: service.databaseUrl };
      folder = temporaryFolder('reports');
      await sendInsight(service, insightPopulation());
      token = await service.token(insightAcme);
      for (const [index, text] of [hostileText, arabicText].entries()) {
        const { status, text: said } = await service.post(commentBody(index, text), token);
        assert.equal(status, 200, said);
      }
    });
    after(() => service?.stop());

    const report = (...flags: readonly string[]): Promise<string> => commandHereOk(['report', ...flags], env);
    const refused = (...flags: readonly string[]): Promise<CommandResult> =>
      commandHere(['report', ...flags], env);
    const figures = async (...flags: readonly string[]): Promise<Json> =>
      JSON.parse(await report(...flags, '--json')) as Json;
    const answer = async (path: string): Promise<Json> => (await service.get(path, token)).body as Json;
    const written = async (name: string, ...flags: readonly string[]): Promise<string> => {
      const file = join(folder, name);
      await report(...flags, '--out', file, '--force');
      return readFileSync(file, 'utf8');
    };

    it('a measure has the figures of trend, distribution and drivers, with a comparison and a filter too [D-511]', async () => {
      for (const [flags, query] of [
        [[...whole, '--unit', 'week'], `from=${firstDay}&to=${lastDay}&unit=week`],
        [[...march, '--compare', 'previous'], 'from=2026-03-01&to=2026-03-31&unit=day&compare=previous'],
        [
          [...march, '--unit', 'month', '--filter', 'is,cpp:plan,plus'],
          'from=2026-03-01&to=2026-03-31&unit=month&filter=is,cpp:plan,plus&within=10000',
        ],
      ] as const) {
        const made = await figures(...measure, ...flags);
        const trend = await answer(`/v1/measures/700/trend?${query}`);
        const withoutGroups = (made.series as Json[]).map(({ points, ...one }) => ({
          ...one,
          points: (points as Json[]).map(({ group: _, ...point }) => point),
        }));
        assert.deepEqual(withoutGroups, trend.latents);
        assert.deepEqual([made.breaks, made.position, made.complete], [trend.breaks, trend.position, true]);
        const rest = query.replace(/&(unit|compare)=\w+/g, '');
        const distribution = await answer(`/v1/measures/700/distribution?${rest}`);
        const shown = Object.keys(made.distribution as Json);
        assert.ok(shown.includes('questions'));
        assert.deepEqual(
          made.distribution,
          Object.fromEntries(shown.map((member) => [member, distribution[member]])),
        );
        const { satisfaction, drivers } = await answer(`/v1/measures/700/drivers?${rest}`);
        assert.deepEqual(made.drivers, { satisfaction, drivers });
      }
    });

    it('a project has the figures of trend, distribution and topics, and the worst pages [D-511]', async () => {
      const query = `from=2026-03-01&to=2026-03-31&compare=previous`;
      const made = await figures(...project, ...march, '--compare', 'previous');
      const { rating } = (await answer(`/v1/projects/300/trend?${query}`)) as { rating: Json };
      const [series] = made.series as Json[];
      assert.deepEqual([series!.total, series!.difference], [rating.total, rating.difference]);
      const { topics, withTopic, pages } = await answer(
        `/v1/projects/300/topics?${query}&pages=8&within=10000`,
      );
      const shown = made.topics as Json;
      assert.deepEqual([shown.topics, shown.withTopic, made.pages], [topics, withTopic, pages]);
    });

    it('csv has every figure of the report, as it is, and no text that a spreadsheet would carry out [D-511]', async () => {
      const made = await figures(...measure, ...march, '--compare', 'previous', '--comments', '200');
      const flags = [...measure, ...march, '--compare', 'previous', '--comments', '200', '--format', 'csv'];
      const rows = parse(await written('figures.csv', ...flags), { columns: true }) as Row[];
      const [{ id, total, points, difference }] = made.series as [
        { id: string; total: Json; points: Json[]; difference: Json },
      ];
      const of = (section: string) => rows.filter((row) => row.section === section && row.id === id);
      assert.deepEqual(
        of('trend').map(({ from, value, count }) => [from, value, count]),
        points.map(({ from, mean, count }) => [from, String(mean), String(count)]),
      );
      assert.equal(of('total')[0]?.value, String(total.mean));
      assert.equal(of('difference')[0]?.change, difference.change);
      assert.ok(rows.some(({ section, text }) => section === 'comment' && text === hostileText));
      const safe = parse(await written('safe.csv', ...flags, '--spreadsheet'), {
        columns: true,
        bom: true,
      }) as Row[];
      assert.ok(safe.some(({ text }) => text === `'${hostileText}`));
    });

    it('lines for a terminal fit 80 columns, have no colours in a pipe, and what people wrote is not obeyed [D-514]', async () => {
      for (const source of [measure, project]) {
        const text = await report(...source, ...whole, '--compare', 'previous', '--comments', '200');
        const lines = text.split('\n');
        assert.ok(lines.length > 60);
        // A mark that turns the direction of writing is written as an escape, which is longer.
        assert.deepEqual(
          lines.filter((line) => textWidth(line.replaceAll(/\\u202e/g, '')) > 80),
          [],
        );
        assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f\u202e]/);
        assert.doesNotMatch(text, new RegExp(canary));
      }
      const { code, stdout } = await soundings(['report', ...measure, ...march], {
        ...env,
        FORCE_COLOR: '3',
      });
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /\x1b/);
    });

    it('a break is said with its day, its version and its reason; totals over it say which versions they add up', async () => {
      const { breaks } = (await figures(...measure, ...whole)) as {
        breaks: { day: string; reason: string }[];
      };
      assert.ok(breaks.length > 0);
      const text = (await report(...measure, ...whole)).replaceAll(/\s+/g, ' ');
      const page = await written('breaks.html', ...measure, ...whole, '--format', 'html');
      for (const { day, reason } of breaks) {
        assert.ok(text.includes(`${day} version`) && text.includes(reason.slice(0, 60)), text);
        assert.ok(page.includes(reason.slice(0, 30)));
      }
      assert.match(text, /adds up versions \d and \d/);
      assert.match(page, /class="break"/);
    });

    it('the page has no script, no address to load from and no style but its own, whatever was written [D-512]', async () => {
      const page = await written('page.html', ...measure, ...whole, '--format', 'html', '--comments', '200');
      const loads =
        /<(script|link|img|iframe|object|embed|base|form)\b|<[^>]*\s(style|src|href|on\w+)=|url\(|@import/i;
      assert.equal(loads.exec(page)?.[0], undefined);
      assert.ok(page.includes('&lt;script src=&quot;https://evil.example/x.js&quot;&gt;'));
      assert.match(page, /default-src 'none'; style-src 'sha256-[\w+/]{43}='/);
      assert.match(page, new RegExp(`<blockquote dir="auto">${arabicText}</blockquote>`));
    });

    it('a line of text is no comment of a report, and comments can be left out [D-513]', async () => {
      const { comments } = (await figures(...measure, ...whole, '--comments', '200')) as {
        comments: { text: string }[];
      };
      const { items } = (await answer(
        `/v1/measures/700/comments?from=${firstDay}&to=${lastDay}&question=Q-SAY&limit=200`,
      )) as { items: { text: string }[] };
      assert.ok(items.length > 10);
      assert.deepEqual(new Set(comments.map(({ text }) => text)), new Set(items.map(({ text }) => text)));
      const none = await figures(...measure, ...whole, '--comments', '0');
      assert.deepEqual(none.comments, []);
    });

    it('days without responses are told as such, in every format, and are no failure', async () => {
      const empty = [...measure, '--from', '2020-01-01', '--to', '2020-01-31'];
      assert.match(await report(...empty), /There are no responses in these days\./);
      const page = await written('empty.html', ...empty, '--format', 'html');
      assert.match(page, /There are no responses in these days\./);
      const rows = parse(await written('empty.csv', ...empty, '--format', 'csv'), { columns: true }) as Row[];
      assert.deepEqual(
        rows.filter(({ section }) => section === 'trend' || section === 'answer'),
        [],
      );
      assert.match(
        await report('--account', String(insightAcme), '--measure', '702', ...march),
        /no responses/,
      );
    });

    it('every fault is named at once, and nothing is written', async () => {
      const taken = join(folder, 'taken.html');
      writeFileSync(taken, 'mine');
      const many = await refused(
        ...['--account', '12345', '--measure', '700', '--from', '2026-02-30', '--to', 'never'],
        ...['--unit', 'year', '--compare', 'last', '--comments', 'all', '--format', 'pdf', '--out', taken],
      );
      assert.equal(many.code, 1);
      for (const fault of [
        /--format is text, html or csv, not "pdf"/,
        /--compare is previous or year, not "last"/,
        /--unit is day, week or month, not "year"/,
        /--from: .*2026-02-30/,
        /--to: .*never/,
        /--comments must be a whole number from 0 to 200/,
        /There is no account 12345/,
        /taken\.html exists already/,
      ])
        assert.match(many.stderr, fault);
      assert.equal(readFileSync(taken, 'utf8'), 'mine');
      const single: readonly (readonly [flags: readonly string[], fault: RegExp])[] = [
        [[...measure, '--from', '2026-03-02', '--to', '2026-03-01'], /--to: The last day.*lies before/],
        [['--account', String(insightBolt), '--measure', '701', ...march], /Account 4002 has no measure 701/],
        [[...measure, '--project', '300', ...march], /Name --measure or --project, not both/],
        [['--account', '4001', ...march], /Name one of --measure and --project/],
        [[...measure, ...march, '--filter', 'is,device;lt,rating,x'], /Condition 1: [\s\S]*Condition 2: /],
        [[...measure, '--from', '1990-01-01', '--to', '2026-01-01'], /at most 3,700/],
        [[...measure, ...march, '--spreadsheet'], /--spreadsheet goes with --format csv/],
        [[...measure, ...march, '--out', join(folder, 'nowhere', 'x.txt')], /nowhere is not there/],
      ];
      for (const [flags, fault] of single) {
        const { code, stderr } = await refused(...flags);
        assert.equal(code, 1, flags.join(' '));
        assert.match(stderr, fault);
      }
      mkdirSync(join(folder, 'a-folder'));
      const aFolder = await refused(
        ...measure,
        ...march,
        '--format',
        'html',
        '--out',
        join(folder, 'a-folder'),
      );
      assert.match(aFolder.stderr, /is not a file/);
      assert.equal(existsSync(join(folder, 'nowhere')), false);
    });
  });
}

function commentBody(index: number, text: string): object {
  return {
    surveyDefinitionId: 'acme-web-3',
    responseId: `report-comment-${index}`,
    submissionTimestamp: `2026-03-20T10:0${index}:00Z`,
    responses: { 'Q-FOUND': ['A-YES'], 'Q-SAY': [text] },
  };
}
