// /console/api/measures/KEY/trend and its neighbours: the figures of a measure or project for people, and the same for the page of a
// shared view. They take the same parameters as the endpoints of the interface with the same names, and give the same answers.

import type { TObject } from 'typebox';
import { pathOfKind, type SourceKind } from '../../domain/feedback/source-kind.ts';
import { viewColumns } from '../../domain/insight/view-tables.ts';
import { sourceKey, sourceRefusals } from '../feedback/source-key.ts';
import { consoleOperations, sharedPageOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { breakdownQuery, MeasureBreakdown, ProjectBreakdown } from './breakdowns.ts';
import { Distribution } from './figures.ts';
import { MeasureDrivers, MeasureTrend, rangeQuery, trendQuery } from './measure-views.ts';
import { ProjectTopics, ProjectTrend, topicsQuery } from './project-views.ts';
import { sharedPageMembers } from './shared-views.ts';
import { sourceFactsAnswer } from './sources.ts';

interface ViewDeclaration {
  readonly query: TObject;
  readonly schema: TObject;
  readonly summary: string;
}

const measureViews = {
  trend: { query: trendQuery, schema: MeasureTrend, summary: 'The scores of a measure over time' },
  distribution: {
    query: rangeQuery,
    schema: Distribution,
    summary: 'How every question of a measure was answered',
  },
  drivers: { query: rangeQuery, schema: MeasureDrivers, summary: 'Which latents go along with satisfaction' },
  breakdown: {
    query: breakdownQuery,
    schema: MeasureBreakdown,
    summary: 'The scores of a measure by groups of responses',
  },
} as const satisfies Readonly<Record<string, ViewDeclaration>>;

const projectViews = {
  trend: { query: trendQuery, schema: ProjectTrend, summary: 'The rating of a project over time' },
  distribution: {
    query: rangeQuery,
    schema: Distribution,
    summary: 'How every question of a project was answered',
  },
  topics: { query: topicsQuery, schema: ProjectTopics, summary: 'What the entries of a project are about' },
  breakdown: {
    query: breakdownQuery,
    schema: ProjectBreakdown,
    summary: 'The ratings of a project by groups of entries',
  },
} as const satisfies Readonly<Record<string, ViewDeclaration>>;

export type MeasureView = keyof typeof measureViews;
export type ProjectView = keyof typeof projectViews;
/** Of the figures of a measure or project, below the base of the console or of the page of a shared view. */
export type SourceViewPath = `/measures/:key/${MeasureView}` | `/projects/:key/${ProjectView}`;

const csv = 'text/csv';
const access = { people: 'signedIn', ability: 'see scores' } as const;
const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`;

const figures = <Of extends ViewDeclaration>(
  kind: SourceKind,
  view: MeasureView | ProjectView,
  { query, schema, summary }: Of,
) =>
  ({
    access,
    params: sourceKey,
    query: query as Of['query'],
    document: {
      operationId: `${kind}${capital(view)}View`,
      summary,
      description: `Parameters and answer are those of \`/v1/${pathOfKind[kind]}/{key}/${view}\`. Whoever may not see single responses gets no open text, and no figure of fewer than five responses.`,
      tag: 'Figures',
      success: {
        status: 200,
        schema: schema as Of['schema'],
        description: 'The figures.',
        as: 'slices',
      },
    },
    refusals: sourceRefusals(kind),
  }) as const;

const file = <Of extends ViewDeclaration>(
  kind: SourceKind,
  view: MeasureView | ProjectView,
  { query, summary }: Of,
) =>
  ({
    access,
    params: sourceKey,
    query: query as Of['query'],
    produces: [csv],
    document: {
      operationId: `${kind}${capital(view)}File`,
      summary: `${summary}, as a file`,
      description: `The figures of \`${view}\` with the same parameters, a row each, with the columns of a report (docs/insight.md).`,
      tag: 'Figures',
      success: {
        status: 200,
        schema: Type.Unknown({
          description: 'The file: UTF-8 with a byte order mark, a header, no formulas.',
        }),
        description: 'The file.',
        as: 'file',
      },
      typeExamples: { [csv]: `${viewColumns.join(',')}\n` },
    },
    refusals: sourceRefusals(kind),
  }) as const;

export const sourceViewOperations = consoleOperations({
  'GET /measures/:key/trend': figures('measure', 'trend', measureViews.trend),
  'GET /measures/:key/trend.csv': file('measure', 'trend', measureViews.trend),
  'GET /measures/:key/distribution': figures('measure', 'distribution', measureViews.distribution),
  'GET /measures/:key/distribution.csv': file('measure', 'distribution', measureViews.distribution),
  'GET /measures/:key/drivers': figures('measure', 'drivers', measureViews.drivers),
  'GET /measures/:key/drivers.csv': file('measure', 'drivers', measureViews.drivers),
  'GET /measures/:key/breakdown': figures('measure', 'breakdown', measureViews.breakdown),
  'GET /measures/:key/breakdown.csv': file('measure', 'breakdown', measureViews.breakdown),
  'GET /projects/:key/trend': figures('project', 'trend', projectViews.trend),
  'GET /projects/:key/trend.csv': file('project', 'trend', projectViews.trend),
  'GET /projects/:key/distribution': figures('project', 'distribution', projectViews.distribution),
  'GET /projects/:key/distribution.csv': file('project', 'distribution', projectViews.distribution),
  'GET /projects/:key/topics': figures('project', 'topics', projectViews.topics),
  'GET /projects/:key/topics.csv': file('project', 'topics', projectViews.topics),
  'GET /projects/:key/breakdown': figures('project', 'breakdown', projectViews.breakdown),
  'GET /projects/:key/breakdown.csv': file('project', 'breakdown', projectViews.breakdown),
});

const openedView = Type.Object(
  {
    name: Type.String(),
    account: Type.String({ description: 'The name of the account whose figures these are.' }),
    ...sharedPageMembers,
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'OpenedSharedView' },
);

const tag = 'Shared views';

const sharedFacts = (kind: SourceKind) =>
  ({
    access: 'sharedView',
    params: sourceKey,
    document: {
      operationId: `shared${capital(kind)}Facts`,
      summary: `What the page of a shared ${kind} has to know of it`,
      description: `As \`/console/api/${pathOfKind[kind]}/{key}\`.`,
      tag,
      success: sourceFactsAnswer,
    },
  }) as const;

const sharedFigures = <Of extends ViewDeclaration>(
  kind: SourceKind,
  view: MeasureView | ProjectView,
  { query, schema, summary }: Of,
) =>
  ({
    access: 'sharedView',
    params: sourceKey,
    query: query as Of['query'],
    document: {
      operationId: `shared${capital(kind)}${capital(view)}`,
      summary: `${summary}, of a shared view`,
      description: `As \`/console/api/${pathOfKind[kind]}/{key}/${view}\` for a viewer; days, comparison and filter must be those of the view.`,
      tag,
      success: {
        status: 200,
        schema: schema as Of['schema'],
        description: 'The figures.',
        as: 'slices',
      },
    },
  }) as const;

export const openedViewOperations = sharedPageOperations({
  'GET /view': {
    access: 'sharedView',
    document: {
      operationId: 'openSharedView',
      summary: 'What a shared view shows',
      description: 'For the page behind the link; no cookie is read.',
      tag,
      success: { status: 200, schema: openedView, description: 'What it shows, and until when.' },
    },
  },
  'GET /measures/:key': sharedFacts('measure'),
  'GET /measures/:key/trend': sharedFigures('measure', 'trend', measureViews.trend),
  'GET /measures/:key/distribution': sharedFigures('measure', 'distribution', measureViews.distribution),
  'GET /measures/:key/drivers': sharedFigures('measure', 'drivers', measureViews.drivers),
  'GET /measures/:key/breakdown': sharedFigures('measure', 'breakdown', measureViews.breakdown),
  'GET /projects/:key': sharedFacts('project'),
  'GET /projects/:key/trend': sharedFigures('project', 'trend', projectViews.trend),
  'GET /projects/:key/distribution': sharedFigures('project', 'distribution', projectViews.distribution),
  'GET /projects/:key/topics': sharedFigures('project', 'topics', projectViews.topics),
  'GET /projects/:key/breakdown': sharedFigures('project', 'breakdown', projectViews.breakdown),
});
