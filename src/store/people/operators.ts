// Operators of the store: few, local, never provisioned. They are never deleted, so that the audit log can name them;
// a disabled one cannot sign in by any way.

import sql from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { operatorsAccount } from '../../domain/access/visitor.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { insertLink } from './one-time-links.ts';

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly createdAtMs: number;
  /** Null while they may sign in. */
  readonly disabledAtMs: number | null;
}

export interface ListedOperator extends Operator {
  readonly passkeys: number;
  readonly hasPassword: boolean;
  /** When a session of theirs was last used, of those that are still there. */
  readonly usedAtMs: number | null;
}

// Nobody has so many; whoever makes them by mistake sees the first.
const listedMax = 1_000;

const columns = sql`operator.id, operator.name, operator.created_at as "createdAtMs",
  operator.disabled_at as "disabledAtMs"`;

/** In the order in which they were made. */
export async function listOperators(db: Db): Promise<readonly ListedOperator[]> {
  const rows = await db.read<Operator & { passkeys: number; passwords: number; usedAtMs: number | null }>(sql`
    select ${columns},
      (select count(*) from passkey
        where passkey.account_id = ${operatorsAccount} and passkey.person_id = operator.id) as passkeys,
      (select count(*) from password
        where password.account_id = ${operatorsAccount} and password.person_id = operator.id) as passwords,
      (select max(used_at) from session
        where session.account_id = ${operatorsAccount} and session.person_id = operator.id) as "usedAtMs"
    from operator
    order by operator.id
    limit ${limitOf(listedMax)}`);
  return rows.map(({ passwords, ...operator }) => ({ ...operator, hasPassword: passwords > 0 }));
}

/** Disabled ones too; whoever lets somebody in looks at that. */
export async function findOperatorByName(db: Db, name: string): Promise<Operator | null> {
  const [row] = await db.read<Operator>(sql`select ${columns} from operator where name = ${name}`);
  return row ?? null;
}

/** What a link of an operator is made of. */
interface OperatorLink {
  readonly codeHash: string;
  readonly expiresAtMs: number;
}

export interface CreateOperator extends ChangeStamp, OperatorLink {
  readonly name: string;
}

/** With their first link. Null where the name is taken. */
export function* createOperator(input: CreateOperator): Steps<number | null> {
  const { rows } = yield sql`select id from operator where name = ${input.name}`;
  if (rows.length > 0) return null;
  const personId = yield* insertOperator(input);
  yield* linkOf(personId, input);
  return personId;
}

function* insertOperator(input: CreateOperator): Steps<number> {
  const { rows } = yield sql`select coalesce(max(id), 0) + 1 as next from operator`;
  const id = Number(rows[0]?.next);
  yield sql`
    insert into operator (id, name, created_at, disabled_at)
    values (${id}, ${input.name}, ${input.nowMs}, null)`;
  yield auditStatement(input, {
    accountId: null,
    action: 'operator.create',
    subject: `operator ${input.name}`,
    details: auditNote('linkOfNewOperator', { until: new Date(input.expiresAtMs).toISOString() }),
  });
  return id;
}

function* linkOf(personId: number, { codeHash, expiresAtMs, nowMs }: CreateOperator): Steps<void> {
  const link = { accountId: operatorsAccount, personId, codeHash, expiresAtMs, admitsAdmin: true } as const;
  yield* insertLink({ ...link, purpose: 'operator' }, nowMs);
}

/** What a start shows: the name of the operator whose link it is, or null where no link is due. */
export type StartLink = { readonly name: string } | null;

/**
 * The link that a start prints, only while no operator has anything to sign in with: for the first who is not disabled,
 * who is made where there was never any (D-323).
 */
export function* createStartLink(input: CreateOperator): Steps<StartLink> {
  const credentials = yield sql`
    select person_id from passkey where account_id = ${operatorsAccount}
    union all
    select person_id from password where account_id = ${operatorsAccount}
    limit 1`;
  if (credentials.rows.length > 0) return null;
  const { rows } =
    yield sql`select id, name, disabled_at from operator order by id limit ${limitOf(listedMax)}`;
  if (rows.length === 0) {
    yield* linkOf(yield* insertOperator(input), input);
    return { name: input.name };
  }
  const first = rows.find(({ disabled_at }) => disabled_at === null);
  if (first === undefined) return null;
  const name = String(first.name);
  yield* linkOf(Number(first.id), input);
  yield auditStatement(input, {
    accountId: null,
    action: 'link.create',
    subject: `operator ${name}`,
    details: auditNote('linkOfStart', { until: new Date(input.expiresAtMs).toISOString() }),
  });
  return { name };
}

export type Disabling = 'disabled' | 'disabled before' | 'unknown';

/** Their sessions and their link end with it. */
export function* disableOperator(input: ChangeStamp & { readonly name: string }): Steps<Disabling> {
  const { rows } = yield sql`select id, disabled_at from operator where name = ${input.name}`;
  const [operator] = rows;
  if (operator === undefined) return 'unknown';
  if (operator.disabled_at !== null) return 'disabled before';
  const id = Number(operator.id);
  yield sql`update operator set disabled_at = ${input.nowMs} where id = ${id}`;
  yield sql`delete from one_time_link where account_id = ${operatorsAccount} and person_id = ${id}`;
  const { changed } =
    yield sql`delete from session where account_id = ${operatorsAccount} and person_id = ${id}`;
  yield auditStatement(input, {
    accountId: null,
    action: 'operator.disable',
    subject: `operator ${input.name}`,
    details: auditNote('sessionsEnded', { count: changed }),
  });
  return 'disabled';
}
