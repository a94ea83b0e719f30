// Trends, distributions, drivers and topics over HTTP: both engines give the same bytes, which are a plain recount of what was sent
// (support/insight-model.ts), totals are those of the interface's summary, and what must not be told is not.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { chosenAnswers, latentScoresOf, questionsOf } from '../../support/feedback-model.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import {
  type Days,
  dayOf,
  measureDrivers,
  measureTrend,
  projectTopics,
  questionCounts,
  ratingTrend,
} from '../../support/insight-model.ts';
import {
  cargo,
  cargoAccount,
  firstDay,
  type InsightResponse,
  type InsightSource,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  sendInsight,
} from '../../support/insight-population.ts';
import { assertNear } from '../../support/near.ts';
import { storeRows } from '../../support/store-rows.ts';

const sources = insightPopulation();
const sourceAt = (accountId: number, path: string): InsightSource =>
  sources.find((source) => source.accountId === accountId && source.path === path)!;
const web = sourceAt(insightAcme, 'measures/700');
const badge = sourceAt(insightAcme, 'projects/300');
const whole: Days = { from: firstDay, to: lastDay };
const weeks: Days = { from: '2026-02-11', to: '2026-03-04' };
const everything = () => true;

const catalogue = { accounts: [...insightCatalogue.accounts, cargoAccount] };
const entries = Array.from({ length: 130 }, (_, index) => ({
  day: index % 7 < 2 ? '2026-02-10' : '2026-03-10',
  stars: 1 + ((index * 7) % 5),
  // Some are named once, some often; every tenth entry has none.
  about:
    index % 10 === 9 ? null : index % 10 === 8 ? `only ${index}` : ['Lieferung', '配送', 'price'][index % 3]!,
  page: `https://cargo.example/${['a', 'b', 'c', 'd'][index % 4]}${index % 4 === 3 ? index : ''}`,
}));

type Json = Record<string, unknown>;
interface Trend {
  readonly points: readonly Json[];
  readonly total: Json;
  readonly compared?: Json;
  readonly difference?: Json | null;
}
type LatentTrend = Trend & Json;

describe('views over figures', () => {
  const services: { service: FeedbackService; tokens: Map<number, string> }[] = [];

  before(async () => {
    for (const engine of engines) {
      const service = await startFeedback(engine, { catalogue, nowMs: insightNowMs });
      const tokens = new Map<number, string>();
      services.push({ service, tokens });
      for (const account of [insightAcme, insightBolt, cargo])
        tokens.set(account, await service.token(account));
      await sendInsight(service, sources);
      const posts = entries.map(({ day, stars, about, page }, index) =>
        service.post(
          {
            surveyDefinitionId: 'cargo-words',
            responseId: `cargo-${index}`,
            submissionTimestamp: `${day}T12:00:00Z`,
            url: `${page}?visit=${index}#top`,
            responses: { 'Q-STARS': [`${stars}`], ...(about !== null && { 'Q-ABOUT': [about] }) },
          },
          tokens.get(cargo)!,
        ),
      );
      for (const { status, text } of await Promise.all(posts)) assert.equal(status, 200, text);
    }
  });
  after(async () => {
    for (const { service } of services) await service.stop();
  });

  /** Asks both engines, whose answers must be the same bytes. */
  async function ask(accountId: number, path: string): Promise<{ status: number; body: Json; text: string }> {
    const answers = [];
    for (const { service, tokens } of services)
      answers.push(await service.get(`/v1/${path}`, tokens.get(accountId)!));
    const [one, other] = answers;
    const timeless = (text: string): string => text.replace(/"timestamp":"[^"]*"/, '');
    assert.equal(timeless(one!.text), timeless(other!.text), path);
    assert.equal(one!.status, other!.status);
    return { status: one!.status, body: one!.body as Json, text: one!.text };
  }

  async function read(source: InsightSource, path: string): Promise<Json> {
    const { status, body, text } = await ask(source.accountId, `${source.path}/${path}`);
    assert.equal(status, 200, text);
    return body;
  }

  const rangeText = ({ from, to }: Days): string => `from=${from}&to=${to}`;
  const without = (object: Json, ...names: readonly string[]): Json =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

  const choices = [
    { unit: 'day', range: whole },
    { unit: 'week', range: weeks, compare: 'previous' },
    { unit: 'month', range: whole, compare: 'year' },
    { unit: 'month', range: { from: '2026-03-01', to: '2026-03-31' }, compare: 'previous' },
    { unit: 'day', range: { from: '2026-02-14', to: '2026-02-14' }, compare: 'previous' },
  ] as const;
  for (const { unit, range, ...rest } of choices)
    it(`trends by ${unit} from ${range.from} are a recount, and their totals the summary ${JSON.stringify(rest)} [D-482]`, async () => {
      const compare = 'compare' in rest ? rest.compare : undefined;
      const query = `${rangeText(range)}&unit=${unit}${compare ? `&compare=${compare}` : ''}`;
      const choice = { unit, keep: everything, ...(compare && { compare }) };
      for (const source of sources) {
        const trend = await read(source, `trend?${query}`);
        const { length } = source.responses;
        assert.deepEqual(
          [trend.from, trend.to, trend.unit, trend.complete, trend.covered, trend.position, trend.minimum],
          [range.from, range.to, unit, true, range, length, 1],
        );
        if (source.kind === 'project') {
          assertNear(trend.rating, ratingTrend(source, range, choice));
          continue;
        }
        const latents = trend.latents as LatentTrend[];
        assertNear(latents, measureTrend(source, range, choice));
        const { summary } = await read(source, `data?${rangeText(range)}&limit=1`);
        const { latentScores } = summary as { latentScores: object[] };
        assert.deepEqual(
          latents.map(({ id, name, type, total }) => ({
            id,
            name,
            type,
            score: total.mean,
            count: total.count,
          })),
          latentScores,
        );
      }
    });

  it('a version that must not be joined breaks the line, and the break says what changed [D-483]', async () => {
    const { breaks, latents } = await read(web, `trend?${rangeText(whole)}&unit=month`);
    const told = (breaks as { day: string; version: number; latents: string[]; reason: string }[]).map(
      ({ version, latents: ids, reason }) => ({ version, latents: ids, reason }),
    );
    assert.deepEqual(told, [
      {
        version: 2,
        latents: ['L-LOOK'],
        reason: 'Look and feel: the weight of Q-LOOK-2 was 1 and is 3.',
      },
      {
        version: 3,
        latents: ['L-SAT'],
        reason: 'Satisfaction: Q-SAT-3 was added; Q-SAT-2 was taken out.',
      },
    ]);
    for (const [at, version] of [1, 2].entries()) {
      const first = web.responses
        .filter(({ survey }) => survey.version === version + 1)
        .map(dayOf)
        .sort()[0];
      assert.equal((breaks as { day: string }[])[at]!.day, first);
    }
    const satisfaction = (latents as LatentTrend[]).find(({ id }) => id === 'L-SAT')!;
    assert.equal(satisfaction.total.comparable, false);
    assert.ok(satisfaction.points.every(({ versions }) => String(versions).match(/^(1|2|1,2|3)$/)));
    const project = await read(badge, `trend?${rangeText(whole)}`);
    assert.deepEqual(project.breaks, []);
  });

  it('distributions are a recount of each version, and leave out what was erased [D-485]', async () => {
    for (const source of sources)
      for (const range of [whole, weeks]) {
        const view = await read(source, `distribution?${rangeText(range)}`);
        const within = source.responses.filter((response) => {
          const day = dayOf(response);
          return range.from <= day && day <= range.to;
        });
        const left = within.filter(({ isErased }) => !isErased);
        assert.deepEqual([view.count, view.erased], [left.length, within.length - left.length]);
        const questions = view.questions as (Json & { versions: Json[] })[];
        let seen = 0;
        for (const survey of source.versions) {
          const responses = left.filter((response) => response.survey === survey);
          if (responses.length === 0) continue;
          for (const question of questionsOf(survey)) {
            const shown = questions.find(({ id }) => id === question.id)!;
            const version = shown.versions.find(
              ({ surveyDefinitionId }) => surveyDefinitionId === survey.id,
            )!;
            const expected = questionCounts(survey, question, responses);
            assertNear(without(version, 'surveyDefinitionId'), JSON.parse(JSON.stringify(expected)));
            seen += 1;
          }
        }
        assert.equal(
          questions.reduce((sum, { versions }) => sum + versions.length, 0),
          seen,
        );
        const times = left.flatMap(({ body }) => {
          const { completionTimeInMs } = body as { completionTimeInMs?: number };
          return completionTimeInMs === undefined ? [] : [completionTimeInMs];
        });
        const { count, bins, median } = view.completionTimes as {
          count: number;
          median: number | null;
          bins: { fromMs: number; toMs: number | null; count: number }[];
        };
        assert.equal(count, times.length);
        for (const { fromMs, toMs, count: some } of bins)
          assert.equal(some, times.filter((time) => time >= fromMs && time < (toMs ?? Infinity)).length);
        const middle = times.sort((one, other) => one - other)[Math.ceil(times.length / 2) - 1];
        if (middle === undefined) assert.equal(median, null);
        else {
          const bin = bins.find(({ fromMs, toMs }) => middle >= fromMs && middle < (toMs ?? Infinity))!;
          assert.ok(median! >= bin.fromMs && median! <= (bin.toMs ?? Infinity));
        }
      }
  });

  it('drivers are a recount, the strongest association first [D-488]', async () => {
    for (const source of sources.filter(({ kind }) => kind === 'measure')) {
      const view = await read(source, `drivers?${rangeText(whole)}`);
      const model = measureDrivers(source, whole, everything);
      assertNear(
        { satisfaction: view.satisfaction, drivers: view.drivers, note: view.note },
        { ...model, note: 'Association, not cause.' },
      );
    }
  });

  it('topics are a recount, named most often first, with what changed [D-487]', async () => {
    const march = { from: '2026-03-01', to: '2026-03-31' };
    for (const source of sources.filter(({ kind }) => kind === 'project'))
      for (const compare of [undefined, 'previous', 'year'] as const) {
        const query = compare === undefined ? '' : `&compare=${compare}`;
        const view = await read(source, `topics?${rangeText(march)}${query}`);
        const topics = view.topics as { id: string; entries: number }[];
        const counts = topics.map(({ entries }) => entries);
        assert.deepEqual(
          counts,
          counts.toSorted((one, other) => other - one),
        );
        const model = projectTopics(source, march, everything, compare);
        assertNear(
          { ...model, topics: Object.fromEntries(topics.map((topic) => [topic.id, topic])) },
          { ...model, topics: Object.fromEntries(model.topics) },
        );
        assert.deepEqual([view.count, view.withTopic], [model.count, model.withTopic]);
      }
  });

  const chose = ({ survey, body, isErased }: InsightResponse, question: string, answer: string): boolean =>
    !isErased &&
    questionsOf(survey).some(
      (one) => one.id === question && chosenAnswers(one, body).some(({ id }) => id === answer),
    );
  const filters: readonly (readonly [string, (response: InsightResponse) => boolean])[] = [
    ['is,question:Q-FOUND,A-NO', (response) => chose(response, 'Q-FOUND', 'A-NO')],
    ['is,version,2', ({ survey }) => survey.version === 2],
    [
      'gt,latent:L-SAT,50;not,version,1',
      ({ survey, body }) =>
        survey.version !== 1 &&
        latentScoresOf(survey, body).some(({ id, score }) => id === 'L-SAT' && score! > 50),
    ],
  ];
  for (const [filter, keep] of filters)
    it(`filtered by ${filter}, views are a recount of what meets it`, async () => {
      const query = `filter=${encodeURIComponent(filter)}&within=10000`;
      const [march, choice] = [
        { from: '2026-03-01', to: '2026-03-31' },
        { unit: 'week', compare: 'previous', keep } as const,
      ];
      const asked = `${rangeText(march)}&unit=week&compare=previous&${query}`;
      const trend = await read(web, `trend?${asked}`);
      assert.deepEqual([trend.complete, trend.covered], [true, march]);
      assertNear(trend.latents, measureTrend(web, march, choice));
      const { drivers, satisfaction } = await read(web, `drivers?${rangeText(whole)}&${query}`);
      assertNear({ drivers, satisfaction }, measureDrivers(web, whole, keep));
      const { count, erased } = await read(web, `distribution?${rangeText(whole)}&${query}`);
      const kept = web.responses.filter(keep);
      assert.deepEqual(
        [count, erased],
        [kept.filter(({ isErased }) => !isErased).length, kept.filter(({ isErased }) => isErased).length],
      );
      if (!filter.includes('version,2')) return;
      const project = await read(badge, `trend?${asked}`);
      assertNear(project.rating, ratingTrend(badge, march, choice));
      const { topics } = await read(badge, `topics?${rangeText(march)}&${query}`);
      assertNear(
        Object.fromEntries((topics as { id: string }[]).map((topic) => [topic.id, topic])),
        Object.fromEntries(projectTopics(badge, march, keep).topics),
      );
    });

  it('with little time a filtered view says what it goes over, and goes over no more', async () => {
    const query = `${rangeText(whole)}&unit=month&compare=previous&filter=not,version,9&within=50`;
    for (const { service, tokens } of services) {
      const { status, body, text } = await service.get(
        `/v1/${web.path}/trend?${query}`,
        tokens.get(insightAcme)!,
      );
      assert.equal(status, 200, text);
      const { complete, covered, latents } = body as {
        complete: boolean;
        covered: Days | null;
        latents: LatentTrend[];
      };
      const over = covered ?? { from: '2027-01-01', to: '2027-01-01' };
      const expected = measureTrend(web, over, { unit: 'month', keep: everything }) as (Trend & {
        id: string;
      })[];
      for (const { id, points, total } of expected) {
        const shown = latents.find((latent) => latent.id === id)!;
        assertNear([shown.points, shown.total], [points, total]);
        if (!complete) assert.deepEqual([shown.compared, shown.difference], [null, null]);
      }
    }
  });

  it('topics that people write are found, and the pages with the lowest ratings [D-487]', async () => {
    const march = entries.filter(({ day }) => day.startsWith('2026-03'));
    const path = `projects/310/topics?from=2026-03-01&to=2026-03-31&compare=previous&within=10000`;
    const { status, body, text } = await ask(cargo, `${path}&pages=2`);
    assert.equal(status, 200, text);
    const countOf = (about: string): number => march.filter((entry) => entry.about === about).length;
    const named = [...new Set(entries.flatMap(({ about }) => about ?? []))];
    const topics = body.topics as (Json & { text: string; entries: number })[];
    assert.deepEqual(
      topics.map((topic) => [topic.id, topic.text, topic.entries]).sort(),
      named.map((about) => [null, about, countOf(about)]).sort(),
    );
    assert.deepEqual(
      [body.count, body.withTopic, body.complete],
      [march.length, march.filter(({ about }) => about !== null).length, true],
    );
    const { compared, mean } = topics.find((topic) => topic.text === '配送')!;
    const meanOf = (some: readonly { stars: number }[]): number =>
      some.reduce((sum, { stars }) => sum + stars, 0) / some.length;
    assertNear(mean, meanOf(march.filter(({ about }) => about === '配送')));
    const before = entries.filter(({ day, about }) => day.startsWith('2026-02') && about === '配送');
    assert.equal((compared as Json).entries, before.length);
    const pages = ['a', 'b', 'c'].map((page) => {
      const some = march.filter((entry) => entry.page === `https://cargo.example/${page}`);
      return { url: `https://cargo.example/${page}`, count: some.length, mean: meanOf(some) };
    });
    const worst = pages.sort((one, other) => one.mean - other.mean).slice(0, 2);
    assertNear(
      (body.pages as Json[]).map(({ url, count, mean: low }) => ({ url, count, mean: low })),
      worst,
    );
    assert.deepEqual(
      [body.pagesComplete, body.pagesCovered],
      [true, { from: '2026-03-01', to: '2026-03-31' }],
    );
    // Words of single people are withheld with the minimum, and counted as one.
    const few = await ask(cargo, `${path}&minimum=3`);
    assert.ok(!few.text.includes('only '));
    const single = march.filter(({ about }) => about?.startsWith('only')).length;
    assert.deepEqual((few.body.withheld as Json).topics, single);
  });

  it('what is below the minimum is withheld, and does not follow from the rest [D-484]', async () => {
    const { latents, minimum } = await read(web, `trend?${rangeText(weeks)}&minimum=4`);
    assert.equal(minimum, 4);
    const plain = (await read(web, `trend?${rangeText(weeks)}`)).latents as LatentTrend[];
    let withheldOnes = 0;
    for (const [at, { points, total }] of (latents as LatentTrend[]).entries()) {
      const counts = plain[at]!.points.map(({ count }) => count as number);
      let hidden = 0;
      for (const [place, point] of points.entries()) {
        if ('withheld' in point) {
          assert.deepEqual(Object.keys(point), ['from', 'to', 'versions', 'withheld']);
          hidden += counts[place]!;
          withheldOnes += 1;
        } else assert.ok((point.count as number) >= 4);
      }
      assert.ok(hidden === 0 || hidden >= 4 || 'withheld' in total);
    }
    assert.ok(withheldOnes > 5);
    for (const path of [`${web.path}/distribution`, `${badge.path}/distribution`]) {
      const { text } = await ask(insightAcme, `${path}?${rangeText(weeks)}&minimum=40`);
      const { questions } = JSON.parse(text) as {
        questions: { versions: (Json & { answers?: Json[] })[] }[];
      };
      for (const version of questions.flatMap(({ versions }) => versions)) {
        if ('withheld' in version)
          assert.deepEqual(Object.keys(version), ['version', 'surveyDefinitionId', 'withheld']);
        const { dontKnow } = version;
        assert.ok(dontKnow === undefined || dontKnow === 0 || (dontKnow as number) >= 40);
        for (const { count } of version.answers ?? [])
          assert.ok(count === undefined || count === 0 || (count as number) >= 40);
      }
    }
    const topics = await read(badge, `topics?${rangeText(whole)}&minimum=50&compare=previous`);
    for (const { entries } of topics.topics as Json[]) assert.ok(entries === 0 || Number(entries) >= 50);
    const { count } = topics.withheld as { count: number };
    assert.ok(count >= 50);
    const drivers = await read(web, `drivers?${rangeText(weeks)}&minimum=1000`);
    assert.ok((drivers.drivers as Json[]).every((driver) => 'withheld' in driver));
  });

  it('every fault of the parameters is named at once', async () => {
    const faults = async (path: string, query: string): Promise<string[][]> => {
      const { status, body, text } = await ask(insightAcme, `${path}?${query}`);
      assert.equal(status, 400, text);
      const { detailedErrors = [] } = body as { detailedErrors?: { field: string; code: string }[] };
      return detailedErrors.map(({ field, code }) => [field, code]).sort();
    };
    const trend = 'measures/700/trend';
    assert.deepEqual(await faults(trend, 'unit=year&compare=none&minimum=0&of=x'), [
      ['compare', 'INVALID'],
      ['from', 'MISSING'],
      ['minimum', 'INVALID'],
      ['of', 'UNKNOWN'],
      ['to', 'MISSING'],
      ['unit', 'INVALID'],
    ]);
    assert.deepEqual(await faults(trend, 'from=2026-02-30&to=2026-03-01&minimum=1001'), [
      ['from', 'INVALID_DATE'],
      ['minimum', 'INVALID'],
    ]);
    assert.deepEqual(await faults(trend, 'from=2026-03-02&to=2026-03-01'), [['to', 'INVALID_RANGE']]);
    assert.deepEqual(await faults(trend, 'from=2015-01-01&to=2026-03-01'), [['to', 'RANGE_TOO_LONG']]);
    assert.deepEqual(await faults(trend, 'from=2014-01-01&to=2026-03-01&compare=year'), [
      ['compare', 'INVALID'],
      ['to', 'RANGE_TOO_LONG'],
    ]);
    assert.deepEqual(await faults(trend, 'from=0001-01-01&to=0001-02-01&compare=previous'), [
      ['from', 'INVALID'],
    ]);
    for (const path of ['measures/700/distribution', 'measures/700/drivers'])
      assert.deepEqual(await faults(path, `${rangeText(whole)}&unit=day`), [['unit', 'UNKNOWN']]);
    for (const path of ['trend', 'distribution', 'topics'])
      assert.equal((await ask(insightAcme, `projects/300/${path}?from=x&to=${lastDay}`)).status, 400);
    assert.deepEqual(await faults(trend, `${rangeText(whole)}&within=49&filter=`), [
      ['filter', 'INVALID'],
      ['within', 'INVALID'],
    ]);
    const filtered = await ask(
      insightAcme,
      `${trend}?${rangeText(whole)}&filter=is,nothing,1;more,version,2`,
    );
    assert.deepEqual([filtered.status, filtered.body.errorCode], [400, 'INVALID_FILTER']);
    assert.match(String(filtered.body.message), /Condition 1:.* Condition 2:/);
    assert.deepEqual(await faults(trend, 'from=2026-03-02&to=2026-03-01&filter=is,nothing,1'), [
      ['filter', 'UNKNOWN'],
      ['to', 'INVALID_RANGE'],
    ]);
    // A leap year, day by day, is the longest range that has a year before of its own.
    const { status } = await ask(insightAcme, `${trend}?from=2024-01-01&to=2024-12-31&compare=year`);
    assert.equal(status, 200);
  });

  it('accounts do not see each other, and a grant is needed', async () => {
    for (const path of [
      'measures/800/trend',
      'measures/800/distribution',
      'measures/800/drivers',
      'measures/9/trend',
    ])
      assert.equal((await ask(insightAcme, `${path}?${rangeText(whole)}`)).status, 404);
    for (const path of ['projects/900/trend', 'projects/310/distribution', 'projects/310/topics'])
      assert.equal((await ask(insightAcme, `${path}?${rangeText(whole)}`)).status, 404);
    const { service } = services[0]!;
    const projectsOnly = await service.token(insightAcme, ['r_cx_projects']);
    const measuresOnly = await service.token(insightAcme, ['r_cx_measures']);
    for (const path of ['measures/700/trend', 'measures/700/distribution', 'measures/700/drivers']) {
      assert.equal((await service.get(`/v1/${path}?${rangeText(whole)}`, projectsOnly)).status, 403);
      assert.equal((await service.get(`/v1/${path}?${rangeText(whole)}`, null)).status, 401);
    }
    for (const path of ['projects/300/trend', 'projects/300/distribution', 'projects/300/topics'])
      assert.equal((await service.get(`/v1/${path}?${rangeText(whole)}`, measuresOnly)).status, 403);
  });

  it('figures that have to be added up anew are right at once, or come with the next request', async () => {
    const query = `${rangeText(whole)}&unit=month`;
    for (const { service, tokens } of services) {
      await storeRows(service.databaseUrl, 'update insight_cursor set rolled_seq = -1');
      for (;;) {
        const { status, body, headers } = await service.get(
          `/v1/${web.path}/trend?${query}`,
          tokens.get(insightAcme)!,
        );
        if (status === 503) {
          assert.deepEqual([body.errorCode, headers['retry-after']], ['INSIGHT_NOT_READY', '5']);
          continue;
        }
        assert.equal(status, 200);
        assertNear(body.latents, measureTrend(web, whole, { unit: 'month', keep: everything }));
        break;
      }
    }
  });

  it('a measure or project without responses, or without a survey, has empty figures', async () => {
    const empty = await ask(insightAcme, `measures/702/trend?${rangeText(whole)}&compare=year`);
    assert.deepEqual([empty.status, empty.body.latents, empty.body.breaks], [200, [], []]);
    const drivers = await ask(insightAcme, `measures/702/drivers?${rangeText(whole)}`);
    assert.deepEqual([drivers.body.satisfaction, drivers.body.drivers], [null, []]);
    const { body } = await ask(insightAcme, `projects/301/topics?${rangeText(whole)}`);
    assert.deepEqual(
      (body.topics as { id: string; entries: number; share: null }[]).map(({ id, entries, share }) => [
        id,
        entries,
        share,
      ]),
      [
        ['T-TECH', 0, null],
        ['T-DELIVERY', 0, null],
        ['T-OTHER', 0, null],
      ],
    );
  });
});
