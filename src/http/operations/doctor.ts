// What "soundings doctor" looks at, and what the console shows of the same: everything that has to be right, and what to do where
// it is not. Findings come one by one, so that whoever waits sees how far it has come.

import { randomUUIDv7 } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';
import { signingKeys } from '../../store/access/signing-keys.ts';
import {
  accountTables,
  copiedTables,
  tablesToSpread,
  type Worker,
  workersOf,
} from '../../store/engine/citus.ts';
import type { Db } from '../../store/engine/db.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import { storeClock } from '../../store/engine/replicas.ts';
import { checkFile, connectionRoom, tryChange } from '../../store/engine/self-check.ts';
import { lagOf, openStandby } from '../../store/engine/standby.ts';
import { hasAccounts } from '../../store/feedback/catalogue.ts';
import { consoleAddress } from '../console/console-address.ts';
import { linksFault } from '../server/public-url.ts';
import { insightFindings, sealingFindings, taskFindings } from './background-findings.ts';
import { backupFinding } from './backup-finding.ts';
import { connectionFindings } from './connection-findings.ts';
import type { Finding } from './finding.ts';
import { damageAdvice, openUsableStore, reasonOf, StoreUnusable } from './open-store.ts';
import { tokenFindings } from './token-findings.ts';
import { webhookFindings } from './webhook-findings.ts';

const patienceMs = 5_000;
const diskBytesMin = 1024 ** 3;
const clockSkewMaxMs = 5_000;
const poolSizeMin = 4;
const lagMaxSeconds = 10;
const year2026Ms = Date.UTC(2026, 0, 1);

/** With the store that is given, which a store in memory needs; otherwise it opens and closes one of its own. */
export async function* findingsOf(config: Config, given: Db | null = null): AsyncGenerator<Finding> {
  // Whoever has read them has refused those that are not.
  yield { check: 'settings', isRight: true, says: 'valid' };
  let db: Db | null = null;
  try {
    db = given ?? (await openUsableStore(config, patienceMs));
    await db.probe();
    yield { check: 'store', isRight: true, says: `${db.engine} answers` };
    yield* damageFindings(db, config);
    yield* storeFindings(db, config);
  } catch (error) {
    yield { check: 'store', isRight: false, says: storeAdvice(error, config) };
  } finally {
    if (given === null) await db?.close();
  }
  yield* await diskFindings(config);
  const links = linksFault(config.host, config.publicUrl);
  if (links !== null) yield { check: 'links', isRight: true, isWarning: true, says: links };
  yield consoleFinding(config);
}

/** People sign in there, and cannot say so where they cannot. */
function consoleFinding(config: Config): Finding {
  const { fault, base } = consoleAddress(config);
  const check = 'console';
  if (fault !== null) return { check, isRight: true, isWarning: true, says: fault };
  return { check, isRight: true, says: `people sign in at ${base}/console` };
}

function storeAdvice(error: unknown, { databaseUrl }: Config): string {
  if (error instanceof StoreUnusable) return error.message;
  if (error instanceof Problem && error.code === 'STORE_DAMAGED')
    return damageAdvice(fileOf(databaseUrl), reasonOf(error.cause));
  return 'The store does not take changes: see whether another process holds it.';
}

/** Reads every page of the embedded store once. */
async function* damageFindings(db: Db, { databaseUrl }: Config): AsyncGenerator<Finding> {
  const check = await checkFile(db);
  if (check === null) return;
  const { damage } = check;
  const says = damage === null ? 'the file is whole' : damageAdvice(fileOf(databaseUrl), damage);
  yield { check: 'damage', isRight: damage === null, says };
}

function fileOf(databaseUrl: string): string {
  return resolve(databaseUrl.slice('sqlite:'.length));
}

async function* storeFindings(db: Db, config: Config): AsyncGenerator<Finding> {
  const { pending, current } = await schemaStatus(db);
  if (pending.length > 0) {
    yield {
      check: 'schema',
      isRight: false,
      says: `Steps are missing (${pending.join(', ')}): run "soundings migrate".`,
    };
    return;
  }
  const nowMs = Date.now();
  yield { check: 'schema', isRight: true, says: `up to date (step ${current})` };
  const workers = await workerFindings(db);
  yield* workers;
  // What lies on a machine that is away cannot be looked at; everything else is (D-690).
  const isPartLost = workers.some(({ check, isRight }) => check === 'workers' && !isRight);
  const look = (check: string, findings: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> =>
    isPartLost ? asFarAsThere(check, findings) : findings();
  yield await changesFinding(db);
  yield await keysFinding(db, nowMs);
  const isEmpty = !(await hasAccounts(db));
  yield {
    check: 'accounts',
    isRight: true,
    says: isEmpty ? 'none yet: "soundings apply FILE" makes them' : 'there are some',
  };
  yield* await sealingFindings(db, config, nowMs);
  yield* await look('background', () => taskFindings(db, nowMs));
  yield* await look('insight', () => insightFindings(db));
  yield* await look('webhooks', () => webhookFindings(db, nowMs));
  yield await clockFinding(db, nowMs);
  yield* await tokenFindings(db, nowMs);
  yield await backupFinding(db, config, nowMs);
  yield* await poolFindings(db, config);
  yield* await look('providers', () => connectionFindings(db, config));
  yield* await standbyFindings(db, config);
}

async function keysFinding(db: Db, nowMs: number): Promise<Finding> {
  const keys = await signingKeys(db);
  const isSigning = keys.some(({ signsFromMs }) => signsFromMs <= nowMs);
  return {
    check: 'keys',
    isRight: isSigning,
    says: isSigning
      ? `${keys.length} signing key${keys.length === 1 ? '' : 's'}`
      : 'No key signs: run "soundings keys rotate".',
  };
}

/** Where accounts are spread over machines: whether all of them answer, and whether all tables are where they should be. */
async function workerFindings(db: Db): Promise<readonly Finding[]> {
  if (!db.dialect.isSpread) return [];
  let workers: readonly Worker[];
  try {
    workers = await workersOf(db);
  } catch (error) {
    if (!isOfStore(error)) throw error;
    const says =
      'One of them takes questions and answers none: see which, and stop it or start it anew. Its accounts get 502 meanwhile, the others are served.';
    return [{ check: 'workers', isRight: false, says }];
  }
  const places = workers.map(({ name, port, shards }) => `${name}:${port} (${shards} shards)`).join(', ');
  const named = (some: typeof workers): string => some.map(({ name, port }) => `${name}:${port}`).join(', ');
  const lost = workers.filter(({ answers }) => !answers);
  const careless = workers.filter(({ isDurable }) => isDurable === false);
  const local = (await tablesToSpread(db)).map(({ table }) => table);
  const without = workers.length === 0;
  return [
    {
      check: 'workers',
      isRight: lost.length === 0,
      ...(without ? { isWarning: true as const } : {}),
      says:
        lost.length > 0
          ? `${named(lost)} does not answer: start it. Its accounts get 502 meanwhile, the others are served. All: ${places}.`
          : without
            ? 'none: all accounts are on the coordinator. Add one with "select citus_add_node(...)".'
            : places,
    },
    {
      check: 'durability',
      isRight: careless.length === 0,
      says:
        careless.length > 0
          ? `${named(careless)} answers before a change is on its disk: set synchronous_commit = on there.`
          : 'changes are on the disk of their worker before they are answered',
    },
    {
      check: 'tables',
      isRight: local.length === 0,
      says:
        local.length > 0
          ? `On the coordinator alone, and should not be: ${local.join(', ')}. Stop the service and run "soundings migrate".`
          : `${accountTables.length} spread by account, ${copiedTables.length} copied to every machine`,
    },
  ];
}

/** The findings, or a warning where a machine that they need does not answer. */
async function asFarAsThere(
  check: string,
  findings: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await findings();
  } catch (error) {
    if (!isOfStore(error)) throw error;
    const says = 'Not looked at: it needs a worker that does not answer.';
    return [{ check, isRight: true, isWarning: true, says }];
  }
}

function isOfStore(error: unknown): boolean {
  return error instanceof Problem && error.code.startsWith('STORE_');
}

/** A probe sees whether the store could take a change; only a change shows whether it does. */
async function changesFinding(db: Db): Promise<Finding> {
  try {
    await tryChange(db, randomUUIDv7());
    return { check: 'changes', isRight: true, says: 'are taken' };
  } catch (error) {
    const reason = reasonOf(error instanceof Problem ? (error.cause ?? error) : error);
    return {
      check: 'changes',
      isRight: false,
      says: `The store answers and takes no changes (${reason}): look at its log and its rights.`,
    };
  }
}

async function clockFinding(db: Db, nowMs: number): Promise<Finding> {
  const storeNowMs = await storeClock(db);
  if (storeNowMs === null) {
    const isPlausible = nowMs > year2026Ms;
    return {
      check: 'clock',
      isRight: isPlausible,
      says: isPlausible ? 'plausible' : 'The clock of this machine is in the past: set it.',
    };
  }
  const skewMs = Math.abs(Date.now() - storeNowMs);
  const isRight = skewMs <= clockSkewMaxMs;
  return {
    check: 'clock',
    isRight,
    says: isRight
      ? 'agrees with the database'
      : `${Math.round(skewMs / 1000)} s apart from the database: set both by NTP.`,
  };
}

/** Every replica may open as many connections as its pool has, and one for scans; the server has one limit for all. */
async function poolFindings(db: Db, { poolSize, workers }: Config): Promise<Finding[]> {
  const room = await connectionRoom(db, Date.now());
  if (room === null) return [];
  const check = 'connections';
  const processes = Math.max(room.replicas, workers);
  const wanted = processes * (poolSize + 1);
  if (wanted > room.most) {
    const says = `${processes} processes with SOUNDINGS_POOL_SIZE ${poolSize} and a connection for scans may open ${wanted} connections, and the server allows ${room.most}: raise its max_connections, put pgbouncer before it, or make the pools smaller.`;
    return [{ check, isRight: true, isWarning: true, says }];
  }
  if (poolSize < poolSizeMin) {
    const says = `With SOUNDINGS_POOL_SIZE ${poolSize} questions wait behind changes: raise it to ${poolSizeMin} or more.`;
    return [{ check, isRight: true, isWarning: true, says }];
  }
  return [{ check, isRight: true, says: `${wanted} of ${room.most} that the server allows` }];
}

/** Nothing fails for want of a standby, so what is not right with it is a warning. */
async function standbyFindings(db: Db, { databaseUrlRead, poolSize }: Config): Promise<Finding[]> {
  if (databaseUrlRead === '') return [];
  const warning = (says: string): Finding[] => [{ check: 'standby', isRight: true, isWarning: true, says }];
  const standby = await openStandby(databaseUrlRead, patienceMs, poolSize);
  try {
    const { isStandby, bytes, seconds } = await lagOf(db, standby.db);
    if (!isStandby)
      return warning(
        'The server of DATABASE_URL_READ takes changes itself: name a standby, or leave it empty.',
      );
    const behind = `${seconds.toFixed(1)} s and ${bytes} bytes behind`;
    if (seconds > lagMaxSeconds)
      return warning(
        `The standby is ${behind}, and pages that it does not have come from the writer: look at pg_stat_replication there, and at the load of the standby.`,
      );
    return [{ check: 'standby', isRight: true, says: `answers, ${behind}` }];
  } catch (error) {
    const reason = reasonOf(error instanceof Problem ? (error.cause ?? error) : error);
    return warning(
      `The standby cannot be reached (${reason}), and pages come from the writer: start it, or mend DATABASE_URL_READ.`,
    );
  } finally {
    await standby.close();
  }
}

async function diskFindings({ databaseUrl }: Config): Promise<Finding[]> {
  if (!databaseUrl.startsWith('sqlite:') || databaseUrl === 'sqlite::memory:') return [];
  const folder = dirname(fileOf(databaseUrl));
  const disk = await statfs(folder).catch(() => null);
  if (disk === null)
    return [
      {
        check: 'disk',
        isRight: false,
        says: `${folder} cannot be looked at: make it, or mend DATABASE_URL.`,
      },
    ];
  const freeBytes = disk.bavail * disk.bsize;
  const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free in ${folder}`;
  const isRight = freeBytes >= diskBytesMin;
  return [
    {
      check: 'disk',
      isRight,
      says: isRight ? free : `${free}: make room, the service stops taking changes when it is full.`,
    },
  ];
}
