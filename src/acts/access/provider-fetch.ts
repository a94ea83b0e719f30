// Requests to identity providers. Whoever can enter a connection names addresses that this machine then connects to, so
// the same judgement holds as for webhooks (D-351): the public internet over TLS, and the networks that the operator has
// named. Each request is bounded in time and in what is read of the answer, and follows no redirect.

import { isIP } from 'node:net';
import { notAllowed, type ReceiverAddresses } from '../webhooks/receiver-address.ts';

// An import would load everything that node:http may export, a WebSocket client too: 70 ms of every start.
const { request: plainRequest } = process.getBuiltinModule('node:http');
const { request: tlsRequest } = process.getBuiltinModule('node:https');

/** From the first byte of the connection to the last of the answer. */
export const providerRequestMs = 8_000;
// Metadata and keys of the largest providers have some 20 kB.
const answerBytesMax = 512 * 1024;
const statusesWithoutBody = new Set([204, 205, 304]);

interface ProviderRequest {
  readonly method?: string | undefined;
  readonly headers?: Record<string, string> | Headers | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

export type ProviderFetch = (url: string, options?: ProviderRequest) => Promise<Response>;

/** In the manner of fetch, as the libraries for OpenID Connect want it. */
export function providerFetch(addresses: ReceiverAddresses, requestMs = providerRequestMs): ProviderFetch {
  return async (address, options = {}) => {
    const url = new URL(address);
    const isPlain = url.protocol === 'http:';
    if (!isPlain && url.protocol !== 'https:') throw new Error('Only http and https can be asked.');
    // A name is judged when it is looked up; a number is never looked up.
    if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 && !addresses.mayConnect(url.hostname, isPlain))
      throw notAllowed(url.hostname);
    const limit = AbortSignal.timeout(requestMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    const body = options.body === undefined || options.body === null ? null : String(options.body);
    const headers = {
      ...Object.fromEntries(new Headers(options.headers ?? {}).entries()),
      'user-agent': 'Soundings',
      ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    };
    return new Promise<Response>((resolve, reject) => {
      const outgoing = (isPlain ? plainRequest : tlsRequest)(
        url,
        {
          method: options.method ?? 'GET',
          headers,
          signal,
          agent: false,
          lookup: addresses.lookupFor(isPlain),
        },
        (answer) => {
          const pieces: Buffer[] = [];
          let bytes = 0;
          answer.on('data', (piece: Buffer) => {
            bytes += piece.length;
            if (bytes > answerBytesMax)
              answer.destroy(new Error(`The answer has more than ${answerBytesMax} bytes.`));
            else pieces.push(piece);
          });
          answer.on('error', reject);
          answer.on('end', () => {
            const status = answer.statusCode ?? 0;
            if (status < 200 || status > 599)
              return reject(new Error(`The answer has the status ${status}.`));
            const { 'content-type': type, date } = answer.headers;
            resolve(
              new Response(statusesWithoutBody.has(status) ? null : Buffer.concat(pieces), {
                status,
                headers: {
                  ...(type !== undefined && { 'content-type': type }),
                  ...(date !== undefined && { date }),
                },
              }),
            );
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body ?? undefined);
    });
  };
}
