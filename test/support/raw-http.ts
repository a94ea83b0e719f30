// HTTP as bytes: what a well-behaved library would never send, and what comes back to the last byte.

import { connect } from 'node:net';

export interface RawOutcome {
  /** The status of every answer that came, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server had said nothing and closed nothing when patience ran out. */
  readonly isHung: boolean;
  readonly ms: number;
}

interface RawOptions {
  /** Ends our half of the connection after the bytes, so that nobody waits for more. */
  readonly ends?: boolean;
  readonly patienceMs?: number;
}

/** Sends the bytes on a connection of their own and waits until the server has closed it. */
export function sendRaw(
  baseUrl: string,
  bytes: string | Uint8Array,
  { ends = true, patienceMs = 5_000 }: RawOptions = {},
): Promise<RawOutcome> {
  const { hostname, port } = new URL(baseUrl);
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    let isHung = false;
    const timer = setTimeout(() => {
      isHung = true;
      socket.destroy();
    }, patienceMs);
    socket.on('data', (part: Buffer) => parts.push(part));
    // A server that closes on bytes it has not read resets the connection, which is one way of closing it.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(parts).toString('utf8');
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
      resolve({ statuses, text, isHung, ms: performance.now() - startedAtMs });
    });
    if (ends) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** One request as text; CRLF and all. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ''): string {
  return `${[line, 'Host: soundings.test', ...headers, '', ''].join('\r\n')}${body}`;
}
