// /console/api/audit: who changed what in the account, when and from where. Whoever may see no more sees what they did
// themselves.

import { actorKinds } from '../../domain/access/audit-actor.ts';
import { auditNoteCodes } from '../../domain/access/audit-note.ts';
import { auditSubjectCodes } from '../../domain/access/audit-subject.ts';
import { consoleOperations } from '../operation.ts';
import { pageAfter, pageLimit, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';

const membersSchema = Type.Optional(
  Type.Object({
    count: Type.Integer(),
    ids: Type.Array(Type.Integer(), { description: 'Of the first of them.' }),
  }),
);

const orNull = Type.Union([Type.String(), Type.Null()]);

const valuesSchema = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
);

export const entrySchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    accountId: Type.Union([Type.Integer(), Type.Null()]),
    actor: Type.Object({
      kind: Type.Enum([...actorKinds]),
      id: Type.String({
        description: '`user 1000000123`, `operator olga`, an API client, a provisioning token.',
      }),
      name: Type.Union([Type.String(), Type.Null()], {
        description: 'What they are called today; null where they are gone or have no name.',
      }),
    }),
    action: Type.String(),
    subject: Type.String(),
    subjectName: Type.Union([Type.String(), Type.Null()], {
      description: 'What a user, a group, an API client or a token is called today; null for all else.',
    }),
    subjectCode: Type.Optional(
      Type.Enum([...auditSubjectCodes], {
        description: 'What the subject says, where it is more than the name of one thing.',
      }),
    ),
    subjectValues: Type.Optional(valuesSchema),
    attributes: Type.Array(Type.String(), { description: 'Names of what changed, never values.' }),
    joined: membersSchema,
    left: membersSchema,
    note: Type.Optional(Type.String({ description: 'For example how somebody signed in.' })),
    noteCode: Type.Optional(
      Type.Enum([...auditNoteCodes], {
        description: 'What the note says, to be worded elsewhere; older entries have their note alone.',
      }),
    ),
    noteValues: Type.Optional(valuesSchema),
    requestId: orNull,
    from: Type.Union([Type.String(), Type.Null()], {
      description: 'The address of the caller, or a terminal.',
    }),
    changeId: Type.String(),
  },
  { $id: 'AuditEntry' },
);

export const dayOrMoment = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description }));

const filterParameters = {
  from: dayOrMoment('The first day (2026-11-15) or moment (2026-11-15T08:00:00Z).'),
  to: dayOrMoment('The last day or moment.'),
  actor: Type.Optional(Type.String({ maxLength: 300, description: 'As `id` of the actor is shown.' })),
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'An action, or the first words of several: `user`.' }),
  ),
  subject: Type.Optional(Type.String({ maxLength: 300 })),
};

export const rowsMax = 10_000;

export const columns = [
  'at',
  'actorKind',
  'actor',
  'actorName',
  'action',
  'subject',
  'subjectName',
  'attributes',
  'joined',
  'left',
  'note',
  'from',
  'requestId',
  'changeId',
] as const;

const access = { people: 'signedIn', ability: ['see audit', 'see own audit'] } as const;

export const auditLogOperations = consoleOperations({
  'GET /audit': {
    access,
    query: Type.Object({ ...filterParameters, after: pageAfter, limit: pageLimit }),
    document: {
      operationId: 'listAudit',
      summary: 'The audit log of the account',
      description:
        'The newest first. Whoever may see only their own entries gets those. A page may hold fewer than asked for, even none, and still have a next one: the log is searched some entries at a time.',
      tag: 'Audit',
      success: { status: 200, schema: pageSchema(entrySchema, 'AuditLog'), description: 'A page of it.' },
    },
  },
  'GET /audit.csv': {
    access,
    query: Type.Object(filterParameters),
    produces: ['text/csv'],
    document: {
      operationId: 'exportAudit',
      summary: 'The audit log of the account as a file',
      description: `The newest entries first, ${rowsMax} at most: narrow the time for older ones. No text in it is taken for a formula.`,
      tag: 'Audit',
      success: {
        status: 200,
        schema: Type.Unknown({ description: 'A row an entry, with the names of the columns first.' }),
        description: 'The file.',
        as: 'file',
      },
      typeExamples: { 'text/csv': `${columns.join(',')}\n` },
    },
  },
});
