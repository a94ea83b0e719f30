// A PostgreSQL server and its standby, in clusters of their own, and failovers between them.

import pg from 'pg';
import { createPostgresServer, type PostgresServer } from './postgres-server.ts';

export class ServerPair {
  readonly #servers: readonly [PostgresServer, PostgresServer];
  writer: PostgresServer;
  standby: PostgresServer;

  private constructor(writer: PostgresServer, standby: PostgresServer) {
    this.#servers = [writer, standby];
    this.writer = writer;
    this.standby = standby;
  }

  static async start(): Promise<ServerPair> {
    const writer = await createPostgresServer();
    await writer.start();
    return new ServerPair(writer, await writer.createStandby());
  }

  /** Both servers as one address, in the words of libpq. The first is the one that was the writer at the beginning. */
  get url(): string {
    const hosts = this.#servers.map(({ url }) => new URL(url).host).join(',');
    return `postgres://soundings@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** A commit is answered when the standby has it too; false: when the writer has it. */
  async setSynchronous(isOn: boolean): Promise<void> {
    await this.ask(this.writer, `alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`);
    await this.ask(this.writer, 'select pg_reload_conf()');
    if (!isOn) return;
    const sent = `select count(*) as n from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`;
    while (Number((await this.ask(this.writer, sent))[0]?.n) === 0)
      await new Promise((resume) => setTimeout(resume, 20));
  }

  /** The writer is gone as after a power cut, or says nothing any more, and the standby takes over. */
  async failOver(how: 'killed' | 'frozen' = 'killed'): Promise<void> {
    await (how === 'killed' ? this.writer.kill() : this.writer.freeze());
    await this.standby.promote();
    [this.writer, this.standby] = [this.standby, this.writer];
  }

  /** The one that was the writer comes back, as a standby. */
  async rejoin(): Promise<void> {
    await this.standby.follow(this.writer);
  }

  async ask(server: PostgresServer, statement: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(statement)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  async dispose(): Promise<void> {
    const [first, second] = this.#servers;
    // The second one runs from the binaries of the first.
    await second.dispose();
    await first.dispose();
  }
}
