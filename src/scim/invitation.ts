// Somebody who is invited becomes a user in the same way as one whom a provider creates: the few things that are asked of
// them are a body of the standard, and are judged as one.

import type { UserDraft } from '../domain/provisioning/user.ts';
import { standardFace } from './faces.ts';
import { userSchema } from './urns.ts';

export interface Invitation {
  readonly userName: string;
  readonly externalId?: string | undefined;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly email?: string | undefined;
}

export function draftOfInvitation(invitation: Invitation): UserDraft {
  const { userName, externalId, givenName, familyName, email } = invitation;
  const name = {
    ...(givenName !== undefined && { givenName }),
    ...(familyName !== undefined && { familyName }),
  };
  return standardFace.readDraft({
    schemas: [userSchema],
    userName,
    ...(externalId !== undefined && { externalId }),
    ...(Object.keys(name).length > 0 && { name }),
    ...(email !== undefined && { emails: [{ value: email, type: 'work', primary: true }] }),
  });
}
