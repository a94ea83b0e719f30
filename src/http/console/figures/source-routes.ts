// /console/api/sources: the measures and projects of the account, for whoever chooses one; and what a page about one of them has to
// know of it beside its figures.

import type { FastifyInstance } from 'fastify';
import { sourceOperations } from '../../../contract/insight/sources.ts';
import type { AnswerOf } from '../../../contract/operation.ts';
import type { SurveyDefinition } from '../../../domain/feedback/definition.ts';
import { pathOfKind, type SourceKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import type { PreparedSurvey } from '../../../domain/feedback/survey.ts';
import { joinedByLatent, mainFigure } from '../../../domain/insight/overview.ts';
import { type Source, sourcesBehind } from '../../../store/feedback/catalogue.ts';
import type { PreparedSource } from '../../../store/feedback/sources.ts';
import { addOperation, sendJsonText } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { type SourceOf, sourceOfAccount, sourceOfPath } from './console-sources.ts';

type Answers = (typeof sourceOperations)['all'];
type SourceFacts = AnswerOf<Answers['GET /measures/:key']>;

const listedMax = 1_000;
/** So many are read and parsed at once; between them others are served. */
const readAtOnce = 50;

/** The list as text: it is made once for each generation of the catalogue. */
function answerSources(services: ConsoleServices, accountId: number): Promise<string> {
  return services.sourceLists.text(`console sources ${accountId}`, () => listAll(services, accountId));
}

async function listAll(
  { context, workQueue }: ConsoleServices,
  accountId: number,
): Promise<AnswerOf<Answers['GET /sources']>> {
  const found: Source[] = [];
  for (let after = 0; found.length <= listedMax; ) {
    const page = await sourcesBehind(context.db, accountId, { after, take: readAtOnce });
    found.push(...page);
    if (page.length < readAtOnce) break;
    after = page.at(-1)!.sourceId;
    await workQueue.nextSlice();
  }
  const shown = found.slice(0, listedMax);
  const ofKind = (kind: SourceKind) =>
    shown
      .filter((source) => source.kind === kind)
      .map(listed)
      .sort((one, other) => one.key - other.key);
  return { measures: ofKind('measure'), projects: ofKind('project'), more: found.length > listedMax };
}

export function nameOfSource(source: Source): { readonly key: number; readonly name: string } {
  return source.kind === 'measure'
    ? { key: source.measure.key, name: source.measure.name }
    : { key: source.project.id, name: source.project.name };
}

export function takesResponses(source: Source): boolean {
  return source.kind === 'measure' ? source.measure.active : source.project.status === 'ACTIVE';
}

function listed(source: Source) {
  const definitions = source.surveys.map(({ definition }) => definition);
  return {
    ...nameOfSource(source),
    active: takesResponses(source),
    version: definitions.find(({ current }) => current)?.version ?? null,
    versions: definitions.map(({ version }) => version),
    hasTexts: definitions.some(({ questions }) => questions.some(({ responseType }) => isOpen(responseType))),
  };
}

const isOpen = (responseType: string): boolean => responseType === 'TEXT' || responseType === 'TEXT_AREA';

/** All versions, made ready. */
export function surveysOf(ready: PreparedSource): readonly PreparedSurvey[] {
  return ready.source.surveys.map((kept) => ready.prepared(kept));
}

function factsOf(ready: PreparedSource): SourceFacts {
  const { source } = ready;
  const definitions = source.surveys.map(({ definition }) => definition);
  const surveys = surveysOf(ready);
  const answers = new Map(
    surveys.flatMap(({ questions }) =>
      questions.map((question) => [
        question.id,
        question.answers
          .filter(({ id, text }) => id !== `${question.id}-${text}`)
          .map(({ id, text }) => ({ id, text })),
      ]),
    ),
  );
  return {
    ...listed(source),
    kind: source.kind,
    created: new Date(source.createdAtMs).toISOString(),
    latents: lastById(
      definitions,
      ({ latents }) => latents,
      ({ id, name, type }) => ({ id, name, type, joined: joinedByLatent(surveys, id) }),
    ),
    rating: source.kind === 'project' ? mainFigure('project', surveys) : null,
    questions: lastById(
      definitions,
      ({ latents, questions }) => [
        ...latents.flatMap((latent) =>
          latent.questions.map(({ id, name }) => ({
            id,
            name,
            responseType: 'MEASURED_QUESTION',
            role: null,
          })),
        ),
        ...questions.map(({ id, name, responseType, role }) => ({ id, name, responseType, role })),
      ],
      (question) => ({ ...question, answers: answers.get(question.id) ?? [] }),
    ),
    parameters: {
      custom: namesOf(definitions, 'custom'),
      external: namesOf(definitions, 'external'),
    },
  };
}

/** What the versions have, each once and as the newest says it, in the order in which they are met from the newest on. */
function lastById<Thing extends { readonly id: string }, Shown>(
  definitions: readonly SurveyDefinition[],
  thingsOf: (definition: SurveyDefinition) => readonly Thing[],
  shown: (thing: Thing) => Shown,
): readonly Shown[] {
  const found = new Map<string, Thing>();
  for (const definition of definitions.toReversed())
    for (const thing of thingsOf(definition)) if (!found.has(thing.id)) found.set(thing.id, thing);
  return [...found.values()].map(shown);
}

function namesOf(definitions: readonly SurveyDefinition[], which: 'custom' | 'external'): readonly string[] {
  return [
    ...new Set(
      definitions.toReversed().flatMap(({ parameters }) => parameters[which].map(({ name }) => name)),
    ),
  ];
}

export async function answerSourceFacts(
  services: ConsoleServices,
  accountId: number,
  of: SourceOf,
): Promise<SourceFacts> {
  return factsOf(await sourceOfAccount(services, accountId, of));
}

export function sourceRoutes(app: FastifyInstance, services: ConsoleServices): void {
  addOperation(app, sourceOperations, 'GET /sources', async (_, request, reply) =>
    sendJsonText(request, reply, await answerSources(services, accountOf(request))),
  );

  for (const kind of sourceKinds)
    addOperation(app, sourceOperations, `GET /${pathOfKind[kind]}/:key`, ({ params: { key } }, request) =>
      answerSourceFacts(services, accountOf(request), sourceOfPath(request, kind, key)),
    );
}
