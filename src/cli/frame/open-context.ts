// Opens the context of a command: settings, store, schema. Every way this can fail is a sentence for the operator.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  checkUsable,
  encodingFinding,
  missingRightsFinding,
  openUnasked,
  openUsableStore,
  StoreUnusable,
} from '../../acts/operations/open-store.ts';
import {
  type Config,
  type ConfigReading,
  readConfig,
  type SettingInForce,
  type SettingKey,
  shownSettings,
} from '../../config.ts';
import type { Context } from '../../context.ts';
import { reasonOf } from '../../domain/reason.ts';
import { findIdentity, foundStore } from '../../store/access/signing-keys.ts';
import type { Db } from '../../store/engine/db.ts';
import { migrate, schemaStatus } from '../../store/engine/migrate.ts';
import { openStandby } from '../../store/engine/postgres/standby.ts';
import { makeFolder, storeFileOf } from '../../store/engine/sqlite/store-file.ts';
import { unreadableFile } from './given-file.ts';
import { openLog } from './log.ts';
import { once, type Step } from './start-patience.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface Flags {
  readonly config?: string;
  readonly settings?: Partial<Record<SettingKey, string>>;
  /** The folder of the store is made if it is not there (D-839). */
  readonly isCreating?: boolean;
}

// A command may wait longer than a caller: nobody's request hangs on it.
const commandTimeoutMs = 60_000;

export type SettingsRead = Extract<ConfigReading, { config: Config }>;

export async function readSettings(terminal: Terminal, flags: Flags): Promise<SettingsRead> {
  const reading = readConfig({
    flags: flags.settings ?? {},
    env: terminal.env,
    file: flags.config === undefined ? {} : await readSettingsFile(flags.config),
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  if ('config' in reading) {
    if (flags.isCreating === true) makeStoreFolder(reading.config.databaseUrl);
    return reading;
  }
  const list = reading.faults.map((fault) => `  ${fault}`).join('\n');
  throw new CommandError(
    `The settings are not valid:\n${list}\nThe list of settings is in docs/settings.md.`,
  );
}

function makeStoreFolder(databaseUrl: string): void {
  const path = storeFileOf(databaseUrl);
  if (path === null) return;
  const folder = dirname(path);
  try {
    makeFolder(folder);
  } catch (error) {
    throw new CommandError(
      `The folder ${folder} cannot be made: ${reasonOf(error)}. Name another place in DATABASE_URL.`,
      { cause: error },
    );
  }
}

async function readSettingsFile(path: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadableFile(path, error);
  }
  if (content === null) return {};
  if (typeof content === 'object' && !Array.isArray(content)) return content as Record<string, unknown>;
  throw new CommandError(
    `The settings file ${path} must be a map of names and values, such as "PORT: 8080".`,
  );
}

/** The store as it is, without a look at its schema. */
export function openStore(config: Config, timeoutMs: number): Promise<Db> {
  return asCommandError(() => openUsableStore(config, timeoutMs));
}

/** The store of a service: whether it can be used is asked in a step of the start (checkStore). */
export function openStoreOfStart(config: Config): Promise<Db> {
  return asCommandError(() => openUnasked(config, config.storeTimeoutMs));
}

export function checkStore(config: Config, db: Db): Promise<void> {
  return asCommandError(() => checkUsable(config, db));
}

async function asCommandError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnusable) throw new CommandError(error.message, { cause: error.cause });
    throw error;
  }
}

/** Brings the schema up to date and gives a new store its identity. What is called before each step may throw to end it there. */
export async function prepareStore(
  config: Config,
  db: Db,
  terminal: Terminal,
  beforeStep: () => void = () => {},
): Promise<void> {
  const { pending } = await schemaStatus(db);
  if (pending.length > 0) {
    terminal.tell(`Bringing the schema of the store up to date: ${stepsText(terminal, pending)} ...`);
    // Steps over much data take longer than a request may.
    await withPatience(config, db, (patient) => migrate(patient, Date.now, { beforeStep }));
  }
  beforeStep();
  if ((await findIdentity(db)) === null) {
    await db.write(foundStore, {
      storeId: randomUUIDv7(),
      secretKey: newSecret(),
      kid: randomUUIDv7(),
      keySecret: newSecret(),
      nowMs: Date.now(),
    });
  }
}

/** By name in a log; somebody at a terminal only wants to know how much there is to wait for. */
function stepsText({ isWatched }: Terminal, pending: readonly string[]): string {
  if (!isWatched) return pending.join(', ');
  return pending.length === 1 ? '1 step' : `${pending.length} steps`;
}

/** A right that the store needs and does not have, as a sentence with the statement that grants it; any other error as it is. */
export async function explainRights(config: Config, db: Db, error: unknown): Promise<unknown> {
  const missing = await missingRightsFinding(config, db, error).catch(() => null);
  return missing === null ? error : new CommandError(missing.says, { cause: error });
}

export function warnOfEncoding(db: Db, terminal: Terminal): void {
  const encoding = encodingFinding(db);
  if (encoding !== null) terminal.tell(`Warning: ${encoding.says}`);
}

/** Work that may take longer than a request, on a view of the store with more patience. */
export async function withPatience<T>(
  config: Config,
  db: Db,
  work: (patient: Db) => Promise<T>,
  step: Step = once,
): Promise<T> {
  // A store in memory has one view.
  if (config.databaseUrl === 'sqlite::memory:') return work(db);
  const patient = await step(() => openStore(config, commandTimeoutMs));
  try {
    return await work(patient);
  } finally {
    await patient.close();
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export async function buildContext(
  config: Config,
  db: Db,
  inForce?: readonly SettingInForce[],
): Promise<Context> {
  return {
    config,
    db,
    ...(inForce === undefined ? {} : { settings: shownSettings(inForce) }),
    // It is connected to when it is first asked something.
    standby:
      config.databaseUrlRead === ''
        ? null
        : await openStandby(config.databaseUrlRead, config.storeTimeoutMs, config.poolSize),
    now: Date.now,
    elapsedMs: () => performance.now(),
    newId: randomUUIDv7,
    newSecret,
    log: await openLog(config.logLevel, config.logFormat),
  };
}

/** Everything a command needs, for as long as its work takes. */
export async function withContext<T>(
  terminal: Terminal,
  flags: Flags,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { config } = await readSettings(terminal, flags);
  const db = await openStore(config, commandTimeoutMs);
  try {
    await prepareStore(config, db, terminal);
    return await work(await buildContext(config, db));
  } catch (error) {
    throw await explainRights(config, db, error);
  } finally {
    await db.close();
  }
}
