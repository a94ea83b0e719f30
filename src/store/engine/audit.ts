// Who changed what, when and from where. Written in the transaction of the change itself; audit-log.ts reads it.

import sql, { empty, type Sql } from 'sql-template-tag';
import type { AuditNote } from '../../domain/access/audit-note.ts';
import type { CodedSubject } from '../../domain/access/audit-subject.ts';
import { insertInto, type ManyRows } from './db.ts';

/** What every change carries: its own id, when it is made, by whom, and from where. */
export interface ChangeStamp {
  /** How a commit whose answer was lost is found again. */
  readonly changeId: string;
  readonly nowMs: number;
  /** The API client, the provisioning token, or the command line. */
  readonly actor: string;
  /** Of the HTTP request that asked for it. */
  readonly requestId?: string;
  /** The address that the request came from, or the person and the machine of the command line. */
  readonly origin?: string;
}

/** Who acts when an operator types a command. */
export const commandLine = 'command line';

/** What of the subject changed: names and ids, never values. */
export interface AuditDetails extends Partial<AuditNote>, Partial<CodedSubject> {
  readonly attributes?: readonly string[];
  readonly joined?: ChangedMembers | undefined;
  readonly left?: ChangedMembers | undefined;
}

/** As they are read: a release of before has kept a sentence, which is shown as it is. */
export interface KeptAuditDetails extends AuditDetails {
  readonly note?: string;
}

/** Members of a group: how many in all, and the ids of the first of them. */
export interface ChangedMembers {
  readonly count: number;
  readonly ids: readonly number[];
}

/** So many attributes and members are named; of members the count tells the rest. */
export const namedMax = 20;

export interface AuditSubject {
  /** Null for what concerns the whole store. */
  readonly accountId: number | null;
  readonly action: string;
  readonly subject: string;
  readonly details?: AuditDetails;
  /** How many people it says were invited. */
  readonly invited?: number;
}

// A key may not hold a null, so the store itself is account 0, which no account can be.
export const wholeStore = 0;

export function auditStatement(stamp: ChangeStamp, about: AuditSubject): Sql {
  const { changeId, nowMs, actor, requestId = null, origin = null } = stamp;
  const { accountId, action, subject, invited } = about;
  // Some commands write into a store of the release before, which has no such column.
  const [name, value] = invited === undefined ? [empty, empty] : [sql`, invited`, sql`, ${invited}`];
  return sql`
    insert into audit (account_id, id, at, actor, action, subject, request_id, origin, details${name})
    values (${accountId ?? wholeStore}, ${changeId}, ${nowMs}, ${actor}, ${action}, ${subject}, ${requestId}, ${origin},
      ${detailsText(about)}${value})`;
}

/** The same for many changes at once. */
export function auditRows(entries: readonly (readonly [ChangeStamp, AuditSubject])[]): ManyRows {
  return insertInto('audit', entries, {
    account_id: ['integer', ([, { accountId }]) => accountId ?? wholeStore],
    id: ['text', ([{ changeId }]) => changeId],
    at: ['integer', ([{ nowMs }]) => nowMs],
    actor: ['text', ([{ actor }]) => actor],
    action: ['text', ([, { action }]) => action],
    subject: ['text', ([, { subject }]) => subject],
    request_id: ['text', ([{ requestId }]) => requestId ?? null],
    origin: ['text', ([{ origin }]) => origin ?? null],
    details: ['text', ([, about]) => detailsText(about)],
  });
}

function detailsText({ details }: AuditSubject): string | null {
  return details === undefined || isEmpty(details) ? null : JSON.stringify(details);
}

function isEmpty({ attributes = [], joined, left, noteCode, subjectCode }: AuditDetails): boolean {
  return (
    attributes.length === 0 && [joined, left, noteCode, subjectCode].every((member) => member === undefined)
  );
}

/** The members of a group who joined or left, as far as they are named; undefined where there are none. */
export function changedMembers(count: number, ids: readonly number[]): ChangedMembers | undefined {
  return count === 0 ? undefined : { count, ids: ids.slice(0, namedMax) };
}
