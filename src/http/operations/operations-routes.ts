// /console/api/operations: what operators see of the whole service, and what they do there.

import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { factsBytesMax, readReplicaFacts } from '../../domain/operations/replica-facts.ts';
import { shownClock } from '../../domain/operations/trusted-time.ts';
import { programVersion } from '../../domain/version.ts';
import { auditPage, shownEntry } from '../../store/access/audit-reader.ts';
import { backgroundTasks } from '../../store/background-tasks.ts';
import { wholeStore } from '../../store/engine/audit.ts';
import { taskStatuses } from '../../store/engine/background-task.ts';
import { type BackupRecord, knownBackups } from '../../store/engine/backup-records.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import { setMaintenance, sharedState, type ToldFacts, toldFacts } from '../../store/engine/replicas.ts';
import { lastMeasured } from '../../store/engine/table-sizes.ts';
import { clockState } from '../../store/engine/trusted-time.ts';
import { WorkQueue } from '../../store/engine/work-budget.ts';
import { dayOrMoment, entrySchema, rangeOf } from '../console/audit-routes.ts';
import { consoleDocument } from '../console/console-document.ts';
import { pageAfter, pageLimit, pageSchema, takeOf } from '../console/console-page.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import type { Heartbeat } from '../server/heartbeat.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import type { AccountRemovals } from './account-removals.ts';
import { accountRoutes } from './account-routes.ts';
import { backupFinding } from './backup-finding.ts';
import { clockRoutes, clockSchema } from './clock-routes.ts';
import type { DoctorRuns } from './doctor-runs.ts';
import {
  revokeAnyKey,
  rotateSealingKey,
  rotateSigningKey,
  shownSealingKeys,
  shownSigningKeys,
} from './keys.ts';
import { webhookRoutes } from './webhook-routes.ts';

const tag = 'Operations';
/** Replicas whose facts are shown; nobody runs more, and a store that was filled with rows must not fill an answer. */
const replicasMax = 50;
const clocksDifferMs = 5_000;

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

export interface OperationsServices {
  readonly context: Context;
  readonly heartbeat: Heartbeat;
  readonly doctorRuns: DoctorRuns;
  readonly accountRemovals: AccountRemovals;
}

export function operationsRoutes(app: FastifyInstance, services: OperationsServices): void {
  const { context, heartbeat, doctorRuns } = services;
  const { db, config } = context;
  const access = { people: 'signedIn', ability: 'operate' } as const;
  const queue = new WorkQueue();

  accountRoutes(app, services);
  webhookRoutes(app, services);
  clockRoutes(app, { context, tag });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/operations',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'getOperations',
      summary: 'How the service is doing',
      description:
        'Its replicas as they told of themselves within the last seconds, backups, work in the background.',
      tag,
      success: { status: 200, schema: operationsSchema, description: 'As of now.' },
    }),
    handle: async () => {
      const nowMs = context.now();
      const [told, shared, tasks, known, schema, finding, clock, measured] = await Promise.all([
        toldFacts(db, heartbeat.live(replicasMax), { bytesMax: factsBytesMax, take: replicasMax }),
        sharedState(db),
        taskStatuses(db, backgroundTasks(), nowMs),
        knownBackups(db, nowMs),
        schemaStatus(db),
        backupFinding(db, config, nowMs),
        clockState(db, nowMs),
        lastMeasured(db),
      ]);
      const replicas = told.map((one) => shownReplica(one, nowMs)).toSorted(liveFirst);
      return {
        version: programVersion,
        engine: db.engine,
        schema: schema.current,
        maintenanceSince: timeOf(shared.maintenanceSinceMs),
        clock: shownClock(clock),
        replicas,
        otherReplicas: Math.max(0, shared.heartbeats.length - told.length),
        tasks: tasks.map(({ name, about, state, updatedAt, failures, failure }) => ({
          name,
          about,
          state,
          updatedAt,
          failures,
          failure,
        })),
        tables:
          measured === null
            ? null
            : { measured: new Date(measured.atMs).toISOString(), sizes: [...measured.tables] },
        backup: {
          ...finding,
          everySeconds: config.backupEverySeconds,
          lastGood: shownBackup(known?.lastGood ?? null),
          lastFailure: shownBackup(known?.lastFailure ?? null),
        },
      };
    },
  });

  function shownReplica({ replica, atMs, facts: told }: ToldFacts, nowMs: number) {
    const agoMs = Math.max(0, nowMs - atMs);
    // One that this process has not met yet is judged by the time in its row.
    const seen = heartbeat.seen(replica) ?? {
      isThis: false,
      isLive: Math.abs(nowMs - atMs) < clocksDifferMs,
      silentMs: agoMs,
    };
    const facts = readReplicaFacts(told);
    return {
      id: replica.slice(0, 100),
      isLive: seen.isLive,
      isThis: seen.isThis,
      silentSeconds: Math.round(seen.silentMs / 1_000),
      facts: facts === null ? null : shownFacts(facts),
    };
  }

  addRoute(app, {
    method: 'PUT',
    path: '/console/api/operations/maintenance',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({ on: Type.Boolean() }),
    document: consoleDocument({
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
    }),
    handle: async ({ body: { on } }, request) => ({
      on,
      changed: await db.write(setMaintenance, { ...stampOf(context, request), on }),
    }),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/operations/doctor',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'getDoctorReport',
      summary: 'What doctor has found',
      description: 'At its last look, or so far.',
      tag,
      success: { status: 200, schema: doctorSchema, description: 'The findings.' },
    }),
    handle: () => doctorRuns.report(),
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/operations/doctor',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'startDoctor',
      summary: 'Have doctor look',
      description:
        'The same checks as "soundings doctor", on a thread of the replica that answers. One look at a time: where one is under way, that is the answer.',
      tag,
      success: { status: 202, schema: doctorSchema, description: 'The look that is under way.' },
    }),
    handle: async (_input, request, reply) => {
      await doctorRuns.start(stampOf(context, request));
      reply.code(202);
      return doctorRuns.report();
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/operations/keys',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'listKeys',
      summary: 'Keys that sign and seal',
      description: 'The newest first, by their names; what they are is never shown.',
      tag,
      success: { status: 200, schema: keysSchema, description: 'All of them.' },
    }),
    handle: async () => ({
      signing: await shownSigningKeys(context),
      sealing: await shownSealingKeys(context),
    }),
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/operations/keys',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({ kind: Type.Enum(['signing', 'sealing']) }),
    document: consoleDocument({
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
      conditions: [409],
    }),
    handle: async ({ body: { kind } }, request, reply) => {
      const stamp = stampOf(context, request);
      const made =
        kind === 'signing'
          ? await rotateSigningKey(context, stamp).then(({ kid, signsFrom }) => ({ kid, from: signsFrom }))
          : await rotateSealingKey(context, stamp).then(({ kid, sealsFrom }) => ({ kid, from: sealsFrom }));
      reply.code(201);
      return made;
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/operations/keys/:kid/revoke',
    area: 'console',
    access,
    params: Type.Object({ kid: Type.String({ minLength: 1, maxLength: 100 }) }),
    consumes: ['application/json'],
    body: Type.Object({
      force: Type.Optional(Type.Boolean({ description: 'Also where what it has sealed is lost with it.' })),
    }),
    document: consoleDocument({
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
      conditions: [409],
    }),
    handle: async ({ params: { kid }, body: { force = false } }, request) => {
      const wanted = { kid, isForced: force };
      const { revoked, newKid } = await revokeAnyKey(context, stampOf(context, request), wanted);
      return { revoked, newKid };
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/operations/settings',
    area: 'console',
    access,
    document: consoleDocument({
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
    }),
    handle: () => ({ items: context.settings ?? [] }),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/operations/audit',
    area: 'console',
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
    document: consoleDocument({
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
    }),
    handle: async ({ query: { from, to, action, after = null, limit } }) => {
      const filter = {
        accountId: wholeStore,
        ...rangeOf(from, to),
        ...(action === undefined ? {} : { action: action.replace(/\.+$/, '') }),
      };
      const { entries, next } = await auditPage(db, filter, { after, take: takeOf(limit) }, () =>
        queue.nextSlice(),
      );
      return { items: entries.map(shownEntry), next };
    },
  });
}

function shownFacts({
  startedAtMs,
  addresses: _addresses,
  ...facts
}: NonNullable<ReturnType<typeof readReplicaFacts>>) {
  return { ...facts, started: new Date(startedAtMs).toISOString() };
}

function shownBackup(record: BackupRecord | null) {
  if (record === null) return null;
  const { kind, atMs, place, bytes, detail } = record;
  return { kind, at: new Date(atMs).toISOString(), place, bytes, detail };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function liveFirst(
  one: { readonly isLive: boolean; readonly id: string },
  other: { readonly isLive: boolean; readonly id: string },
): number {
  return Number(other.isLive) - Number(one.isLive) || (one.id < other.id ? -1 : 1);
}
