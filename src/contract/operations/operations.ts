// /console/api/operations: what operators see of the whole service, and what they do there.

import { dayOrMoment, entrySchema } from '../access/audit-log.ts';
import { consoleOperations } from '../operation.ts';
import { pageAfter, pageLimit, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';
import { clockSchema } from './clock.ts';

const tag = 'Operations';

const text = Type.String();

const moment = Type.String({ format: 'date-time' });

const momentOrNull = Type.Union([moment, Type.Null()]);

const textOrNull = Type.Union([text, Type.Null()]);

const number = Type.Number();

const numberOrNull = Type.Union([number, Type.Null()]);

const factsSchema = Type.Object({
  name: text,
  version: text,
  started: moment,
  writesWaiting: number,
  connectionsWaiting: number,
  connections: number,
  lags: Type.Array(Type.Object({ of: text, seconds: number })),
  memoryBytes: number,
  heapBytes: number,
  busy: Type.Number({ description: 'From 0 to 1: how much of the last seconds the event loop was at work.' }),
  delayP99Ms: number,
  diskFreeBytes: numberOrNull,
  diskBytes: numberOrNull,
  requests: number,
  failures: number,
  routes: Type.Array(
    Type.Object({ method: text, route: text, count: number, p50Ms: number, p99Ms: number }),
    { description: 'The slowest first, since the start of the process.' },
  ),
});

const replicaSchema = Type.Object({
  id: text,
  isLive: Type.Boolean(),
  isThis: Type.Boolean({ description: 'The replica that answers.' }),
  silentSeconds: number,
  facts: Type.Union([factsSchema, Type.Null()], {
    description: 'Null from a replica that says nothing about itself, or nothing that can be read.',
  }),
});

const backupSchema = Type.Union([
  Type.Object({ kind: text, at: moment, place: textOrNull, bytes: numberOrNull, detail: textOrNull }),
  Type.Null(),
]);

const findingMembers = {
  check: text,
  isRight: Type.Boolean(),
  isWarning: Type.Optional(Type.Boolean()),
  says: text,
  code: Type.Optional(Type.String({ description: 'What was found, for whoever says it in other words.' })),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]), {
      description: 'What the sentence names.',
    }),
  ),
};

const operationsSchema = Type.Object(
  {
    version: text,
    engine: text,
    schema: Type.Integer({ description: 'The last step of the schema.' }),
    maintenanceSince: momentOrNull,
    clock: clockSchema,
    replicas: Type.Array(replicaSchema),
    otherReplicas: Type.Integer({ description: 'Rows of replicas that are not shown.' }),
    tasks: Type.Array(
      Type.Object({
        name: text,
        about: text,
        state: text,
        updatedAt: textOrNull,
        failures: Type.Integer(),
        failure: textOrNull,
      }),
    ),
    tables: Type.Union(
      [
        Type.Object({
          measured: moment,
          sizes: Type.Array(Type.Object({ name: text, bytes: Type.Integer() }), {
            description: 'The largest first, each with its indexes.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'Null before they were measured for the first time, minutes after the start.' },
    ),
    backup: Type.Object({
      ...findingMembers,
      everySeconds: numberOrNull,
      lastGood: backupSchema,
      lastFailure: backupSchema,
    }),
  },
  { $id: 'OperationsOverview' },
);

const doctorSchema = Type.Object(
  {
    state: Type.Enum(['never', 'runs', 'ended', 'lost']),
    actor: textOrNull,
    began: momentOrNull,
    ended: momentOrNull,
    findings: Type.Array(Type.Object(findingMembers)),
  },
  { $id: 'DoctorReport' },
);

const keysSchema = Type.Object(
  {
    signing: Type.Array(Type.Object({ kid: text, state: text, signsFrom: moment, signsUntil: momentOrNull })),
    sealing: Type.Array(
      Type.Object({
        kid: text,
        state: text,
        keptIn: text,
        neededUntil: textOrNull,
        sealed: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
  },
  { $id: 'Keys' },
);

const access = { people: 'signedIn', ability: 'operate' } as const;

export const operationsOperations = consoleOperations({
  'GET /operations': {
    access,
    document: {
      operationId: 'getOperations',
      summary: 'How the service is doing',
      description:
        'Its replicas as they told of themselves within the last seconds, backups, work in the background.',
      tag,
      success: { status: 200, schema: operationsSchema, description: 'As of now.' },
    },
  },
  'PUT /operations/maintenance': {
    access,
    consumes: ['application/json'],
    body: Type.Object({ on: Type.Boolean() }),
    document: {
      operationId: 'setMaintenance',
      summary: 'Begin or end maintenance',
      description:
        'While it is on every endpoint of the interface answers 503, on every replica within 5 seconds; operators can sign in and end it.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ on: Type.Boolean(), changed: Type.Boolean() }, { $id: 'Maintenance' }),
        description: 'As it is now.',
      },
    },
  },
  'GET /operations/doctor': {
    access,
    document: {
      operationId: 'getDoctorReport',
      summary: 'What doctor has found',
      description: 'At its last look, or so far.',
      tag,
      success: { status: 200, schema: doctorSchema, description: 'The findings.' },
    },
  },
  'POST /operations/doctor': {
    access,
    document: {
      operationId: 'startDoctor',
      summary: 'Have doctor look',
      description:
        'The same checks as "soundings doctor", on a thread of the replica that answers. One look at a time: where one is under way, that is the answer.',
      tag,
      success: { status: 202, schema: doctorSchema, description: 'The look that is under way.' },
    },
  },
  'GET /operations/keys': {
    access,
    document: {
      operationId: 'listKeys',
      summary: 'Keys that sign and seal',
      description: 'The newest first, by their names; what they are is never shown.',
      tag,
      success: { status: 200, schema: keysSchema, description: 'All of them.' },
    },
  },
  'POST /operations/keys': {
    access,
    consumes: ['application/json'],
    body: Type.Object({ kind: Type.Enum(['signing', 'sealing']) }),
    document: {
      operationId: 'rotateKey',
      summary: 'A new key',
      description:
        'A signing key signs some seconds later, when every replica knows it; tokens of the old one live out their time. A sealing key seals at once.',
      tag,
      success: {
        status: 201,
        schema: Type.Object({ kid: text, from: moment }, { $id: 'NewKey' }),
        description: 'Its name, and from when it is used.',
      },
    },
    refusals: ['CONFLICT'],
  },
  'POST /operations/keys/:kid/revoke': {
    access,
    params: Type.Object({ kid: Type.String({ minLength: 1, maxLength: 100 }) }),
    consumes: ['application/json'],
    body: Type.Object({
      force: Type.Optional(Type.Boolean({ description: 'Also where what it has sealed is lost with it.' })),
    }),
    document: {
      operationId: 'revokeKey',
      summary: 'End a key at once',
      description:
        'What a signing key and older ones signed is refused everywhere within 5 seconds. What a sealing key has sealed can never be opened again, so that this is refused unless it is forced.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ revoked: Type.Array(text), newKid: textOrNull }, { $id: 'RevokedKeys' }),
        description: 'Which were ended, and the one that took over where none was left.',
      },
    },
    refusals: ['CONFLICT'],
  },
  'GET /operations/settings': {
    access,
    document: {
      operationId: 'listSettings',
      summary: 'Settings in force, and where they came from',
      description: 'Of the replica that answers. Secrets are hidden.',
      tag,
      success: {
        status: 200,
        schema: Type.Object(
          { items: Type.Array(Type.Object({ name: text, value: text, source: text, why: text })) },
          { $id: 'Settings' },
        ),
        description: 'All of them.',
      },
    },
  },
  'GET /operations/audit': {
    access,
    query: Type.Object({
      from: dayOrMoment('The first day (2026-11-15) or moment (2026-11-15T08:00:00Z).'),
      to: dayOrMoment('The last day or moment.'),
      action: Type.Optional(
        Type.String({ maxLength: 100, description: 'An action, or the first words of several: `keys`.' }),
      ),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: {
      operationId: 'listStoreAudit',
      summary: 'The audit log of the store itself',
      description:
        'What concerns no single account: keys, maintenance, backups, operators. The newest first.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(entrySchema, 'StoreAuditLog'),
        description: 'A page of it.',
      },
    },
  },
});
