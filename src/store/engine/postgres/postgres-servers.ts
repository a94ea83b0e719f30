// Which PostgreSQL server the connections go to. With one host it is that one. With several, the one that takes changes
// (or, for reading only, a standby) is looked for when a connection is needed, among all hosts at once, and again
// whenever it cannot be reached, says that it takes no changes any more, or leaves a statement unanswered (D-230).
//
// Every server has a pool of its own. When another server takes over, the pool of the old one is left to those who still
// wait for an answer from it, its idle connections are closed, and whoever waits for a connection of it asks again.

import type { Socket } from 'node:net';
import pg from 'pg';
import {
  type DatabaseAddress,
  readDatabaseAddress,
  type WantedServer,
} from '../../../domain/database-address.ts';
import { allInUse, isUnreachable, stateOf } from './postgres-connection.ts';
import { postgresSocket } from './postgres-socket.ts';

// Long enough for a server on another continent, short enough to leave a caller time for the one that answers.
const answerTimeoutMs = 900;
// When one server has said that it is the right one, others may still be the better choice.
const othersMs = 150;
// A statement may be late without any server having failed, so those are no reason to look all the time.
const lookAgainMs = 500;
/** What a server says that takes no changes, because it is a standby now. */
const readOnlyState = '25006';

type PoolConfig = pg.PoolConfig & {
  readonly max: number;
  /** How long a server may say nothing while a connection to it is made, the only one or one of several. */
  readonly silenceMs: { readonly ofOne: number; readonly ofMany: number };
  /** Tells at each call whether others were answered since the one before. */
  readonly movedSince: () => () => boolean;
};

interface Server {
  readonly address: string;
  readonly pool: pg.Pool;
  readonly idle: Set<pg.PoolClient>;
  /** Those who wait for a connection of it. */
  readonly waiting: Set<(error: Error) => void>;
  isLeft: boolean;
}

interface ServerAnswer {
  readonly address: string;
  readonly isReadOnly: boolean;
  /** Grows with every promotion: of two servers that take changes, the one that was promoted last is right. */
  readonly timeline: string;
}

export class PostgresServers {
  readonly #address: DatabaseAddress;
  readonly #config: PoolConfig;
  readonly #serverOf = new WeakMap<pg.PoolClient, Server>();
  #server: Server | null = null;
  #searching: Promise<Server> | null = null;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #isEnding = false;

  constructor(address: string, purpose: Exclude<WantedServer, 'any'>, config: PoolConfig) {
    const read = readDatabaseAddress(address);
    if (read === null) throw new Error('This is not an address of PostgreSQL.');
    // Whoever names several servers means the one that is fit for the purpose.
    const isPlainList = read.servers.length > 1 && read.wanted === 'any';
    this.#address = isPlainList ? { ...read, wanted: purpose } : read;
    this.#config = config;
  }

  /** Whether another server may take over, so that waiting for it is worth a caller's time. */
  get hasOthers(): boolean {
    return this.#address.servers.length > 1;
  }

  get totalCount(): number {
    return this.#server?.pool.totalCount ?? 0;
  }

  get idleCount(): number {
    return this.#server?.pool.idleCount ?? 0;
  }

  get waitingCount(): number {
    return this.#server?.pool.waitingCount ?? 0;
  }

  async connect(): Promise<pg.PoolClient> {
    const server = this.#server ?? (await this.#search());
    try {
      const client = await this.#clientOf(server);
      this.#serverOf.set(client, server);
      return client;
    } catch (error) {
      if (this.#isChosen && isServerLost(error)) this.#leave(server);
      throw error;
    }
  }

  /** The address of the server at the other end. */
  addressOf(client: pg.PoolClient): string | null {
    return this.#serverOf.get(client)?.address ?? null;
  }

  /** A statement failed on this connection: another server may have taken over. */
  noteFailure(client: pg.PoolClient, error: unknown, isUnanswered: boolean): void {
    const server = this.#serverOf.get(client);
    if (server === undefined || server !== this.#server) return;
    if (stateOf(error) === readOnlyState) return this.#leaveOften(server);
    const isRecent = performance.now() - this.#lookedAtMs < lookAgainMs;
    if (!isUnanswered || !this.hasOthers || isRecent || this.#searching !== null) return;
    this.#lookedAtMs = performance.now();
    // Nobody waits for it. While no other server is the right one, the one in use stays.
    this.#find().then(
      (address) => {
        if (address !== server.address && this.#server === server) this.#use(address);
      },
      () => {},
    );
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#searching?.catch(() => {});
    await this.#server?.pool.end();
  }

  /** Whether a server is used only if it is of the wanted kind. */
  get #isChosen(): boolean {
    return this.hasOthers || this.#address.wanted !== 'any';
  }

  // A server may refuse every change for a reason of its own: then all connections would be made anew all the time.
  #leaveOften(server: Server): void {
    if (performance.now() - this.#lookedAtMs < lookAgainMs && !this.hasOthers) return;
    this.#lookedAtMs = performance.now();
    this.#leave(server);
  }

  #search(): Promise<Server> {
    this.#searching ??= this.#find()
      .then((address) => {
        if (this.#isEnding) throw lost('The store was closed.');
        return this.#server ?? this.#use(address);
      })
      .finally(() => {
        this.#searching = null;
      });
    return this.#searching;
  }

  async #find(): Promise<string> {
    const { servers, hosts, wanted } = this.#address;
    if (!this.#isChosen) return servers[0]!;
    const isWanted = ({ isReadOnly }: ServerAnswer): boolean => wanted !== 'writer' || !isReadOnly;
    const { answers, failures } = await this.#ask(servers, isWanted);
    const right = answers.filter(isWanted).sort((a, b) => preference(a, b, wanted));
    if (right[0] !== undefined) return right[0].address;
    const reasons = servers.map((address, index) => {
      const failure = failures.get(address);
      const isReadOnly = answers.some((answer) => answer.address === address);
      const reason = isReadOnly ? 'is a standby' : failure === undefined ? 'did not answer' : failure.message;
      return `${hosts[index]} ${reason}`;
    });
    const [state] = [...failures.values()].map(stateOf);
    const isRefused = failures.size === servers.length && /^(28|3D)/.test(state ?? '');
    throw lost(`No server takes changes: ${reasons.join('; ')}`, isRefused ? state : undefined);
  }

  /** Asks all of them at once; when one is right, the others have a moment left. */
  #ask(
    servers: readonly string[],
    isWanted: (answer: ServerAnswer) => boolean,
  ): Promise<{ answers: ServerAnswer[]; failures: Map<string, Error> }> {
    const answers: ServerAnswer[] = [];
    const failures = new Map<string, Error>();
    return new Promise((resolve) => {
      const end = (): void => resolve({ answers: [...answers], failures: new Map(failures) });
      for (const address of servers) {
        askServer(address, this.#config)
          .then(
            (answer) => void answers.push(answer),
            (error: Error) => void failures.set(address, error),
          )
          .then(() => {
            if (answers.length + failures.size === servers.length) end();
            else if (answers.some(isWanted)) setTimeout(end, othersMs).unref();
          });
      }
    });
  }

  #use(address: string): Server {
    const before = this.#server;
    const server: Server = {
      address,
      pool: new pg.Pool({
        ...this.#config,
        connectionString: address,
        stream: postgresSocket,
        Client: clientWithin(this.#config, this.hasOthers),
        // A server that comes back as a standby answers like any other.
        ...(this.#address.wanted === 'writer' ? { onConnect: refuseStandby } : {}),
      }),
      idle: new Set(),
      waiting: new Set(),
      isLeft: false,
    };
    const { pool, idle } = server;
    // An idle connection that breaks is no event: the pool drops it and the next question opens another.
    pool.on('error', () => {});
    // One that breaks in use fails its query, and says so a second time here; unheard, that would end the process.
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('acquire', (client) => idle.delete(client));
    pool.on('release', (error, client) => error || idle.add(client));
    pool.on('remove', (client) => idle.delete(client));
    this.#server = server;
    if (before !== null) this.#leave(before);
    return server;
  }

  #leave(server: Server): void {
    if (server.isLeft) return;
    server.isLeft = true;
    if (this.#server === server) this.#server = null;
    for (const giveUp of server.waiting) giveUp(lost('Another server takes over.'));
    // A server that has gone without a word would keep them, and this process, for minutes.
    for (const client of server.idle) (client as unknown as pg.Client & Socketed).connection.stream.destroy();
    server.pool.end().catch(() => {});
  }

  /** The pool forgets those who wait for a connection when it is ended, so they are told here. */
  #clientOf(server: Server): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      const { waiting } = server;
      waiting.add(reject);
      server.pool.connect().then(
        (client) => {
          waiting.delete(reject);
          if (server.isLeft) {
            client.release(true);
            reject(lost('Another server takes over.'));
          } else resolve(client);
        },
        (error: Error) => {
          waiting.delete(reject);
          reject(isBusy(error) ? new Error(error.message + allInUse(this.#config.max)) : error);
        },
      );
    });
  }
}

interface Socketed {
  readonly connection: { readonly stream: Socket };
}

/** A client whose connection is given up when nothing arrives for too long while it is made, and others are not answered either. */
function clientWithin({ silenceMs, movedSince }: PoolConfig, hasOthers: boolean): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      // Behind TLS the driver has another one, whose bytes go through this one.
      const { stream } = (this as unknown as Socketed).connection;
      const haveOthersMoved = movedSince();
      let bytesRead = 0;
      let isOver = false;
      const look = (): void => {
        if (isOver) return;
        if (!haveOthersMoved() && stream.bytesRead === bytesRead) return void stream.destroy();
        bytesRead = stream.bytesRead;
        timer.refresh();
      };
      // The timer may be late because this thread was: what has arrived meanwhile is read first.
      const timer = setTimeout(() => setImmediate(look), hasOthers ? silenceMs.ofMany : silenceMs.ofOne);
      const stop = (): void => {
        isOver = true;
        clearTimeout(timer);
      };
      this.once('connect', stop).once('end', stop);
    }
  };
}

function lost(message: string, code = '08006'): Error {
  return Object.assign(new Error(message), { code });
}

/** The pool says so where all connections are in use, which says nothing about the server. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded');
}

function isServerLost(error: unknown): boolean {
  return !isBusy(error) && (isUnreachable(error) || stateOf(error) === readOnlyState);
}

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ read_only: string }>(
    `select current_setting('transaction_read_only') as read_only`,
  );
  if (rows[0]?.read_only === 'on')
    throw Object.assign(new Error('The server is a standby.'), { code: readOnlyState });
}

async function askServer(address: string, config: PoolConfig): Promise<ServerAnswer> {
  const timeoutMs = Math.min(answerTimeoutMs, config.silenceMs.ofMany);
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ read_only: string }>(
      `select current_setting('transaction_read_only') as read_only`,
    );
    const isReadOnly = rows[0]?.read_only === 'on';
    return { address, isReadOnly, timeline: isReadOnly ? '' : await timelineOf(client) };
  } finally {
    // A server that does not answer would not answer a farewell either.
    const { stream } = (client as unknown as Socketed).connection;
    client.end().catch(() => {});
    setTimeout(() => stream.destroy(), timeoutMs).unref();
  }
}

/** The first eight digits of the name of a log file; services that hide their log have no timelines to compare. */
async function timelineOf(client: pg.Client): Promise<string> {
  try {
    const { rows } = await client.query<{ file: string }>(
      'select pg_walfile_name(pg_current_wal_lsn()) as file',
    );
    return rows[0]?.file.slice(0, 8) ?? '';
  } catch {
    return '';
  }
}

function preference(a: ServerAnswer, b: ServerAnswer, wanted: DatabaseAddress['wanted']): number {
  if (wanted === 'standby' && a.isReadOnly !== b.isReadOnly) return a.isReadOnly ? -1 : 1;
  return a.timeline === b.timeline ? 0 : a.timeline > b.timeline ? -1 : 1;
}
