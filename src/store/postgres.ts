// The engine for many replicas. Parameters are unnamed, so that it works behind a pooler in transaction mode;
// every limit of time is kept on this side as well, because a server that hangs cannot keep its own.

import pg from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { Problem } from '../domain/problem.ts';
import {
  type Change,
  type Db,
  type DbFigures,
  type DbOptions,
  type Identified,
  type Row,
  type StatementResult,
  storeProblem,
  UniqueViolation,
} from './db.ts';

const connectTimeoutMs = 900;
const idleTimeoutMs = 30_000;
const attemptsMax = 8;

// What a new attempt may mend: serialisation failures, deadlocks, and a server or connection that went away.
const transientStates = new Set([
  '40001',
  '40P01',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08006',
]);
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
const bigintOid = 20;

export async function openPostgres(address: string, options: DbOptions): Promise<Db> {
  return new PostgresDb(address, options);
}

class PostgresDb implements Db {
  readonly engine = 'postgres';
  readonly #pool: pg.Pool;
  readonly #timeoutMs: number;
  #changes = 0;
  #writesWaiting = 0;

  constructor(address: string, { timeoutMs, poolSize }: DbOptions) {
    this.#timeoutMs = timeoutMs;
    this.#pool = new pg.Pool({
      connectionString: address,
      max: poolSize,
      connectionTimeoutMillis: Math.min(connectTimeoutMs, timeoutMs),
      idleTimeoutMillis: idleTimeoutMs,
      query_timeout: timeoutMs,
      allowExitOnIdle: true,
      types: { getTypeParser: typeParser },
    });
    // An idle connection that breaks is no event: the pool drops it and the next question opens another.
    this.#pool.on('error', () => {});
  }

  async read<R = Row>(query: Sql): Promise<readonly R[]> {
    return this.#retrying(async () => {
      const result = await this.#withConnection((connection) => run(connection, query));
      return result.rows as readonly R[];
    });
  }

  async write<Input extends object, Output>(change: Change<Input, Output>, input: Input): Promise<Output> {
    this.#writesWaiting += 1;
    try {
      return await this.#retrying(() => this.#attempt(change, input));
    } finally {
      this.#writesWaiting -= 1;
      this.#changes += 1;
    }
  }

  async probe(): Promise<void> {
    // A standby answers questions and takes no changes, so the probe asks for what only a primary gives.
    await this.#attempt(function* probe() {
      yield sql`select 1`;
    }, {});
  }

  figures(): DbFigures {
    return {
      writesWaiting: this.#writesWaiting,
      batches: this.#changes,
      changes: this.#changes,
      connections: this.#pool.totalCount,
      connectionsIdle: this.#pool.idleCount,
    };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #attempt<Input extends object, Output>(change: Change<Input, Output>, input: Input): Promise<Output> {
    return this.#withConnection(async (connection) => {
      // One round trip. Durability is ours to say, not the server's configuration; so is the limit of time.
      await connection.query(
        `begin read write; set local synchronous_commit = on; set local statement_timeout = ${this.#timeoutMs}`,
      );
      let output: Output;
      try {
        output = await drive(change(input), (query) => run(connection, query));
      } catch (error) {
        await connection.query('rollback').catch(() => {});
        throw error;
      }
      try {
        await connection.query('commit');
      } catch (error) {
        if (isTransient(error) && (await this.#isCommitted(input as Identified))) return output;
        throw error;
      }
      return output;
    });
  }

  /** The connection broke while a commit was under way: only the store knows how it ended. */
  async #isCommitted({ changeId }: Identified): Promise<boolean> {
    if (changeId === undefined) return false;
    const query = sql`
      select 1 as found
      from audit
      where id = ${changeId}
      limit 1`;
    return this.#retrying(async () => {
      const result = await this.#withConnection((connection) => run(connection, query));
      return result.rows.length > 0;
    });
  }

  async #withConnection<T>(use: (connection: pg.PoolClient) => Promise<T>): Promise<T> {
    const connection = await this.#pool.connect();
    let failure: unknown;
    try {
      return await use(connection);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // A connection whose query timed out or that broke has an answer still to come: it is not used again.
      connection.release(failure !== undefined && (isTimeout(failure) || isUnreachable(failure)));
    }
  }

  async #retrying<T>(work: () => Promise<T>): Promise<T> {
    const deadlineMs = performance.now() + this.#timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const pauseMs = 4 * 2 ** attempt * (0.5 + Math.random());
        const isTooLate = attempt >= attemptsMax || performance.now() + pauseMs > deadlineMs;
        if (isTooLate || !isTransient(error)) throw translate(error);
        await new Promise((resume) => setTimeout(resume, pauseMs));
      }
    }
  }
}

async function run(connection: pg.PoolClient, query: Sql): Promise<StatementResult> {
  const result = await connection.query(query.text, query.values as unknown[]);
  return { rows: result.rows, changed: result.rowCount ?? 0 };
}

async function drive<T>(
  steps: Generator<Sql, T, StatementResult>,
  runOne: (query: Sql) => Promise<StatementResult>,
): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await runOne(step.value));
  return step.value;
}

// PostgreSQL sends 64-bit integers as text; ours all fit a double (house rule: nothing beyond 2^53 - 1).
function typeParser(oid: number, format?: string): unknown {
  if (oid === bigintOid) return (text: string | null) => (text === null ? null : Number(text));
  return pg.types.getTypeParser(oid, format as 'text');
}

function stateOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

function isTimeout(error: unknown): boolean {
  if (stateOf(error) === '57014') return true;
  return error instanceof Error && error.message === 'Query read timeout';
}

function isUnreachable(error: unknown): boolean {
  const state = stateOf(error);
  if (networkCodes.has(state) || state.startsWith('08') || state.startsWith('57P') || state.startsWith('53'))
    return true;
  // pg says these three without a code.
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded|Client has encountered)/.test(error.message)
  );
}

function isTransient(error: unknown): boolean {
  const state = stateOf(error);
  return transientStates.has(state) || (isUnreachable(error) && !state.startsWith('53'));
}

/** Failures of the store become Problems; an error in our SQL stays what it is, and is answered as ours. */
function translate(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const state = stateOf(error);
  if (state === '23505') return new UniqueViolation(error);
  if (state === '53100') return storeProblem('STORE_FULL', error);
  if (isTimeout(error)) return storeProblem('STORE_TIMEOUT', error);
  // 25006: a standby took over the address, and cannot take changes.
  const isStoreGone =
    isUnreachable(error) || transientStates.has(state) || state === '25006' || state.startsWith('28');
  return isStoreGone ? storeProblem('STORE_UNREACHABLE', error) : error;
}
