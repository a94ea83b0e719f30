// /console/api/surveys/{measures,projects}/{key}/...: the editor of surveys. It reads a measure or project with one version as a
// catalogue has it, says what a draft would change and what is wrong with it, and publishes it by the rules of `soundings apply`.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { kinds, surveyDraftOperations } from '../../../contract/feedback/survey-drafts.ts';
import type { CatalogueFault } from '../../../domain/feedback/catalogue.ts';
import type { CatalogueChange, SourceName } from '../../../domain/feedback/catalogue-change.ts';
import { phrase } from '../../../domain/feedback/catalogue-fault.ts';
import { openValue } from '../../../domain/feedback/catalogue-file.ts';
import { CatalogueNames } from '../../../domain/feedback/catalogue-names.ts';
import type { Measure, Project } from '../../../domain/feedback/definition.ts';
import { faultSentence } from '../../../domain/feedback/fault-sentence.ts';
import {
  accountOfSource,
  nextVersionOf,
  type SourceReading,
  sourceReading,
} from '../../../domain/feedback/source-document.ts';
import { writtenMeasure, writtenProject } from '../../../domain/feedback/written-account.ts';
import type { Interruptible } from '../../../domain/interruptible.ts';
import { Problem } from '../../../domain/problem.ts';
import { findSourceId } from '../../../store/feedback/catalogue.ts';
import { nameText } from '../../../store/feedback/catalogue-rows.ts';
import {
  baseNow,
  freeKey,
  lastChangeOf,
  readEditedSource,
  subjectOf,
} from '../../../store/feedback/edited-source.ts';
import {
  type ComparedCatalogue,
  compareWithKept,
  publish,
  type WantedCatalogue,
} from '../../../store/feedback/publish.ts';
import { shownEntry } from '../../../store/people/audit-reader.ts';
import { textOfPath } from '../../server/input.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';

// Some hundred questions in twelve languages. What is larger is for files and the command line.
const serving = { bodyLimitBytes: 1024 * 1024 };
/** More of them help nobody. */
const faultsMax = 100;

export function surveyEditingRoutes(
  app: FastifyInstance,
  { context, workQueue }: Pick<ConsoleServices, 'context' | 'workQueue'>,
): void {
  const { db } = context;

  addOperation(app, surveyDraftOperations, 'GET /surveys/free-key', async ({ query: { kind } }, request) => ({
    key: await freeKey(db, accountOf(request), kind as SourceName['kind']),
  }));

  for (const { kind, path, code } of kinds) {
    const named = (request: FastifyRequest, key: number): SourceName => ({
      accountId: accountOf(request),
      kind,
      key,
    });

    addOperation(
      app,
      surveyDraftOperations,
      `GET /surveys/${path}/:key/document`,
      async ({ params: { key }, query: { version } }, request) => {
        const edited = Number.isSafeInteger(key) ? await readEditedSource(db, named(request, key)) : null;
        if (edited === null)
          throw new Problem(code, `No ${kind} has the number ${textOfPath(request, 'key')}.`);
        const { source, base, usedSurveys } = edited;
        const { surveys } = source;
        const survey = surveys.find(({ id, current }) => (version === undefined ? current : id === version));
        if (version !== undefined && survey === undefined)
          throw new Problem('SURVEY_NOT_FOUND', `The ${kind} ${key} has no version ${version}.`);
        const one = { ...source, surveys: survey === undefined ? [] : [{ ...survey, current: true }] };
        return {
          base,
          document: kind === 'measure' ? writtenMeasure(one as Measure) : writtenProject(one as Project),
          versions: surveys.map(({ id, version: number, current }) => ({
            id,
            version: number,
            current,
            hasResponses: usedSurveys.has(id),
          })),
          nextVersion: nextVersionOf(surveys),
        };
      },
    );

    addOperation(
      app,
      surveyDraftOperations,
      `POST /surveys/${path}/:key/plan`,
      async ({ params: { key }, body: { document, base } }, request) => {
        const name = named(request, key);
        const reading = await workQueue.run(readDraft(document, name));
        if (reading.source === null) {
          const now = await baseNow(db, name.accountId, await findSourceId(db, name));
          return { ...(await movedOf(name, base, now)), changes: [], faults: listed(reading.faults) };
        }
        const wanted = wantedOf(name, reading.source);
        const compared = await compareWithKept(db, wanted);
        const faults = faultsOf(compared, wanted, name, request);
        return {
          ...(await movedOf(name, base, await baseOfKept(compared, name))),
          changes: faults.length > 0 ? [] : compared.changes.flatMap(shownChange),
          faults: listed(faults),
        };
      },
      serving,
    );

    addOperation(
      app,
      surveyDraftOperations,
      `POST /surveys/${path}/:key/publish`,
      async ({ params: { key }, body: { document, base } }, request) => {
        const name = named(request, key);
        const reading = await workQueue.run(readDraft(document, name));
        if (reading.source === null) throw refused(reading.faults);
        const wanted = wantedOf(name, reading.source);
        const published = await publish(
          db,
          wanted,
          () => ({ ...stampOf(context, request), subject: subjectOf(name) }),
          async (compared) => {
            const now = await baseOfKept(compared, name);
            // Of what is there already it does not matter who put it there: it may have been this very request.
            if (compared.changes.length > 0 && now !== base) throw await changedBy(name, now);
            return faultsOf(compared, wanted, name, request);
          },
        );
        if (published.changes === null) throw refused(published.faults);
        const now = await baseNow(db, name.accountId, await findSourceId(db, name));
        return { base: now ?? base ?? '', changes: published.changes.flatMap(shownChange) };
      },
      serving,
    );
  }

  function baseOfKept({ kept }: ComparedCatalogue, name: SourceName): Promise<string | null> {
    return baseNow(db, name.accountId, kept.sources.get(nameText(name))?.sourceId);
  }

  async function movedOf(name: SourceName, base: string | null, now: string | null) {
    const isStale = base !== now;
    return { base: now, isStale, lastChange: isStale ? await lastChange(name) : null };
  }

  async function lastChange(name: SourceName): Promise<{ at: string; by: string } | null> {
    const entry = await lastChangeOf(db, name, () => workQueue.nextSlice());
    if (entry === null) return null;
    const { at, actor } = shownEntry(entry);
    return { at, by: actor.name ?? actor.id };
  }

  async function changedBy(name: SourceName, now: string | null): Promise<Problem> {
    const last = await lastChange(name);
    const who = last === null ? 'Somebody else' : last.by;
    const when = last === null ? '' : ` at ${last.at}`;
    const what = now === null ? 'is not there any more' : 'was changed meanwhile';
    return new Problem(
      'SURVEY_CHANGED',
      `The ${subjectOf(name)} ${what}. The last change was made by ${who}${when}. Nothing was published.`,
    );
  }
}

function readDraft(document: unknown, name: SourceName): Interruptible<SourceReading> {
  const faults: CatalogueFault[] = [];
  return sourceReading(openValue(document, faults), name, faults);
}

/** Of the account itself nothing is said here. */
function wantedOf(name: SourceName, source: Measure | Project): WantedCatalogue {
  const catalogue = { accounts: [accountOfSource(name, 'the account', source)] };
  return { catalogue, lineOf: () => 1, leftAccounts: [name.accountId] };
}

/** What is wrong beside what is kept, each at its place in the document. */
function faultsOf(
  { faults, claims, changes }: ComparedCatalogue,
  { catalogue, lineOf }: WantedCatalogue,
  { kind }: SourceName,
  request: FastifyRequest,
): readonly CatalogueFault[] {
  const names = new CatalogueNames();
  names.add(catalogue, lineOf);
  const all = [...faults, ...names.addPageNames(claims)].map((fault) => ({
    ...fault,
    path: kind === 'project' && fault.path.startsWith('project ') ? 'siteKey' : 'surveys[0]',
  }));
  // How long responses are kept is a way to erase them (D-573).
  if (changes.some(changesRetention) && !visitorOf(request).abilities.has('erase responses'))
    all.push({ line: 1, path: 'retainDays', ...phrase('retentionNotAllowed') });
  return all;
}

function changesRetention({ kind, action, changed, value }: CatalogueChange): boolean {
  if (kind === 'survey' || kind === 'account') return false;
  return action === 'create' ? typeof value.retainDays === 'number' : changed.includes('retainDays');
}

function listed(faults: readonly CatalogueFault[]) {
  return faults.slice(0, faultsMax).map(({ path, code, values }) => ({
    path,
    ...{ code, values, message: faultSentence({ code, values }) },
  }));
}

function refused(faults: readonly CatalogueFault[]): Problem {
  return new Problem('INVALID_REQUEST', 'The draft has faults, and nothing was published.', {
    details: listed(faults).map(({ path, message }) => ({
      field: path === '' ? 'document' : `document.${path}`,
      code: 'INVALID',
      message,
    })),
  });
}

function shownChange(change: CatalogueChange) {
  const { kind, action, changed, words } = change;
  if (kind === 'account' || action === 'unchanged') return [];
  const name = kind === 'survey' ? change.value.id : change.value.name;
  return [{ kind, action, name, changed, words }];
}
