// Whoever reads an export: all of it, slowly, or until they have had enough.

import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { holdToDocument } from './documented-answers.ts';

export interface ReadExport {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  /** Whether the answer came to its proper end. */
  readonly isWhole: boolean;
}

/** An export whose head has come and of which nothing is read yet. */
export function openExport(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { headers: { accept: '*/*', authorization: `Bearer ${token}`, ...headers }, agent: false },
      (incoming) => resolve(incoming.pause()),
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

export async function readExport(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadExport> {
  const incoming = await openExport(url, token, headers);
  const bytes = await buffer(incoming);
  const status = incoming.statusCode ?? 0;
  if (incoming.headers['content-encoding'] === undefined)
    holdToDocument({
      method: 'GET',
      url,
      status,
      text: bytes.toString(),
      header: (name) => incoming.headers[name] as string | undefined,
    });
  return { status, headers: incoming.headers, bytes, isWhole: incoming.complete };
}

/** What came until there were so many bytes; then the reader goes. */
export async function readPart(url: string, token: string, bytesMin: number): Promise<ReadExport> {
  const incoming = await openExport(url, token);
  const parts: Buffer[] = [];
  let count = 0;
  for await (const part of incoming) {
    parts.push(part as Buffer);
    count += (part as Buffer).length;
    if (count >= bytesMin) break;
  }
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    bytes: Buffer.concat(parts),
    isWhole: incoming.complete,
  };
}
