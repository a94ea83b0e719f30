// One request as it is, and its answer: nothing is checked, unpacked or followed.

import { Agent, request as httpRequest } from 'node:http';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SentAnswer {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

export function send(baseUrl: string, { method, path, headers, body }: SentRequest): Promise<SentAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const asking = httpRequest(
      baseUrl + path,
      { agent, method, headers: { ...headers, ...length } },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
        );
      },
    );
    asking.once('error', reject);
    asking.end(body);
  });
}
