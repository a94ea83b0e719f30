// Which rights the role of the service lacks in its PostgreSQL database, and what grants them. Asked only after a statement was refused: a
// command that reads may have fewer rights than the service (D-857).

import sql from 'sql-template-tag';
import type { Db } from '../db.ts';

interface MissingRights {
  readonly role: string;
  /** What is missing, on what: "create on the schema public". */
  readonly rights: string;
  /** Statements for the owner of the database. */
  readonly grants: string;
}

const insufficientPrivilege = '42501';

/** Whether somebody was let in and was not allowed to do something. */
export function isRightMissing(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1)
    if ((at as { code?: unknown }).code === insufficientPrivilege) return true;
  return false;
}

const tablesNamedMax = 3;

/**
 * Null where none is found to be missing, or the store cannot be asked. Whoever serves a schema that is there needs less than whoever makes
 * its steps, so that a service may run as a role that owns nothing.
 */
export async function missingRights(db: Db, to: 'serve' | 'migrate'): Promise<MissingRights | null> {
  if (db.engine === 'sqlite') return null;
  const [place] = await db.read<{ role: string; schema: string; usage: number; making: number }>(sql`
    with place as (
      select coalesce(current_schema(), 'public') as schema
    )
    select current_user as role,
      schema,
      has_schema_privilege(schema, 'usage') as usage,
      has_schema_privilege(schema, 'create') as making
    from place`);
  if (place === undefined) return null;
  const { role, schema } = place;
  const tables = await db.read<{ name: string; owner: string; isowner: number; using: number }>(sql`
    select relname as name,
      pg_get_userbyid(relowner) as owner,
      pg_has_role(relowner, 'usage') as isowner,
      has_table_privilege(pg_class.oid, 'select') and has_table_privilege(pg_class.oid, 'insert')
        and has_table_privilege(pg_class.oid, 'update') and has_table_privilege(pg_class.oid, 'delete') as using
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and relkind in ('r', 'p')
    order by relname
    limit 1000`);
  const rights: string[] = [];
  const grants: string[] = [];
  if (!place.usage || (to === 'migrate' && !place.making)) {
    const wanted = to === 'migrate' ? ['usage', 'create'] : ['usage'];
    rights.push(`${wanted.join(' and ')} on the schema ${schema}`);
    grants.push(`grant ${wanted.join(', ')} on schema ${quoted(schema)} to ${quoted(role)};`);
  }
  const unusable = tables.filter(({ using }) => !using);
  if (unusable.length > 0) {
    rights.push(`select, insert, update and delete on ${tablesInWords(unusable.map(({ name }) => name))}`);
    grants.push(
      `grant select, insert, update, delete on all tables in schema ${quoted(schema)} to ${quoted(role)};`,
    );
  }
  // Only the owner of a table changes it, as steps of the schema do.
  const foreign = to === 'migrate' ? tables.filter(({ isowner }) => !isowner) : [];
  if (foreign.length > 0) {
    rights.push(`ownership of ${tablesInWords(foreign.map(({ name }) => name))}`);
    for (const owner of new Set(foreign.map((table) => table.owner)))
      grants.push(`grant ${quoted(owner)} to ${quoted(role)};`);
  }
  return rights.length === 0 ? null : { role, rights: rights.join('; '), grants: grants.join(' ') };
}

/** Where the database lets nobody in who could ask. */
export function rightToConnect(database: string, role: string): MissingRights {
  return {
    role,
    rights: `connect on the database ${database}`,
    grants: `grant connect on database ${quoted(database)} to ${quoted(role)};`,
  };
}

function tablesInWords(names: readonly string[]): string {
  const named = names.slice(0, tablesNamedMax).join(', ');
  const more = names.length - tablesNamedMax;
  return `the table${names.length === 1 ? '' : 's'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
