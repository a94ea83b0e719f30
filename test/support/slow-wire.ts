// A wire between the service and PostgreSQL on which one message is late, and with it whatever the service sends after it on the
// same connection.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SlowWire {
  readonly databaseUrl: string;
  /** How many messages the service has sent since the last call of `delay`. */
  readonly sent: number;
  /** The message of this number, counted from now on, is late by so many milliseconds. */
  delay(number: number, ms: number): void;
  /** The first message of every connection that is made from now on is late by so many milliseconds. */
  delayConnections(ms: number): void;
  close(): Promise<void>;
}

export async function slowWire(databaseUrl: string): Promise<SlowWire> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let sent = 0;
  let late = { number: 0, ms: 0 };
  let connectMs = 0;
  const wire = createServer((service) => {
    let firstMs = connectMs;
    const store = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [service, store]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    store.pipe(service);
    service.on('close', () => store.destroy());
    service.on('data', (bytes: Buffer) => {
      sent += 1;
      const lateMs = sent === late.number ? late.ms : firstMs;
      firstMs = 0;
      if (lateMs === 0) return void store.write(bytes);
      service.pause();
      const timer = setTimeout(() => {
        if (!store.destroyed) store.write(bytes);
        service.resume();
      }, lateMs);
      service.on('close', () => clearTimeout(timer));
    });
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((wire.address() as AddressInfo).port);
  return {
    databaseUrl: url.href,
    get sent() {
      return sent;
    },
    delay(number, ms) {
      sent = 0;
      late = { number, ms };
    },
    delayConnections(ms) {
      connectMs = ms;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => wire.close(resolve));
    },
  };
}
