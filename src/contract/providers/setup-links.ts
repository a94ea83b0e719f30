// /console/api/setup-link: the link that hands the set-up of an identity provider to whoever looks after that provider and has
// no user here. Whoever has it says who everybody is, so admins alone make one (D-601).

import { providerKinds } from '../../domain/access/provider-kind.ts';
import { setupLinkDays } from '../../domain/access/setup-link.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';

const tag = 'Identity providers';

const access = { people: 'signedIn', ability: 'manage API clients' } as const;

export const setupLinkOperations = consoleOperations({
  'POST /setup-link': {
    access,
    consumes: ['application/json'],
    body: Type.Object({
      kind: Type.Optional(Type.Enum([...providerKinds], { description: 'Of a new connection.' })),
      connection: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'A connection that is there already.' }),
      ),
      days: Type.Optional(
        Type.Integer({
          minimum: setupLinkDays.min,
          maximum: setupLinkDays.max,
          description: `How long it works; ${setupLinkDays.usual} unless given.`,
        }),
      ),
      mayChangeAdmins: Type.Optional(
        Type.Boolean({
          description:
            'Whether the token that is made by it changes users who are admin, and groups that carry admin. Not unless given.',
        }),
      ),
    }),
    document: {
      operationId: 'createSetupLink',
      summary: 'Make a set-up link',
      description:
        'It takes the place of the one before. Whoever has it can enter the connection, make a provisioning token and see what came by it, and nothing else.',
      tag,
      success: {
        status: 201,
        schema: Type.Object(
          {
            url: Type.String({
              description: 'To be handed over by a way that nobody else reads. Shown this once.',
            }),
            expiresAt: Type.String({ format: 'date-time' }),
          },
          { $id: 'NewSetupLink' },
        ),
        description: 'The link.',
      },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'DELETE /setup-link': {
    access,
    document: {
      operationId: 'endSetupLink',
      summary: 'Take the set-up link back',
      description: 'What was set up by it stays. Where there is none, nothing changes.',
      tag,
      success: done('There is none any more.'),
    },
  },
});
