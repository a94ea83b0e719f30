import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { ReceiverAddresses } from './receiver-address.ts';
import { MessageSender } from './send-message.ts';

const secrets = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`];
const message = (id: string) => ({ id, type: 'user.created', data: '{}', createdAtMs: 0 });

describe('one attempt', () => {
  const servers: Server[] = [];
  const sender = new MessageSender(new ReceiverAddresses(['127.0.0.1']));
  after(() => {
    sender.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const send = async (server: Server, id: string) =>
    sender.send(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      secrets,
      message(id),
      0,
      AbortSignal.timeout(10_000),
    );
  async function receiver(answer: Parameters<typeof createServer>[1]): Promise<Server> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  it('is made on a new connection where the receiver closed the one that was kept', async () => {
    const used = new Set<Socket>();
    const taken: unknown[] = [];
    const server = await receiver((request, reply) => {
      if (used.has(request.socket)) {
        request.socket.destroy();
        return;
      }
      used.add(request.socket);
      taken.push(request.headers['webhook-id']);
      request.resume().on('end', () => reply.writeHead(204).end());
    });
    for (const id of ['evt_1', 'evt_2', 'evt_3'])
      assert.deepEqual(await send(server, id), { status: 204, failure: null });
    assert.deepEqual(taken, ['evt_1', 'evt_2', 'evt_3']);
  });

  it('fails once, and is not made again, where a new connection is closed without an answer or changes the protocol', async () => {
    let asked = 0;
    const closing = await receiver((request) => {
      asked += 1;
      request.socket.destroy();
    });
    assert.deepEqual(await send(closing, 'evt_1'), { status: null, failure: 'ECONNRESET' });
    assert.equal(asked, 1);
    const upgrading = await receiver((request) => {
      request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
      );
    });
    assert.deepEqual(await send(upgrading, 'evt_1'), { status: null, failure: 'the connection failed' });
  });
});
