// Whether two sides hold the same responses, day by day (docs/digests.md).

import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { readDatabaseAddress } from '../../domain/database-address.ts';
import {
  compareSources,
  type DayDifference,
  differencesOf,
  type SourceFigures,
} from '../../domain/feedback/day-figures.ts';
import { reasonOf } from '../../domain/reason.ts';
import { findClient } from '../../store/access/clients.ts';
import type { Db } from '../../store/engine/db.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import { digests } from '../../store/engine/migrations/0014-digests.ts';
import { StoreSnapshot } from '../../store/engine/sqlite/store-snapshot.ts';
import { hasAccount, onlyAccountId } from '../../store/feedback/catalogue.ts';
import { figuresOfSnapshot } from '../../store/feedback/snapshot-figures.ts';
import { figuresOfStore } from '../../store/feedback/store-figures.ts';
import { openDb } from '../../store/open-db.ts';
import { noSuchAccount } from '../frame/account-and-source.ts';
import { type Flags, openStore, readSettings } from '../frame/open-context.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import { secretOf } from '../keys/client-secret.ts';
import { readFiguresFile } from './figures-file.ts';
import { figuresOfService } from './figures-service.ts';

export interface AgainstOptions {
  /** A backup in the place of the store that DATABASE_URL names. */
  readonly file: string | undefined;
  readonly against: string;
  readonly account: number | undefined;
  readonly client: string | undefined;
  readonly fromRows: boolean;
}

/** What was compared, and the days that differ. */
export interface ComparedStores {
  readonly sources: number;
  readonly days: number;
  /** Measures and projects that the other side does not tell of. */
  readonly passedOver: number;
  readonly differences: readonly DayDifference[];
}

/** One of the two that are compared. */
interface Side {
  readonly figures: AsyncIterable<SourceFigures> | Iterable<SourceFigures>;
  /** Whether it tells of some sources only: those that it does not name are not compared. */
  readonly isPartial: boolean;
}

const storeTimeoutMs = 60_000;

export async function verifyAgainst(
  terminal: Terminal,
  flags: Flags,
  options: AgainstOptions,
): Promise<ComparedStores> {
  const opened: { close(): unknown }[] = [];
  try {
    return await new Verification(terminal, flags, options, opened).run();
  } finally {
    for (const one of opened.toReversed()) await one.close();
  }
}

class Verification {
  readonly #terminal: Terminal;
  readonly #flags: Flags;
  readonly #options: AgainstOptions;
  readonly #opened: { close(): unknown }[];
  readonly #progress: LateProgress;
  #rows = 0;
  #db: Db | null = null;

  constructor(terminal: Terminal, flags: Flags, options: AgainstOptions, opened: { close(): unknown }[]) {
    this.#terminal = terminal;
    this.#flags = flags;
    this.#options = options;
    this.#opened = opened;
    this.#progress = new LateProgress(terminal);
  }

  async run(): Promise<ComparedStores> {
    const { account = null } = this.#options;
    const isOfService = /^https?:\/\//i.test(this.#options.against);
    // A service tells of one account, so that only this one is compared.
    const only = account ?? (isOfService ? await this.#accountOfClient() : null);
    const here = await this.#here(only);
    const there = isOfService ? await this.#service(only!) : await this.#there(only);
    return this.#compare(here, there);
  }

  async #here(only: number | null): Promise<Side> {
    const { file } = this.#options;
    if (file !== undefined) return this.#snapshot(file, only);
    const db = await this.#ownStore();
    if (only !== null && !(await hasAccount(db, only))) throw noSuchAccount(only);
    return this.#store(db, only);
  }

  async #ownStore(): Promise<Db> {
    if (this.#db !== null) return this.#db;
    const { config } = await readSettings(this.#terminal, this.#flags);
    this.#db = await openStore(config, storeTimeoutMs);
    this.#opened.push(this.#db);
    await checkSchema(this.#db, 'this store');
    return this.#db;
  }

  async #there(only: number | null): Promise<Side> {
    const { against } = this.#options;
    if (/^(postgres|postgresql|sqlite):/i.test(against))
      return this.#store(await this.#otherStore(against), only);
    if (!existsSync(against))
      throw new CommandError(
        `There is no file ${against}. Name a backup, a file of figures, the address of a store (sqlite:FILE, postgres://...) or of a service (https://...).`,
      );
    if (isStoreFile(against)) return this.#snapshot(against, only);
    const figures = await readFiguresFile(against, () => this.#accountOfFile());
    return {
      figures: only === null ? figures : figures.filter((of) => of.accountId === only),
      isPartial: true,
    };
  }

  async #otherStore(address: string): Promise<Db> {
    const path = address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : null;
    if (path !== null && !existsSync(path)) throw new CommandError(`There is no store ${path}.`);
    try {
      const db = await openDb(address, { timeoutMs: storeTimeoutMs, poolSize: 2 });
      this.#opened.push(db);
      await checkSchema(db, 'the other store');
      return db;
    } catch (error) {
      if (error instanceof CommandError) throw error;
      // The address may hold a password.
      const where = path ?? readDatabaseAddress(address)?.hosts.join(' and ') ?? 'the other store';
      throw new CommandError(`The store at ${where} cannot be read: ${reasonOf(causeOf(error))}.`, {
        cause: error,
      });
    }
  }

  #store(db: Db, accountId: number | null): Side {
    const { fromRows: isFromRows } = this.#options;
    return { figures: figuresOfStore(db, { accountId, isFromRows, onRows: this.#onRows }), isPartial: false };
  }

  #snapshot(file: string, accountId: number | null): Side {
    const snapshot = new StoreSnapshot(file);
    this.#opened.push(snapshot);
    return { figures: figuresOfSnapshot(snapshot, accountId, this.#onRows), isPartial: false };
  }

  async #service(accountId: number): Promise<Side> {
    const clientId = this.#clientId();
    const clientSecret = await secretOf(this.#terminal, clientId);
    const url = serviceUrl(this.#options.against);
    const onWait = (sentence: string): void => this.#progress.say(() => sentence);
    return {
      figures: figuresOfService({ url, clientId, clientSecret, accountId }, Date.now(), onWait),
      isPartial: false,
    };
  }

  #clientId(): string {
    const clientId = this.#options.client ?? this.#terminal.env.SOUNDINGS_CLIENT_ID;
    if (clientId !== undefined) return clientId;
    throw new CommandError(
      'A service is asked as an API client: name it with --client or SOUNDINGS_CLIENT_ID, and put its secret into SOUNDINGS_CLIENT_SECRET or a file that SOUNDINGS_CLIENT_SECRET_FILE names.',
    );
  }

  /** The account of the API client, where this store knows it too; else the only account that there is. */
  async #accountOfClient(): Promise<number> {
    const clientId = this.#clientId();
    if (this.#options.file !== undefined)
      throw new CommandError('Say with --account which account of the backup the API client belongs to.');
    const known = await findClient(await this.#ownStore(), clientId);
    return known?.accountId ?? this.#onlyAccount(`This store does not know the API client ${clientId}`);
  }

  #accountOfFile(): Promise<number> {
    if (this.#options.account !== undefined) return Promise.resolve(this.#options.account);
    return this.#onlyAccount('The file has no column account');
  }

  async #onlyAccount(reason: string): Promise<number> {
    if (this.#options.file !== undefined)
      throw new CommandError(`${reason}: say with --account which is meant.`);
    const db = await this.#ownStore();
    const only = await onlyAccountId(db);
    if (only === null) throw new CommandError(`${reason}: say with --account which is meant.`);
    return only;
  }

  /** Both sides come in the same order, so that one source of each is in hand at a time. */
  async #compare(here: Side, there: Side): Promise<ComparedStores> {
    const ours = iterate(here.figures);
    const theirs = iterate(there.figures);
    const differences: DayDifference[] = [];
    let [sources, days, passedOver] = [0, 0, 0];
    let [our, their] = [await ours(), await theirs()];
    while (our !== null || their !== null) {
      const order = our === null ? 1 : their === null ? -1 : compareSources(our, their);
      const [mine, its] = [order <= 0 ? our : null, order >= 0 ? their : null];
      const name = (mine ?? its)!;
      if (its === null && there.isPartial) passedOver += 1;
      else {
        sources += 1;
        days += new Set([...(mine?.days ?? []), ...(its?.days ?? [])].map(([day]) => day)).size;
        differences.push(...differencesOf(name, mine, its));
      }
      this.#progress.say(
        () => `Compared ${numberText(sources)} measures and projects, ${numberText(days)} days.`,
      );
      if (order <= 0) our = await ours();
      if (order >= 0) their = await theirs();
    }
    return { sources, days, passedOver, differences };
  }

  readonly #onRows = (count: number): void => {
    this.#rows += count;
    this.#progress.say(() => `Working out digests: ${numberText(this.#rows)} responses.`);
  };
}

/** The next of a row of values, or null behind the last. */
function iterate<T>(values: AsyncIterable<T> | Iterable<T>): () => Promise<T | null> {
  const iterator =
    Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  return async () => {
    const { done, value } = await iterator.next();
    return done === true ? null : (value as T);
  };
}

async function checkSchema(db: Db, which: string): Promise<void> {
  const { current } = await schemaStatus(db);
  if (current >= digests.number) return;
  throw new CommandError(
    `The schema of ${which} has step ${current} and knows no digests: run "soundings migrate" there, or compare with a backup of it.`,
  );
}

function isStoreFile(file: string): boolean {
  const magic = 'SQLite format 3\0';
  const start = Buffer.alloc(magic.length);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, start, 0, magic.length, 0);
  } finally {
    closeSync(opened);
  }
  return start.toString('latin1') === magic;
}

/** The address without what follows it, and without credentials, which do not belong into an address. */
function serviceUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '')
    throw new CommandError(
      '--against must be the address of a service, such as https://feedback.example, without credentials in it.',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
