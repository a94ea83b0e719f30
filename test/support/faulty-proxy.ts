// Something between a client and the service that fails as networks and proxies do: it loses requests and answers, refuses
// for a while, cuts bodies in the middle.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atExit } from './at-exit.ts';

/** What becomes of one request. */
export type Fate =
  | 'pass'
  /** The connection ends, and the service hears of nothing. */
  | 'request lost'
  /** The service answers, and nobody hears of it. */
  | 'answer lost'
  /** So many bytes of the body come through. */
  | { readonly cutAfterBytes: number }
  /** So many bytes come through, and then the body ends as if it were whole. */
  | { readonly endAfterBytes: number }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  readonly fate: Fate;
}

export interface FaultyProxy {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Decides on every request; what it was told last counts. */
  decide: (request: { readonly method: string; readonly path: string }) => Fate;
  close(): void;
}

export async function startFaultyProxy(targetUrl: string): Promise<FaultyProxy> {
  const seen: SeenRequest[] = [];
  const proxy = { url: '', seen, decide: (): Fate => 'pass', close } as FaultyProxy & { url: string };
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('error', () => {});
    incoming.on('end', () => void meet(incoming, Buffer.concat(parts), outgoing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atExit(close);
  return proxy;

  function close(): void {
    server.closeAllConnections();
    server.close();
  }

  function meet(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
    const [method, path] = [incoming.method ?? '', incoming.url ?? ''];
    const fate = proxy.decide({ method, path });
    // A connection that somebody else lost is not used again, so that each request meets with its own fate alone.
    outgoing.setHeader('connection', 'close');
    seen.push({ method, path, body: body.toString('utf8'), fate });
    if (fate === 'request lost') incoming.socket.destroy();
    else if (typeof fate === 'object' && 'status' in fate) {
      outgoing.writeHead(fate.status, { 'content-type': 'text/html', ...fate.headers });
      outgoing.end(fate.body ?? '<h1>The proxy is not happy</h1>');
    } else forward(incoming, body, outgoing, fate);
  }

  function forward(
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
    fate: Exclude<Fate, 'request lost'>,
  ): void {
    const { method, headers } = incoming;
    const onward = request(`${targetUrl}${incoming.url}`, { method, headers }, (answer) => {
      if (fate === 'answer lost') {
        answer.resume().on('close', () => incoming.socket.destroy());
        return;
      }
      const { 'content-length': _length, connection: _connection, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 0, kept);
      if (typeof fate !== 'object') {
        answer.on('error', () => incoming.socket.destroy());
        answer.pipe(outgoing);
        return;
      }
      let left =
        'cutAfterBytes' in fate ? fate.cutAfterBytes : 'endAfterBytes' in fate ? fate.endAfterBytes : 0;
      answer.on('error', () => {});
      answer.on('data', (part: Buffer) => {
        if (left < 0) return;
        const through = part.subarray(0, left);
        left -= part.length;
        if (through.length > 0) outgoing.write(through);
        if (left >= 0) return;
        left = -1;
        if ('endAfterBytes' in fate) outgoing.end();
        // What was written is on its way before the connection ends.
        else outgoing.write('', () => incoming.socket.destroy());
        answer.destroy();
      });
      answer.on('end', () => outgoing.end());
    });
    onward.on('error', () => incoming.socket.destroy());
    onward.end(body);
  }
}
