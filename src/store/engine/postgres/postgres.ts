// The engine for many replicas: questions and changes on a pool of connections to a PostgreSQL server. Between this
// process and that server anything may happen, and this file says what is done about it.
//
// Time. A caller's question or change has a limit that begins anew with each step that is made for it, and one for all
// steps together (time-limit.ts). Waiting for a connection, every attempt and every pause between attempts are taken from
// both. The server is told what is left, statement by statement, so that it ends late work itself; this side has limits of
// its own as well, because a server that hangs cannot keep its own (postgres-connection.ts).
//
// Poolers. Statements are unnamed, and what is set is set for one transaction, so that it works behind a pooler in
// transaction mode, which hands the connection to somebody else after each.
//
// Failures. Serialisation failures, deadlocks and connections that broke are tried again until the deadline. When the
// answer to a commit is lost, nobody but the store knows whether it was made: before another attempt, and before any
// later failure is told, the change is looked up by its id in the audit log (`#isCommitted`). A commit is never cancelled,
// because one that waits for a standby is done already on the server itself (D-171).
//
// Round trips. They cost more than the work, so a limit of time travels with its question, the first statement of a change
// with its begin, statements that need nothing of each other as one, and some changes are one statement that commits
// by itself (`Whole`). Changes leave some connections to questions, which then never wait behind them.

import pg from 'pg';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { Problem } from '../../../domain/problem.ts';
import {
  type Change,
  type Db,
  type DbFigures,
  type DbOptions,
  type Fields,
  type Identified,
  isManyRows,
  isTogether,
  isWhole,
  type LargeAnswer,
  type ManyRows,
  type Row,
  type Statement,
  type StatementResult,
  type Steps,
  storeClosed,
  storeProblem,
  type Together,
  UniqueViolation,
  type WaitLimits,
  writesWaitingMax,
} from '../db.ts';
import type { Dialect } from '../dialect.ts';
import { QueuePace } from '../work/queue-pace.ts';
import { Semaphore } from '../work/semaphore.ts';
import { Movement, TimeLimit, waitLimits, whileMoving } from '../work/time-limit.ts';
import { accountOfInput, accountOfQuery, questionToWorker, workerOfAccount } from './citus.ts';
import { citusDialect } from './dialect-citus.ts';
import { postgresDialect } from './dialect-postgres.ts';
import { LostWorkers } from './lost-workers.ts';
import { ServerActivity } from './postgres-activity.ts';
import {
  allInUse,
  isTimeout,
  isUnanswered,
  isUnreachable,
  isWorkerAway,
  type Lender,
  LentConnection,
  limitsOpening,
  limitsText,
  type ServerLimits,
  ServerQuery,
  type ServerResult,
  stateOf,
  timeoutError,
} from './postgres-connection.ts';
import { CopyOut, copyText, literalText } from './postgres-copy.ts';
import { arrayOf } from './postgres-lists.ts';
import { PostgresServers } from './postgres-servers.ts';
import { TextEncoding, UnholdableText } from './text-encoding.ts';

// A connection that is being made is given up when the server has said nothing for so long, to it or to others: with several servers early
// enough to try another one.
const silenceOfManyMs = 900;
const idleTimeoutMs = 30_000;
const attemptsMax = 8;
const pauseMaxMs = 500;
// Commands have more time than callers, and nobody wants to wait a minute to read that no server is there.
const takeoverMs = 5_000;
const keepAliveDelayMs = 10_000;
// How often the server is asked whether it still has commits under way whose answers nobody waits for.
const abandonedLookMs = 2_000;
// A replica that stands still in the middle of a change holds up everybody who waits for the same rows. Between two
// statements of a change there are a few milliseconds (D-172).
const idleInTransactionMs = 1_000;

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
  '25P03',
  '25P04',
  // The server takes no changes any more, as after a failover behind one address: the next connection may reach another.
  '25006',
]);
const utf8 = 'UTF8';
const booleanOid = 16;
const bigintOid = 20;
const numericOid = 1700;
type Run = (statement: Statement) => Promise<StatementResult>;

export async function openPostgres(address: string, options: DbOptions): Promise<Db> {
  return new PostgresDb(address, options);
}

class PostgresDb implements Db {
  readonly engine = 'postgres';
  /** Plain until the server has been asked what it is, which the first question or change sees to. */
  dialect: Dialect = postgresDialect;
  readonly limits: Db['limits'];
  encoding: TextEncoding | null = null;
  readonly #servers: PostgresServers;
  readonly #waitLimits: WaitLimits;
  readonly #activity: ServerActivity;
  readonly #movement = new Movement();
  readonly changing = new Movement(this.#movement);
  readonly #questions: Lender;
  readonly #changes: Lender;
  /** Changes leave some connections to questions: they may wait for a standby, and questions need none (D-171). */
  readonly #writePlaces: Semaphore;
  readonly #abandoned = new Set<LentConnection>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #lostWorkers = new LostWorkers({
    workerOf: async (accountId) => {
      const limit = this.#limit();
      const { rows } = await this.#ask(workerOfAccount(accountId), limit);
      return (rows[0]?.worker as number | undefined) ?? null;
    },
    ask: async (worker) => {
      const { rows } = await this.#ask(questionToWorker(worker), this.#limit());
      return rows[0]?.success === 1;
    },
  });
  #learning: Promise<void> | null = null;
  #looking: NodeJS.Timeout | null = null;
  #isLearned = false;
  #isClosing = false;
  #changesMade = 0;
  /** Changes under way, and whoever waits for a connection; the oldest first. */
  readonly #writes = new Set<TimeLimit>();
  readonly #connecting = new Set<TimeLimit>();
  readonly #writePace: QueuePace;
  readonly #connectPace: QueuePace;

  constructor(address: string, { timeoutMs, poolSize, isStandby = false }: DbOptions) {
    this.limits = { timeoutMs, poolSize };
    this.#waitLimits = waitLimits(timeoutMs);
    this.#writePace = new QueuePace(this.#waitLimits);
    this.#connectPace = new QueuePace(this.#waitLimits);
    this.#activity = new ServerActivity(timeoutMs);
    const lender = {
      isWorking: async (client, processId, forMs) => {
        const address = this.#servers.addressOf(client);
        return address !== null && this.#activity.isWorking(address, processId, forMs);
      },
    } satisfies Partial<Lender>;
    this.#questions = { ...lender, movement: this.#movement };
    this.#changes = { ...lender, movement: this.changing };
    this.#writePlaces = new Semaphore(Math.max(1, poolSize - Math.ceil(poolSize / 4)), () => timeoutError());
    this.#servers = new PostgresServers(address, isStandby ? 'standby' : 'writer', {
      max: poolSize,
      connectionTimeoutMillis: this.#waitLimits.inAllMs,
      silenceMs: { ofOne: timeoutMs, ofMany: Math.min(silenceOfManyMs, timeoutMs) },
      movedSince: () => this.#movement.since(),
      idleTimeoutMillis: idleTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelayMs,
      allowExitOnIdle: true,
      types: { getTypeParser: typeParser },
    });
  }

  async read<R = Row>(query: Sql, limits = this.#waitLimits): Promise<readonly R[]> {
    return this.#whileOpen(async () => {
      const limit = new TimeLimit(limits);
      await this.#learn(limit);
      const accountId = this.#spreadBy(() => accountOfQuery(query));
      const result = await this.#retrying(limit, accountId, () => this.#ask(query, limit));
      return result.rows as readonly R[];
    });
  }

  async readLarge<R>(
    query: Sql,
    rowOf: (fields: Fields) => R,
    _bytesMax?: number,
    limits = this.#waitLimits,
  ): Promise<LargeAnswer<R>> {
    return this.#whileOpen(async () => {
      const limit = new TimeLimit(limits);
      await this.#learn(limit);
      const text = copyText(query);
      const accountId = this.#spreadBy(() => accountOfQuery(query));
      const copy = await this.#retrying(limit, accountId, () =>
        this.#withConnection(limit, async (connection) => {
          const copyOut = new CopyOut(text, this.#serverLimits(connection), !this.dialect.isSpread);
          await connection.send(copyOut);
          return copyOut;
        }),
      );
      return copy.answer(rowOf);
    });
  }

  async write<Input extends object, Output>(
    change: Change<Input, Output>,
    input: Input,
    limits = this.#waitLimits,
  ): Promise<Output> {
    if (this.#writes.size >= writesWaitingMax || isTooLong(this.#writes, this.#writePace))
      throw storeProblem('WRITE_QUEUE_FULL', null);
    const limit = new TimeLimit(limits);
    this.#writes.add(limit);
    try {
      const output = await this.#whileOpen(async () => {
        await this.#learn(limit);
        return this.#writeOnce(change, input, limit);
      });
      this.#writePace.stepped(1, limit.beganAtMs);
      return output;
    } finally {
      this.#writes.delete(limit);
      this.#changesMade += 1;
    }
  }

  async probe(): Promise<void> {
    // A standby answers questions and takes no changes, so the probe asks for what only a primary gives.
    const nothing = function* probe(): Steps<void> {
      yield sql`select 1`;
    };
    const limit = this.#limit();
    // Tried again: on a busy machine this side may itself stand still for so long that the server ends the transaction (D-172).
    await this.#tryAgain(limit, null, () => this.#attempt(nothing, {}, limit, []));
  }

  figures(): DbFigures {
    return {
      writesWaiting: this.#writes.size,
      batches: this.#changesMade,
      changes: this.#changesMade,
      connections: this.#servers.totalCount,
      connectionsIdle: this.#servers.idleCount,
      connectionsWaiting: this.#servers.waitingCount,
    };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#lostWorkers.close();
    if (this.#looking !== null) clearTimeout(this.#looking);
    // The pool would forget those that still wait for a connection of it.
    await Promise.allSettled(this.#underWay);
    for (const connection of this.#abandoned) connection.drop();
    this.#activity.close();
    await this.#servers.end();
  }

  /** Asks once whether the server spreads accounts over machines, and how the database encodes texts. */
  #learn(limit: TimeLimit): Promise<void> | null {
    if (this.#isLearned) return null;
    this.#learning ??= this.#askDialect(limit).finally(() => {
      this.#learning = null;
    });
    return this.#learning;
  }

  async #askDialect(limit: TimeLimit): Promise<void> {
    const query = sql`
      select current_setting('server_encoding') as encoding,
        exists (select 1 from pg_extension where extname = 'citus') as is_citus`;
    const { rows } = await this.#retrying(limit, null, () => this.#ask(query, limit));
    const encoding = String(rows[0]?.encoding ?? utf8);
    if (rows[0]?.is_citus === 1) this.dialect = citusDialect;
    if (encoding !== utf8) this.encoding = this.#encodingOf(encoding);
    this.#isLearned = true;
  }

  #encodingOf(name: string): TextEncoding {
    return new TextEncoding(name, async (utf8Hex) => {
      // It takes any bytes, and gives them back as they are.
      if (name === 'SQL_ASCII') return;
      await this.read(sql`select length(convert(decode(${utf8Hex}, 'hex'), 'UTF8', ${name})) as bytes`);
    });
  }

  /** The account, where it says which machine is needed. */
  #spreadBy(accountId: () => number | null): number | null {
    return this.dialect.isSpread ? accountId() : null;
  }

  #whileOpen<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosing) return Promise.reject(storeClosed());
    const outcome = work();
    const forget = (): void => void this.#underWay.delete(outcome);
    this.#underWay.add(outcome);
    outcome.then(forget, forget);
    return outcome;
  }

  async #writeOnce<Input extends object, Output>(
    change: Change<Input, Output>,
    input: Input,
    limit: TimeLimit,
  ): Promise<Output> {
    const inDoubt: Output[] = [];
    const accountId = this.#spreadBy(() => accountOfInput(input));
    return this.#retrying(limit, accountId, async () => {
      try {
        return await this.#attempt(change, input, limit, inDoubt);
      } catch (error) {
        // A commit whose answer was lost may reach the server late, and be the very thing that a later attempt
        // runs into: every failure after it is held against the store first.
        const isKept = inDoubt.length > 0 && (await this.#isCommitted(input as Identified, limit));
        if (isKept) return inDoubt[0] as Output;
        throw error;
      }
    });
  }

  /** One try; when its commit is in doubt, its output is left in `inDoubt`. */
  async #attempt<Input extends object, Output>(
    change: Change<Input, Output>,
    input: Input,
    limit: TimeLimit,
    inDoubt: Output[],
  ): Promise<Output> {
    let output: Output | undefined;
    let isCommitting = false;
    const steps = change(input, this.dialect);
    const first = steps.next();
    const releasePlace = await this.#writePlace(limit);
    const work = async (connection: LentConnection): Promise<void> => {
      const send: Run = async (statement) =>
        resultOf(await connection.send(new ServerQuery(queryOf(statement))));
      const run: Run = this.dialect.isSpread ? oneByOne(send) : send;
      let next = first;
      while (!next.done && isWhole(next.value)) {
        // It commits when it ends, so it is never cancelled: its own limit of time ends it before that.
        connection.commits(true);
        const query = new ServerQuery(
          queryOf(next.value.whole),
          openingOfWhole(this.#serverLimits(connection)),
        );
        next = steps.next(resultOf(await connection.send(query)));
        connection.commits(false);
      }
      if (next.done) {
        output = next.value;
        return;
      }
      connection.beginsTransaction();
      try {
        output = await drive(steps, next, run, beginText(this.#serverLimits(connection)));
      } catch (error) {
        // A connection that hangs or broke is given up, and the server rolls back by itself.
        if (!isUnanswered(error)) await run(sql`rollback`).catch(() => {});
        throw error;
      }
      isCommitting = true;
      connection.commits(true);
      await run(sql`commit`);
    };
    try {
      await this.#withConnection(limit, work, { lender: this.#changes, onGivenBack: releasePlace });
    } catch (error) {
      // Of a commit on another machine nobody knows either whether it was made, when that machine was lost.
      const isLost = isUnanswered(error) || stateOf(error).startsWith('08');
      if (isCommitting && isLost) inDoubt.push(output as Output);
      throw error;
    }
    return output as Output;
  }

  /** The connection broke while a commit was under way: only the store knows how it ended. */
  async #isCommitted({ changeId, accountId }: Identified, limit: TimeLimit): Promise<boolean> {
    if (changeId === undefined) return false;
    const query = sql`
      select 1 as found
      from audit
      where id = ${changeId} ${accountId === undefined ? empty : sql`and account_id = ${accountId}`}
      limit 1`;
    return this.#tryAgain(limit, null, async () => (await this.#ask(query, limit)).rows.length > 0);
  }

  /**
   * One question, which has what is left of the caller's time and no more, at the server too. Where all parameters can
   * stand in the text, limit and question are one text, and the limit costs next to nothing.
   */
  #ask(query: Sql, limit: TimeLimit): Promise<StatementResult> {
    return this.#withConnection(limit, async (connection) => {
      // Two statements in one text are a transaction, which a worker would be told to begin and to commit.
      const text = this.dialect.isSpread ? null : questionText(query);
      const limits = this.#serverLimits(connection);
      const sent =
        text === null
          ? new ServerQuery(queryOf(query), limitsOpening(limits))
          : new ServerQuery({ text: limitsText(limits) + text });
      return resultOf(await connection.send(sent));
    });
  }

  /** Lends a connection. It is given back when the server has ended what was sent on it, if need be after the answer. */
  async #withConnection<T>(
    limit: TimeLimit,
    use: (connection: LentConnection) => Promise<T>,
    { lender = this.#questions, onGivenBack = () => {} } = {},
  ): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#connect(limit);
    } catch (error) {
      onGivenBack();
      throw error;
    }
    const connection = new LentConnection(client, limit, lender);
    try {
      return await use(connection);
    } catch (error) {
      this.#servers.noteFailure(client, error, isUnanswered(error));
      throw error;
    } finally {
      if (connection.isAbandoned) this.#abandoned.add(connection);
      if (connection.isCommitAbandoned) this.#lookSoon();
      void connection.giveBack().finally(() => {
        this.#abandoned.delete(connection);
        onGivenBack();
      });
    }
  }

  #lookSoon(): void {
    if (this.#looking !== null || this.#isClosing) return;
    this.#looking = setTimeout(() => {
      const abandoned = [...this.#abandoned].filter(({ isCommitAbandoned }) => isCommitAbandoned);
      void this.#dropLostCommits(abandoned).finally(() => {
        this.#looking = null;
        if (abandoned.length > 0) this.#lookSoon();
      });
    }, abandonedLookMs);
    this.#looking.unref();
  }

  /**
   * A network that drops packets without a word would keep a commit, and its place, until the kernel gives up, which takes
   * a quarter of an hour. A commit that the server has under way, because it waits for a standby or a disk, is active
   * there; where none has been active for so long, no answer will come. Nothing is cancelled by that (D-171). By their
   * age, because a pooler knows the processes of the server under other numbers.
   */
  async #dropLostCommits(abandoned: readonly LentConnection[]): Promise<void> {
    if (abandoned.length === 0) return;
    const query = sql`
      select count(*) as active
      from pg_stat_activity
      where usename = current_user
        and datname = current_database()
        and state = 'active'
        and pid <> pg_backend_pid()
        and query_start < clock_timestamp() - make_interval(secs => ${(abandonedLookMs - 500) / 1_000})`;
    try {
      const [row] = (await this.#ask(query, this.#limit())).rows as { active: number }[];
      if (row?.active === 0) for (const connection of abandoned) connection.drop();
    } catch {
      // It cannot be reached, or is too slow to say: the next look may tell.
    }
  }

  /** A free connection of the pool, or a new one; whoever waits for it is served in turn, and late when nobody is. */
  async #connect(limit: TimeLimit): Promise<pg.PoolClient> {
    if (isTooLong(this.#connecting, this.#connectPace)) throw storeProblem('WRITE_QUEUE_FULL', null);
    const connecting = this.#servers.connect();
    if (this.#servers.idleCount === 0) this.#connecting.add(limit);
    const tooLate = (): Error => {
      const isFull = this.#servers.totalCount >= this.limits.poolSize && this.#servers.idleCount === 0;
      return timeoutError(isFull ? allInUse(this.limits.poolSize) : '');
    };
    try {
      const client = await whileMoving(connecting, { limit, isMoving: this.#movement.since(), tooLate });
      if (this.#connecting.has(limit)) this.#connectPace.stepped(1, limit.beganAtMs);
      return client;
    } catch (error) {
      connecting.then(
        (connection) => connection.release(),
        () => {},
      );
      throw error;
    } finally {
      this.#connecting.delete(limit);
    }
  }

  /** A place among changes; whoever waits for one is served in turn as well. */
  async #writePlace(limit: TimeLimit): Promise<() => void> {
    const release = this.#writePlaces.acquireFree();
    if (release !== null) return release;
    const acquiring = this.#writePlaces.acquire(limit.endsAtMs);
    try {
      return await whileMoving(acquiring, {
        limit,
        isMoving: this.changing.since(),
        tooLate: () => timeoutError(),
      });
    } catch (error) {
      acquiring.then(
        (late) => late(),
        () => {},
      );
      throw error;
    }
  }

  #serverLimits(connection: LentConnection): ServerLimits {
    return this.dialect.isSpread ? connection.limitsOfSpread : connection.limits;
  }

  #limit(): TimeLimit {
    return new TimeLimit(this.#waitLimits);
  }

  /** Where accounts are spread, a machine that is lost must hold up nobody but its own. */
  #retrying<T>(limit: TimeLimit, accountId: number | null, work: () => Promise<T>): Promise<T> {
    const tryAgain = () => this.#tryAgain(limit, accountId, work);
    return accountId === null ? tryAgain() : this.#lostWorkers.around(accountId, tryAgain);
  }

  async #tryAgain<T>(limit: TimeLimit, accountId: number | null, work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    let hasWaited = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (accountId !== null && isWorkerAway(error)) {
          const isBack = !hasWaited && (await this.#lostWorkers.comesBack(accountId, limit.leftMs));
          if (!isBack) throw translate(error);
          hasWaited = true;
          continue;
        }
        // Where another server may take over, it is waited for as long as a caller waits.
        const isWorthWaiting =
          this.#servers.hasOthers && isUnreachable(error) && performance.now() - startedMs < takeoverMs;
        const pauseMs = Math.min(pauseMaxMs, 4 * 2 ** attempt * (0.5 + Math.random()));
        const isLastAttempt = attempt >= attemptsMax && !isWorthWaiting;
        const isTooLate = isLastAttempt || pauseMs > limit.leftMs;
        if (isTooLate || !isTransient(error)) throw translate(error);
        await new Promise((resume) => setTimeout(resume, pauseMs));
      }
    }
  }
}

/** A statement as pg takes it. */
function queryOf(statement: Statement): pg.QueryConfig {
  const plain = isWhole(statement) ? statement.whole : statement;
  const { text, values } = isTogether(plain) ? togetherSql(plain) : sqlOf(plain);
  return { text, values: values as unknown[] };
}

/** Many rows are one array a column, whatever their number. */
function sqlOf(statement: Sql | ManyRows): Sql {
  if (!isManyRows(statement)) return statement;
  const { table, columns, rows, onConflict = '' } = statement;
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, type], index) =>
    arrayOf(
      rows.map((row) => row[index] ?? null),
      type,
    ),
  );
  return sql`insert into ${raw(table)} (${raw(names)}) select * from unnest(${join(arrays)}) ${raw(onConflict)}`;
}

function togetherSql({ together }: Together): Sql {
  const parts = together.map((one, index) => sql`${raw(`part${index}`)} as (${sqlOf(one)})`);
  return sql`with ${join(parts)} select 1`;
}

// PostgreSQL takes 65,535 parameters in one statement.
const parametersMax = 60_000;

/**
 * Where accounts are spread over machines, many rows are written out, because rows of a list would be gathered first and
 * copied, and statements go one after the other, because only then each goes to the machine of its account as it is.
 */
function oneByOne(send: Run): Run {
  return async (statement) => {
    if (isWhole(statement) || !(isTogether(statement) || isManyRows(statement))) return send(statement);
    let result: StatementResult = { rows: [], changed: 0 };
    for (const part of isTogether(statement) ? statement.together : [statement])
      for (const one of isManyRows(part) ? valuesSql(part) : [part]) result = await send(one);
    return result;
  };
}

function valuesSql({ table, columns, rows, onConflict = '' }: ManyRows): readonly Sql[] {
  const names = columns.map(([name]) => name).join(', ');
  const atOnce = Math.floor(parametersMax / columns.length);
  const statements: Sql[] = [];
  for (let first = 0; first < rows.length; first += atOnce) {
    const values = rows.slice(first, first + atOnce).map((row) => sql`(${join(row)})`);
    statements.push(sql`insert into ${raw(table)} (${raw(names)}) values ${join(values)} ${raw(onConflict)}`);
  }
  return statements;
}

/** Durability is ours to say, not the server's configuration; so are the limits of time. */
function beginText(limits: ServerLimits): string {
  return [
    'begin read write',
    'set local synchronous_commit = on',
    `${limitsText(limits)}set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  ].join('; ');
}

/** The same for a statement that is a transaction by itself. */
function openingOfWhole(limits: ServerLimits): string {
  return limitsOpening(limits, `set_config('synchronous_commit', 'on', true), `);
}

/** Whether one more could not outlive those who wait already. */
function isTooLong(queue: ReadonlySet<TimeLimit>, pace: QueuePace): boolean {
  const [oldest] = queue;
  return oldest !== undefined && pace.isTooLong(queue.size, oldest.beganAtMs);
}

/** Several statements in one have several outcomes, of which the last one counts. */
function resultOf(outcome: ServerResult): StatementResult {
  const { rows, rowCount } = Array.isArray(outcome) ? outcome.at(-1)! : outcome;
  return { rows, changed: rowCount ?? 0 };
}

/** From begin to the last step. A first statement of whole numbers goes along with the begin: one way less. */
async function drive<T>(
  steps: Steps<T>,
  first: IteratorResult<Statement, T>,
  run: Run,
  begin: string,
): Promise<T> {
  let step = first;
  const opening = step.done ? null : openingText(step.value);
  const opened = await run(raw(opening === null ? begin : `${begin}; ${opening}`));
  if (opening !== null) step = steps.next(opened);
  while (!step.done) step = steps.next(await run(step.value));
  return step.value;
}

function openingText(statement: Statement): string | null {
  if (isManyRows(statement) || isTogether(statement) || isWhole(statement)) return null;
  return literalText(statement, numberInQuotes);
}

/**
 * A question with its parameters written into it, which costs the server a quarter and us a third less than parameters;
 * null where they are more than whole numbers and short texts that stand in quotes as they are, because nothing is
 * escaped here. Questions only: what is written may be secret, and the server logs the text of statements that fail.
 */
function questionText(query: Sql): string | null {
  return literalText(query, (value) => {
    const isPlain = typeof value === 'string' && value.length <= literalLengthMax && plainText.test(value);
    return isPlain ? `'${value}'` : numberInQuotes(value);
  });
}

const literalLengthMax = 1_000;
// Neither quotes nor backslashes nor control characters.
const plainText = /^[\p{L}\p{N} !#$%&()*+,\-./:;<=>?@[\]^_{|}~]*$/u;

/** In quotes it has no type of its own, like a parameter: the statement means the same wherever it stands. */
function numberInQuotes(value: unknown): string | null {
  return Number.isSafeInteger(value) ? `'${value}'` : null;
}

// PostgreSQL sends 64-bit integers and their sums as text; ours all fit a double (a rule of the schema: nothing beyond
// 2^53 - 1). What it calls a boolean is a number on the other engine. Nulls never come here.
function typeParser(oid: number, format?: string): unknown {
  if (oid === bigintOid || oid === numericOid) return Number;
  if (oid === booleanOid) return (text: string) => (text === 't' ? 1 : 0);
  return pg.types.getTypeParser(oid, format as 'text');
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
  if (state === '22P05') return new UnholdableText(error);
  if (state === '53100') return storeProblem('STORE_FULL', error);
  if (isTimeout(error)) return storeProblem('STORE_TIMEOUT', error);
  // 28 and 3D000: we are not let in any more.
  const isStoreGone =
    isUnreachable(error) || transientStates.has(state) || state === '3D000' || state.startsWith('28');
  return isStoreGone ? storeProblem('STORE_UNREACHABLE', error) : error;
}
