// /console/api/live: whether anything moved in the account. Pages ask it every few seconds, with the tag that they have.

import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const liveSchema = Type.Object({ tag: Type.String() }, { $id: 'Live' });

export const liveOperations = consoleOperations({
  'GET /live': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'getLive',
      summary: 'Whether anything moved',
      description:
        'The tag of what the visitor sees, made of counters of the account, of its catalogue and of the visitor’s abilities. With that tag in If-None-Match the answer is 304 until something moves.',
      tag: 'Session',
      success: { status: 200, schema: liveSchema, description: 'Something moved, or no tag was sent.' },
      answerHeaders: ['ETag'],
      headers: Type.Object({ 'If-None-Match': Type.Optional(Type.String()) }),
    },
    answersUnmodified: true,
  },
});
