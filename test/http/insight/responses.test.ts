// One response by its id, why it has its scores, and what a pull of all of them will take.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { isAsked, latentScoresOf } from '../../support/feedback-model.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import {
  canary,
  firstDay,
  type InsightSource,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  sendInsight,
} from '../../support/insight-population.ts';

// Half of them are enough here: agreement.test.ts has all.
const sources = insightPopulation().map((source) => ({
  ...source,
  responses: source.responses.slice(0, source.responses.length / 2),
}));
const web: InsightSource = sources[0]!;
const badge: InsightSource = sources[1]!;
const boltWeb = sources.find(({ accountId, kind }) => accountId === insightBolt && kind === 'measure')!;

/** Ids as callers send them, with every sign that has a meaning in an address. */
const oddIds = [
  'a/b/c',
  'a/trace',
  'trace',
  '...',
  'a.b',
  'a b+c',
  '100%',
  '%2F',
  'x?y=z&w#f',
  '漢字 größe 😀',
  '😀'.repeat(128),
  'x'.repeat(128),
  "it's;:@,=!$()*~",
  '"quoted\\"',
  '__proto__',
  '\t\u0001',
];

type Toggle =
  | 'excludeResponseDetails'
  | 'excludeMQ'
  | 'excludeCQ'
  | 'excludePassedParams'
  | 'excludeLatentScores';
const toggles: readonly Toggle[] = [
  'excludeResponseDetails',
  'excludeMQ',
  'excludeCQ',
  'excludePassedParams',
  'excludeLatentScores',
];

interface TracedLatent {
  readonly id: string;
  readonly score: number | null;
  readonly questions: readonly { readonly state: string; readonly contribution: number | null }[];
}

interface TracedQuestion {
  readonly id: string;
  readonly state: string;
  readonly rules?: readonly { readonly holds: boolean; readonly words: string }[];
}

/** The text of every item of a page, cut out of its body as it was sent. */
function itemTexts({ text }: Answer): string[] {
  const begin = text.indexOf('[') + 1;
  const items = JSON.parse(text) as { items: object[] };
  let at = begin;
  return items.items.map((item) => {
    // Bodies are written without blanks, in the order of their members, as JSON.stringify does it.
    const written = JSON.stringify(item);
    assert.equal(text.slice(at, at + written.length), written);
    at += written.length + 1;
    return written;
  });
}

const answersOfEngines = new Map<string, Map<string, string>>();

for (const engine of engines) {
  describe(`single responses on ${engine.name}`, () => {
    let service: FeedbackService;
    const tokens = new Map<number, string>();

    before(async () => {
      service = await startFeedback(engine, { catalogue: insightCatalogue, nowMs: insightNowMs });
      for (const account of [insightAcme, insightBolt]) tokens.set(account, await service.token(account));
      await sendInsight(service, sources);
      for (const responseId of oddIds) {
        const body = { surveyDefinitionId: 'acme-web-3', responseId, responses: { 'Q-FOUND': ['A-YES'] } };
        const { status, text } = await service.post(body, tokens.get(insightAcme)!);
        assert.equal(status, 200, text);
      }
    });
    after(() => service?.stop());

    const ask = (source: InsightSource, path: string): Promise<Answer> =>
      service.get(`/v1/${source.path}/${path}`, tokens.get(source.accountId)!);
    const get = async (source: InsightSource, path: string): Promise<Answer> => {
      const answer = await ask(source, path);
      assert.equal(answer.status, 200, answer.text);
      return answer;
    };
    const note = (name: string, { text }: Answer): void => {
      const answers = answersOfEngines.get(name) ?? new Map<string, string>();
      answersOfEngines.set(name, answers.set(engine.name, text));
    };
    const allPages = async (source: InsightSource, more: string, limit: number): Promise<Answer[]> => {
      const pages: Answer[] = [];
      for (let page = 0; ; page += 1) {
        const offset = source.kind === 'measure' ? page : page * limit;
        const days = `from=${firstDay}&to=${lastDay}`;
        const answer = await get(source, `data?${days}&limit=${limit}&offset=${offset}${more}`);
        pages.push(answer);
        if (answer.body.hasMore !== true) return pages;
      }
    };

    it('a response is the item of data byte for byte, with its position, version and whether it is erased [D-506]', async () => {
      for (const source of [web, badge, boltWeb]) {
        const items = (await allPages(source, '', 100)).flatMap(itemTexts);
        assert.equal(items.length, source.responses.length);
        // Data is in the order of arrival, and so is the population.
        for (const [index, { responseId, position, survey, isErased }] of source.responses.entries()) {
          if (index % 6 !== 0 && !isErased) continue;
          const answer = await get(source, `responses/${responseId}`);
          const erased = isErased ? '' : ',"erased":false';
          const item = items[index]!;
          assert.equal(
            answer.text,
            `${item.slice(0, -1)},"position":${position},"version":${survey.version}${erased}}`,
          );
          assert.equal(answer.body.erased, isErased);
          if (index % 12 === 0) note(`${source.accountId} ${source.path} ${responseId}`, answer);
        }
      }
    });

    it('toggles leave out of one response what they leave out of data [D-506]', async () => {
      for (const [index, toggle] of toggles.entries()) {
        const more = `&${toggle}=true${index === 4 ? '&excludeMQ=true' : ''}`;
        const [page] = await allPages(web, more, 100);
        for (const [place, item] of itemTexts(page!).slice(0, 4).entries()) {
          const { responseId } = web.responses[place]!;
          const { text } = await get(web, `responses/${responseId}?${more.slice(1)}`);
          assert.ok(text.startsWith(item.slice(0, -1)), text);
        }
      }
      const { responseId } = badge.responses[0]!;
      assert.equal((await ask(badge, `responses/${responseId}?excludeMQ=true`)).status, 400);
    });

    it('every id that ingestion takes is found, percent-encoded [D-506]', async () => {
      for (const id of oddIds) {
        for (const ending of ['', '/trace']) {
          const answer = await get(web, `responses/${encodeURIComponent(id)}${ending}`);
          assert.equal(answer.body.id, id);
        }
      }
    });

    it('what is of another measure, project or account is not found, as what is nowhere', async () => {
      const foreign = [
        `measures/700/responses/${boltWeb.responses[0]!.responseId}`,
        `measures/700/responses/${boltWeb.responses[0]!.responseId}/trace`,
        `measures/701/responses/${web.responses[0]!.responseId}`,
        `measures/700/responses/${badge.responses[0]!.responseId}`,
        `projects/300/responses/${web.responses[0]!.responseId}`,
        `projects/301/responses/${badge.responses[0]!.responseId}`,
        'measures/700/responses/nobody',
        'measures/700/responses/nobody/trace',
        `measures/700/responses/${'x'.repeat(200)}`,
        'projects/300/responses/%E6%BC%A2',
      ];
      for (const path of foreign) {
        const answer = await service.get(`/v1/${path}`, tokens.get(insightAcme)!);
        assert.equal(answer.status, 404, path);
        assert.match(
          answer.text,
          path.startsWith('measures') ? /RESPONSE_NOT_FOUND/ : /The project has no response/,
        );
        assert.doesNotMatch(answer.text, new RegExp(canary));
      }
      const unknown = await service.get('/v1/measures/999/responses/x', tokens.get(insightAcme)!);
      assert.match(unknown.text, /MEASURE_NOT_FOUND/);
      const { status } = await service.get(
        `/v1/measures/700/responses/${'x'.repeat(257)}`,
        tokens.get(insightAcme)!,
      );
      assert.equal(status, 400);
    });

    it('grants open them as they open data, and unknown parameters are refused', async () => {
      const { responseId } = web.responses[0]!;
      const ofProjects = await service.token(insightAcme, ['r_cx_projects']);
      const ofMeasures = await service.token(insightAcme, ['r_cx_measures']);
      const days = `from=${firstDay}&to=${lastDay}`;
      for (const [path, token] of [
        [`measures/700/responses/${responseId}`, ofProjects],
        [`measures/700/responses/${responseId}/trace`, ofProjects],
        [`measures/700/cost?${days}`, ofProjects],
        [`projects/300/responses/${badge.responses[0]!.responseId}`, ofMeasures],
        [`projects/300/cost?${days}`, ofMeasures],
      ] as const) {
        assert.equal((await service.get(`/v1/${path}`, token)).status, 403, path);
        assert.equal((await service.get(`/v1/${path}`, null)).status, 401, path);
        const more = path.includes('?') ? '&' : '?';
        const other = token === ofProjects ? ofMeasures : ofProjects;
        assert.equal((await service.get(`/v1/${path}${more}colour=red`, other)).status, 400, path);
      }
    });

    it('the trace of every response adds up to its scores, and says which rules hid which questions [D-505]', async () => {
      const states = new Set<string>();
      for (const [index, response] of web.responses.entries()) {
        const { responseId, survey, body, isErased, position } = response;
        if (index % 4 !== 0 && !isErased) continue;
        const answer = await get(web, `responses/${responseId}/trace`);
        if (index % 12 === 0) note(`trace ${responseId}`, answer);
        const { latents, questions, ...rest } = answer.body as unknown as {
          latents: TracedLatent[];
          questions: TracedQuestion[];
        };
        assert.deepEqual(rest, { id: responseId, position, version: survey.version, erased: isErased });
        assert.deepEqual(
          latents.map(({ id, score }) => [id, score]),
          latentScoresOf(survey, body).map(({ id, score }) => [id, score]),
        );
        for (const latent of latents) {
          for (const { state } of latent.questions) states.add(state);
          const parts = latent.questions.flatMap(({ contribution }) => contribution ?? []);
          if (isErased) assert.deepEqual(parts, []);
          else
            assert.equal(
              parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0),
              latent.score,
            );
        }
        for (const [place, question] of survey.questions.entries()) {
          const { id, state, rules } = questions[place]!;
          assert.equal(id, question.id);
          states.add(state);
          if (isErased) assert.deepEqual([state, rules], ['erased', undefined]);
          else assert.equal(state === 'notAsked', !isAsked(survey, question, body));
          if (state === 'notAsked') assert.ok(rules!.every(({ holds }) => !holds));
        }
      }
      for (const state of ['counted', 'dontKnow', 'unanswered', 'erased', 'answered', 'notAsked'])
        assert.ok(states.has(state), `no question was ${state}`);
    });

    it('the cost of a pull is exact where few rows are, and within a factor of 1.5 elsewhere [D-507]', async () => {
      for (const source of sources) {
        const wide =
          source.kind === 'measure' ? ['', '&excludeCQ=true', '&excludeResponseDetails=true'] : [''];
        for (const more of wide)
          for (const limit of more === '' ? [15, 100] : [100]) {
            const pages = await allPages(source, more, limit);
            const bytes = pages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
            const answer = await get(source, `cost?from=${firstDay}&to=${lastDay}&limit=${limit}${more}`);
            note(`cost ${source.accountId} ${source.path} ${limit} ${more}`, answer);
            const rows = source.responses.length;
            const { bytes: shown, ...counted } = answer.body as {
              bytes: { estimate: number; sampled: number };
            };
            assert.deepEqual(counted, {
              from: firstDay,
              to: lastDay,
              rows,
              pages: rows === 0 ? 0 : pages.length,
              requests: pages.length,
            });
            assert.equal(shown.sampled, Math.min(rows, 128));
            if (rows <= 128) assert.equal(shown.estimate, bytes);
            else
              assert.ok(
                shown.estimate < bytes * 1.5 && shown.estimate > bytes / 1.5,
                `${shown.estimate} of ${bytes}`,
              );
          }
      }
    });
  });
}

describe('single responses', () => {
  it('are the same bytes on both engines', () => {
    assert.ok(answersOfEngines.size > 30);
    for (const [name, answers] of answersOfEngines) {
      assert.deepEqual([...answers.keys()].sort(), ['postgres', 'sqlite'], name);
      assert.equal(new Set(answers.values()).size, 1, name);
    }
  });
});
