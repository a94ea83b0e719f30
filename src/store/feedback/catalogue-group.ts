// What changes in the catalogue, in one transaction and in sets: a handful of statements for hundreds of measures, projects
// and versions (D-211).

import sql from 'sql-template-tag';
import type { CatalogueChange, SourceName } from '../../domain/feedback/catalogue-change.ts';
import type {
  CatalogueAccount,
  Measure,
  Project,
  SurveyDefinition,
} from '../../domain/feedback/definition.ts';
import type { PageNameChange } from '../../domain/feedback/page-names.ts';
import { Problem } from '../../domain/problem.ts';
import { keepConnections } from '../access/catalogue-connections.ts';
import { type AuditDetails, auditRows, type ChangeStamp, namedMax } from '../engine/audit.ts';
import { type Db, insertInto, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { keepWebhooks } from '../webhooks/webhooks.ts';
import {
  andOneAccount,
  columnOfRetainDays,
  nameText,
  type SurveyName,
  sourceKey,
  usedVersions,
} from './catalogue-rows.ts';
import type { KeptGroup, KeptSource } from './kept-catalogue.ts';
import { keepPageNames, type PageNameChanges, type TakenName } from './page-names.ts';

const countedTables = ['source', 'survey', 'survey_owner', 'log_counter'];

/**
 * The server counts the rows of its tables by itself, but a minute later, and until then it takes an account that came with
 * thousands of measures for one that has hardly any: it read all of them for one (D-751). It only makes things quicker, so a
 * server that cannot do it now holds nothing up.
 */
export async function countCatalogueAnew(db: Db): Promise<void> {
  const statement = db.dialect.countAnew(countedTables);
  if (statement === null) return;
  try {
    await db.read(statement);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** What changes in one transaction. Everything is numbered beforehand: the generation says that nobody else added to it. */
export interface CatalogueGroup extends ChangeStamp, PageNameChanges {
  readonly generation: number;
  readonly accounts: readonly Pick<
    CatalogueAccount,
    'id' | 'name' | 'limits' | 'retainDays' | 'insight' | 'webhooks' | 'connections'
  >[];
  readonly sources: readonly SourceChange[];
  readonly surveys: readonly SurveyChange[];
  /** Versions that are rewritten because they had no responses; they must have none still. */
  readonly mustBeUnused: readonly SurveyName[];
  readonly accountIds: readonly number[];
  /** Of the audit log, where it is a single measure or project that somebody changes: then what changed is named too. */
  readonly subject?: string;
  /** Who has claimed the turn for it; null where nobody did. */
  readonly publisher: string | null;
}

interface SourceChange extends SourceName {
  readonly sourceId: number;
  readonly document: string;
  readonly retainDays: number | null;
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

/** What has to be written for these changes of a group that was compared with `kept`. */
export function groupOf(
  kept: KeptGroup,
  changes: readonly CatalogueChange[],
): Omit<CatalogueGroup, keyof ChangeStamp | 'publisher'> {
  const accounts: CatalogueGroup['accounts'][number][] = [];
  const sources: SourceChange[] = [];
  const surveys: SurveyChange[] = [];
  const mustBeUnused: SurveyName[] = [];
  const freedNames: string[] = [];
  const takenNames: TakenName[] = [];
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
    if (change.kind === 'project') keepPageName(change.source, change.pageName);
  }
  const { generation } = kept;
  return {
    generation,
    accounts,
    sources,
    surveys,
    mustBeUnused,
    freedNames,
    takenNames,
    accountIds: [...accountIds],
  };

  function keepPageName({ accountId, key }: SourceName, { frees, takes }: PageNameChange): void {
    freedNames.push(...frees);
    if (takes !== null) takenNames.push({ name: takes, accountId, projectId: key });
  }

  function keepSource(
    name: SourceName,
    { surveys: _, retainDays, ...document }: Measure | Project,
    isNew: boolean,
  ): void {
    if (isNew) {
      const sourceId = (lastSourceIds.get(name.accountId) ?? 0) + 1;
      lastSourceIds.set(name.accountId, sourceId);
      newSourceIds.set(nameText(name), sourceId);
    }
    sources.push({
      ...name,
      sourceId: sourceIdOf(name),
      document: JSON.stringify(document),
      retainDays: columnOfRetainDays(retainDays),
      isNew,
    });
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

interface TurnClaim {
  readonly publisher: string;
  readonly nowMs: number;
}

// Longer than a comparison takes; whoever died with it stops nobody for longer.
const turnMs = 5_000;

/** Whoever came too late several times is next: until then nobody else changes the catalogue (D-770). */
export function* claimCatalogueTurn({ publisher, nowMs }: TurnClaim): Steps<void> {
  yield sql`
    insert into lease (name, holder, until)
    values ('catalogue', ${publisher}, ${nowMs + turnMs})
    on conflict (name) do update
    set holder = excluded.holder, until = excluded.until
    where lease.until <= ${nowMs} or lease.holder = excluded.holder`;
}

/** Everything or nothing; false when it is somebody else's turn, or somebody else's change came in between and the comparison is stale (D-47). */
export function* applyCatalogue(group: CatalogueGroup, dialect: Dialect): Steps<boolean> {
  const { generation, publisher, nowMs, sources, surveys } = group;
  const turn = yield sql`
    update catalogue_generation
    set generation = generation + 1
    where id = 1
      and generation = ${generation}
      and not exists (
        select 1 from lease where name = 'catalogue' and holder <> ${publisher ?? ''} and until > ${nowMs}
      )`;
  if (turn.changed !== 1) return false;
  if (publisher !== null) yield sql`delete from lease where name = 'catalogue' and holder = ${publisher}`;
  yield* keepAccounts(group, dialect);
  const newSources = sources.filter(({ isNew }) => isNew);
  const newSurveys = surveys.filter(({ isNew }) => isNew);
  if (sources.length > 0)
    yield insertInto(
      'source',
      sources,
      {
        account_id: ['integer', (one) => one.accountId],
        source_id: ['integer', (one) => one.sourceId],
        kind: ['text', (one) => one.kind],
        source_key: ['integer', (one) => one.key],
        document: ['text', (one) => one.document],
        created_at: ['integer', () => nowMs],
        retain_days: ['integer', (one) => one.retainDays],
      },
      'on conflict (account_id, source_id) do update set document = excluded.document, retain_days = excluded.retain_days',
    );
  if (newSources.length > 0)
    yield insertInto('log_counter', newSources, {
      account_id: ['integer', ({ accountId }) => accountId],
      source_id: ['integer', ({ sourceId }) => sourceId],
      last_seq: ['integer', () => 0],
      revision: ['integer', () => 1],
    });
  if (newSurveys.length > 0)
    yield insertInto('survey_owner', newSurveys, {
      survey_id: ['text', ({ surveyId }) => surveyId],
      account_id: ['integer', ({ accountId }) => accountId],
    });
  yield* keepPageNames(group, dialect);
  if (surveys.length > 0)
    yield insertInto(
      'survey',
      surveys,
      {
        account_id: ['integer', (one) => one.accountId],
        survey_id: ['text', (one) => one.surveyId],
        source_id: ['integer', (one) => one.sourceId],
        survey_no: ['integer', (one) => one.number],
        document: ['text', (one) => one.document],
      },
      'on conflict (account_id, survey_id) do update set document = excluded.document',
    );
  yield auditRows(
    group.accountIds.map((accountId) => [
      group,
      group.subject === undefined
        ? { accountId, action: 'catalogue.apply', subject: `account ${accountId}` }
        : { accountId, action: 'catalogue.apply', subject: group.subject, details: detailsOf(group) },
    ]),
  );
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

function detailsOf({ surveys }: CatalogueGroup): AuditDetails {
  return { attributes: surveys.slice(0, namedMax).map(({ surveyId }) => `survey ${surveyId}`) };
}

function* keepAccounts(group: CatalogueGroup, dialect: Dialect): Steps<void> {
  const { accounts, nowMs } = group;
  if (accounts.length > 0)
    yield insertInto(
      'account',
      accounts,
      {
        id: ['integer', ({ id }) => id],
        name: ['text', ({ name }) => name],
        created_at: ['integer', () => nowMs],
        limits: ['text', ({ limits }) => (limits ? JSON.stringify(limits) : null)],
        retain_days: ['integer', ({ retainDays }) => retainDays ?? null],
        insight_minimum: ['integer', ({ insight }) => insight?.minimum ?? 1],
      },
      `on conflict (id) do update
        set name = excluded.name, limits = excluded.limits, retain_days = excluded.retain_days,
          insight_minimum = excluded.insight_minimum`,
    );
  for (const { id, webhooks = [], connections = [] } of accounts) {
    yield* keepWebhooks(group, id, webhooks);
    yield* keepConnections(group, id, connections);
  }
  const retaining = retainingAccounts(group);
  if (retaining.length > 0)
    yield sql`
      update account
      set has_retention = 1
      where has_retention is null and ${dialect.isAmong(sql`id`, retaining, 'integer')}`;
}

/** The accounts that say in some place how long they keep what was said. Only these are looked through (retention.ts). */
function retainingAccounts({ accounts, sources }: CatalogueGroup): readonly number[] {
  const ofAccounts = accounts.flatMap(({ id, retainDays }) => (retainDays ? [id] : []));
  const ofSources = sources.flatMap(({ accountId, retainDays }) => (retainDays ? [accountId] : []));
  return [...new Set([...ofAccounts, ...ofSources])];
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
      select log_counter.account_id, log_counter.source_id
      from ${dialect.rowsWithKeys({ table: 'log_counter', key: sourceKey, keys })}
    )
    ${andOneAccount(sql`account_id`, named)}`;
}

function* isUsed(dialect: Dialect, { mustBeUnused }: CatalogueGroup): Steps<boolean> {
  if (mustBeUnused.length === 0) return false;
  const used = yield sql`
    select survey_used.survey_id
    from ${usedVersions(dialect, mustBeUnused)}
    limit 1`;
  return used.rows.length > 0;
}
