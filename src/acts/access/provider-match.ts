// Which user of the account an identity provider speaks of: the one whose externalId is the claim of the connection, to the
// letter. Nobody is found by mail or name; those only help an administrator to see what did not match (D-353).

import type { IDToken } from 'openid-client';
import { auditNote } from '../../domain/access/audit-note.ts';
import { fold } from '../../domain/fold.ts';
import type { User } from '../../domain/provisioning/user.ts';
import type { Connection } from '../../store/access/connections.ts';
import type { Db } from '../../store/engine/db.ts';
import { connectionOfUser } from '../../store/people/user-connections.ts';
import { findUser, findUserByNameKey } from '../../store/provisioning/user-lookup.ts';
import { SignInRefused } from './provider-refusal.ts';

export async function userOfClaim(
  db: Db,
  connection: Connection,
  subject: string,
  claims: IDToken,
): Promise<User> {
  const { accountId, id: connectionId, subjectClaim } = connection;
  const user = await findUser(db, accountId, { by: 'address', address: subject });
  // The address of a user without an externalId is the internal id, which no provider may speak of.
  if (user === null || user.profile.externalId !== subject)
    throw await nobody(db, connection, subject, claims);
  if (!user.profile.active)
    throw new SignInRefused('noMatch', auditNote('userSuspended', { claim: subjectClaim, user: user.id }), {
      code: 'suspended',
      userId: user.id,
    });
  const belongsTo = await connectionOfUser(db, accountId, user.id);
  if (belongsTo !== null && belongsTo !== connectionId)
    throw new SignInRefused(
      'otherConnection',
      auditNote('userOfOtherConnection', { user: user.id, connection: belongsTo }),
      { code: 'otherConnection', userId: user.id },
    );
  return user;
}

/** What an administrator needs to know: somebody of that name is there, but cannot be the one. */
async function nobody(
  db: Db,
  { accountId, subjectClaim }: Connection,
  subject: string,
  claims: IDToken,
): Promise<SignInRefused> {
  for (const name of ['preferred_username', 'upn', 'email']) {
    const value = claims[name];
    if (typeof value !== 'string' || value.length > 1_000) continue;
    const user = await findUserByNameKey(db, accountId, fold(value));
    if (user === null) continue;
    const { externalId } = user.profile;
    const { id: userId } = user;
    const near = { claim: subjectClaim, user: userId, nameClaim: name };
    if (externalId === undefined)
      return new SignInRefused('noExternalId', auditNote('noExternalId', near), {
        code: 'noExternalId',
        userId,
      });
    const isCase = externalId.toLowerCase() === subject.toLowerCase();
    return new SignInRefused('noMatch', auditNote(isCase ? 'otherCase' : 'otherExternalId', near), {
      code: isCase ? 'otherCase' : 'otherExternalId',
      userId,
    });
  }
  return new SignInRefused('noMatch', auditNote('noUser', { claim: subjectClaim }), {
    code: 'noUser',
    userId: null,
  });
}
