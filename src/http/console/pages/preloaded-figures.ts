// The figures that stand in the HTML of the overview and of the pages of a measure or project: those that are added up already.
// Whatever has to be looked for among responses is asked for by the page.

import type { Visitor } from '../../../domain/access/visitor.ts';
import type { PageName } from '../../../domain/console/page-paths.ts';
import type { PreloadRequest } from '../../../domain/console/page-preload/place.ts';
import type { CalendarUnit } from '../../../domain/dates.ts';
import { pathOfKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import type { Comparison } from '../../../domain/insight/compared-range.ts';
import { WorkBudget } from '../../../store/engine/work/work-budget.ts';
import type { ConsoleServices } from '../console-services.ts';
import type { Asker } from '../figures/console-sources.ts';
import { answerOverview } from '../figures/overview-routes.ts';
import { answerSourceFacts } from '../figures/source-routes.ts';
import { answerView, type ViewName } from '../figures/view-routes.ts';

export function isOfFigures(page: PageName): boolean {
  return page === 'overview' || page === 'measure' || page === 'project';
}

interface FiguresQuery {
  readonly from: string;
  readonly to: string;
  readonly compare?: Comparison;
  readonly unit?: CalendarUnit;
  readonly filter?: string;
}

/** Answers the requests of such a page with one budget for all of them; undefined for what it does not wait for. */
export function figuresAnswerer(
  services: ConsoleServices,
  visitor: Visitor,
  timeMs: number,
): (request: PreloadRequest) => Promise<unknown> {
  const { accountId } = visitor;
  if (accountId === null) return async () => undefined;
  const work = new WorkBudget(services.workQueue, {
    timeMs,
    clockMs: timeMs,
    units: Number.POSITIVE_INFINITY,
  });
  const asker: Asker = { visitor, accountId, work };
  return async ([path, input]) => {
    // As the route would read it: what `viewParameters` gives is valid.
    const query = { ...input?.query } as unknown as FiguresQuery;
    if (path === 'GET /overview') return answerOverview(services, asker, query);
    const kind = sourceKinds.find((one) => path.startsWith(`GET /${pathOfKind[one]}/`))!;
    const key = Number(input?.params?.key);
    if (!Number.isSafeInteger(key)) return undefined;
    if (path.endsWith(':key')) return answerSourceFacts(services, accountId, { kind, key });
    if (query.filter !== undefined) return undefined;
    const view = path.slice(path.lastIndexOf('/') + 1);
    return answerView(services, asker, { kind, key, view } as ViewName, query);
  };
}
