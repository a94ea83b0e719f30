// A whole life of an account, made at random: a catalogue whose measures have versions, responses to any of them in
// some order of arrival, external parameters that come later, and questions; and the plain answer to each question,
// worked out from the bodies as they were sent.

import fc from 'fast-check';
import { readCatalogue } from '../../src/domain/feedback/catalogue.ts';
import type { SurveyDefinition } from '../../src/domain/feedback/definition.ts';
import type { RespondentToggles } from '../../src/domain/feedback/respondent.ts';
import { someText, validBody, writtenSurvey } from './feedback-arbitraries.ts';
import { latentScoresOf, projectEntryOf, type ResponseBody, respondentOf } from './feedback-model.ts';
import type { ExternalValues } from './feedback-service.ts';

type Written = Record<string, unknown>;

/** A measure or project with its versions; `bodies` stand in the order of arrival. */
export interface ScenarioSource {
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly versions: readonly SurveyDefinition[];
  readonly bodies: readonly ResponseBody[];
  readonly queries: readonly ScenarioQuery[];
}

export interface ScenarioQuery {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly offset: number;
  readonly toggles: RespondentToggles;
}

export interface Scenario {
  readonly catalogue: { readonly accounts: readonly { readonly id: number; readonly name: string }[] };
  readonly sources: readonly ScenarioSource[];
  readonly external: ExternalValues;
}

const dayMs = 86_400_000;
const firstDayMs = Date.UTC(2025, 1, 26);
const days = 6;
const dayText = (day: number): string => new Date(firstDayMs + day * dayMs).toISOString().slice(0, 10);

const someToggles = fc.record({
  excludeResponseDetails: fc.boolean(),
  excludeMQ: fc.boolean(),
  excludeCQ: fc.boolean(),
  excludePassedParams: fc.boolean(),
  excludeLatentScores: fc.boolean(),
});

const someQuery = fc
  .record({
    day: fc.integer({ min: -1, max: days - 2 }),
    length: fc.oneof(fc.nat(2), fc.constant(days + 1)),
    limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(25, 100)),
    offset: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
    toggles: someToggles,
  })
  .map(({ day, length, ...rest }) => ({ from: dayText(day), to: dayText(day + length), ...rest }));

export const someScenario: fc.Arbitrary<Scenario> = someCatalogue().chain((catalogue) => {
  const reading = readCatalogue(JSON.stringify(catalogue));
  if (reading.catalogue === null) throw new Error(JSON.stringify(reading.faults));
  const { measures, projects } = reading.catalogue.accounts[0]!;
  const sources = [
    ...measures.map(({ key, surveys }) => ({ kind: 'measure' as const, key, versions: surveys })),
    ...projects.map(({ id, surveys }) => ({ kind: 'project' as const, key: id, versions: surveys })),
  ];
  return fc
    .tuple(...sources.map(someLife))
    .chain((lives) => someExternal(lives).map((external) => ({ catalogue, sources: lives, external })));
});

function someCatalogue(): fc.Arbitrary<Scenario['catalogue']> {
  return fc
    .record({
      name: someText,
      first: someVersions('measure', 1, 3),
      second: someVersions('measure', 2, 1),
      project: someVersions('project', 1, 2),
    })
    .map(({ name, first, second, project }) => ({
      accounts: [
        {
          id: 1,
          name,
          measures: [
            { key: 1, name: 'First', surveys: first },
            { key: 2, name: 'Second', surveys: second },
          ],
          projects: [{ id: 1, name: 'Project', surveys: project }],
        },
      ],
    }));
}

// The ids are given to an account when it lives (feedback-lives.ts).
function someVersions(kind: 'measure' | 'project', key: number, max: number): fc.Arbitrary<Written[]> {
  return fc.integer({ min: 1, max }).chain((count) => {
    const ids = Array.from({ length: count }, (_, index) => `survey-of-life-${kind}-${key}-${index + 1}`);
    return fc
      .tuple(fc.tuple(...ids.map((id) => writtenSurvey(kind, id))), fc.nat(count - 1))
      .map(([surveys, current]) =>
        surveys.map((survey, index) => ({ ...survey, version: index + 1, current: index === current })),
      );
  });
}

function someLife(source: Pick<ScenarioSource, 'kind' | 'key' | 'versions'>): fc.Arbitrary<ScenarioSource> {
  return fc
    .record({
      bodies: someBodies(source.versions),
      queries: fc.array(someQuery, { minLength: 3, maxLength: 3 }),
    })
    .map(({ bodies, queries }) => ({
      ...source,
      bodies: bodies.map((body, number) => ({
        ...body,
        responseId: `${source.kind} ${source.key} "${number}"`,
      })),
      queries,
    }));
}

function someBodies(versions: readonly SurveyDefinition[]): fc.Arbitrary<ResponseBody[]> {
  const lastMs = firstDayMs + days * dayMs - 1;
  const one = fc
    .tuple(
      fc.oneof(...versions.map((version) => validBody(version, firstDayMs, lastMs))),
      fc.integer({ min: firstDayMs, max: lastMs }),
    )
    .map(([body, momentMs]) => ({ submissionTimestamp: new Date(momentMs).toISOString(), ...body }));
  return fc.array(one, { maxLength: 9 });
}

/** Values for some of the responses whose version declares external parameters. */
function someExternal(sources: readonly ScenarioSource[]): fc.Arbitrary<ExternalValues> {
  const rows = sources.flatMap(({ versions, bodies }) =>
    bodies.flatMap((body) => {
      const { parameters } = versionOf(versions, body);
      const names = parameters.external.map(({ name }) => name);
      if (names.length === 0) return [];
      const values = fc
        .tuple(fc.subarray(names), fc.array(someText, { minLength: names.length, maxLength: names.length }))
        .map(([chosen, texts]) => Object.fromEntries(chosen.map((name, index) => [name, texts[index]!])));
      return [values.map((row): [string, Record<string, string>] => [String(body.responseId), row])];
    }),
  );
  return fc
    .tuple(...rows)
    .map((entries) => Object.fromEntries(entries.filter(([, row]) => Object.keys(row).length > 0)));
}

function versionOf(versions: readonly SurveyDefinition[], body: ResponseBody): SurveyDefinition {
  return versions.find(({ id }) => id === body.surveyDefinitionId)!;
}

/** The path of a query, with every parameter spelt out. */
export function pathOf({ kind, key }: ScenarioSource, { toggles, ...window }: ScenarioQuery): string {
  const parameters = new URLSearchParams(
    Object.entries(window).map(([name, value]) => [name, String(value)]),
  );
  if (kind === 'project') return `/v1/projects/${key}/data?${parameters}`;
  for (const [name, value] of Object.entries(toggles)) if (value) parameters.set(name, 'true');
  return `/v1/measures/${key}/data?${parameters}`;
}

/** What a query must answer, from the raw bodies and nothing else. */
export function expectedPage(source: ScenarioSource, query: ScenarioQuery, external: ExternalValues): object {
  const { kind, versions, bodies } = source;
  const { from, to, limit, offset, toggles } = query;
  const isMeasure = kind === 'measure';
  const inRange = bodies.filter((body) => {
    const day = momentOf(body).toISOString().slice(0, 10);
    return from <= day && day <= to;
  });
  const skip = isMeasure ? offset * limit : offset;
  const page = inRange.slice(skip, skip + limit);
  const items = page.map((body) => {
    const responseId = String(body.responseId);
    const kept = {
      responseId,
      submittedAtMs: momentOf(body).getTime(),
      external: external[responseId] ?? {},
    };
    const version = versionOf(versions, body);
    return isMeasure ? respondentOf(version, body, kept, toggles) : projectEntryOf(version, body, kept);
  });
  const envelope = {
    hasMore: skip + page.length < inRange.length && page.length > 0,
    items,
    total: inRange.length,
  };
  if (!isMeasure) return envelope;
  const latentScores = summaryOf(versions, inRange);
  return { ...envelope, summary: toggles.excludeLatentScores ? {} : { latentScores } };
}

function momentOf({ submissionTimestamp }: ResponseBody): Date {
  return new Date(String(submissionTimestamp));
}

/** D-34: the current version's latents in order, then others that have data, from the newest version that has them. */
function summaryOf(versions: readonly SurveyDefinition[], bodies: readonly ResponseBody[]): object[] {
  const scores = Map.groupBy(
    bodies
      .flatMap((body) => latentScoresOf(versionOf(versions, body), body))
      .filter(({ score }) => score !== null),
    ({ id }) => id,
  );
  const summary = (latent: SurveyDefinition['latents'][number]): object => {
    const given = scores.get(latent.id) ?? [];
    const micros = given.reduce((sum, { score }) => sum + Math.round(Number(score) * 1e6), 0);
    const { id, name, type } = latent;
    return {
      id,
      name,
      type,
      score: given.length === 0 ? null : micros / given.length / 1e6,
      count: given.length,
    };
  };
  const current = versions.find((version) => version.current)!.latents;
  const newestFirst = [...versions].sort((one, other) => other.version - one.version);
  const others = newestFirst
    .flatMap(({ latents }) => latents)
    .filter(({ id }) => scores.has(id) && !current.some((latent) => latent.id === id));
  const firstOfEach = others.filter(
    (latent, index) => others.findIndex(({ id }) => id === latent.id) === index,
  );
  return [...current, ...firstOfEach].map(summary);
}
