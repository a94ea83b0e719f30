// Measures and projects: their data, changes, exports and figures.

import type { components } from './api.ts';
import type { Caller, QueryValue } from './caller.ts';
import { type ExportFormat, exportedBytes, exportedRows } from './export.ts';
import { type CountedPage, countedPages, Listing, mustMove, type Skipping, windowOf } from './listing.ts';
import type { CallOptions } from './retry.ts';
import type {
  ExportedEntry,
  ExportedRespondent,
  MeasureChange,
  MeasureChanges,
  MeasureComment,
  MeasureComments,
  MeasureData,
  MeasureDefinition,
  Project,
  ProjectChange,
  ProjectChanges,
  ProjectComment,
  ProjectComments,
  ProjectData,
  ProjectEntry,
  Query,
  Respondent,
} from './types.ts';

type Schemas = components['schemas'];

/** Which part of the feed. */
export interface ChangesQuery {
  /** `next` of the page before; the beginning unless given. */
  readonly after?: string | undefined;
  /** Instead: behind the response of this position. */
  readonly position?: number | undefined;
  /** The size of a page: 1 to 1,000, which it is unless given. */
  readonly limit?: number | undefined;
  /** Whether to wait for what comes next, for ever, instead of ending where there is no more. */
  readonly follow?: boolean | undefined;
}

/** As for the data; `skip` begins behind so many rows. */
export type DataQuery<Asked> = Omit<Asked, 'offset' | 'limit'> & Skipping;
export type RespondentPage = Omit<MeasureData, 'items'> & CountedPage<Respondent>;
export type EntryPage = Omit<ProjectData, 'items'> & CountedPage<ProjectEntry>;

interface Changes<Change> {
  readonly hasMore: boolean;
  readonly items: Change[];
  readonly next: string;
}

interface Comments<Comment> {
  readonly items: Comment[];
  readonly next: string | null;
}

// The service answers a request that waits within this time.
const waitSeconds = 20;

/** What measures and projects have in common. */
class Source<
  Change,
  ChangePage extends Changes<Change>,
  Comment,
  CommentPage extends Comments<Comment>,
  CommentQuery extends object,
  ExportQuery extends object,
  Exported,
> {
  protected readonly caller: Caller;
  protected readonly path: string;

  constructor(caller: Caller, path: string) {
    this.caller = caller;
    this.path = path;
  }

  /** What happened, in one order: new responses, corrections, what was erased (docs/warehouse.md). */
  changes(
    { after, position, limit = 1_000, follow = false }: ChangesQuery = {},
    options?: CallOptions,
  ): Listing<Change, ChangePage> {
    const { attemptMs = 60_000 } = this.caller.patience(options);
    const patience = follow ? { ...options, attemptMs: attemptMs + waitSeconds * 1_000 } : options;
    const self = this;
    return new Listing(async function* () {
      for (let cursor = after; ; ) {
        const from = cursor === undefined ? { position } : { after: cursor };
        const query = { ...from, limit, wait: follow ? waitSeconds : undefined };
        const page = await self.get<ChangePage>('changes', query, patience);
        mustMove(page);
        yield page;
        cursor = page.next;
        if (!page.hasMore && !follow) return;
      }
    });
  }

  /** What people wrote, newest first; a page may be short or empty while the search goes on. */
  comments(query?: CommentQuery, options?: CallOptions): Listing<Comment, CommentPage> {
    const self = this;
    return new Listing(async function* () {
      for (let asked = { ...query } as QueryValues; ; ) {
        const page = await self.get<CommentPage>('comments', asked, options);
        yield page;
        if (page.next === null) return;
        asked = { ...asked, cursor: page.next };
      }
    });
  }

  /** The rows of a range of days as they are now; a cut connection is gone on with behind the last row. */
  export(query: ExportQuery, options?: CallOptions): AsyncGenerator<Exported, void, undefined> {
    const request = { path: `${this.path}/export`, query: { ...query } as QueryValues };
    return exportedRows<Exported>(this.caller, request, options);
  }

  /** The same as a file, in pieces; those of NDJSON and CSV end with a row. */
  exportFile(
    {
      format,
      header = true,
      ...query
    }: ExportQuery & {
      format: ExportFormat;
      header?: boolean | undefined;
      spreadsheet?: boolean | undefined;
    },
    options?: CallOptions,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const request = { path: `${this.path}/export`, query: query as QueryValues, format, hasHeader: header };
    return exportedBytes(this.caller, request, options);
  }

  /** The digests of days (docs/digests.md). */
  digest(query: Query<'measureDigest'>, options?: CallOptions): Promise<Schemas['Digests']> {
    return this.get('digest', query, options);
  }

  protected get<T>(part: string, query?: object, options?: CallOptions): Promise<T> {
    return this.caller.json<T>({ path: `${this.path}/${part}`, query: { ...query } as QueryValues }, options);
  }
}

type QueryValues = Record<string, QueryValue>;
type MeasureExportQuery = Omit<Query<'exportMeasure'>, 'format' | 'header' | 'spreadsheet'>;
type ProjectExportQuery = Omit<Query<'exportProject'>, 'format' | 'header' | 'spreadsheet'>;

export class MeasureSource extends Source<
  MeasureChange,
  MeasureChanges,
  MeasureComment,
  MeasureComments,
  Query<'measureComments'>,
  MeasureExportQuery,
  ExportedRespondent
> {
  definition(query?: Query<'measureDefinition'>, options?: CallOptions): Promise<MeasureDefinition> {
    return this.get('definition', query, options);
  }

  /** Respondents in the order of arrival, each once. */
  data(query: DataQuery<Query<'measureData'>>, options?: CallOptions): Listing<Respondent, RespondentPage> {
    const { skip: _skip, limit: _limit, ...asked } = query;
    const window = windowOf(query, 100);
    return new Listing(() =>
      countedPages<Respondent, MeasureData>(window, 'pages', (part) =>
        this.get('data', { ...asked, ...part }, options),
      ),
    );
  }

  response(
    id: string,
    query?: Query<'measureResponse'>,
    options?: CallOptions,
  ): Promise<Schemas['MeasureResponse']> {
    return this.get(`responses/${encodeURIComponent(id)}`, query, options);
  }

  /** How the scores of a response came about. */
  trace(id: string, options?: CallOptions): Promise<Schemas['ScoreTrace']> {
    return this.get(`responses/${encodeURIComponent(id)}/trace`, {}, options);
  }

  /** What it costs to pull a range of days. */
  cost(query: Query<'measureCost'>, options?: CallOptions): Promise<Schemas['PullCost']> {
    return this.get('cost', query, options);
  }

  trend(query: Query<'measureTrend'>, options?: CallOptions): Promise<Schemas['MeasureTrend']> {
    return this.get('trend', query, options);
  }

  distribution(
    query: Query<'measureDistribution'>,
    options?: CallOptions,
  ): Promise<Schemas['InsightDistribution']> {
    return this.get('distribution', query, options);
  }

  drivers(query: Query<'measureDrivers'>, options?: CallOptions): Promise<Schemas['MeasureDrivers']> {
    return this.get('drivers', query, options);
  }

  breakdown(query: Query<'measureBreakdown'>, options?: CallOptions): Promise<Schemas['MeasureBreakdown']> {
    return this.get('breakdown', query, options);
  }

  /** What other systems know of respondents: a `responseId` and values by the names of external parameters, a row each. */
  addExternalParameters(
    rows: readonly ExternalRow[],
    query?: Query<'appendExternalParameters'>,
    options?: CallOptions,
  ): Promise<Schemas['ExternalParametersResult']> {
    const call = {
      method: 'POST',
      path: `${this.path}/external-parameters`,
      query: { ...query },
      body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
      headers: { 'content-type': 'application/x-ndjson' },
      // The same rows again change nothing.
      isRepeatable: true,
    } as const;
    return this.caller.json(call, options);
  }
}

export interface ExternalRow {
  readonly responseId: string;
  readonly [parameter: string]: string | number | boolean;
}

export class ProjectSource extends Source<
  ProjectChange,
  ProjectChanges,
  ProjectComment,
  ProjectComments,
  Query<'projectComments'>,
  ProjectExportQuery,
  ExportedEntry
> {
  definition(options?: CallOptions): Promise<Project> {
    return this.get('definition', {}, options);
  }

  /** Entries in the order of arrival, each once. */
  data(query: DataQuery<Query<'projectData'>>, options?: CallOptions): Listing<ProjectEntry, EntryPage> {
    const { skip: _skip, limit: _limit, ...asked } = query;
    const window = windowOf(query, 500);
    return new Listing(() =>
      countedPages<ProjectEntry, ProjectData>(window, 'rows', (part) =>
        this.get('data', { ...asked, ...part }, options),
      ),
    );
  }

  response(id: string, options?: CallOptions): Promise<Schemas['ProjectResponse']> {
    return this.get(`responses/${encodeURIComponent(id)}`, {}, options);
  }

  cost(query: Query<'projectCost'>, options?: CallOptions): Promise<Schemas['PullCost']> {
    return this.get('cost', query, options);
  }

  trend(query: Query<'projectTrend'>, options?: CallOptions): Promise<Schemas['ProjectTrend']> {
    return this.get('trend', query, options);
  }

  distribution(
    query: Query<'projectDistribution'>,
    options?: CallOptions,
  ): Promise<Schemas['InsightDistribution']> {
    return this.get('distribution', query, options);
  }

  topics(query: Query<'projectTopics'>, options?: CallOptions): Promise<Schemas['ProjectTopics']> {
    return this.get('topics', query, options);
  }

  breakdown(query: Query<'projectBreakdown'>, options?: CallOptions): Promise<Schemas['ProjectBreakdown']> {
    return this.get('breakdown', query, options);
  }
}
