// A wire between the service and PostgreSQL that can be cut at the worst moment: when a commit is on its way. It
// reads the messages of the service (a type byte, a length, a text) only as far as it must to see the commit, or the
// statement that commits by itself.

import { connect, createServer, type Socket } from 'node:net';

/** What becomes of the next commit, and of its answer. */
export type Cut =
  /** It reaches the server and is carried out; the answer is lost. */
  | 'answer lost'
  /** It is lost on the way: the server never hears of it. */
  | 'commit lost'
  /** The service loses the connection at once; the server gets the commit when `deliver` is called. */
  | 'commit late'
  /** It reaches the server; from then on neither side hears of the other again, and no connection ends. */
  | 'silence';

export interface CuttingProxy {
  readonly databaseUrl: string;
  /** How many commits have come by. */
  readonly commits: number;
  cutNext(cut: Cut): void;
  /** Resolves when the server has done with what came late. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

const simpleQuery = 'Q'.charCodeAt(0);
const parse = 'P'.charCodeAt(0);

export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const server = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const late: (() => Promise<void>)[] = [];
  let next: Cut | null = null;
  let commits = 0;

  const proxy = createServer((service) => {
    const store = connect(Number(server.port || 5432), server.hostname);
    for (const socket of [service, store]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    let isHeld = false;
    let cut: Cut | null = null;
    const lose = (): void => {
      isHeld = true;
      service.destroy();
    };
    service.on('data', (bytes: Buffer) => {
      if (isHeld) return;
      if (!isCommit(bytes)) return void store.write(bytes);
      commits += 1;
      cut = next;
      next = null;
      if (cut === 'commit lost') store.destroy();
      else if (cut === 'commit late') late.push(() => endWith(store, bytes));
      else store.write(bytes);
      if (cut === 'commit lost' || cut === 'commit late') lose();
      if (cut === 'silence') isHeld = true;
    });
    store.on('data', (bytes) => {
      if (cut === 'answer lost') {
        lose();
        store.destroy();
      } else if (!isHeld) service.write(bytes);
    });
    service.on('close', () => {
      if (!isHeld) store.destroy();
    });
    store.on('close', () => service.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const through = new URL(databaseUrl);
  through.hostname = '127.0.0.1';
  through.port = String(address.port);

  return {
    databaseUrl: through.href,
    get commits() {
      return commits;
    },
    cutNext(cut) {
      next = cut;
    },
    async deliver() {
      await Promise.all(late.splice(0).map((one) => one()));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

function isCommit(bytes: Buffer): boolean {
  if (bytes[0] === simpleQuery) return bytes.toString('latin1', 5, 11).toLowerCase() === 'commit';
  return bytes[0] === parse && bytes.includes("set_config('synchronous_commit'");
}

function endWith(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.end(bytes);
  });
}
