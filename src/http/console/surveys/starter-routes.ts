// /console/api/starters: surveys to begin with, published with one click as `soundings apply` would publish a file.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { starterOperations } from '../../../contract/feedback/starters.ts';
import { phrase } from '../../../domain/feedback/catalogue-fault.ts';
import { faultSentence } from '../../../domain/feedback/fault-sentence.ts';
import {
  modelOf,
  type StarterLanguage,
  type StarterName,
  starterFile,
  starterNames,
  starterPlaces,
} from '../../../domain/feedback/starters.ts';
import { Problem } from '../../../domain/problem.ts';
import { accountName, findSource, type Source } from '../../../store/feedback/catalogue.ts';
import { publish } from '../../../store/feedback/publish.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { currentOf } from './survey-list-routes.ts';

export function starterRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;

  addOperation(app, starterOperations, 'GET /starters', async (_input, request) => {
    const accountId = accountOf(request);
    const items = await Promise.all(
      starterNames.map(async (name) => {
        const source = await findSource(context.db, { accountId, ...starterPlaces[name] });
        const state: 'free' | 'published' | 'taken' =
          source === null ? 'free' : isStarter(source, name) ? 'published' : 'taken';
        return { name, ...starterPlaces[name], state };
      }),
    );
    return { items };
  });

  addOperation(
    app,
    starterOperations,
    'POST /starters/:name',
    ({ params: { name }, body: { language = 'en' } }, request) =>
      published(services, request, name, language),
  );
}

async function published(
  { context }: ConsoleServices,
  request: FastifyRequest,
  name: StarterName,
  language: StarterLanguage,
) {
  const accountId = accountOf(request);
  const where = starterPlaces[name];
  const before = await findSource(context.db, { accountId, ...where });
  if (before !== null) return known(before, name);
  const account = { id: accountId, name: (await accountName(context.db, accountId)) ?? '' };
  // The end of a UUID is random: names under /s/ are unique in the store, and nobody should take this one first.
  const mark = context.newId().slice(-10);
  const { readCatalogue } = await import('../../../domain/feedback/catalogue.ts');
  const read = readCatalogue(starterFile(name, { account, language, mark }));
  if (read.catalogue === null) throw new Error(`The starter ${name} is not a catalogue.`);
  let isFirst = true;
  const { faults } = await publish(
    context.db,
    { catalogue: read.catalogue, lineOf: read.lineOf, leftAccounts: [accountId] },
    () => ({ ...stampOf(context, request), subject: `${where.kind} ${where.key}` }),
    // Two clicks at once must not be two versions.
    async ({ changes, faults: found }) => {
      isFirst = changes.some(({ kind, action }) => kind === where.kind && action === 'create');
      return isFirst ? found : [publishedMeanwhile];
    },
  );
  const source = await findSource(context.db, { accountId, ...where });
  if (source === null || (isFirst && faults.length > 0))
    throw new Problem('CONFLICT', faults.map(faultSentence).join(' '));
  return { ...known(source, name), isNew: isFirst };
}

const publishedMeanwhile = { line: 0, path: '', ...phrase('publishedMeanwhile') };

/** What is there already, where it is this starter. */
function known(source: Source, name: StarterName) {
  const surveyId = currentOf(source)?.id;
  if (surveyId === undefined || !isStarter(source, name))
    throw new Problem(
      'CONFLICT',
      `The account has another ${source.kind} under ${starterPlaces[name].key}. Nothing was changed; write a survey of your own instead.`,
    );
  return { ...starterPlaces[name], surveyId, isNew: false };
}

function isStarter({ surveys }: Source, name: StarterName): boolean {
  return surveys.some(({ definition }) => definition.modelInstanceId === modelOf(name));
}
