// The console as a browser sees it: a cookie, and requests from a page of its own. Sessions are put straight into the
// store where a test is not about the sign-in itself.

import { randomBytes, randomUUID } from 'node:crypto';
import { hashPassword } from '../../src/acts/access/password-hash.ts';
import type { Role } from '../../src/domain/access/role.ts';
import { hashSecret } from '../../src/domain/access/secret.ts';
import { operatorsAccount, type PersonId, type SignInWay } from '../../src/domain/access/visitor.ts';
import { type Answer, exchange } from './exchange.ts';
import { storeRows } from './store-rows.ts';

export interface AsideOptions {
  readonly way?: SignInWay;
  readonly signedInAtMs?: number;
  readonly enteredAccountId?: number;
}

/** A session as a sign-in would make it; the cookie that holds it. */
export async function sessionAside(
  databaseUrl: string,
  person: PersonId,
  options: AsideOptions = {},
): Promise<string> {
  return (await sessionsAside(databaseUrl, [person], options))[0]!;
}

/** A session for each of them, in their order. */
export async function sessionsAside(
  databaseUrl: string,
  people: readonly PersonId[],
  { way = 'passkey', signedInAtMs = Date.now(), enteredAccountId }: AsideOptions = {},
): Promise<readonly string[]> {
  const [store] = await storeRows(databaseUrl, 'select secret_key from store');
  const secrets = people.map(() => randomBytes(32).toString('base64url'));
  const rows = people.map(({ accountId, personId }, index) => {
    const hash = hashSecret(secrets[index]!, String(store?.secret_key));
    return `(${accountId}, '${hash}', '${randomUUID()}', ${personId}, '${way}', ${enteredAccountId ?? 'null'},
      ${Date.now()}, ${signedInAtMs}, ${Date.now()}, ${Date.now() + 7 * 86_400_000})`;
  });
  await storeRows(
    databaseUrl,
    `insert into session (account_id, token_hash, id, person_id, way, entered_account_id, created_at, signed_in_at,
      used_at, ends_at)
    values ${rows.join(', ')}`,
  );
  return people.map(({ accountId }, index) => `soundings=${accountId}.${secrets[index]}`);
}

let operators = 0;

/** A new operator, and the cookie of a session. */
export async function operatorAside(
  databaseUrl: string,
  options: AsideOptions & { readonly name?: string } = {},
): Promise<string> {
  operators += 1;
  // Downwards, so that none has the number that the next one who is made by a command is given.
  const personId = 900_000_000 - operators;
  await storeRows(
    databaseUrl,
    `insert into operator (id, name, created_at) values (${personId}, '${options.name ?? `aside-${personId}`}', 1)`,
  );
  return sessionAside(databaseUrl, { accountId: operatorsAccount, personId }, options);
}

export async function grantAside(
  databaseUrl: string,
  accountId: number,
  holder: { readonly user: number | string } | { readonly group: number | string },
  role: Role,
): Promise<void> {
  const [kind, id] = 'user' in holder ? ['user', holder.user] : ['group', holder.group];
  await storeRows(
    databaseUrl,
    `insert into role_grant (account_id, holder_kind, holder_id, role, granted_at, granted_by)
    values (${accountId}, '${kind}', ${id}, '${role}', 1, 'test')`,
  );
}

/** The password of all these people, as if they had set it. */
export async function passwordAside(
  databaseUrl: string,
  people: readonly PersonId[],
  password: string,
): Promise<void> {
  const hash = await hashPassword(password);
  const rows = people.map(({ accountId, personId }) => `(${accountId}, ${personId}, '${hash}', 1)`);
  await storeRows(
    databaseUrl,
    `insert into password (account_id, person_id, hash, changed_at) values ${rows.join(', ')}`,
  );
}

/** One request as a page of the console sends it. */
export function consoleCall(
  baseUrl: string,
  method: string,
  path: string,
  options: {
    readonly cookie?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer> {
  const { cookie, body, headers = {} } = options;
  return exchange(`${baseUrl}/console/api${path}`, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The session that an answer sets, or another cookie of that name, to be sent with the next request. */
export function cookieSetBy(answer: Answer, name = 'soundings'): string | null {
  const set = [answer.headers['set-cookie'] ?? []].flat();
  return set.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? null;
}
