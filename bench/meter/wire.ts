// Requests as they go over the wire, and what one of them is answered with: as it comes, neither unpacked nor followed elsewhere.

import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Side } from './sides.ts';

export interface WireOptions {
  readonly type?: string;
  readonly body?: string;
  /** Instead of the token of the API client. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function wire(
  side: Side,
  method: string,
  path: string,
  { type = 'application/json', body = '', headers }: WireOptions = {},
): string {
  const named = headers ?? { authorization: `Bearer ${side.token}`, accept: type };
  const isSent = method !== 'GET';
  return [
    `${method} ${path} HTTP/1.1`,
    `host: localhost:${side.port}`,
    ...Object.entries(named).map(([name, value]) => `${name}: ${value}`),
    ...(isSent ? [`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`] : []),
    '',
    body,
  ].join('\r\n');
}

export interface WireAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true });

// The generator counts from zero, and whoever fills a store has numbers between.
let nextNumber = 900_000_000;

/** Asks once. Anything but success is a failure of the work. */
export function ask({ name, port }: Side, request: string): Promise<WireAnswer> {
  const numbered = request.replaceAll('000000000', () => String(nextNumber++));
  const [head = '', body = ''] = numbered.split('\r\n\r\n');
  const [line = '', ...headerLines] = head.split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(headerLines.map((one) => one.split(': ') as [string, string]));
  return new Promise((resolve, reject) => {
    const asking = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.once('error', reject);
      answer.once('end', () => {
        const whole = Buffer.concat(pieces);
        const status = answer.statusCode ?? 0;
        if ((status >= 200 && status < 300) || status === 303)
          return resolve({ headers: answer.headers, body: whole });
        const said = whole.toString('utf8', 0, 400);
        reject(new Error(`${name}: ${method} ${path} was answered with ${status}: ${said}`));
      });
    });
    asking.once('error', reject);
    asking.end(body);
  });
}

export async function askJson<T>(side: Side, request: string): Promise<T> {
  return JSON.parse((await ask(side, request)).body.toString()) as T;
}

const atOnce = 32;

/** So many requests, some at a time. */
export async function askAll(
  side: Side,
  count: number,
  requestOf: (number: number) => string,
): Promise<readonly WireAnswer[]> {
  const answers: WireAnswer[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++)
      answers[number] = await ask(side, requestOf(number));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return answers;
}
