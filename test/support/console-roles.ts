// One person of each role in an account, and operators within it and outside of every account.

import { type Role, roles } from '../../src/domain/access/role.ts';
import { grantAside, operatorAside, sessionAside } from './console.ts';
import { addUsers } from './user-population.ts';

export const visitorKinds = ['none', ...roles, 'operator outside', 'operator inside'] as const;
export type VisitorKind = (typeof visitorKinds)[number];

export interface VisitorAside {
  /** Of a user; null for an operator. */
  readonly id: number | null;
  /** As the audit log names them. */
  readonly actor: string;
  /** A new session, whose sign-in was so long ago. */
  newCookie(signedInMsAgo?: number): Promise<string>;
}

/** Users are called `NAME-ROLE`, operators `NAME-outside` and `NAME-inside`. */
export async function visitorsAside(
  databaseUrl: string,
  accountId: number,
  name: string,
): Promise<Readonly<Record<VisitorKind, VisitorAside>>> {
  const userKinds = ['none', ...roles] as const;
  const ids = await addUsers(
    databaseUrl,
    accountId,
    userKinds.map((kind) => ({ userName: `${name}-${kind}`, externalId: `${name}-e-${kind}`, active: true })),
  );
  const found = new Map<VisitorKind, VisitorAside>();
  for (const [index, kind] of userKinds.entries()) {
    const id = ids[index]!;
    if (kind !== 'none') await grantAside(databaseUrl, accountId, { user: id }, kind as Role);
    found.set(kind, {
      id,
      actor: `user ${id}`,
      newCookie: (signedInMsAgo = 0) =>
        sessionAside(databaseUrl, { accountId, personId: id }, { signedInAtMs: Date.now() - signedInMsAgo }),
    });
  }
  for (const [kind, enteredAccountId] of [
    ['operator outside', undefined],
    ['operator inside', accountId],
  ] as const) {
    // Each session is that of another operator of the same kind.
    let made = 0;
    found.set(kind, {
      id: null,
      actor: `operator ${name}-${kind.slice('operator '.length)}-1`,
      newCookie: (signedInMsAgo = 0) => {
        made += 1;
        return operatorAside(databaseUrl, {
          name: `${name}-${kind.slice('operator '.length)}-${made}`,
          signedInAtMs: Date.now() - signedInMsAgo,
          ...(enteredAccountId === undefined ? {} : { enteredAccountId }),
        });
      },
    });
  }
  return Object.fromEntries(found) as Record<VisitorKind, VisitorAside>;
}
