// A pooled connection while it is lent, and the statements that are sent on it. Every statement has limits of time at
// the server, set for its own transaction alone: a pooler in transaction mode hands the connection to others after that,
// so nothing may be left behind in the session. One limit is for waits for a lock, the other, ten times as long, for the
// statement. One that has no answer in the time of the first is late unless the server works on it, or its answer is
// arriving (D-900): then it is cancelled, and its connection stays out of the pool until the server has ended it, so that
// there are never more connections than the pool has places (D-170).

import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { type Movement, type TimeLimit, whileMoving } from '../work/time-limit.ts';

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
/** What the server says when the limit of time for a statement is over, and when the one for a lock is. */
export const cancelledState = '57014';
const lockTimeoutState = '55P03';
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
  readonly connection: pg.Connection & { readonly stream: Socket };
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

/** What the server is told, in milliseconds; a limit of 0 is none. */
export interface ServerLimits {
  readonly lockMs: number;
  readonly statementMs: number;
}

/** In front of statements of the same text. */
export function limitsText({ lockMs, statementMs }: ServerLimits): string {
  const lockLimit = lockMs === 0 ? '' : `set local lock_timeout = ${lockMs}; `;
  return `${lockLimit}set local statement_timeout = ${statementMs}; `;
}

/** The same as a statement of its own. */
export function limitsOpening({ lockMs, statementMs }: ServerLimits, more = ''): string {
  const lockLimit = lockMs === 0 ? '' : `, set_config('lock_timeout', '${lockMs}', true)`;
  return `select ${more}set_config('statement_timeout', '${statementMs}', true)${lockLimit}`;
}

/** What whoever lends a connection knows and wants to know. */
export interface Lender {
  readonly movement: Movement;
  /** Whether the server works on what was sent so long ago on a connection. */
  readonly isWorking: (client: pg.PoolClient, processId: number | null, forMs: number) => Promise<boolean>;
}

/** A connection that one question or change has for itself. */
export class LentConnection {
  readonly #client: DriverClient;
  readonly #limit: TimeLimit;
  readonly #lender: Lender;
  #unanswered: Promise<unknown> | null = null;
  #isUsable = true;
  #isCommitting = false;
  #isInTransaction = false;

  constructor(client: pg.PoolClient, limit: TimeLimit, lender: Lender) {
    this.#client = client as DriverClient;
    this.#limit = limit;
    this.#lender = lender;
  }

  /** What the server may still use of the caller's time. */
  get limits(): ServerLimits {
    return { lockMs: this.#limit.leftMs, statementMs: this.#limit.leftInAllMs };
  }

  /** The same where the server waits for other machines: it does not say whether these work, and ends the wait itself. */
  get limitsOfSpread(): ServerLimits {
    return { lockMs: 0, statementMs: this.#limit.leftMs };
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
    const sentAtMs = performance.now();
    const { stream } = this.#client.connection;
    let bytesRead = stream.bytesRead;
    const isMoving = async (): Promise<boolean> => {
      const isArriving = stream.bytesRead !== bytesRead;
      bytesRead = stream.bytesRead;
      const forMs = performance.now() - sentAtMs;
      const moves = isArriving || (await this.#lender.isWorking(this.#client, this.#client.processID, forMs));
      if (moves) this.#lender.movement.stepped();
      return moves;
    };
    const tooLate = (): Error => {
      this.#unanswered = query.done;
      return Object.assign(timeoutError(), { code: cancelledState });
    };
    this.#client.query(query);
    try {
      const answer = await whileMoving(query.done, {
        limit: this.#limit,
        isMoving,
        tooLate,
        graceMs: serverFirstMs,
      });
      this.#limit.stepped();
      this.#lender.movement.stepped();
      return answer;
    } catch (error) {
      if (isTimeout(error)) this.#lender.movement.ended();
      if (isBroken(error)) this.#isUsable = false;
      // What the server has refused for another reason, it has answered; where it ended the transaction because this side stood
      // still (D-172), this side was late.
      const isAnswered = !isTimeout(error) && !isBroken(error);
      if (isAnswered || idleTransactionStates.has(stateOf(error))) this.#limit.stepped();
      throw error;
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
  if ([cancelledState, lockTimeoutState].includes(stateOf(error))) return true;
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
