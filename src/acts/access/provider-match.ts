// Which user of the account an identity provider speaks of: the one whose externalId is the claim of the connection, to the
// letter. Nobody is found by mail or name; those only help an administrator to see what did not match (D-353).

import type { IDToken } from 'openid-client';
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
    throw new SignInRefused('noMatch', `the claim ${subjectClaim} is of user ${user.id}, who is suspended`, {
      code: 'suspended',
      userId: user.id,
    });
  const belongsTo = await connectionOfUser(db, accountId, user.id);
  if (belongsTo !== null && belongsTo !== connectionId)
    throw new SignInRefused(
      'otherConnection',
      `user ${user.id} belongs to the connection ${belongsTo}; "soundings connection assign" changes that`,
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
  const plain = `the claim ${subjectClaim} is the externalId of no user of the account`;
  for (const name of ['preferred_username', 'upn', 'email']) {
    const value = claims[name];
    if (typeof value !== 'string' || value.length > 1_000) continue;
    const user = await findUserByNameKey(db, accountId, fold(value));
    if (user === null) continue;
    const { externalId } = user.profile;
    const who = `user ${user.id}, whose userName is the claim ${name},`;
    const { id: userId } = user;
    if (externalId === undefined)
      return new SignInRefused('noExternalId', `${plain}; ${who} has no externalId`, {
        code: 'noExternalId',
        userId,
      });
    const isCase = externalId.toLowerCase() === subject.toLowerCase();
    return new SignInRefused(
      'noMatch',
      `${plain}; ${who} has ${isCase ? 'it in another case' : 'another externalId'}`,
      { code: isCase ? 'otherCase' : 'otherExternalId', userId },
    );
  }
  return new SignInRefused('noMatch', plain, { code: 'noUser', userId: null });
}
