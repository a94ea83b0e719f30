// /shared/api: what the page of a shared view is told. It asks as the page of a measure or project in the console does, by the same
// paths and parameters, and gets what a viewer gets: only of that measure or project, and only with the days and the filter of the
// view. So neither page nor link decides what is shown (D-554).

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ComparedQuery, judgeView } from '../../../acts/insight/views.ts';
import { openedViewOperations, type SourceViewPath } from '../../../contract/insight/source-views.ts';
import { isSameFilter } from '../../../domain/access/shared-view.ts';
import { pathOfKind, type SourceKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import { Problem } from '../../../domain/problem.ts';
import type { FoundSharedView } from '../../../store/access/shared-views.ts';
import type { PreparedSource } from '../../../store/feedback/sources.ts';
import { sourceNotFound } from '../../feedback/source-requests.ts';
import { sendView } from '../../insight/view-requests.ts';
import { textOfPath } from '../../server/input.ts';
import { budgetOf } from '../../server/request-budget.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import { sightOf } from './console-sources.ts';
import { sharedViewOf } from './shared-view-visits.ts';
import { answerSourceFacts } from './source-routes.ts';
import { type ViewKind, views } from './view-routes.ts';

const noAbilities = { abilities: new Set<never>() };

export function sharedRoutes(app: FastifyInstance, services: ConsoleServices): void {
  addOperation(app, openedViewOperations, 'GET /view', (_, request) => {
    const { name, accountName, page, expiresAtMs } = sharedViewOf(request);
    return { name, account: accountName, ...page, expiresAt: new Date(expiresAtMs).toISOString() };
  });

  for (const kind of sourceKinds) {
    addOperation(
      app,
      openedViewOperations,
      `GET /${pathOfKind[kind]}/:key`,
      ({ params: { key } }, request) => {
        const { accountId, page } = sharedViewOf(request);
        if (page.kind !== kind || page.key !== key) throw sourceNotFound(kind, textOfPath(request, 'key'));
        return answerSourceFacts(services, accountId, { kind, key });
      },
    );

    for (const [view, { answer }] of Object.entries<ViewKind>(views[kind])) {
      const path = `/${pathOfKind[kind]}/:key/${view}` as SourceViewPath;
      addOperation(
        app,
        openedViewOperations,
        `GET ${path}`,
        async ({ params: { key }, query: asked }, request, reply) => {
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
      );
    }
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
