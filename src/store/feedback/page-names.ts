// The names under /s/: ids of surveys and site keys of projects, unique together in the whole store (D-420). What a survey id
// leads to stands in `survey_owner`; this is about the site keys, and about both where one name is asked for.

import sql, { empty, type Sql } from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { Catalogue } from '../../domain/feedback/definition.ts';
import type { KeptPageNames, PageProject } from '../../domain/feedback/page-names.ts';
import { type Db, insertInto, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { askedTogether } from './catalogue-rows.ts';

/** What a name under /s/ leads to: the survey with this id, or the current version of a project. */
export type PageTarget = { readonly project: null } | { readonly project: SourceName };

/** The id of a survey comes first; what was there before names were unique may have both (D-420). */
export async function findPageTarget(db: Db, name: string): Promise<PageTarget | null> {
  const [found] = await db.read<{ account_id: number; project_id: number | null }>(sql`
    select account_id, cast(null as bigint) as project_id, 1 as place
    from survey_owner
    where survey_id = ${name}
    union all
    select account_id, project_id, 2 as place
    from page_name
    where name = ${name}
    order by 3
    limit 1`);
  if (found === undefined) return null;
  const { account_id: accountId, project_id: key } = found;
  return { project: key === null ? null : { accountId, kind: 'project', key } };
}

interface PageNameRow {
  readonly name: string;
  readonly account_id: number;
  readonly project_id: number;
}

/** What `soundings apply` has to know of the names that a group of the file wants, and of those that its projects have. */
export async function keptPageNames(db: Db, { accounts }: Catalogue): Promise<KeptPageNames> {
  const siteKeys = new Set<string>();
  const surveyIds = new Set<string>();
  const projects: [number, number][] = [];
  for (const account of accounts) {
    for (const { id, siteKey } of account.projects) {
      projects.push([account.id, id]);
      if (siteKey !== '') siteKeys.add(siteKey);
    }
    for (const { surveys } of [...account.measures, ...account.projects])
      for (const { id } of surveys) surveyIds.add(id);
  }
  const holders = new Map<string, PageProject>();
  const keep = (rows: readonly PageNameRow[]): void => {
    for (const { name, account_id: accountId, project_id: projectId } of rows)
      holders.set(name, { accountId, projectId });
  };
  const names = [...new Set([...siteKeys, ...surveyIds])];
  if (names.length > 0)
    keep(
      await db.read<PageNameRow>(sql`
        select name, account_id, project_id
        from page_name
        where ${db.dialect.isAmong(sql`name`, names, 'text')}
        order by name`),
    );
  if (projects.length > 0)
    keep(
      await db.read<PageNameRow>(sql`
        select page_name.name, page_name.account_id, page_name.project_id
        from ${db.dialect.rowsWithKeys({
          table: 'page_name',
          key: [
            ['account_id', 'integer'],
            ['project_id', 'integer'],
          ],
          keys: projects,
        })}
        order by 1`),
    );
  const inGroup = new Set(projects.map(([accountId, projectId]) => `${accountId} ${projectId}`));
  const others = [...holders].filter(
    ([, { accountId, projectId }]) => !inGroup.has(`${accountId} ${projectId}`),
  );
  return {
    holders,
    surveyIds: await surveyIdsAmong(db, [...siteKeys]),
    stale: await staleNames(db, others),
  };
}

interface SiteKeyRow {
  readonly account_id: number;
  readonly source_key: number;
  readonly document: string;
}

/** Of these names: those whose project is gone or has another site key by now. */
async function staleNames(
  db: Db,
  held: readonly (readonly [name: string, holder: PageProject])[],
): Promise<ReadonlySet<string>> {
  if (held.length === 0) return new Set();
  const holders = held.map(([, holder]) => holder);
  const rows: SiteKeyRow[] = [];
  for (const some of askedTogether(db.dialect, holders, ({ accountId }) => accountId))
    rows.push(
      ...(await db.read<SiteKeyRow>(sql`
        select source.account_id, source.source_key, document
        from ${db.dialect.rowsWithKeys({
          table: 'source',
          key: [
            ['account_id', 'integer'],
            ['kind', 'text'],
            ['source_key', 'integer'],
          ],
          keys: some.map(({ accountId, projectId }) => [accountId, 'project', projectId]),
        })}
        order by 1, 2`)),
    );
  const siteKeys = new Map(
    rows.map((row) => [
      `${row.account_id} ${row.source_key}`,
      (JSON.parse(row.document) as { siteKey: string }).siteKey,
    ]),
  );
  return new Set(
    held.flatMap(([name, { accountId, projectId }]) =>
      siteKeys.get(`${accountId} ${projectId}`) === name ? [] : [name],
    ),
  );
}

/** Of these names: those that are ids of surveys, also of surveys that were removed. */
async function surveyIdsAmong(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const rows = await db.read<{ survey_id: string }>(sql`
    select survey_id
    from survey_owner
    where ${db.dialect.isAmong(sql`survey_id`, names, 'text')}
    order by survey_id`);
  return new Set(rows.map(({ survey_id: id }) => id));
}

export interface PageNameChanges {
  /** Names that their projects give up. */
  readonly freedNames: readonly string[];
  readonly takenNames: readonly TakenName[];
}

export interface TakenName extends PageProject {
  readonly name: string;
}

/** A project that goes frees its name; all projects of an account where none is named. */
export function freePageNames(accountId: number, projectId: number | null): Sql {
  const ofProject = projectId === null ? empty : sql`and project_id = ${projectId}`;
  return sql`delete from page_name where account_id = ${accountId} ${ofProject}`;
}

/** First what is freed: a name may go from one project to another in one file. */
export function* keepPageNames({ freedNames, takenNames }: PageNameChanges, dialect: Dialect): Steps<void> {
  if (freedNames.length > 0)
    yield sql`delete from page_name where ${dialect.isAmong(sql`name`, freedNames, 'text')}`;
  if (takenNames.length > 0)
    yield insertInto('page_name', takenNames, {
      name: ['text', ({ name }) => name],
      account_id: ['integer', ({ accountId }) => accountId],
      project_id: ['integer', ({ projectId }) => projectId],
    });
}
