// /console/api/access-token: a token for fifteen minutes, with which whoever is signed in tries the interface by hand.

import { abilitiesWithToken } from '../../domain/access/role.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const tokenSchema = Type.Object(
  {
    token: Type.String({ description: 'For the header Authorization: Bearer.' }),
    expires: Type.String({ format: 'date-time' }),
    grants: Type.Array(Type.String(), { description: 'What it opens under /v1.' }),
  },
  { $id: 'PersonToken' },
);

export const personalTokenOperations = consoleOperations({
  'POST /access-token': {
    access: { people: 'signedIn', ability: abilitiesWithToken },
    document: {
      operationId: 'createAccessToken',
      summary: 'A token to try the interface by hand',
      description:
        'It speaks for the person for fifteen minutes and reads what they may read. It ends with the session that it was made in, and is refused as soon as they are suspended or lose the role. Programs use an API client of their own.',
      tag: 'Session',
      success: { status: 201, schema: tokenSchema, description: 'The token, shown once.' },
    },
  },
});
