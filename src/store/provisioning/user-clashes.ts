// What no two users of an account may share: the userName, and the address, which is the externalId or else the id.

import sql, { empty } from 'sql-template-tag';
import { Problem } from '../../domain/problem.ts';
import type { Row, Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

export type TakenAttribute = 'userName' | 'externalId';

/** D-51: a clash names the attribute, and both where both clash. */
export function taken(attributes: readonly TakenAttribute[]): Problem {
  const sentences = {
    userName: 'Another user of the account has this userName.',
    externalId: 'Another user of the account is addressed by this externalId.',
  };
  const code = attributes.includes('userName') ? 'USER_NAME_TAKEN' : 'EXTERNAL_ID_TAKEN';
  return new Problem(code, attributes.map((attribute) => sentences[attribute]).join(' '), {
    details: attributes.map((field) => ({ field, code: 'TAKEN', message: sentences[field] })),
  });
}

/** How the audit log names a user, in front of the id. */
const subjectPrefix = 'user ';

/** What is taken, and, where an answer may have been lost, the users that these very changes have made before. */
export function* takenAmong(
  dialect: Dialect,
  accountId: number,
  nameKeys: readonly string[],
  addresses: readonly string[],
  changeIds: readonly string[] = [],
): Steps<{ names: Set<string>; addresses: Set<string>; made: Map<string, number> }> {
  const madeBefore =
    !dialect.mayLoseAnswers || changeIds.length === 0
      ? empty
      : sql`
        union all
        select subject, id
        from audit
        where account_id = ${accountId} and ${dialect.isAmong(sql`id`, changeIds, 'text')}`;
  const { rows } = yield sql`
    select 'name' as kind, user_name_key as value
    from account_user
    where account_id = ${accountId} and ${dialect.isAmong(sql`user_name_key`, nameKeys, 'text')}
    union all
    select 'address', address
    from account_user
    where account_id = ${accountId} and ${dialect.isAmong(sql`address`, addresses, 'text')}
    ${madeBefore}`;
  const of = (kind: string): Set<string> =>
    new Set((rows as Row[]).filter((row) => row.kind === kind).map((row) => row.value as string));
  const made = new Map(
    (rows as Row[])
      .filter(({ kind }) => String(kind).startsWith(subjectPrefix))
      .map(({ kind, value }) => [value as string, Number(String(kind).slice(subjectPrefix.length))]),
  );
  return { names: of('name'), addresses: of('address'), made };
}
