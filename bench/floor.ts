// The floor: a bare node:http server, a process of its own, that reads a request whole and answers with bytes it
// was given. It knows no routes, no errors and no callers, so nothing on this platform answers with less.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FloorOrder {
  readonly body: string;
}

process.once('message', ({ body }: FloorOrder) => {
  const bytes = Buffer.from(body);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };
  const server = createServer((request, reply) => {
    request.on('end', () => {
      reply.writeHead(200, headers);
      reply.end(bytes);
    });
    request.resume();
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port });
    // An open channel would be something that a bare server does not have.
    process.disconnect?.();
  });
});
