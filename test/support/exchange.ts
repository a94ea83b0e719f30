// One HTTP exchange with nothing added: fetch puts in headers of its own (Accept, Content-Type), and some promises
// are about their absence.

import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { holdToDocument } from './documented-answers.ts';

export interface Exchange {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, where it is a JSON object; else empty. */
  readonly body: Readonly<Record<string, unknown>>;
}

const agent = new Agent({ keepAlive: true });

export function exchange(
  url: string,
  { method = 'GET', headers = {}, body }: Exchange = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0;
        // What was compressed is read as text here, and so cannot be judged.
        if (incoming.headers['content-encoding'] === undefined)
          holdToDocument({ method, url, status, text, header: (name) => headerOf(incoming.headers, name) });
        resolve({ status, headers: incoming.headers, text, body: jsonObject(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The header of HTTP Basic, with id and secret as they are. */
export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

/** What a caller could tell two answers apart by: everything but time, request id and connection. */
export function tellingPart({ status, headers, body }: Answer): unknown {
  const {
    date: _date,
    'x-request-id': _id,
    'keep-alive': _keepAlive,
    connection: _connection,
    ...kept
  } = headers;
  const { timestamp: _timestamp, requestId: _requestId, ...rest } = body;
  return { status, headers: kept, body: rest };
}
