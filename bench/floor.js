// The floor: a bare node:http server, a process of its own, that reads a request whole and answers with bytes it was
// given. It knows no routes, no errors and no callers, so nothing on this platform answers with less; and it is plain
// JavaScript, because a process that strips types is larger by the tool that does it.

import { createServer } from 'node:http';

process.once('message', ({ body, parses }) => {
  const bytes = Buffer.from(body, 'latin1');
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };
  const server = createServer((request, reply) => {
    const chunks = [];
    if (parses) request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (parses) JSON.parse(Buffer.concat(chunks).toString());
      reply.writeHead(200, headers);
      reply.end(bytes);
    });
    if (!parses) request.resume();
  });
  server.listen(0, '127.0.0.1', () => {
    process.send({ port: server.address().port });
    // An open channel would be something that a bare server does not have.
    process.disconnect();
  });
});
