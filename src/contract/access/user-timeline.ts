// /console/api/users/:id/timeline: what was done to a user, by whom, and what an identity provider asked for and did not get.

import { consoleOperations } from '../operation.ts';
import { pageQuery, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';
import { entrySchema } from './audit-log.ts';
import { userIdParams } from './user-of-path.ts';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const timelineSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    id: Type.String({ description: 'Of the change, or of the request where nothing was changed.' }),
    change: Type.Union([entrySchema, Type.Null()], {
      description: 'Null where a provider asked for something and nothing was changed.',
    }),
    group: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          displayName: orNull('Null for a group that is gone.'),
          joined: Type.Boolean({ description: 'False where the user left it.' }),
        }),
        Type.Null(),
      ],
      { description: 'The group that the user joined or left.' },
    ),
    request: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          who: orNull('The name of the token or the API client.'),
          method: Type.String(),
          status: Type.Integer(),
          understood: orNull('What was asked for, as it was read.'),
          changed: orNull('What it changed.'),
          refused: orNull('Why it was refused.'),
        }),
        Type.Null(),
      ],
      { description: 'What the provider asked for; known for a week at most.' },
    ),
  },
  { $id: 'TimelineEntry' },
);

export const userTimelineOperations = consoleOperations({
  'GET /users/:id/timeline': {
    access: { people: 'signedIn', ability: 'manage users' },
    params: userIdParams,
    query: pageQuery,
    document: {
      operationId: 'getUserTimeline',
      summary: 'What was done to a user',
      description:
        'The newest first: changes by identity providers and by people, sign-ins, groups that they joined and left, and what a provider asked for in vain. A page may hold fewer than asked for, even none, and still have a next one.',
      tag: 'Users',
      success: {
        status: 200,
        schema: pageSchema(timelineSchema, 'UserTimeline'),
        description: 'A page of it.',
      },
    },
    refusals: ['USER_NOT_FOUND'],
  },
});
