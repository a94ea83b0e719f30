// /console/api/surveys: the measures and projects of the account as surveys that somebody looks after, the versions of each with what
// changed between them, and whether a version takes responses.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  differencesShown,
  type SurveyState,
  surveyOperations,
  versionsShown,
} from '../../../contract/feedback/surveys.ts';
import type { AnswerOf } from '../../../contract/operation.ts';
import { dayOf, dayText } from '../../../domain/dates.ts';
import { phrase } from '../../../domain/feedback/catalogue-fault.ts';
import type { CatalogueAccount, SurveyDefinition } from '../../../domain/feedback/definition.ts';
import { faultSentence } from '../../../domain/feedback/fault-sentence.ts';
import { pathOfKind, type SourceKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import { type SurveyDifference, surveyDifferences } from '../../../domain/feedback/survey-difference.ts';
import { responsesPlace } from '../../../domain/insight/layout.ts';
import { languagesOf } from '../../../domain/pages/survey-language.ts';
import { Problem } from '../../../domain/problem.ts';
import { accountName, findSource, type Source, sourcesBehind } from '../../../store/feedback/catalogue.ts';
import { type LogEnd, logEnds } from '../../../store/feedback/log-ends.ts';
import { publish } from '../../../store/feedback/publish.ts';
import { refusalCounts } from '../../../store/feedback/refusals.ts';
import { PreparedSource } from '../../../store/feedback/sources.ts';
import { sourceNotFound } from '../../feedback/source-requests.ts';
import { budgetOf } from '../../server/request-budget.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import { pageOf } from '../console-page.ts';
import type { ConsoleServices } from '../console-services.ts';
import { type SourceOf, sourceOfPath } from '../figures/console-sources.ts';
import { nameOfSource } from '../figures/source-routes.ts';
import { stampOf } from '../visitor-stamp.ts';

/** Days of the calendar that a response can have. */
const everyDay = { firstDay: 0, lastDay: 1_000_000 };

export function surveyListRoutes(app: FastifyInstance, services: ConsoleServices): void {
  addOperation(app, surveyOperations, 'GET /surveys', ({ query }, request) =>
    listSurveys(services, accountOf(request), query),
  );

  for (const kind of sourceKinds) {
    addOperation(
      app,
      surveyOperations,
      `GET /surveys/${pathOfKind[kind]}/:key`,
      async ({ params: { key } }, request, reply) => {
        const source = await freshSource(services, accountOf(request), sourceOfPath(request, kind, key));
        return versionsOf(services, source, request, reply);
      },
    );

    addOperation(
      app,
      surveyOperations,
      `PUT /surveys/${pathOfKind[kind]}/:key/versions/:surveyId/closed`,
      async ({ params: { key, surveyId }, body: { closed } }, request, reply) => {
        await setClosed(services, request, { kind, key, surveyId, closed });
        reply.code(204);
        return null;
      },
    );
  }
}

/** A page of them. */
async function listSurveys(
  { context }: ConsoleServices,
  accountId: number,
  { after = 0, limit }: { readonly after?: number; readonly limit?: number },
) {
  let ends: ReadonlyMap<number, LogEnd> = new Map();
  const today = dayOf(context.now());
  const refused = Map.groupBy(
    await refusalCounts(context.db, accountId, today, today),
    ({ surveyId }) => surveyId,
  );
  const refusedOf = ({ surveys }: Source): number =>
    surveys
      .flatMap(({ definition }) => refused.get(definition.id) ?? [])
      .reduce((sum, count) => sum + count.refused, 0);
  return pageOf(
    limit,
    async (take) => {
      const found = await sourcesBehind(context.db, accountId, { after, take });
      ends = await logEnds(
        context.db,
        accountId,
        found.map(({ sourceId }) => sourceId),
      );
      return found;
    },
    {
      idOf: ({ sourceId }) => sourceId,
      shown: (source) => ({ ...listed(source, ends), refusedToday: refusedOf(source) }),
    },
  );
}

/** As the store has it now: whoever has just changed it here wants to see that. */
export async function freshSource(
  { context }: ConsoleServices,
  accountId: number,
  { kind, key, keyText = `${key}` }: SourceOf,
): Promise<Source> {
  const source = Number.isSafeInteger(key) ? await findSource(context.db, { accountId, kind, key }) : null;
  if (source === null) throw sourceNotFound(kind, keyText);
  return source;
}

export function currentOf({ surveys }: Source): SurveyDefinition | null {
  return surveys.find(({ definition }) => definition.current)?.definition ?? null;
}

export function stateOf(
  source: Source,
  definition: SurveyDefinition | null = currentOf(source),
): SurveyState {
  if (definition === null) return 'none';
  if (definition.closed) return 'closed';
  if (source.kind === 'measure' && !source.measure.active) return 'inactive';
  if (source.kind === 'project' && source.project.status !== 'ACTIVE')
    return source.project.status === 'DRAFT' ? 'draft' : 'inactive';
  return definition.public ? 'open' : 'invited';
}

function listed(source: Source, ends: ReadonlyMap<number, LogEnd>) {
  const current = currentOf(source);
  return {
    kind: source.kind,
    ...nameOfSource(source),
    state: stateOf(source, current),
    surveyId: current?.id ?? null,
    version: current?.version ?? null,
    title: current?.title ?? null,
    versions: source.surveys.length,
    languages: current === null ? [] : languagesOf(current),
    questions: current === null ? 0 : questionCount(current),
    ...shownEnd(ends.get(source.sourceId)),
  };
}

export function shownEnd(end: LogEnd | undefined): { responses: number; lastResponse: string | null } {
  const lastAtMs = end?.lastAtMs ?? null;
  return {
    responses: end?.responses ?? 0,
    lastResponse: lastAtMs === null ? null : new Date(lastAtMs).toISOString(),
  };
}

function questionCount({ latents, questions }: SurveyDefinition): number {
  return latents.reduce((sum, latent) => sum + latent.questions.length, questions.length);
}

async function versionsOf(
  services: ConsoleServices,
  source: Source,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AnswerOf<(typeof surveyOperations)['all']['GET /surveys/measures/:key']>> {
  const ends = await logEnds(services.context.db, source.accountId, [source.sourceId]);
  const used = await responsesByVersion(services, source, request, reply);
  // By the number that people gave them; a file may name the newest first.
  const inOrder = source.surveys.toSorted(
    (one, other) => one.definition.version - other.definition.version || one.number - other.number,
  );
  const shown = inOrder.slice(-versionsShown);
  const first = inOrder.length - shown.length;
  const versions = shown.map(({ number, definition }, place) => {
    const before = inOrder[first + place - 1]?.definition;
    const differences: readonly SurveyDifference[] =
      before === undefined ? [] : surveyDifferences(before, definition);
    const responses = used?.get(number);
    return {
      surveyId: definition.id,
      version: definition.version,
      current: definition.current,
      public: definition.public,
      closed: definition.closed,
      languages: languagesOf(definition),
      questions: questionCount(definition),
      responses: used === null ? null : (responses?.count ?? 0),
      firstDay: responses === undefined ? null : dayText(responses.firstDay),
      lastDay: responses === undefined ? null : dayText(responses.lastDay),
      differences: differences.slice(0, differencesShown),
      moreDifferences: Math.max(0, differences.length - differencesShown),
    };
  });
  return {
    kind: source.kind,
    ...nameOfSource(source),
    state: stateOf(source),
    created: new Date(source.createdAtMs).toISOString(),
    ...shownEnd(ends.get(source.sourceId)),
    versions: versions.toReversed(),
    moreVersions: first,
  };
}

interface VersionResponses {
  count: number;
  readonly firstDay: number;
  lastDay: number;
}

/** From the figures that are added up anyway, by the numbers of versions; null where they have not come far enough yet. */
export async function responsesByVersion(
  services: ConsoleServices,
  source: Source,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReadonlyMap<number, VersionResponses> | null> {
  const work = budgetOf(services, request, reply);
  const read = await services.figuresReader.read(new PreparedSource(source), everyDay, work);
  if (!('figures' in read)) return null;
  const found = new Map<number, VersionResponses>();
  for (const { day, surveyNumber, figures } of read.figures.days) {
    const count = figures[responsesPlace] ?? 0;
    if (count === 0) continue;
    const known = found.get(surveyNumber);
    if (known === undefined) found.set(surveyNumber, { count, firstDay: day, lastDay: day });
    else {
      known.count += count;
      known.lastDay = day;
    }
  }
  return found;
}

interface ClosedWanted {
  readonly kind: SourceKind;
  readonly key: number;
  readonly surveyId: string;
  readonly closed: boolean;
}

const changedMeanwhile = { line: 0, path: '', ...phrase('changedMeanwhile') };
// Somebody else's change between the look and ours; it is then made at what is there.
const attemptsMax = 5;

/** Through the catalogue, as a file that says it would be applied. */
async function setClosed(
  services: ConsoleServices,
  request: FastifyRequest,
  { kind, key, surveyId, closed }: ClosedWanted,
): Promise<void> {
  const { context } = services;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const source = await freshSource(services, accountOf(request), sourceOfPath(request, kind, key));
    if (!source.surveys.some(({ definition }) => definition.id === surveyId))
      throw new Problem('SURVEY_NOT_FOUND', `No version of it has the id ${surveyId}.`);
    // All versions are named: one that a file does not name would step back from being current.
    const surveys = source.surveys.map(({ definition }) =>
      definition.id === surveyId ? { ...definition, closed } : definition,
    );
    const { accountId } = source;
    const account: CatalogueAccount = {
      id: accountId,
      name: (await accountName(context.db, accountId)) ?? '',
      measures: source.kind === 'measure' ? [{ ...source.measure, surveys }] : [],
      projects: source.kind === 'project' ? [{ ...source.project, surveys }] : [],
    };
    let isStale = false;
    const { faults } = await publish(
      context.db,
      { catalogue: { accounts: [account] }, lineOf: () => 0, leftAccounts: [accountId] },
      () => ({ ...stampOf(context, request), subject: `${kind} ${key}` }),
      async ({ changes, faults: found }) => {
        isStale = !changes.every(
          (change) =>
            change.kind === 'survey' && change.value.id === surveyId && change.changed.join() === 'closed',
        );
        return isStale ? [changedMeanwhile] : found;
      },
    );
    if (isStale) continue;
    if (faults.length > 0) throw new Problem('CONFLICT', faults.map(faultSentence).join(' '));
    return;
  }
  throw new Problem('CONFLICT', 'Others are changing this survey all the time. Please retry.');
}
