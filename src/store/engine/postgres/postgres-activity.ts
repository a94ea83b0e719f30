// Whether a PostgreSQL server works on a statement whose answer is late. A server that is slow because its machine is busy works on it; one
// that waits for a lock, a standby or a machine behind it does not (D-900). It is asked on a connection of its own, because all others
// may be in use: one at most, made when the first statement is late, and closed soon after the last.

import pg from 'pg';

const idleMs = 10_000;
// Of the time that a statement is late: a process that is not known by its number has worked for at least so much of it.
const agePart = 1 / 2;

// What a process of the server waits for while its statement goes on: the disk, and for moments other processes at the same work.
const kindsOfWork = new Set<string | null>([null, 'IO', 'LWLock', 'IPC']);
/** Of the kind IPC: a commit that waits for a standby (D-171). */
const standbyWait = 'SyncRep';

interface ServerProcess {
  readonly pid: number;
  readonly isActive: boolean;
  readonly kind: string | null;
  readonly event: string | null;
  readonly ageMs: number;
}

export class ServerActivity {
  readonly #timeoutMs: number;
  #address: string | null = null;
  #client: Promise<pg.Client> | null = null;
  #asking: Promise<readonly ServerProcess[]> | null = null;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Whether the server at this address works on a statement that the process of this number has had for so long. A pooler knows the
   * processes under other numbers: where this one is unknown, any that works for as long may be it. Never fails.
   */
  async isWorking(address: string, pid: number | null, forMs: number): Promise<boolean> {
    try {
      const processes = await this.#ask(address);
      const own = processes.find((process) => process.pid === pid);
      if (own !== undefined) return isAtWork(own);
      return processes.some((process) => process.ageMs >= forMs * agePart && isAtWork(process));
    } catch {
      // It cannot be reached, or is too slow to say.
      return false;
    }
  }

  close(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    const client = this.#client;
    this.#client = null;
    client?.then(drop, () => {});
  }

  /** One question for all who ask meanwhile. */
  #ask(address: string): Promise<readonly ServerProcess[]> {
    if (address !== this.#address) this.close();
    this.#address = address;
    this.#asking ??= this.#askNow(address).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #askNow(address: string): Promise<readonly ServerProcess[]> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    try {
      this.#client ??= connected(address, this.#timeoutMs);
      const client = await this.#client;
      const results = await client.query<ServerProcess>(
        `set local statement_timeout = ${this.#timeoutMs};
        select pid, state = 'active' as "isActive", wait_event_type as kind, wait_event as event,
          (extract(epoch from clock_timestamp() - query_start) * 1000)::integer as "ageMs"
        from pg_stat_activity
        where usename = current_user
          and datname = current_database()
          and pid <> pg_backend_pid()`,
      );
      this.#idleTimer = setTimeout(() => this.close(), idleMs).unref();
      return (results as unknown as pg.QueryResult<ServerProcess>[]).at(-1)!.rows;
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

function isAtWork({ isActive, kind, event }: ServerProcess): boolean {
  return isActive && kindsOfWork.has(kind) && event !== standbyWait;
}

async function connected(connectionString: string, timeoutMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    drop(client);
    throw error;
  }
  // Whoever waits for the statement keeps the process alive, and nobody else.
  (client as unknown as { unref(): void }).unref();
  return client;
}

/** A server that does not answer would not answer a farewell either. */
function drop(client: pg.Client): void {
  (client as unknown as { readonly connection: pg.Connection }).connection.stream.destroy();
}
