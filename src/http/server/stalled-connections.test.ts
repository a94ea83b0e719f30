import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { StalledConnections, type StallLimits } from './stalled-connections.ts';

const mebibyte = 1024 * 1024;
const answer = Buffer.alloc(32 * mebibyte, 'x');

async function serving(limits: Partial<StallLimits>): Promise<{ server: Server; ask(): Socket }> {
  const server = createServer((_request, reply) => reply.end(answer));
  const usual = { timeoutMs: 60_000, bytesMax: 1024 * mebibyte, hasWaiting: () => false, onBroken: () => {} };
  new StalledConnections({ ...usual, ...limits }).watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return socket;
  };
  return { server, ask };
}

/** How many bytes come until the connection ends. */
async function bytesOf(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (piece) => {
    bytes += piece.length;
    if (bytes > answer.length) socket.destroy();
  });
  await once(socket, 'close');
  return bytes;
}

describe('connections that do not take their answers', () => {
  it('are broken when all that they leave is too much, and whoever reads is not [D-176]', async () => {
    let broken = 0;
    const enough = Promise.withResolvers<void>();
    const onBroken = (count: number): void => {
      broken += count;
      if (broken >= 2) enough.resolve();
    };
    const { server, ask } = await serving({ bytesMax: 40 * mebibyte, onBroken });
    const idle = [ask().pause(), ask().pause(), ask().pause()];
    assert.ok((await bytesOf(ask())) > answer.length);
    // Two of the three have to go; the one that is left fits.
    await enough.promise;
    assert.equal(broken, 2);
    for (const socket of idle) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('are broken after a while, and whoever reads is not [D-176]', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { server, ask } = await serving({ timeoutMs: 500, onBroken: resolve });
    const idle = ask().pause();
    assert.equal(await promise, 1);
    idle.destroy();
    assert.ok((await bytesOf(ask())) > answer.length);
    server.closeAllConnections();
    server.close();
  });
});
