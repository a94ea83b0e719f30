// One HTTP exchange with nothing added: fetch puts in headers of its own (Accept, Content-Type), and some promises
// are about their absence.

import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { holdToDocument, parsed } from './documented-answers.ts';

export interface Exchange {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
  /** The same, where it is a JSON object; else empty. */
  readonly body: Readonly<Record<string, unknown>>;
}

const agent = new Agent({ keepAlive: true });

export function exchange(
  url: string,
  { method = 'GET', headers = {}, body }: Exchange = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => void parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        try {
          resolve(answerOf(method, url, incoming, Buffer.concat(parts)));
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function answerOf(
  method: string,
  url: string,
  { statusCode: status = 0, headers }: IncomingMessage,
  bytes: Buffer,
): Answer {
  const text = textOf(bytes, headers['content-encoding']);
  const value = parsedOnce(text);
  holdToDocument({ method, url, status, text, value, header: (name) => headerOf(headers, name) });
  return {
    status,
    headers,
    text,
    get json() {
      return value();
    },
    get body() {
      const whole = value();
      return typeof whole === 'object' && whole !== null ? (whole as Record<string, unknown>) : {};
    },
  };
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

/** As it was before it was compressed, where a caller asked for that. */
function textOf(bytes: Buffer, encoding = ''): string {
  const decode = decoders[encoding];
  return (decode === undefined || bytes.length === 0 ? bytes : decode(bytes)).toString();
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Read when it is asked for, and once: an answer is judged by what the test sees, and many tests look at the status alone. */
function parsedOnce(text: string): () => unknown {
  let value: unknown;
  let isParsed = false;
  return () => {
    if (!isParsed) value = parsed(text);
    isParsed = true;
    return value;
  };
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
