// What "soundings doctor" looks at, and what the console shows of the same: everything that has to be right, and what to do where
// it is not. Findings come one by one, so that whoever waits sees how far it has come.

import { randomUUIDv7 } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { linksFault } from '../../domain/operations/public-url.ts';
import { Problem } from '../../domain/problem.ts';
import { reasonOf } from '../../domain/reason.ts';
import { signingKeys } from '../../store/access/signing-keys.ts';
import type { Db } from '../../store/engine/db.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import {
  accountTables,
  copiedTables,
  tablesToSpread,
  type Worker,
  workersOf,
} from '../../store/engine/postgres/citus.ts';
import { missingRights } from '../../store/engine/postgres/postgres-rights.ts';
import { lagOf, openStandby } from '../../store/engine/postgres/standby.ts';
import { storeClock } from '../../store/engine/replicas.ts';
import { checkFile, connectionRoom, tryChange } from '../../store/engine/self-check.ts';
import { clockState } from '../../store/engine/trusted-time.ts';
import { hasAccounts } from '../../store/feedback/catalogue.ts';
import { knownSizes } from '../../store/operations/table-sizes.ts';
import { consoleAddress } from '../access/console-address.ts';
import { adminFindings } from './admin-findings.ts';
import { erasureFindings, insightFindings, sealingFindings, taskFindings } from './background-findings.ts';
import { backupFinding } from './backup-finding.ts';
import { connectionFindings } from './connection-findings.ts';
import { type Finding, finding } from './finding.ts';
import {
  encodingFinding,
  fileFinding,
  missingRightsFinding,
  openUsableStore,
  StoreUnusable,
} from './open-store.ts';
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
  yield finding('settings', 'right', 'settingsValid', {});
  let db: Db | null = null;
  try {
    db = given ?? (await openUsableStore(config, patienceMs));
    await db.probe();
    yield finding('store', 'right', 'storeAnswers', { engine: db.engine });
    const encoding = encodingFinding(db);
    if (encoding !== null) yield encoding;
    yield* damageFindings(db, config);
    yield* storeFindings(db, config);
  } catch (error) {
    const rights = error instanceof StoreUnusable ? null : await missingRightsFinding(config, db, error);
    yield rights ?? storeTrouble(error, config);
  } finally {
    if (given === null) await db?.close();
  }
  yield* await diskFindings(config);
  if (linksFault(config.host, config.publicUrl, config.lanHost) !== null)
    yield finding('links', 'warning', 'linksNowhere', {});
  yield consoleFinding(config);
}

/** People sign in there, and cannot say so where they cannot. */
function consoleFinding(config: Config): Finding {
  const { faultCode, base } = consoleAddress(config);
  const check = 'console';
  if (faultCode !== null) return finding(check, 'warning', faultCode, { base });
  return finding(check, 'right', 'consoleAt', { base });
}

function storeTrouble(error: unknown, { databaseUrl }: Config): Finding {
  const check = 'store';
  if (error instanceof StoreUnusable) return error.finding;
  const ofFile = fileFinding(error);
  if (ofFile !== null) return ofFile;
  if (error instanceof Problem && error.code === 'STORE_DAMAGED')
    return finding(check, 'wrong', 'storeDamaged', {
      file: fileOf(databaseUrl),
      reason: reasonOf(error.cause),
    });
  return finding(check, 'wrong', 'storeStuck', {});
}

/** Reads every page of the embedded store once. */
async function* damageFindings(db: Db, { databaseUrl }: Config): AsyncGenerator<Finding> {
  const check = await checkFile(db);
  if (check === null) return;
  const { damage } = check;
  yield damage === null
    ? finding('damage', 'right', 'fileWhole', {})
    : finding('damage', 'wrong', 'storeDamaged', { file: fileOf(databaseUrl), reason: damage });
}

function fileOf(databaseUrl: string): string {
  return resolve(databaseUrl.slice('sqlite:'.length));
}

async function* storeFindings(db: Db, config: Config): AsyncGenerator<Finding> {
  const { pending, current } = await schemaStatus(db);
  const rights = await missingRights(db, pending.length > 0 ? 'migrate' : 'serve');
  if (rights !== null) yield finding('rights', 'wrong', 'storeRightsMissing', { ...rights });
  if (pending.length > 0) {
    yield finding('schema', 'wrong', 'schemaBehind', { steps: pending.join(', ') });
    return;
  }
  const nowMs = Date.now();
  yield finding('schema', 'right', 'schemaCurrent', { step: current });
  const workers = await workerFindings(db);
  yield* workers;
  // What lies on a machine that is away cannot be looked at; everything else is (D-690).
  const isPartLost = workers.some(({ check, isRight }) => check === 'workers' && !isRight);
  const look = (check: string, findings: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> =>
    isPartLost ? asFarAsThere(check, findings) : findings();
  yield await changesFinding(db);
  yield await keysFinding(db, nowMs);
  const isEmpty = !(await hasAccounts(db));
  yield finding('accounts', 'right', isEmpty ? 'accountsNone' : 'accountsSome', {});
  yield* await sealingFindings(db, config, nowMs);
  yield* await look('background', () => taskFindings(db, nowMs));
  yield* await look('sizes', () => sizeFindings(db));
  yield* await look('erasures', () => erasureFindings(db));
  yield* await look('insight', () => insightFindings(db));
  yield* await look('webhooks', () => webhookFindings(db, nowMs));
  yield await clockFinding(db, nowMs);
  yield await trustedTimeFinding(db, nowMs);
  yield* await tokenFindings(db, nowMs);
  yield* await look('admins', () => adminFindings(db));
  yield await backupFinding(db, config, nowMs);
  yield* await poolFindings(db, config);
  yield* await look('providers', () => connectionFindings(db, config));
  yield* await standbyFindings(db, config);
}

const largestShown = 3;

/** How large the store is, and which of its tables are the largest. */
async function sizeFindings(db: Db): Promise<readonly Finding[]> {
  const tables = await knownSizes(db);
  if (tables === null) return [finding('sizes', 'right', 'tablesUnmeasured', {})];
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const largest = tables
    .slice(0, largestShown)
    .map((table) => `${table.name} ${megabytes(table.bytes)} MB`)
    .join(', ');
  return [
    finding('sizes', 'right', 'tablesMeasured', {
      tables: tables.length,
      megabytes: megabytes(bytes),
      largest,
    }),
  ];
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

async function keysFinding(db: Db, nowMs: number): Promise<Finding> {
  const keys = await signingKeys(db);
  const isSigning = keys.some(({ signsFromMs }) => signsFromMs <= nowMs);
  return isSigning
    ? finding('keys', 'right', 'keysSign', { count: keys.length })
    : finding('keys', 'wrong', 'keysNone', {});
}

/** Where accounts are spread over machines: whether all of them answer, and whether all tables are where they should be. */
async function workerFindings(db: Db): Promise<readonly Finding[]> {
  if (!db.dialect.isSpread) return [];
  let workers: readonly Worker[];
  try {
    workers = await workersOf(db);
  } catch (error) {
    if (!isOfStore(error)) throw error;
    return [finding('workers', 'wrong', 'workerSilent', {})];
  }
  const places = workers.map(({ name, port, shards }) => `${name}:${port} (${shards} shards)`).join(', ');
  const named = (some: typeof workers): string => some.map(({ name, port }) => `${name}:${port}`).join(', ');
  const lost = workers.filter(({ answers }) => !answers);
  const empty = workers.filter(({ shards }) => shards === 0);
  const careless = workers.filter(({ isDurable }) => isDurable === false);
  const local = (await tablesToSpread(db)).map(({ table }) => table);
  return [
    lost.length > 0
      ? finding('workers', 'wrong', 'workersLost', { lost: named(lost), all: places })
      : workers.length === 0
        ? finding('workers', 'warning', 'workersNone', {})
        : empty.length > 0
          ? finding('workers', 'warning', 'workersEmpty', { empty: named(empty), all: places })
          : finding('workers', 'right', 'workersAll', { all: places }),
    careless.length > 0
      ? finding('durability', 'wrong', 'workersCareless', { workers: named(careless) })
      : finding('durability', 'right', 'workersDurable', {}),
    local.length > 0
      ? finding('tables', 'wrong', 'tablesLocal', { tables: local.join(', ') })
      : finding('tables', 'right', 'tablesSpread', {
          spread: accountTables.length,
          copied: copiedTables.length,
        }),
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
    return [finding(check, 'warning', 'notLooked', {})];
  }
}

function isOfStore(error: unknown): boolean {
  return error instanceof Problem && error.code.startsWith('STORE_');
}

/** A probe sees whether the store could take a change; only a change shows whether it does. */
async function changesFinding(db: Db): Promise<Finding> {
  try {
    await tryChange(db, randomUUIDv7());
    return finding('changes', 'right', 'changesTaken', {});
  } catch (error) {
    const reason = reasonOf(error instanceof Problem ? (error.cause ?? error) : error);
    return finding('changes', 'wrong', 'changesRefused', { reason });
  }
}

async function clockFinding(db: Db, nowMs: number): Promise<Finding> {
  const storeNowMs = await storeClock(db);
  if (storeNowMs === null)
    return nowMs > year2026Ms
      ? finding('clock', 'right', 'clockPlausible', {})
      : finding('clock', 'wrong', 'clockPast', {});
  const skewMs = Math.abs(Date.now() - storeNowMs);
  return skewMs <= clockSkewMaxMs
    ? finding('clock', 'right', 'clockAgrees', {})
    : finding('clock', 'wrong', 'clockApart', { seconds: Math.round(skewMs / 1_000) });
}

/** A store that was not in use has this for a week, so it is a warning (D-846). */
async function trustedTimeFinding(db: Db, nowMs: number): Promise<Finding> {
  const { trustedMs, jumpMs, believedInMs } = await clockState(db, nowMs);
  const check = 'trusted time';
  if (jumpMs === 0) return finding(check, 'right', 'clockFollowed', {});
  return finding(check, 'warning', 'clockJumped', {
    clock: new Date(nowMs).toISOString(),
    trusted: new Date(trustedMs).toISOString(),
    left: Math.ceil((believedInMs ?? 0) / 3_600_000),
  });
}

const connectionsBeside = 3;

/** Every replica may open as many connections as its pool has, one for scans, and for each of both one to ask on (D-900); the server has one limit for all. */
async function poolFindings(db: Db, { poolSize, workers }: Config): Promise<Finding[]> {
  const room = await connectionRoom(db, Date.now());
  if (room === null) return [];
  const check = 'connections';
  const processes = Math.max(room.replicas, workers);
  const wanted = processes * (poolSize + connectionsBeside);
  const { most } = room;
  if (wanted > most)
    return [finding(check, 'warning', 'poolsTooLarge', { processes, poolSize, wanted, most })];
  if (poolSize < poolSizeMin)
    return [finding(check, 'warning', 'poolSmall', { poolSize, least: poolSizeMin })];
  return [finding(check, 'right', 'poolsFit', { wanted, most })];
}

/** Nothing fails for want of a standby, so what is not right with it is a warning. */
async function standbyFindings(db: Db, { databaseUrlRead, poolSize }: Config): Promise<Finding[]> {
  if (databaseUrlRead === '') return [];
  const check = 'standby';
  const standby = await openStandby(databaseUrlRead, patienceMs, poolSize);
  try {
    const { isStandby, bytes, seconds } = await lagOf(db, standby.db);
    if (!isStandby) return [finding(check, 'warning', 'standbyWrites', {})];
    const lag = { seconds: seconds.toFixed(1), bytes };
    if (seconds > lagMaxSeconds) return [finding(check, 'warning', 'standbyBehind', lag)];
    return [finding(check, 'right', 'standbyAnswers', lag)];
  } catch (error) {
    const reason = reasonOf(error instanceof Problem ? (error.cause ?? error) : error);
    return [finding(check, 'warning', 'standbyAway', { reason })];
  } finally {
    await standby.close();
  }
}

async function diskFindings({ databaseUrl }: Config): Promise<Finding[]> {
  if (!databaseUrl.startsWith('sqlite:') || databaseUrl === 'sqlite::memory:') return [];
  const folder = dirname(fileOf(databaseUrl));
  const disk = await statfs(folder).catch(() => null);
  if (disk === null) return [finding('disk', 'wrong', 'diskUnseen', { folder })];
  const freeBytes = disk.bavail * disk.bsize;
  const free = { gib: (freeBytes / 1024 ** 3).toFixed(1), folder };
  return [
    freeBytes >= diskBytesMin
      ? finding('disk', 'right', 'diskFree', free)
      : finding('disk', 'wrong', 'diskFull', free),
  ];
}
