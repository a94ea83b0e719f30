// What filters leave of every view, groups, comments, single responses and the cost of a pull, held against a plain recount of the
// bodies that were sent (support/insight-model.ts). Both engines are asked, and give the same bytes. Views without a filter are in
// views.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import {
  chosenAnswers,
  isAsked,
  projectEntryOf,
  questionsOf,
  respondentOf,
} from '../../support/feedback-model.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import {
  commentsOf,
  type Days,
  filterText,
  fold,
  groupsBy,
  keepsAll,
  latentsOf,
  type ModelCondition,
  type ModelGroup,
  measureDrivers,
  measureTrend,
  projectTopics,
  questionCounts,
  ratingTrend,
  totalOfLatent,
  totalOfRating,
  within,
} from '../../support/insight-model.ts';
import {
  canary,
  firstDay,
  type InsightResponse,
  type InsightSource,
  inheritedName,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  oddName,
  sendInsight,
} from '../../support/insight-population.ts';
import { assertNear } from '../../support/near.ts';
import { untilComplete } from '../../support/until-complete.ts';

type Json = Record<string, unknown>;

const sources = insightPopulation();
const sourceAt = (path: string): InsightSource =>
  sources.find((source) => source.accountId === insightAcme && source.path === path)!;
const web = sourceAt('measures/700');
const badge = sourceAt('projects/300');
const whole: Days = { from: firstDay, to: lastDay };
const weeks: Days = { from: '2026-02-11', to: '2026-03-04' };
const everything = (): boolean => true;
const rangeText = ({ from, to }: Days): string => `from=${from}&to=${to}`;

/** Written as in the parameter, but not encoded: the names and values of the population have every sign that means something. */
const anyFilters: readonly (readonly ModelCondition[])[] = [
  [{ operator: 'is', name: 'device', value: 'phone' }],
  [{ operator: 'not', name: 'device', value: 'phone' }],
  [{ operator: 'is', name: 'page', value: 'https://shop.example/search?q=other' }],
  [{ operator: 'contains', name: 'page', value: 'SHOP.example/H' }],
  [{ operator: 'contains', name: 'locale', value: 'En-g' }],
  [{ operator: 'gt', name: 'weekday', value: '5' }],
  [{ operator: 'not', name: 'version', value: '1' }],
  [{ operator: 'is', name: 'cpp:plan', value: 'plus' }],
  [{ operator: 'lt', name: 'cpp:cart_value', value: '59.9' }],
  [{ operator: 'is', name: `cpp:${oddName}`, value: 'groß; sehr, 100%' }],
  [{ operator: 'contains', name: `cpp:${oddName}`, value: '; SEHR,' }],
  [{ operator: 'not', name: `cpp:${inheritedName}`, value: 'built' }],
  [{ operator: 'is', name: 'epp:loyalty_tier', value: 'Größe; 1,5 %' }],
  [{ operator: 'not', name: 'epp:EPP-TIER', value: 'gold' }],
  [{ operator: 'contains', name: 'question:Q-SAY', value: 'SEARCH' }],
  [{ operator: 'is', name: 'question:Q-SAY', value: '搜索太慢了' }],
  [{ operator: 'is', name: 'cpp:never_sent', value: 'x' }],
];

const measureFilters: readonly (readonly ModelCondition[])[] = [
  [{ operator: 'is', name: 'question:Q-FOUND', value: 'A-NO' }],
  [{ operator: 'is', name: 'question:Q-FOUND', value: '2' }],
  [{ operator: 'not', name: 'question:Q-FOUND', value: 'Partly' }],
  [{ operator: 'is', name: 'question:Q-WHERE', value: 's' }],
  [{ operator: 'contains', name: 'question:Q-WHERE', value: 'in the' }],
  [{ operator: 'gt', name: 'question:Q-PLAN', value: '0.5' }],
  [{ operator: 'lt', name: 'question:Q-SAT-1', value: '4' }],
  [{ operator: 'gt', name: 'latent:L-SAT', value: '61.5' }],
  [
    { operator: 'gt', name: 'latent:L-LOOK', value: '20' },
    { operator: 'not', name: 'device', value: 'tablet' },
    { operator: 'lt', name: 'weekday', value: 'Saturday' },
    { operator: 'not', name: 'locale', value: 'ja' },
    { operator: 'not', name: 'cpp:plan', value: 'beta' },
  ],
];

const projectFilters: readonly (readonly ModelCondition[])[] = [
  [{ operator: 'lt', name: 'rating', value: '3' }],
  [{ operator: 'not', name: 'rating', value: '5' }],
  [{ operator: 'is', name: 'topic', value: 'T-TECH' }],
  [{ operator: 'contains', name: 'topic', value: 'TOPIC t-o' }],
];

function filtersOf({ kind }: InsightSource): readonly (readonly ModelCondition[])[] {
  // Each has every other one of those that both could have.
  const shared = anyFilters.filter((_, index) => index % 2 === (kind === 'measure' ? 0 : 1));
  return [...shared, ...(kind === 'measure' ? measureFilters : projectFilters)];
}

describe('insight, on both engines', () => {
  const services: { service: FeedbackService; tokens: Map<number, string> }[] = [];

  before(async () => {
    for (const engine of engines) {
      const service = await startFeedback(engine, { catalogue: insightCatalogue, nowMs: insightNowMs });
      const tokens = new Map<number, string>();
      services.push({ service, tokens });
      for (const account of [insightAcme, insightBolt]) tokens.set(account, await service.token(account));
    }
    await Promise.all(services.map(({ service }) => sendInsight(service, sources)));
  });
  after(async () => {
    for (const { service } of services) await service.stop();
  });

  /** The answer of both engines, byte for byte. */
  async function ask(accountId: number, path: string): Promise<Answer> {
    const [one, other] = await Promise.all(
      services.map(({ service, tokens }) =>
        untilComplete(() => service.get(`/v1/${path}`, tokens.get(accountId)!)),
      ),
    );
    assert.equal(one!.text, other!.text, path);
    assert.equal(one!.status, other!.status, path);
    return one!;
  }

  async function read(source: InsightSource, path: string): Promise<Json> {
    const { status, body, text } = await ask(source.accountId, `${source.path}/${path}`);
    assert.equal(status, 200, `${path}: ${text.slice(0, 600)}`);
    if (source.accountId === insightAcme) assert.ok(!text.includes(canary), path);
    return body;
  }

  const filtered = (conditions: readonly ModelCondition[]): string =>
    `filter=${encodeURIComponent(filterText(conditions))}&within=10000`;

  for (const source of [web, badge])
    describe(`filtered views of ${source.path}`, () => {
      for (const conditions of filtersOf(source))
        it(`go over what ${filterText(conditions)} leaves, and nothing else [D-490]`, async () => {
          const keep = keepsAll(conditions);
          const range = weeks;
          const choice = { unit: 'week', compare: 'previous', keep } as const;
          const trend = await read(
            source,
            `trend?${rangeText(range)}&unit=week&compare=previous&${filtered(conditions)}`,
          );
          assert.deepEqual([trend.complete, trend.covered], [true, range]);
          if (source.kind === 'measure') assertNear(trend.latents, measureTrend(source, range, choice));
          else assertNear(trend.rating, ratingTrend(source, range, choice));
          await assertDistribution(source, whole, conditions);
          if (source.kind === 'measure') {
            const { satisfaction, drivers } = await read(
              source,
              `drivers?${rangeText(whole)}&${filtered(conditions)}`,
            );
            assertNear({ satisfaction, drivers }, measureDrivers(source, whole, keep));
            return;
          }
          const topics = await read(
            source,
            `topics?${rangeText(range)}&compare=previous&${filtered(conditions)}`,
          );
          const model = projectTopics(source, range, keep, 'previous');
          const shown = topics.topics as { id: string }[];
          assertNear(
            Object.fromEntries(shown.map((topic) => [topic.id, topic])),
            Object.fromEntries(model.topics),
          );
          assert.deepEqual([topics.count, topics.withTopic], [model.count, model.withTopic]);
        });
    });

  async function assertDistribution(
    source: InsightSource,
    range: Days,
    conditions: readonly ModelCondition[],
  ): Promise<void> {
    const view = await read(source, `distribution?${rangeText(range)}&${filtered(conditions)}`);
    const kept = within(source, range, keepsAll(conditions));
    const left = kept.filter(({ isErased }) => !isErased);
    assert.deepEqual([view.count, view.erased], [left.length, kept.length - left.length]);
    const shown = (view.questions as { id: string; versions: Json[] }[]).flatMap(({ id, versions }) =>
      versions.map(({ surveyDefinitionId, ...figures }) => [`${id} ${surveyDefinitionId}`, figures] as const),
    );
    const expected = source.versions.flatMap((survey) => {
      const responses = left.filter((response) => response.survey === survey);
      if (!kept.some((response) => response.survey === survey)) return [];
      return questionsOf(survey).map(
        (question) => [`${question.id} ${survey.id}`, questionCounts(survey, question, responses)] as const,
      );
    });
    assertNear(Object.fromEntries(shown), Object.fromEntries(expected));
  }

  const names = [
    'device',
    'page',
    'version',
    `cpp:${oddName}`,
    `cpp:${inheritedName}`,
    'cpp:customer',
    'epp:EPP-TIER',
  ];
  for (const source of [web, badge])
    for (const by of [...names, source.kind === 'measure' ? 'question:Q-WHERE' : 'question:Q-TOPIC'])
      it(`groups of ${source.path} by ${by} are a recount, with a filter and without [D-491]`, async () => {
        const filter = [{ operator: 'not', name: 'locale', value: 'ja' } as const];
        for (const conditions of [[], filter]) {
          const query = `by=${encodeURIComponent(by)}&${rangeText(whole)}&limit=7`;
          const view = await read(
            source,
            `breakdown?${query}&${conditions.length === 0 ? 'within=10000' : filtered(conditions)}`,
          );
          assert.deepEqual([view.complete, view.covered, view.by], [true, whole, by]);
          const responses = within(source, whole, keepsAll(conditions));
          const groups = groupsBy(by, responses);
          const seen = view.groups as Json[];
          const expected = groups.slice(0, 7).map((group) => groupOf(source, responses, group));
          assertNear(
            seen.map(({ label: _, ...group }) => group),
            expected,
          );
          const rest = groups.slice(7);
          if (rest.length === 0) assert.equal(view.other, null);
          else {
            const all = { value: null, responses: rest.flatMap((group) => group.responses) };
            const { value: _, ...other } = groupOf(source, responses, all);
            assertNear(view.other, { groups: rest.length, ...other });
          }
          assert.equal(view.withheld, null);
        }
      });

  function groupOf(source: InsightSource, all: readonly InsightResponse[], { value, responses }: ModelGroup) {
    const versions = [...new Set(responses.map(({ survey }) => survey.version))].sort();
    const facts = { value, count: responses.length, versions };
    if (source.kind === 'project') {
      const { versions: _, ...rating } = totalOfRating(responses);
      return { ...facts, rating };
    }
    const latents = latentsOf({ ...source, responses: all }, whole).map(({ id }) => {
      const { versions: _, ...total } = totalOfLatent(id, responses);
      return { id, ...total };
    });
    return { ...facts, latents };
  }

  // ---- comments

  async function allComments(source: InsightSource, query: string): Promise<readonly ShownComment[]> {
    const comments: ShownComment[] = [];
    let cursor = '';
    for (;;) {
      const page = await read(source, `comments?${query}&limit=37${cursor}`);
      comments.push(...(page.items as ShownComment[]));
      if (page.next === null) return comments;
      cursor = `&cursor=${encodeURIComponent(String(page.next))}`;
    }
  }

  const parts = [
    'search',
    'SEARCH',
    'nothing of "use"',
    '遅い',
    '検',
    '慢',
    'ok',
    'o',
    'STRASSE',
    'déjà',
    '100%',
    'a_b',
    '<b>',
    'nowhere',
    'istanbul',
    '\n',
  ];
  for (const source of [web, badge])
    it(`comments of ${source.path} are those that contain the part, newest first, each once [D-499]`, async () => {
      for (const part of ['', ...parts])
        for (const range of [whole, weeks]) {
          const query = `${rangeText(range)}${part === '' ? '' : `&q=${encodeURIComponent(part)}`}`;
          const shown = await allComments(source, query);
          const expected = commentsOf(within(source, range, everything).toReversed(), part);
          assert.deepEqual(
            shown.map(({ id, question, text, version, responseTime }) => ({
              id,
              question,
              text,
              version,
              responseTime,
            })),
            expected.map(({ position: _, ...comment }) => comment),
            `${part} ${query}`,
          );
          for (const comment of shown) assertHits(comment, part);
        }
    });

  it('comments of one question, of a filter, and without days are a recount too', async () => {
    const conditions = [{ operator: 'is', name: 'question:Q-FOUND', value: 'A-NO' } as const];
    const keep = keepsAll(conditions);
    const shown = await allComments(web, filtered(conditions));
    const expected = commentsOf(web.responses.filter(keep).toReversed());
    assert.deepEqual(shown.map(placeOf), expected.map(placeOf));
    const one = await allComments(web, `question=Q-WORDS-SOUGHT&q=SEARCH&from=${weeks.from}`);
    const after = { from: weeks.from, to: '9999-12-31' };
    assert.deepEqual(
      one.map(placeOf),
      commentsOf(within(web, after, everything).toReversed(), 'search')
        .filter(({ question }) => question === 'Q-WORDS-SOUGHT')
        .map(placeOf),
    );
  });

  // ---- single responses and cost

  it('a response is the one that was sent, and its contributions are its scores [D-505, D-506]', async () => {
    for (const source of [web, badge])
      for (const response of source.responses.filter(({ position }) => position % 9 === 0)) {
        const shown = await read(source, `responses/${response.responseId}`);
        assert.deepEqual(shown, itemOf(source, response));
        if (source.kind === 'measure')
          assertTrace(response, await read(source, `responses/${response.responseId}/trace`));
      }
  });

  it('the cost of a pull has the rows and pages of the range, and the bytes of few rows exactly [D-507]', async () => {
    for (const source of [web, badge])
      for (const range of [whole, weeks, { from: '2026-02-14', to: '2026-02-16' }])
        for (const limit of [1, 40, 100]) {
          const rows = within(source, range, everything).length;
          const cost = await read(source, `cost?${rangeText(range)}&limit=${limit}`);
          const pages = Math.ceil(rows / limit);
          assert.deepEqual(
            [cost.from, cost.to, cost.rows, cost.pages, cost.requests],
            [range.from, range.to, rows, pages, Math.max(1, pages)],
          );
          if (rows > 20 || limit === 1) continue;
          let bytes = 0;
          for (let page = 0; page < Math.max(1, pages); page += 1) {
            const offset = source.kind === 'measure' ? page : page * limit;
            const { text } = await ask(
              source.accountId,
              `${source.path}/data?${rangeText(range)}&limit=${limit}&offset=${offset}`,
            );
            bytes += Buffer.byteLength(text);
          }
          assert.equal((cost.bytes as { estimate: number }).estimate, bytes);
        }
  });

  // ---- isolation

  it('what belongs to another account is not there, and nothing of it is told', async () => {
    const range = rangeText(whole);
    const [foreign] = sources.find(
      ({ accountId, kind }) => accountId === insightBolt && kind === 'measure',
    )!.responses;
    const views = ['trend', 'distribution', 'drivers', 'breakdown', 'comments', 'cost', 'topics'];
    for (const view of views) {
      const by = view === 'breakdown' ? '&by=device' : '';
      for (const path of ['measures/800', 'measures/-1', 'measures/2147483647', 'projects/900']) {
        if (view === 'topics' && path.startsWith('measures')) continue;
        if (view === 'drivers' && path.startsWith('projects')) continue;
        const { status, body, text } = await askTimeless(`${path}/${view}?${range}${by}`);
        assert.equal(status, 404, `${path}/${view} ${text}`);
        if (path.startsWith('measures')) assert.equal(body.errorCode, 'MEASURE_NOT_FOUND');
      }
    }
    for (const path of ['measures/700', 'measures/701', 'projects/300']) {
      const { status, text } = await askTimeless(`${path}/responses/${foreign!.responseId}`);
      assert.equal(status, 404);
      assert.ok(!text.includes(canary));
    }
    // The same key is a measure of each of both, and each sees its own responses.
    for (const word of [canary, canary.toLowerCase().slice(2, 6)])
      assert.deepEqual(await allComments(web, `q=${word}`), []);
    const theirs = sources.find(({ accountId, path }) => accountId === insightBolt && path === web.path)!;
    assert.equal((await allComments(theirs, `q=${canary}`)).length, commentsOf(theirs.responses).length);
    const { groups } = await read(web, `breakdown?by=cpp:customer&${range}&limit=200&within=10000`);
    assert.ok((groups as object[]).length > 50);
  });

  async function askTimeless(path: string): Promise<Answer> {
    const answers = await Promise.all(
      services.map(({ service, tokens }) => service.get(`/v1/${path}`, tokens.get(insightAcme)!)),
    );
    assert.equal(answers[0]!.status, answers[1]!.status);
    return answers[0]!;
  }
});

interface ShownComment {
  readonly id: string;
  readonly question: string;
  readonly text: string;
  readonly version: number;
  readonly responseTime: string;
  readonly hits: readonly (readonly [number, number])[];
}

function placeOf({ id, question }: { readonly id: string; readonly question: string }): string {
  return `${id} ${question}`;
}

/** Hits follow each other and are whole characters that contain the part; none is missing. */
function assertHits({ text, hits }: ShownComment, part: string): void {
  if (part === '') return assert.deepEqual(hits, []);
  let end = 0;
  for (const [begin, last] of hits) {
    assert.ok(begin >= end && last > begin && last <= text.length, text);
    assert.ok(fold(text.slice(begin, last)).includes(fold(part)), `${text}: ${text.slice(begin, last)}`);
    end = last;
  }
  assert.equal(hits.length, fold(text).split(fold(part)).length - 1, text);
}

function itemOf({ kind }: InsightSource, response: InsightResponse): object {
  const { survey, body, isErased, position } = response;
  const place = { position, version: survey.version, erased: isErased };
  const toggles = {
    excludeResponseDetails: false,
    excludeMQ: false,
    excludeCQ: false,
    excludePassedParams: false,
    excludeLatentScores: false,
  };
  if (kind === 'measure') {
    const item = respondentOf(survey, body, response, toggles);
    return { ...item, ...(isErased ? { responses: [] } : {}), ...place };
  }
  const entry = projectEntryOf(survey, body, response);
  const gone = { url: null, locale: null, rating: null, topic: null, responses: [] };
  return { ...entry, ...(isErased ? gone : {}), ...place };
}

interface Trace {
  readonly latents: readonly {
    readonly id: string;
    readonly score: number | null;
    readonly questions: readonly {
      readonly id: string;
      readonly state: string;
      readonly contribution: number | null;
      readonly share: number | null;
    }[];
  }[];
  readonly questions: readonly { readonly id: string; readonly state: string }[];
}

function assertTrace(response: InsightResponse, shown: object): void {
  const { survey, body, isErased } = response;
  const { latents, questions } = shown as Trace;
  assert.deepEqual(
    latents.map(({ id }) => id),
    survey.latents.map(({ id }) => id),
  );
  for (const { score, questions: measured } of latents) {
    if (isErased) {
      assert.ok(measured.every(({ state }) => state === 'erased'));
      continue;
    }
    const parts = measured.flatMap(({ contribution }) => contribution ?? []);
    if (score === null) assert.deepEqual(parts, []);
    else
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        score,
      );
    const shares = measured.flatMap(({ share }) => share ?? []);
    if (score !== null)
      assertNear(
        shares.reduce((sum, share) => sum + share, 0),
        1,
      );
    for (const { id, state } of measured) {
      const question = questionsOf(survey).find((one) => one.id === id)!;
      const [answer] = chosenAnswers(question, body);
      const expected = answer === undefined ? 'unanswered' : answer.value === null ? 'dontKnow' : 'counted';
      assert.equal(state, expected, id);
    }
  }
  if (isErased) return;
  for (const { id, state } of questions) {
    const question = questionsOf(survey).find((one) => one.id === id)!;
    const isGiven = (body.responses?.[id] ?? []).length > 0;
    const expected = !isAsked(survey, question, body) ? 'notAsked' : isGiven ? 'answered' : 'unanswered';
    assert.equal(state, expected, id);
  }
}
