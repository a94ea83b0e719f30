// The figures that stand in the HTML of the overview and of the pages of a measure or project: those that are added up already.
// Whatever has to be looked for among responses is asked for by the page.

import { type ViewAddress, viewQuery } from '../../domain/console/view-address.ts';
import type { CalendarUnit } from '../../domain/dates.ts';
import { pathOfKind, type SourceKind } from '../../domain/feedback/source-kind.ts';
import type { Comparison } from '../../domain/insight/compared-range.ts';
import { WorkBudget } from '../../store/engine/work/work-budget.ts';
import type { ConsoleServices } from './console-services.ts';
import type { Asker } from './console-sources.ts';
import type { FirstAnswers, PageAsked } from './first-answers.ts';
import { answerOverview } from './overview-routes.ts';
import { answerSourceFacts } from './source-routes.ts';
import { answerView, type ViewName } from './view-routes.ts';

/** A page waits so long for its figures; then it comes without them. */
const timeMs = 1_000;

export function firstFigures(services: ConsoleServices): void {
  const { firstData } = services;
  firstData.set('overview', (asked) => overview(services, asked));
  for (const kind of ['measure', 'project'] as const)
    firstData.set(kind, (asked) => ofSource(services, kind, asked));
}

function overview(services: ConsoleServices, { visitor, view }: PageAsked): FirstAnswers {
  const asker = askerOf(services, visitor);
  if (asker === null) return {};
  const parts = viewQuery({ ...view, filters: [] }, { hasComparison: true });
  return { [`/overview?${parts}`]: () => answerOverview(services, asker, queryOf(parts)) };
}

const comparing = { hasComparison: true };
const drawing = { hasComparison: true, hasUnit: true };
const viewsOf = {
  measure: [
    ['trend', drawing],
    ['distribution', {}],
    ['drivers', {}],
  ],
  project: [
    ['trend', drawing],
    ['distribution', {}],
    ['topics', comparing],
  ],
} as const;

function ofSource(
  services: ConsoleServices,
  kind: SourceKind,
  { visitor, view, params }: PageAsked,
): FirstAnswers {
  const asker = askerOf(services, visitor);
  const key = Number(params.key);
  if (asker === null || !Number.isSafeInteger(key)) return {};
  const place = `/${pathOfKind[kind]}/${params.key}`;
  const answers: Record<string, () => Promise<unknown>> = {
    [place]: () => answerSourceFacts(services, asker.accountId, { kind, key }),
  };
  if (isScanned(view)) return answers;
  for (const [name, parts] of viewsOf[kind]) {
    const query = viewQuery(view, parts);
    const of = { kind, key, view: name } as ViewName;
    answers[`${place}/${name}?${query}`] = () => answerView(services, asker, of, queryOf(query));
  }
  return answers;
}

function isScanned({ filters }: ViewAddress): boolean {
  return filters.length > 0;
}

function askerOf({ workQueue }: ConsoleServices, visitor: PageAsked['visitor']): Asker | null {
  const { accountId } = visitor;
  if (accountId === null) return null;
  const work = new WorkBudget(workQueue, { timeMs, clockMs: timeMs, units: Number.POSITIVE_INFINITY });
  return { visitor, accountId, work };
}

interface FirstQuery {
  readonly from: string;
  readonly to: string;
  readonly compare?: Comparison;
  readonly unit?: CalendarUnit;
  readonly minimum?: number;
}

/** As the route would read it: what `viewQuery` writes is valid. */
function queryOf(text: string): FirstQuery {
  return Object.fromEntries(new URLSearchParams(text)) as unknown as FirstQuery;
}
