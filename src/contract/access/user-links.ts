// One-time links for users: an invitation of somebody new, and a new way in for somebody who is there.

import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { userIdParams } from './user-of-path.ts';

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description }));

const linkMembers = {
  url: Type.String({
    description: 'To be handed to the person by a way that nobody else reads. Shown this once.',
  }),
  expiresAt: Type.String({ format: 'date-time' }),
};

export const userLinkOperations = consoleOperations({
  'POST /users/invite': {
    access: { people: 'signedIn', ability: 'manage users' },
    consumes: ['application/json'],
    body: Type.Object({
      userName: Type.String({ minLength: 1, maxLength: 1_000 }),
      externalId: text('By which an identity provider will know them, if one is connected later.'),
      givenName: text('Their first name.'),
      familyName: text('Their last name.'),
      email: text('Where to write to them. Nothing is sent.'),
    }),
    document: {
      operationId: 'inviteUser',
      summary: 'Invite a user',
      description:
        'Creates the user as an identity provider would, with a link that signs them in once, within 7 days.',
      tag: 'Users',
      success: {
        status: 200,
        schema: Type.Object(
          { id: Type.String({ description: 'The internal id.' }), ...linkMembers },
          { $id: 'InvitedUser' },
        ),
        description: 'The user is there.',
      },
    },
    refusals: ['CONFLICT'],
  },
  'POST /users/:id/link': {
    access: { people: 'signedIn', ability: 'manage users' },
    params: userIdParams,
    document: {
      operationId: 'createUserLink',
      summary: 'Make a link that signs a user in once',
      description:
        'For somebody who has lost their passkey or password; it works for 24 hours and ends the link before it. That of an admin is made by an admin or an operator.',
      tag: 'Users',
      success: {
        status: 200,
        schema: Type.Object(linkMembers, { $id: 'UserLink' }),
        description: 'The link.',
      },
    },
    refusals: ['USER_NOT_FOUND', 'CONFLICT'],
  },
});
