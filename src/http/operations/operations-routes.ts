// /console/api/operations: what operators see of the whole service, and what they do there.

import type { FastifyInstance } from 'fastify';
import type { AccountRemovals } from '../../acts/operations/account-removals.ts';
import { backupFinding } from '../../acts/operations/backup-finding.ts';
import {
  revokeAnyKey,
  rotateSealingKey,
  rotateSigningKey,
  shownSealingKeys,
  shownSigningKeys,
} from '../../acts/operations/keys.ts';
import type { Context } from '../../context.ts';
import { operationsOperations } from '../../contract/operations/operations.ts';
import { factsBytesMax, readReplicaFacts } from '../../domain/operations/replica-facts.ts';
import { shownClock } from '../../domain/operations/trusted-time.ts';
import { programVersion } from '../../domain/version.ts';
import { backgroundTasks } from '../../store/background-tasks.ts';
import { wholeStore } from '../../store/engine/audit.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import { setMaintenance, sharedState, type ToldFacts, toldFacts } from '../../store/engine/replicas.ts';
import { clockState } from '../../store/engine/trusted-time.ts';
import { taskStatuses } from '../../store/engine/work/background-task.ts';
import { WorkQueue } from '../../store/engine/work/work-budget.ts';
import { type BackupRecord, knownBackups } from '../../store/operations/backup-records.ts';
import { lastMeasured } from '../../store/operations/table-sizes.ts';
import { auditPage, shownEntry } from '../../store/people/audit-reader.ts';
import { takeOf } from '../console/console-page.ts';
import { rangeOf } from '../console/people/audit-routes.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import type { Heartbeat } from '../server/heartbeat.ts';
import { addOperation } from '../server/route.ts';
import { accountRoutes } from './account-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import type { DoctorRuns } from './doctor-runs.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** Replicas whose facts are shown; nobody runs more, and a store that was filled with rows must not fill an answer. */
const replicasMax = 50;
const clocksDifferMs = 5_000;

interface OperationsServices {
  readonly context: Context;
  readonly heartbeat: Heartbeat;
  readonly doctorRuns: DoctorRuns;
  readonly accountRemovals: AccountRemovals;
}

export function operationsRoutes(app: FastifyInstance, services: OperationsServices): void {
  const { context, heartbeat, doctorRuns } = services;
  const { db, config } = context;
  const queue = new WorkQueue();

  accountRoutes(app, services);
  webhookRoutes(app, services);
  clockRoutes(app, { context });

  addOperation(app, operationsOperations, 'GET /operations', async () => {
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

  addOperation(
    app,
    operationsOperations,
    'PUT /operations/maintenance',
    async ({ body: { on } }, request) => ({
      on,
      changed: await db.write(setMaintenance, { ...stampOf(context, request), on }),
    }),
  );

  addOperation(app, operationsOperations, 'GET /operations/doctor', () => doctorRuns.report());

  addOperation(app, operationsOperations, 'POST /operations/doctor', async (_input, request, reply) => {
    await doctorRuns.start(stampOf(context, request));
    reply.code(202);
    return doctorRuns.report();
  });

  addOperation(app, operationsOperations, 'GET /operations/keys', async () => ({
    signing: await shownSigningKeys(context),
    sealing: await shownSealingKeys(context),
  }));

  addOperation(
    app,
    operationsOperations,
    'POST /operations/keys',
    async ({ body: { kind } }, request, reply) => {
      const stamp = stampOf(context, request);
      const made =
        kind === 'signing'
          ? await rotateSigningKey(context, stamp).then(({ kid, signsFrom }) => ({ kid, from: signsFrom }))
          : await rotateSealingKey(context, stamp).then(({ kid, sealsFrom }) => ({ kid, from: sealsFrom }));
      reply.code(201);
      return made;
    },
  );

  addOperation(
    app,
    operationsOperations,
    'POST /operations/keys/:kid/revoke',
    async ({ params: { kid }, body: { force = false } }, request) => {
      const wanted = { kid, isForced: force };
      const { revoked, newKid } = await revokeAnyKey(context, stampOf(context, request), wanted);
      return { revoked, newKid };
    },
  );

  addOperation(app, operationsOperations, 'GET /operations/settings', () => ({
    items: context.settings ?? [],
  }));

  addOperation(
    app,
    operationsOperations,
    'GET /operations/audit',
    async ({ query: { from, to, action, after = null, limit } }) => {
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
  );
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
