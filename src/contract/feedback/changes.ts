// What happened to a measure or project, for those who keep a copy of its data: every response, and what became of it later (D-258).

import type { TObject } from 'typebox';
import { cursorLengthMax } from '../../domain/feedback/feed-cursor.ts';
import { changeFeedLimits } from '../../domain/window.ts';
import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { MeasureKey, Respondent } from './measures.ts';
import { ProjectEntry, ProjectId } from './projects.ts';
import { limitWithin, readRefusals } from './source-parameters.ts';

const waitSecondsMax = 20;

const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: cursorLengthMax,
      description: '`next` of the page before; the start unless given.',
    }),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Instead of `after`: begin behind the response with this position, such as the last one of an export.',
    }),
  ),
  limit: limitWithin(changeFeedLimits),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: waitSecondsMax,
      description: 'So many seconds to wait for a change while there is none; 0 unless given.',
    }),
  ),
});

const entryFacts = {
  position: Type.Integer({
    description:
      'Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made.',
  }),
};

const itemFacts = {
  digest: Type.String({
    description:
      'The SHA-256 of the body as it was sent, in hexadecimal digits; the same when it was erased.',
  }),
};

const changeFacts = {
  ...entryFacts,
  change: Type.Integer({ description: 'The number of the change, from 1 on, without a gap.' }),
  from: Type.Integer({ description: 'The position of the first response that it concerns.' }),
  to: Type.Integer({ description: 'The position of the last one.' }),
  at: Type.String({ format: 'date-time' }),
};

function feedSchema<Item extends TObject>(id: string, item: Item) {
  return Type.Object(
    {
      hasMore: Type.Boolean({ description: 'Whether there is more behind this page already.' }),
      items: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('response'), ...entryFacts, ...itemFacts, item }),
          Type.Object({ type: Type.Literal('external'), ...changeFacts, ...itemFacts, item }),
          Type.Object({
            type: Type.Enum(['erased', 'retained']),
            ...changeFacts,
            id: Type.Optional(
              Type.String({ description: 'The responseId, where it concerns one response.' }),
            ),
          }),
        ]),
        {
          description:
            'response: a response came in. external: its external parameters were added or corrected, and `item` is all of it as it is now. erased, retained: nothing but place, day and scores is left of every response from `from` to `to`.',
        },
      ),
      next: Type.String({ description: 'The cursor behind this page, for `after`.' }),
    },
    { $id: id },
  );
}

const MeasureChanges = feedSchema('MeasureChanges', Respondent);

const ProjectChanges = feedSchema('ProjectChanges', ProjectEntry);

const description =
  'Responses and what happened to them later, in one order that never shifts. `next` leads to the page behind this one; an entry is met once. A response that was erased after it came in shows `erased` here, and its erasure follows. A store that was restored, and has lost some of what a cursor has seen, answers 410; so does one that no longer keeps changes behind the cursor, and says how to begin again from an export.';

export const changeOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/changes': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: FeedQuery,
    document: {
      operationId: 'measureChanges',
      summary: 'Follow the responses of a measure and what becomes of them',
      description,
      tag: 'Measures',
      success: { status: 200, schema: MeasureChanges, description: 'One page of changes', as: 'slices' },
    },
    refusals: [...readRefusals('MEASURE_NOT_FOUND'), 'CHANGES_GONE'],
  },
  'GET /v1/projects/:projectId/changes': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: FeedQuery,
    document: {
      operationId: 'projectChanges',
      summary: 'Follow the entries of a project and what becomes of them',
      description,
      tag: 'Projects',
      success: { status: 200, schema: ProjectChanges, description: 'One page of changes', as: 'slices' },
    },
    refusals: [...readRefusals('PROJECT_NOT_FOUND'), 'CHANGES_GONE'],
  },
});
