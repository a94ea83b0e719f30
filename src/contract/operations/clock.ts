// /console/api/operations/clock: a clock that has jumped, what would be deleted if it was right, and the word of an operator
// that it is (D-846).

import { endedKinds } from '../../domain/operations/ended-kind.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const moment = Type.String({ format: 'date-time' });

const clockMembers = {
  clock: Type.String({ format: 'date-time', description: 'The clock of the replica that answers.' }),
  trusted: Type.String({ format: 'date-time', description: 'What rows are deleted by.' }),
  jumpSeconds: Type.Integer({
    description: 'How far the clock is ahead of the trusted time, below 0 behind it; 0 while it is followed.',
  }),
  believedInSeconds: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How much longer the service must run until the clock is believed without a word.',
  }),
};

/** Part of the overview of operations. */
export const clockSchema = Type.Object(clockMembers);

const jumpSchema = Type.Object(
  {
    ...clockMembers,
    deletes: Type.Object(
      Object.fromEntries(endedKinds.map((kind) => [kind, Type.Integer()])) as Record<
        (typeof endedKinds)[number],
        ReturnType<typeof Type.Integer>
      >,
      { description: 'How many of each would be deleted or emptied if the clock was believed.' },
    ),
    isWhole: Type.Boolean({ description: 'False where there are more than could be counted in a moment.' }),
  },
  { $id: 'ClockJump' },
);

const tag = 'Operations';
const access = { people: 'signedIn', ability: 'operate' } as const;

export const clockOperations = consoleOperations({
  'GET /operations/clock': {
    access,
    document: {
      operationId: 'getClock',
      summary: 'The clock and the trusted time',
      description:
        'Rows are deleted by the trusted time of the store, which follows a clock that is less than a day away. What would be deleted if a clock that has jumped was believed, in numbers.',
      tag,
      success: { status: 200, schema: jumpSchema, description: 'As of now.' },
    },
  },
  'POST /operations/clock': {
    access,
    consumes: ['application/json'],
    body: Type.Object({ clock: moment }),
    document: {
      operationId: 'confirmClock',
      summary: 'Say that the clock is right',
      description:
        'The clock is believed from now on, and what has ended by it is deleted for good. `clock` is what was shown: where the clock of the replica that answers is more than an hour from it, nothing changes.',
      tag,
      success: {
        status: 200,
        schema: Type.Object(clockMembers, { $id: 'Clock' }),
        description: 'As of now.',
      },
    },
    refusals: ['CONFLICT'],
  },
});
