// /console/api/views: the shared views of the account. Whoever may see single responses makes them, sees them all and takes any back.

import { sharedViewDays, sharedViewNameMax } from '../../domain/access/shared-view.ts';
import { sourceKinds } from '../../domain/feedback/source-kind.ts';
import { comparisons } from '../../domain/insight/compared-range.ts';
import { DateText } from '../feedback/response-row.ts';
import { consoleOperations, done } from '../operation.ts';
import { pageQuery, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';
import { filterParameters } from './figures.ts';

export const sharedPageMembers = {
  kind: Type.Enum([...sourceKinds]),
  key: Type.Integer(),
  from: DateText,
  to: DateText,
  compare: Type.Union([Type.Enum([...comparisons]), Type.Null()]),
  filter: Type.Union([Type.String(), Type.Null()]),
};

const moment = Type.String({ format: 'date-time' });

const viewMembers = {
  id: Type.String(),
  name: Type.String(),
  ...sharedPageMembers,
  createdBy: Type.String({ description: 'As the audit log names them.' }),
  createdByName: Type.Union([Type.String(), Type.Null()], {
    description: 'What they are called today; null once they are gone.',
  }),
  createdAt: moment,
  expiresAt: moment,
  usedAt: Type.Union([moment, Type.Null()], {
    description: 'When somebody last looked at it, to some minutes.',
  }),
  end: Type.Union([Type.Enum(['revoked', 'ended', 'makerGone']), Type.Null()], {
    description: 'Why its link shows nothing any more; null while it does.',
  }),
};

const viewSchema = Type.Object(viewMembers, { $id: 'SharedView' });

const madeSchema = Type.Object(
  {
    ...viewMembers,
    url: Type.String({ description: 'The link. It is shown now and never again.' }),
  },
  { $id: 'NewSharedView' },
);

const newView = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: sharedViewNameMax,
    description: 'What stands above it, for whoever looks at it.',
  }),
  kind: sharedPageMembers.kind,
  key: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The key of the measure, or the id of the project.',
  }),
  from: DateText,
  to: DateText,
  compare: Type.Optional(Type.Enum([...comparisons])),
  filter: filterParameters.filter,
  days: Type.Optional(
    Type.Integer({
      minimum: sharedViewDays.min,
      maximum: sharedViewDays.max,
      description: `How long the link works; ${sharedViewDays.usual} unless given.`,
    }),
  ),
});

const access = { people: 'signedIn', ability: 'see responses' } as const;

export const sharedViewOperations = consoleOperations({
  'GET /views': {
    access,
    query: pageQuery,
    document: {
      operationId: 'listSharedViews',
      summary: 'The shared views of the account',
      description:
        'In the order in which they were made, those that have ended among them for some months. Links are not shown.',
      tag: 'Shared views',
      success: { status: 200, schema: pageSchema(viewSchema, 'SharedViews'), description: 'A page of them.' },
    },
  },
  'POST /views': {
    access,
    consumes: ['application/json'],
    body: newView,
    document: {
      operationId: 'createSharedView',
      summary: 'Share the page of a measure or project',
      description:
        'Whoever has the link sees the figures of these days and this filter as a viewer does, without an account: no open text, and nothing of fewer than five responses. It ends by itself, when it is revoked, and when whoever made it is suspended.',
      tag: 'Shared views',
      success: { status: 201, schema: madeSchema, description: 'The view, and its link.' },
    },
    refusals: ['SHARED_VIEW_NOT_FOUND', 'CONFLICT'],
  },
  'DELETE /views/:id': {
    access,
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    document: {
      operationId: 'revokeSharedView',
      summary: 'Take a shared view back',
      description: 'Its link shows nothing from the next request on. To revoke it again changes nothing.',
      tag: 'Shared views',
      success: done('It is revoked.'),
    },
    refusals: ['SHARED_VIEW_NOT_FOUND'],
  },
});
