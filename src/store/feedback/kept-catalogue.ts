// The catalogue as `soundings apply` compares and changes it, a group of accounts, measures and projects at a time. Both
// ways go in sets: a handful of statements for hundreds of sources, whatever their number (D-211).

import sql, { empty, type Sql } from 'sql-template-tag';
import type { AccountLimits } from '../../domain/access/account.ts';
import type { CatalogueChange, KeptCatalogue, SourceName } from '../../domain/feedback/catalogue-change.ts';
import type {
  Catalogue,
  CatalogueAccount,
  Measure,
  Project,
  SurveyDefinition,
} from '../../domain/feedback/definition.ts';
import { Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { catalogueGeneration } from './catalogue.ts';

/** What is kept of everything that a group touches, and what has to be known to add to it. */
export interface KeptGroup extends KeptCatalogue {
  /** Of the whole catalogue: when it has moved on, the comparison is stale. */
  readonly generation: number;
  readonly sources: ReadonlyMap<string, KeptSource>;
  /** The last source id of each account. */
  readonly lastSourceIds: ReadonlyMap<number, number>;
}

interface KeptSource {
  readonly accountId: number;
  readonly sourceId: number;
  readonly document: Omit<Measure, 'surveys'> | Omit<Project, 'surveys'>;
  readonly surveys: Map<string, { readonly number: number; readonly definition: SurveyDefinition }>;
}

interface SourceRow {
  readonly account_id: number;
  readonly source_id: number;
  readonly kind: 'measure' | 'project';
  readonly source_key: number;
  readonly document: string;
  readonly versions: number;
}

interface SurveyRow {
  readonly account_id: number;
  readonly source_id: number;
  readonly survey_id: string;
  readonly survey_no: number;
  readonly document: string;
}

// Versions that are read at once. All versions of a source are looked at, also those that the file does not name.
const versionsAtOnce = 2_000;

export async function readKept(db: Db, wanted: Catalogue): Promise<KeptGroup> {
  const generation = await catalogueGeneration(db);
  const names = sourceNamesOf(wanted);
  const namesOf = Map.groupBy(names, ({ accountId }) => accountId);
  const surveyIds = new Set(surveyIdsOf(wanted));
  const accounts = await readAccounts(db, wanted);
  const rows = await readSources(db, names);
  const sources = new Map<string, KeptSource>();
  for (const slice of slicesOf(rows)) {
    const surveys = Map.groupBy(await readSurveys(db, slice), (row) => `${row.account_id} ${row.source_id}`);
    for (const { account_id: accountId, source_id: sourceId, kind, source_key: key, document } of slice) {
      const kept = (surveys.get(`${accountId} ${sourceId}`) ?? []).map((row) => keptSurvey(row, surveyIds));
      sources.set(nameText({ accountId, kind, key }), {
        accountId,
        sourceId,
        document: JSON.parse(document) as KeptSource['document'],
        surveys: new Map(kept.map((survey) => [survey.definition.id, survey])),
      });
    }
  }
  return {
    generation,
    sources,
    catalogue: {
      accounts: accounts.map((account) => withSources(account, namesOf.get(account.id), sources)),
    },
    surveysWithResponses: await usedAmong(db, [...wantedSurveys(wanted), ...currentOnes(sources.values())]),
    surveysElsewhere: await elsewhere(db, surveyIds, sources),
    lastSourceIds: await readLastSourceIds(db, wanted),
  };
}

interface AccountRow {
  readonly id: number;
  readonly name: string;
  readonly limits: string | null;
}

async function readAccounts(db: Db, { accounts }: Catalogue): Promise<readonly AccountRow[]> {
  const ids = accounts.map(({ id }) => id);
  return db.read<AccountRow>(sql`
    select id, name, limits
    from account
    where ${db.dialect.isAmong(sql`id`, ids, 'integer')}
    order by id`);
}

async function readSources(db: Db, names: readonly SourceName[]): Promise<readonly SourceRow[]> {
  if (names.length === 0) return [];
  const wanted = db.dialect.rowsWithKeys({
    table: 'source',
    key: [
      ['account_id', 'integer'],
      ['kind', 'text'],
      ['source_key', 'integer'],
    ],
    keys: names.map(({ accountId, kind, key }) => [accountId, kind, key]),
  });
  return db.read<SourceRow>(sql`
    select source.account_id, source.source_id, source.kind, source.source_key, document, ${versionsOfSource}
    from ${wanted}
    ${whereOneAccount(sql`source.account_id`, names)}
    order by 1, 2`);
}

const versionsOfSource = sql`(
  select count(*)
  from survey
  where survey.account_id = source.account_id and survey.source_id = source.source_id
) as versions`;

/** Sources whose versions are read at once. */
function* slicesOf(rows: readonly SourceRow[]): Generator<readonly SourceRow[]> {
  let slice: SourceRow[] = [];
  let versions = 0;
  for (const row of rows) {
    if (slice.length > 0 && versions + row.versions > versionsAtOnce) {
      yield slice;
      slice = [];
      versions = 0;
    }
    slice.push(row);
    versions += row.versions;
  }
  if (slice.length > 0) yield slice;
}

async function readSurveys(db: Db, sources: readonly SourceRow[]): Promise<readonly SurveyRow[]> {
  const wanted = db.dialect.rowsWithKeys({
    table: 'survey',
    key: sourceKey,
    keys: sources.map((row) => [row.account_id, row.source_id]),
  });
  const named = sources.map((row) => ({ accountId: row.account_id }));
  return db.read<SurveyRow>(sql`
    select survey.account_id, survey.source_id, survey_id, survey_no, document
    from ${wanted}
    ${whereOneAccount(sql`survey.account_id`, named)}
    order by 1, 2, survey_no`);
}

const sourceKey = [
  ['account_id', 'integer'],
  ['source_id', 'integer'],
] as const;

/** Of a version that the file does not name, and that need not step back, the types of its latents are enough. */
function keptSurvey(
  row: SurveyRow,
  named: ReadonlySet<string>,
): { number: number; definition: SurveyDefinition } {
  const definition = JSON.parse(row.document) as SurveyDefinition;
  if (definition.current || named.has(row.survey_id)) return { number: row.survey_no, definition };
  const latents = definition.latents.map((latent) => ({ ...latent, questions: [] }));
  const rest = { latents, questions: [], parameters: { custom: [], external: [] } };
  return { number: row.survey_no, definition: { ...definition, ...rest } };
}

function withSources(
  { id, name, limits }: AccountRow,
  names: readonly SourceName[] | undefined,
  sources: ReadonlyMap<string, KeptSource>,
): CatalogueAccount {
  const ofKind = <T>(kind: SourceName['kind']): T[] =>
    (names ?? []).flatMap((wanted) => {
      const source = wanted.kind === kind ? sources.get(nameText(wanted)) : undefined;
      if (source === undefined) return [];
      const surveys = [...source.surveys.values()].map(({ definition }) => definition);
      return [{ ...source.document, surveys } as T];
    });
  return {
    id,
    name,
    limits: limits === null ? null : (JSON.parse(limits) as AccountLimits),
    measures: ofKind<Measure>('measure'),
    projects: ofKind<Project>('project'),
  };
}

/** The versions that may have to step back for another one, although the file does not name them. */
function* currentOnes(sources: Iterable<KeptSource>): Generator<SurveyName> {
  for (const { accountId, surveys } of sources)
    for (const { definition } of surveys.values())
      if (definition.current) yield { accountId, surveyId: definition.id };
}

/** Of these versions: those that have responses. */
async function usedAmong(db: Db, named: readonly SurveyName[]): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set();
  const rows = await db.read<{ survey_id: string }>(sql`
    select survey_used.survey_id
    from ${usedVersions(db.dialect, named)}
    ${whereOneAccount(sql`survey_used.account_id`, named)}
    order by 1`);
  return new Set(rows.map(({ survey_id: id }) => id));
}

/** Of the wanted survey ids: those that belong to another source than the one that names them. */
async function elsewhere(
  db: Db,
  surveyIds: ReadonlySet<string>,
  sources: ReadonlyMap<string, KeptSource>,
): Promise<ReadonlySet<string>> {
  if (surveyIds.size === 0) return new Set();
  const owned = await db.read<{ survey_id: string }>(sql`
    select survey_id
    from survey_owner
    where ${db.dialect.isAmong(sql`survey_id`, [...surveyIds], 'text')}
    order by survey_id`);
  // What is among the sources of this group is told from there: the comparison sees whose it is.
  const here = new Set([...sources.values()].flatMap(({ surveys }) => [...surveys.keys()]));
  return new Set(owned.flatMap(({ survey_id: id }) => (here.has(id) ? [] : [id])));
}

async function readLastSourceIds(db: Db, { accounts }: Catalogue): Promise<ReadonlyMap<number, number>> {
  const ids = accounts.map(({ id }) => id);
  const rows = await db.read<{ account_id: number; last: number }>(sql`
    select account_id, max(source_id) as last
    from source
    where ${db.dialect.isAmong(sql`account_id`, ids, 'integer')}
    group by account_id
    order by account_id`);
  return new Map(rows.map(({ account_id: id, last }) => [id, last]));
}

// ---- the change

/** What changes in one transaction. Everything is numbered beforehand: the generation says that nobody else added to it. */
export interface CatalogueGroup extends ChangeStamp {
  readonly generation: number;
  readonly accounts: readonly Pick<CatalogueAccount, 'id' | 'name' | 'limits'>[];
  readonly sources: readonly SourceChange[];
  readonly surveys: readonly SurveyChange[];
  /** Versions that are rewritten because they had no responses; they must have none still. */
  readonly mustBeUnused: readonly SurveyName[];
  readonly accountIds: readonly number[];
}

interface SourceChange extends SourceName {
  readonly sourceId: number;
  readonly document: string;
  readonly isNew: boolean;
}

interface SurveyChange {
  readonly accountId: number;
  readonly sourceId: number;
  readonly surveyId: string;
  readonly number: number;
  readonly document: string;
  readonly isNew: boolean;
}

interface SurveyName {
  readonly accountId: number;
  readonly surveyId: string;
}

/** What has to be written for these changes of a group that was compared with `kept`. */
export function groupOf(
  kept: KeptGroup,
  changes: readonly CatalogueChange[],
): Omit<CatalogueGroup, keyof ChangeStamp> {
  const accounts: CatalogueGroup['accounts'][number][] = [];
  const sources: SourceChange[] = [];
  const surveys: SurveyChange[] = [];
  const mustBeUnused: SurveyName[] = [];
  const accountIds = new Set<number>();
  const newSourceIds = new Map<string, number>();
  const lastSourceIds = new Map(kept.lastSourceIds);
  const lastNumbers = new Map<string, number>();
  const sourceIdOf = (name: SourceName): number =>
    kept.sources.get(nameText(name))?.sourceId ?? newSourceIds.get(nameText(name))!;

  for (const change of changes) {
    if (change.action === 'unchanged') continue;
    accountIds.add(change.kind === 'account' ? change.value.id : change.source.accountId);
    if (change.kind === 'account') accounts.push(change.value);
    else if (change.kind === 'survey') keepSurvey(change.source, change.value);
    else keepSource(change.source, change.value, change.action === 'create');
  }
  const { generation } = kept;
  return { generation, accounts, sources, surveys, mustBeUnused, accountIds: [...accountIds] };

  function keepSource(
    name: SourceName,
    { surveys: _, ...document }: Measure | Project,
    isNew: boolean,
  ): void {
    if (isNew) {
      const sourceId = (lastSourceIds.get(name.accountId) ?? 0) + 1;
      lastSourceIds.set(name.accountId, sourceId);
      newSourceIds.set(nameText(name), sourceId);
    }
    sources.push({ ...name, sourceId: sourceIdOf(name), document: JSON.stringify(document), isNew });
  }

  function keepSurvey(name: SourceName, survey: SurveyDefinition): void {
    const source = kept.sources.get(nameText(name));
    const known = source?.surveys.get(survey.id);
    const { accountId } = name;
    let number = known?.number;
    if (number === undefined) {
      number = (lastNumbers.get(nameText(name)) ?? lastNumberOf(source)) + 1;
      lastNumbers.set(nameText(name), number);
    } else if (!kept.surveysWithResponses.has(survey.id)) {
      mustBeUnused.push({ accountId, surveyId: survey.id });
    }
    surveys.push({
      accountId,
      sourceId: sourceIdOf(name),
      surveyId: survey.id,
      number,
      document: JSON.stringify(survey),
      isNew: known === undefined,
    });
  }
}

function lastNumberOf(source: KeptSource | undefined): number {
  let last = 0;
  for (const { number } of source?.surveys.values() ?? []) last = Math.max(last, number);
  return last;
}

/** Everything or nothing; false when somebody else's change came in between and the comparison is stale (D-47). */
export function* applyCatalogue(group: CatalogueGroup, dialect: Dialect): Steps<boolean> {
  const { generation, nowMs, sources, surveys } = group;
  const turn = yield sql`
    update catalogue_generation
    set generation = generation + 1
    where id = 1 and generation = ${generation}`;
  if (turn.changed !== 1) return false;
  yield* keepAccounts(group);
  const newSources = sources.filter(({ isNew }) => isNew);
  const newSurveys = surveys.filter(({ isNew }) => isNew);
  if (sources.length > 0)
    yield {
      table: 'source',
      columns: [
        ['account_id', 'integer'],
        ['source_id', 'integer'],
        ['kind', 'text'],
        ['source_key', 'integer'],
        ['document', 'text'],
        ['created_at', 'integer'],
      ],
      rows: sources.map((one) => [one.accountId, one.sourceId, one.kind, one.key, one.document, nowMs]),
      onConflict: 'on conflict (account_id, source_id) do update set document = excluded.document',
    };
  if (newSources.length > 0)
    yield {
      table: 'log_counter',
      columns: [
        ['account_id', 'integer'],
        ['source_id', 'integer'],
        ['last_seq', 'integer'],
        ['revision', 'integer'],
      ],
      rows: newSources.map(({ accountId, sourceId }) => [accountId, sourceId, 0, 1]),
    };
  if (newSurveys.length > 0)
    yield {
      table: 'survey_owner',
      columns: [
        ['survey_id', 'text'],
        ['account_id', 'integer'],
      ],
      rows: newSurveys.map(({ surveyId, accountId }) => [surveyId, accountId]),
    };
  if (surveys.length > 0)
    yield {
      table: 'survey',
      columns: [
        ['account_id', 'integer'],
        ['survey_id', 'text'],
        ['source_id', 'integer'],
        ['survey_no', 'integer'],
        ['document', 'text'],
      ],
      rows: surveys.map((one) => [one.accountId, one.surveyId, one.sourceId, one.number, one.document]),
      onConflict: 'on conflict (account_id, survey_id) do update set document = excluded.document',
    };
  yield auditRows(group);
  // Last of all: appends to these sources are held up from here to the commit, and must not be for long.
  yield* touchSources(dialect, touchedSources(group));
  // Asked after the sources' counters are held: from here on no response can make a version used unnoticed.
  if (yield* isUsed(dialect, group))
    throw new Problem(
      'CONFLICT',
      'A response came in while the catalogue was compared. Please apply it again.',
    );
  return true;
}

function* keepAccounts({ accounts, nowMs }: CatalogueGroup): Steps<void> {
  // Where the file says nothing of limits, those that are kept stay.
  const silent = accounts.filter(({ limits }) => limits === undefined);
  const spoken = accounts.filter(({ limits }) => limits !== undefined);
  if (silent.length > 0)
    yield {
      table: 'account',
      columns: [
        ['id', 'integer'],
        ['name', 'text'],
        ['created_at', 'integer'],
      ],
      rows: silent.map(({ id, name }) => [id, name, nowMs]),
      onConflict: 'on conflict (id) do update set name = excluded.name',
    };
  if (spoken.length > 0)
    yield {
      table: 'account',
      columns: [
        ['id', 'integer'],
        ['name', 'text'],
        ['created_at', 'integer'],
        ['limits', 'text'],
      ],
      rows: spoken.map(({ id, name, limits }) => [id, name, nowMs, limits ? JSON.stringify(limits) : null]),
      onConflict: 'on conflict (id) do update set name = excluded.name, limits = excluded.limits',
    };
}

function auditRows({ accountIds, changeId, nowMs, actor }: CatalogueGroup) {
  return {
    table: 'audit',
    columns: [
      ['account_id', 'integer'],
      ['id', 'text'],
      ['at', 'integer'],
      ['actor', 'text'],
      ['action', 'text'],
      ['subject', 'text'],
    ],
    rows: accountIds.map((id) => [id, changeId, nowMs, actor, 'catalogue.apply', `account ${id}`]),
  } as const;
}

/** The sources that were there before and are changed, themselves or in a version. */
function touchedSources({ sources, surveys }: CatalogueGroup): readonly (readonly [number, number])[] {
  const isNew = new Set(sources.flatMap((one) => (one.isNew ? [`${one.accountId} ${one.sourceId}`] : [])));
  const touched = new Map<string, readonly [number, number]>();
  for (const { accountId, sourceId } of [...sources, ...surveys]) {
    const key = `${accountId} ${sourceId}`;
    if (!isNew.has(key)) touched.set(key, [accountId, sourceId]);
  }
  return [...touched.values()];
}

/**
 * Holds the counters of sources, so that appends wait, and tells them that the definition has changed. They are taken
 * in the order in which appends take them, so that neither waits for the other for ever.
 */
function* touchSources(dialect: Dialect, keys: readonly (readonly [number, number])[]): Steps<void> {
  if (keys.length === 0) return;
  yield* dialect.holdRows({
    table: 'log_counter',
    key: ['account_id', 'source_id'],
    keys,
    columns: ['source_id'],
    mayWait: true,
  });
  const named = keys.map(([accountId]) => ({ accountId }));
  yield sql`
    update log_counter
    set revision = revision + 1
    where (account_id, source_id) in (
      select source.account_id, source.source_id
      from ${dialect.rowsWithKeys({ table: 'source', key: sourceKey, keys })}
    )
    ${andOneAccount(sql`account_id`, named)}`;
}

function* isUsed(dialect: Dialect, { mustBeUnused }: CatalogueGroup): Steps<boolean> {
  if (mustBeUnused.length === 0) return false;
  const used = yield sql`
    select survey_used.survey_id
    from ${usedVersions(dialect, mustBeUnused)}
    ${whereOneAccount(sql`survey_used.account_id`, mustBeUnused)}
    limit 1`;
  return used.rows.length > 0;
}

// ---- names

function nameText({ accountId, kind, key }: SourceName): string {
  return `${accountId} ${kind} ${key}`;
}

function sourceNamesOf({ accounts }: Catalogue): SourceName[] {
  return accounts.flatMap(({ id: accountId, measures, projects }) => [
    ...measures.map(({ key }) => ({ accountId, kind: 'measure', key }) as const),
    ...projects.map(({ id: key }) => ({ accountId, kind: 'project', key }) as const),
  ]);
}

function wantedSurveys({ accounts }: Catalogue): SurveyName[] {
  return accounts.flatMap(({ id: accountId, measures, projects }) =>
    [...measures, ...projects].flatMap(({ surveys }) =>
      surveys.map(({ id }) => ({ accountId, surveyId: id })),
    ),
  );
}

function surveyIdsOf(wanted: Catalogue): string[] {
  return wantedSurveys(wanted).map(({ surveyId }) => surveyId);
}

/** The rows of `survey_used` of these versions, to stand behind `from`. */
function usedVersions(dialect: Dialect, named: readonly SurveyName[]): Sql {
  return dialect.rowsWithKeys({
    table: 'survey_used',
    key: [
      ['account_id', 'integer'],
      ['survey_id', 'text'],
    ],
    keys: named.map(({ accountId, surveyId }) => [accountId, surveyId]),
  });
}

/** Where all rows are of one account the statement says so: a store that is spread by account asks one machine then. */
function andOneAccount(column: Sql, named: readonly { readonly accountId: number }[]): Sql {
  const ids = new Set(named.map(({ accountId }) => accountId));
  const [id] = ids;
  return ids.size === 1 ? sql`and ${column} = ${id}` : empty;
}

function whereOneAccount(column: Sql, named: readonly { readonly accountId: number }[]): Sql {
  return sql`where true ${andOneAccount(column, named)}`;
}

// ---- all of it

const accountsAtOnce = 500;
const sourcesAtOnce = 500;
// Of definitions, in one part of an account; a document may have twice as much.
const partBytesMax = 4 * 1024 * 1024;

/**
 * The whole catalogue, or one account of it, in the order of ids. An account that is large comes in several parts, one
 * after the other; limits stand in the first. A few hundred sources are in memory at a time.
 */
export async function* keptAccounts(db: Db, accountId: number | null): AsyncGenerator<CatalogueAccount> {
  let last = accountId === null ? 0 : accountId - 1;
  for (;;) {
    const accounts = await db.read<AccountRow>(sql`
      select id, name, limits
      from account
      where id > ${last} ${accountId === null ? empty : sql`and id = ${accountId}`}
      order by id
      limit ${accountsAtOnce}`);
    if (accounts.length === 0) return;
    yield* inParts(db, accounts);
    last = accounts.at(-1)!.id;
  }
}

async function* inParts(db: Db, accounts: readonly AccountRow[]): AsyncGenerator<CatalogueAccount> {
  const left = [...accounts];
  let part = emptyPart(left.shift()!);
  for await (const { accountId, kind, source, bytes } of keptSources(db, accounts)) {
    while (part.account.id !== accountId) {
      yield part.account;
      part = emptyPart(left.shift()!);
    }
    if (part.bytes > 0 && part.bytes + bytes > partBytesMax) {
      yield part.account;
      const { id, name } = part.account;
      part = emptyPart({ id, name, limits: null });
    }
    part.bytes += bytes;
    if (kind === 'measure') part.account.measures.push(source as Measure);
    else part.account.projects.push(source as Project);
  }
  yield part.account;
  for (const account of left) yield emptyPart(account).account;
}

function emptyPart({ id, name, limits }: AccountRow) {
  const measures: Measure[] = [];
  const projects: Project[] = [];
  const parsed = limits === null ? null : (JSON.parse(limits) as AccountLimits);
  return { account: { id, name, limits: parsed, measures, projects }, bytes: 0 };
}

interface KeptSourceOfAccount {
  readonly accountId: number;
  readonly kind: SourceName['kind'];
  readonly source: Measure | Project;
  readonly bytes: number;
}

async function* keptSources(db: Db, accounts: readonly AccountRow[]): AsyncGenerator<KeptSourceOfAccount> {
  const ids = accounts.map(({ id }) => id);
  let last = { account_id: 0, source_id: 0 };
  for (;;) {
    const rows = await db.read<SourceRow>(sql`
      select account_id, source_id, kind, source_key, document, ${versionsOfSource}
      from source
      where ${db.dialect.isAmong(sql`account_id`, ids, 'integer')}
        and (account_id, source_id) > (${last.account_id}, ${last.source_id})
      order by account_id, source_id
      limit ${sourcesAtOnce}`);
    if (rows.length === 0) return;
    for (const slice of slicesOf(rows)) {
      const surveys = Map.groupBy(
        await readSurveys(db, slice),
        (row) => `${row.account_id} ${row.source_id}`,
      );
      for (const row of slice) {
        const versions = surveys.get(`${row.account_id} ${row.source_id}`) ?? [];
        yield {
          accountId: row.account_id,
          kind: row.kind,
          source: {
            ...(JSON.parse(row.document) as KeptSource['document']),
            surveys: versions.map(({ document }) => JSON.parse(document) as SurveyDefinition),
          } as Measure | Project,
          bytes: versions.reduce((sum, { document }) => sum + document.length, row.document.length),
        };
      }
    }
    last = rows.at(-1)!;
  }
}
