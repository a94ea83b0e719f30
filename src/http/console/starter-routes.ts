// /console/api/starters: surveys to begin with, published with one click as `soundings apply` would publish a file.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  modelOf,
  type StarterLanguage,
  type StarterName,
  starterFile,
  starterLanguages,
  starterNames,
  starterPlaces,
} from '../../domain/feedback/starters.ts';
import { Problem } from '../../domain/problem.ts';
import { accountName, findSource, type Source } from '../../store/feedback/catalogue.ts';
import { publish } from '../../store/feedback/publish.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { sourceKinds } from './console-sources.ts';
import { currentOf } from './survey-list-routes.ts';
import { stampOf } from './visitor-stamp.ts';

const tag = 'Surveys';
const place = { kind: Type.Enum([...sourceKinds]), key: Type.Integer() };

const starterSchema = Type.Object({
  name: Type.Enum([...starterNames]),
  ...place,
  state: Type.Enum(['free', 'published', 'taken'], {
    description: '`taken` where the account has something else under this key.',
  }),
});

const publishedSchema = Type.Object(
  {
    ...place,
    surveyId: Type.String(),
    isNew: Type.Boolean({ description: 'False where it was published before.' }),
  },
  { $id: 'PublishedStarter' },
);

export function starterRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const access = { people: 'signedIn', ability: 'edit surveys' } as const;

  addRoute(app, {
    method: 'GET',
    path: '/console/api/starters',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'listStarters',
      summary: 'Surveys to begin with',
      description: 'Which there are, where each would stand, and whether that place is free.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ items: Type.Array(starterSchema) }, { $id: 'Starters' }),
        description: 'All of them.',
      },
    }),
    handle: async (_input, request) => {
      const accountId = accountOf(request);
      const items = await Promise.all(
        starterNames.map(async (name) => {
          const source = await findSource(context.db, { accountId, ...starterPlaces[name] });
          const state = source === null ? 'free' : isStarter(source, name) ? 'published' : 'taken';
          return { name, ...starterPlaces[name], state };
        }),
      );
      return { items };
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/starters/:name',
    area: 'console',
    access,
    params: Type.Object({ name: Type.Enum([...starterNames]) }),
    consumes: ['application/json'],
    body: Type.Object(
      {
        language: Type.Optional(
          Type.Enum([...starterLanguages], {
            description: 'Of its own texts; the others are translations. English unless given.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    document: consoleDocument({
      operationId: 'publishStarter',
      summary: 'Publish a survey to begin with',
      description:
        'It is public and takes responses at once. Published before, it stays as it is; where the account has something else under its key nothing is changed.',
      tag,
      success: { status: 200, schema: publishedSchema, description: 'Where it stands.' },
      conditions: [409],
    }),
    handle: ({ params: { name }, body: { language = 'en' } }, request) =>
      published(services, request, name, language),
  });
}

async function published(
  { context }: ConsoleServices,
  request: FastifyRequest,
  name: StarterName,
  language: StarterLanguage,
): Promise<object> {
  const accountId = accountOf(request);
  const where = starterPlaces[name];
  const before = await findSource(context.db, { accountId, ...where });
  if (before !== null) return known(before, name);
  const account = { id: accountId, name: (await accountName(context.db, accountId)) ?? '' };
  // The end of a UUID is random: names under /s/ are unique in the store, and nobody should take this one first.
  const mark = context.newId().slice(-10);
  const { readCatalogue } = await import('../../domain/feedback/catalogue.ts');
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
    throw new Problem('CONFLICT', faults.map(({ message }) => message).join(' '));
  return { ...known(source, name), isNew: isFirst };
}

const publishedMeanwhile = { line: 0, path: '', message: 'It was published meanwhile.' };

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
