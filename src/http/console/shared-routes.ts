// /shared/api: what the page of a shared view is told. It asks as the page of a measure or project in the console does, by the same
// paths and parameters, and gets what a viewer gets: only of that measure or project, and only with the days and the filter of the
// view. So neither page nor link decides what is shown (D-554).

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sharedPageMembers } from '../../contract/insight/shared-views.ts';
import { Type } from '../../contract/schema.ts';
import { isSameFilter } from '../../domain/access/shared-view.ts';
import { pathOfKind, type SourceKind, sourceKinds } from '../../domain/feedback/source-kind.ts';
import { Problem } from '../../domain/problem.ts';
import type { FoundSharedView } from '../../store/access/shared-views.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { sourceNotFound } from '../feedback/source-requests.ts';
import { type ComparedQuery, judgeView, sendView } from '../insight/view-requests.ts';
import { textOfPath } from '../server/input.ts';
import { budgetOf } from '../server/request-budget.ts';
import { addRoute } from '../server/route.ts';
import { consoleDocument } from './console-document.ts';
import type { ConsoleServices } from './console-services.ts';
import { sightOf, sourceKey } from './console-sources.ts';
import { sharedViewOf } from './shared-view-visits.ts';
import { answerSourceFacts, sourceFacts } from './source-routes.ts';
import { type ViewKind, views } from './view-routes.ts';

const viewSchema = Type.Object(
  {
    name: Type.String(),
    account: Type.String({ description: 'The name of the account whose figures these are.' }),
    ...sharedPageMembers,
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'OpenedSharedView' },
);

const tag = 'Shared views';
const conditions = [404, 410];
const noAbilities = { abilities: new Set<never>() };

export function sharedRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const shared = { method: 'GET', area: 'console', access: 'sharedView' } as const;

  addRoute(app, {
    ...shared,
    path: '/shared/api/view',
    document: consoleDocument({
      operationId: 'openSharedView',
      summary: 'What a shared view shows',
      description: 'For the page behind the link; no cookie is read.',
      tag,
      success: { status: 200, schema: viewSchema, description: 'What it shows, and until when.' },
      conditions,
    }),
    handle: (_, request) => {
      const { name, accountName, page, expiresAtMs } = sharedViewOf(request);
      return { name, account: accountName, ...page, expiresAt: new Date(expiresAtMs).toISOString() };
    },
  });

  for (const kind of sourceKinds) {
    addRoute(app, {
      ...shared,
      path: `/shared/api/${pathOfKind[kind]}/:key`,
      params: sourceKey,
      document: consoleDocument({
        operationId: `shared${capital(kind)}Facts`,
        summary: `What the page of a shared ${kind} has to know of it`,
        description: `As \`/console/api/${pathOfKind[kind]}/{key}\`.`,
        tag,
        success: { status: 200, schema: sourceFacts, description: 'The facts.' },
        conditions,
      }),
      handle: ({ params: { key } }, request) => {
        const { accountId, page } = sharedViewOf(request);
        if (page.kind !== kind || page.key !== key) throw sourceNotFound(kind, textOfPath(request, 'key'));
        return answerSourceFacts(services, accountId, { kind, key });
      },
    });

    for (const [view, { query, schema, summary, answer }] of Object.entries<ViewKind>(views[kind]))
      addRoute(app, {
        ...shared,
        path: `/shared/api/${pathOfKind[kind]}/:key/${view}`,
        params: sourceKey,
        query,
        document: consoleDocument({
          operationId: `shared${capital(kind)}${capital(view)}`,
          summary: `${summary}, of a shared view`,
          description: `As \`/console/api/${pathOfKind[kind]}/{key}/${view}\` for a viewer; days, comparison and filter must be those of the view.`,
          tag,
          success: { status: 200, schema, description: 'The figures.' },
          conditions,
        }),
        async handle({ params: { key }, query }, request, reply) {
          const asked = query as unknown as ComparedQuery & { readonly by?: string };
          demandFixed(sharedViewOf(request), asked);
          const ready = await sourceOfView(services, request, kind, key, () => judgeView(asked));
          const { mayReadComments, minimum } = sightOf(noAbilities, asked.minimum);
          const work = budgetOf(services, request, reply);
          const figures = await answer(services, {
            ready,
            query: { ...asked, minimum } as never,
            work,
            mayReadComments,
          });
          return sendView(services, request, reply, figures);
        },
      });
  }
}

/** Another one than the view is about is not told of, not even that it is there. */
async function sourceOfView(
  { sources }: ConsoleServices,
  request: FastifyRequest,
  kind: SourceKind,
  key: number,
  judge: () => void,
): Promise<PreparedSource> {
  const { accountId, page } = sharedViewOf(request);
  const found =
    page.kind === kind && page.key === key ? await sources.byName({ accountId, kind, key }) : null;
  if (found !== null) return found;
  judge();
  throw sourceNotFound(kind, textOfPath(request, 'key'));
}

function demandFixed({ page }: FoundSharedView, { from, to, filter, compare }: ComparedQuery): void {
  const isFixed =
    from === page.from &&
    to === page.to &&
    isSameFilter(filter ?? null, page.filter) &&
    (compare === undefined || compare === page.compare);
  if (isFixed) return;
  throw new Problem(
    'SHARED_VIEW_FIXED',
    'This link shows the figures of its own days with its own filter, and no others.',
  );
}

function capital(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}
