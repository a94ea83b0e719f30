import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Compile } from 'typebox/schema';
import { parse } from 'yaml';
import { parseDay } from '../../domain/dates.ts';
import { readCatalogue } from '../../domain/feedback/catalogue.ts';
import { addExternal } from '../../domain/feedback/parameters.ts';
import { judge, type SurveyResponse } from '../../domain/feedback/response.ts';
import { readDraft } from '../../domain/feedback/response-draft.ts';
import { type PreparedSurvey, prepareSurvey, type SourceState } from '../../domain/feedback/survey.ts';
import { demoResponses } from './demo-responses.ts';
import { storyOf } from './demo-story.ts';

const text = readFileSync('examples/demo.yaml', 'utf8');
const { catalogue, faults } = readCatalogue(text);
assert.ok(catalogue, JSON.stringify(faults));
const today = parseDay('2026-11-15') ?? 0;
const wish = { seed: 7, days: 90, count: 3000, today };

describe('the demo', () => {
  const surveys = prepareAll();
  const demo = [...demoResponses(catalogue, wish)];
  const kept = demo.map(({ body, external }) => {
    const { draft, faults } = readDraft(body);
    assert.ok(draft, JSON.stringify(faults));
    const survey = surveys.get(draft.surveyDefinitionId);
    assert.ok(survey);
    const judged = judge(survey, draft, { nowMs: today * 86_400_000, newId: () => '' });
    assert.ok(judged.response, `${JSON.stringify(judged.faults)} of ${JSON.stringify(body)}`);
    assert.deepEqual(draft.unknownMembers, []);
    if (external)
      assert.deepEqual(addExternal(survey.definition, null, new Map(Object.entries(external))).faults, []);
    return judged.response;
  });

  it('its catalogue fits the schema for editors', () => {
    const schema = Compile(JSON.parse(readFileSync('examples/catalogue.schema.json', 'utf8')));
    assert.equal(schema.Check(parse(text)), true);
  });

  it('every response is valid, of the last 90 days, and in the order of time', () => {
    assert.equal(kept.length, 3000);
    assert.equal(new Set(kept.map(({ responseId }) => responseId)).size, 3000);
    assert.ok(kept.every(({ day }) => day >= today - 90 && day < today));
    assert.ok(
      kept.every(
        (one, index) => index === 0 || one.submittedAtMs >= (kept[index - 1] as SurveyResponse).submittedAtMs,
      ),
    );
  });

  it('the same seed gives the same responses, another one others', () => {
    const first = JSON.stringify(demo.slice(0, 50));
    assert.equal(JSON.stringify([...demoResponses(catalogue, wish)].slice(0, 50)), first);
    assert.notEqual(JSON.stringify([...demoResponses(catalogue, { ...wish, seed: 8 })].slice(0, 50)), first);
  });

  it('it looks like life: every survey is used, scores differ, the bad week shows, answers are missing', () => {
    assert.deepEqual(
      new Set(kept.map(({ surveyDefinitionId }) => surveyDefinitionId)),
      new Set(surveys.keys()),
    );
    const web = kept.filter(({ surveyDefinitionId }) => surveyDefinitionId === 'acme-web-browse-3');
    const speed = (responses: readonly SurveyResponse[]) => {
      const scores = responses.flatMap(({ scores }) => scores[3] ?? []);
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    };
    const { from, to } = storyOf(today).badWeek;
    const isBad = ({ day }: SurveyResponse) => day >= from && day <= to;
    assert.ok(speed(web.filter(isBad)) < speed(web.filter((response) => !isBad(response))) - 15);
    assert.ok(
      web.some(({ values }) => values.split('\n')[1]?.includes('0')),
      'some answers are missing',
    );
  });

  it('it tells a story that lies in whole weeks of the calendar, whatever day it is told on [D-510]', () => {
    for (let day = today; day < today + 14; day += 1) {
      const { versionDay, badWeek, carrierDay } = storyOf(day);
      const isMonday = (one: number) => new Date(one * 86_400_000).getUTCDay() === 1;
      assert.deepEqual([versionDay, badWeek.from, badWeek.to + 1, carrierDay].map(isMonday), [
        ...[true, true, true, true],
      ]);
      // Both the last four weeks and the four before them are of one version; the slow week is over.
      assert.ok(versionDay <= day - 56 && versionDay > day - 90 && badWeek.to < day - 6, String(day));
    }
  });

  it('the story shows: the version changes once, one topic grows, comments are in the language of the browser [D-510]', () => {
    const { versionDay, carrierDay } = storyOf(today);
    const bodies = demo.map(({ body }) => body as unknown as Body);
    const dayOf = ({ submissionTimestamp }: Body) => Math.floor(Date.parse(submissionTimestamp) / 86_400_000);
    const of = (id: string) => bodies.filter(({ surveyDefinitionId }) => surveyDefinitionId === id);
    assert.ok(of('acme-web-browse-2').every((body) => dayOf(body) < versionDay));
    assert.ok(of('acme-web-browse-3').every((body) => dayOf(body) >= versionDay));
    const share = (some: readonly Body[]) =>
      some.filter(({ responses }) => responses['Q-TOPIC']?.[0] === 'T-3').length / some.length;
    const badge = of('acme-badge-1');
    const before = share(badge.filter((body) => dayOf(body) < carrierDay));
    const late = share(badge.filter((body) => dayOf(body) >= today - 14));
    assert.ok(late > before + 0.15, `${before} ${late}`);
    const letters = { ja: /\p{Script=Hiragana}/u, ar: /\p{Script=Arabic}/u };
    for (const [language, letter] of Object.entries(letters)) {
      const comments = badge.flatMap(({ responses }) => responses['Q-COMMENT'] ?? []);
      assert.ok(comments.filter((comment) => letter.test(comment)).length >= 5, language);
      assert.ok(
        badge.every(
          ({ locale, responses }) =>
            locale.startsWith(language) || !letter.test(responses['Q-COMMENT']?.[0] ?? ''),
        ),
      );
    }
  });
});

interface Body {
  readonly surveyDefinitionId: string;
  readonly submissionTimestamp: string;
  readonly locale: string;
  readonly responses: Readonly<Record<string, readonly string[]>>;
}

function prepareAll(): Map<string, PreparedSurvey> {
  const prepared = new Map<string, PreparedSurvey>();
  const add = (source: SourceState) => (survey: PreparedSurvey['definition']) =>
    prepared.set(survey.id, prepareSurvey(survey, source));
  for (const { measures, projects } of catalogue?.accounts ?? []) {
    for (const { active, surveys } of measures) surveys.forEach(add({ kind: 'measure', active }));
    for (const { status, surveys } of projects) surveys.forEach(add({ kind: 'project', status }));
  }
  return prepared;
}
