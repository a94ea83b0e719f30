// A pooled connection while it is lent, and the statements that are sent on it. Every statement has a limit of time at
// the server, set for its own transaction alone: a pooler in transaction mode hands the connection to others after that,
// so nothing may be left behind in the session. What has no answer in time is cancelled, and its connection stays out
// of the pool until the server has ended it, so that there are never more connections than the pool has places (D-170).

import { connect } from 'node:net';
import pg from 'pg';

// The server's own limit comes first, because then the connection can be used again; ours is for a server that hangs.
const serverFirstMs = 100;
// How long a cancelled statement may take to end. The server has its own limit, so it is over there in any case.
const cancelPatienceMs = 2_000;
const cancelConnectMs = 1_000;
const cancelCode = 80_877_102;
// What pg says when a query had no answer in time; ours says the same.
const timeoutMessage = 'Query read timeout';

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]);
// The server ended the session because its transaction stood still, or took too long as a whole.
const idleTransactionStates = new Set(['25P03', '25P04']);

export type ServerResult = pg.QueryResult | pg.QueryResult[];

/** What can be sent on a connection: `done` settles when the server has answered or the connection is gone. */
export interface Sendable<T> extends pg.Submittable {
  readonly done: Promise<T>;
}

// The parts of the driver's own query that its published types leave out.
interface DriverQuery extends pg.Submittable {
  prepare(connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}
export interface DriverConnection {
  parse(statement: { readonly text: string }): void;
  bind(values: object): void;
  execute(portal: object): void;
  sync(): void;
}
interface DriverClient extends pg.PoolClient {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: pg.Connection;
}

const DriverQuery = pg.Query as unknown as new (config: object) => DriverQuery;

/**
 * One statement. An opening, such as a limit of time, is sent in front of it in the same message and the same
 * transaction, which the server ends by itself; what the opening returns is passed over.
 */
export class ServerQuery extends DriverQuery implements Sendable<ServerResult> {
  readonly done: Promise<ServerResult>;
  readonly #opening: string | null;
  #isOpened: boolean;

  constructor(config: pg.QueryConfig, opening: string | null = null) {
    const { promise, resolve, reject } = Promise.withResolvers<ServerResult>();
    const callback = (error: unknown, result: ServerResult): void =>
      error ? reject(error) : resolve(result);
    super({ ...config, ...(opening === null ? {} : { queryMode: 'extended' }), callback });
    this.done = promise;
    this.#opening = opening;
    this.#isOpened = opening === null;
  }

  override prepare(connection: pg.Connection): void {
    if (this.#opening !== null) {
      const driver = connection as unknown as DriverConnection;
      driver.parse({ text: this.#opening });
      driver.bind({});
      driver.execute({});
    }
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isOpened) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isOpened) super.handleCommandComplete(message, connection);
    this.#isOpened = true;
  }
}

/** A connection that one question or change has for itself. */
export class LentConnection {
  readonly #client: DriverClient;
  readonly #deadlineMs: number;
  #unanswered: Promise<unknown> | null = null;
  #isUsable = true;
  #isCommitting = false;
  #isInTransaction = false;

  constructor(client: pg.PoolClient, deadlineMs: number) {
    this.#client = client as DriverClient;
    this.#deadlineMs = deadlineMs;
  }

  /** What the server may still use of the caller's time, in whole milliseconds. */
  get leftMs(): number {
    return Math.ceil(leftOf(this.#deadlineMs));
  }

  get isAbandoned(): boolean {
    return this.#unanswered !== null;
  }

  /** Nobody waits for its commit any more, and the server has not answered. */
  get isCommitAbandoned(): boolean {
    return this.#isCommitting && this.#unanswered !== null;
  }

  beginsTransaction(): void {
    this.#isInTransaction = true;
  }

  commits(isCommitting: boolean): void {
    this.#isCommitting = isCommitting;
  }

  async send<T>(query: Sendable<T>): Promise<T> {
    this.#client.query(query);
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#unanswered = query.done;
      reject(timeoutError());
    }, this.leftMs + serverFirstMs);
    try {
      return await Promise.race([query.done, tooLate]);
    } catch (error) {
      if (isBroken(error)) this.#isUsable = false;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives it back to the pool as soon as the server has nothing to do on it any more. */
  async giveBack(): Promise<void> {
    if (this.#unanswered !== null) this.#isUsable = await this.#endUnanswered(this.#unanswered);
    this.#client.release(!this.#isUsable);
  }

  /** Ends it whatever the server does. */
  drop(): void {
    this.#client.connection.stream.destroy();
  }

  /** Waits for the end of a statement that nobody waits for; whether the connection can be used after it. */
  async #endUnanswered(unanswered: Promise<unknown>): Promise<boolean> {
    const answered = unanswered.then(
      () => true,
      (error: unknown) => !isBroken(error),
    );
    // A commit that waits for a standby is done already on the server itself, and a cancelled one would be taken for
    // durable by whoever comes next. So it is waited for, as long as the server has it under way (D-171).
    if (this.#isCommitting) return answered;
    const cancelled = requestCancel(this.#client);
    const isAnswered = await Promise.race([answered, pause(cancelPatienceMs)]);
    // A cancel that is still on its way would hit the next statement.
    await cancelled;
    if (!isAnswered || !this.#isInTransaction) return isAnswered;
    const rollback = new ServerQuery({ text: 'rollback' });
    this.#client.query(rollback);
    const rolledBack = rollback.done.then(
      () => true,
      () => false,
    );
    return Promise.race([rolledBack, pause(cancelPatienceMs)]);
  }
}

/** Asks the server, on a connection of its own, to cancel what runs on this one. Resolves when that one is closed. */
function requestCancel({ host, port, processID, secretKey }: DriverClient): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve();
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(cancelCode, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(cancelConnectMs, () => socket.destroy());
  socket.on('error', () => {});
  // The server closes when it has passed it on. A pooler drops the request of one that closes before.
  socket.on('connect', () => socket.write(message));
  socket.resume();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function pause(ms: number): Promise<false> {
  return new Promise((resume) => setTimeout(() => resume(false), ms).unref());
}

export function leftOf(deadlineMs: number): number {
  return Math.max(1, deadlineMs - performance.now());
}

export function timeoutError(reason = ''): Error {
  return new Error(timeoutMessage + reason);
}

/** For whoever reads the log: the server may be well, and the pool too small. */
export function allInUse(poolSize: number): string {
  return `: all ${poolSize} connections were in use; raise SOUNDINGS_POOL_SIZE, or see why the server is slow`;
}

export function stateOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

export function isTimeout(error: unknown): boolean {
  if (stateOf(error) === '57014') return true;
  return error instanceof Error && error.message.startsWith(timeoutMessage);
}

/**
 * A machine behind the server is away, where it spreads accounts over several: the server itself says so, on a connection that is as
 * good as before.
 */
export function isWorkerAway(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && stateOf(error).startsWith('08');
}

export function isUnreachable(error: unknown): boolean {
  if (isWorkerAway(error)) return false;
  const state = stateOf(error);
  const isGone = networkCodes.has(state) || idleTransactionStates.has(state) || /^(08|57P|53)/.test(state);
  // pg says these three without a code.
  return (
    isGone ||
    (error instanceof Error &&
      /^(Connection terminated|timeout exceeded|Client has encountered)/.test(error.message))
  );
}

/** Whether nobody knows what became of the statement: the connection went away, or there was no answer. */
export function isUnanswered(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof Error && error.message.startsWith(timeoutMessage));
}

/** A connection that must not be used again; one whose statement the server has cancelled is as good as before. */
function isBroken(error: unknown): boolean {
  return isUnreachable(error) || stateOf(error) === '25006';
}
