// One attempt to hand a signed message to a receiver. It is bounded in time and in what is read of the answer, follows no
// redirect, and connects to the address that was judged (receiver-address.ts).

import type { ClientRequest, Agent as HttpAgent, IncomingMessage } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { messageOf, signatureOf } from '../../domain/webhooks/webhook.ts';
import { notAllowed, type ReceiverAddresses } from './receiver-address.ts';

// An import would load everything that node:http may export, a WebSocket client too: 70 ms of every start.
const plain = process.getBuiltinModule('node:http');
const tls = process.getBuiltinModule('node:https');

/** From the first byte of the connection to the first line of the answer. */
export const attemptMs = 15_000;
// The body of an answer says nothing to us; a small one is read so that the connection can be used again.
const answerBytesMax = 16_384;
const answerMs = 2_000;
const failureLengthMax = 200;
const secondMs = 1_000;

interface Message {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly createdAtMs: number;
}

export interface Attempt {
  readonly status: number | null;
  /** Null when it was taken. */
  readonly failure: string | null;
}

export class MessageSender {
  readonly #addresses: ReceiverAddresses;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(addresses: ReceiverAddresses) {
    this.#addresses = addresses;
    const pool = { keepAlive: true, maxFreeSockets: 16, timeout: 30_000 };
    this.#agents = { 'http:': new plain.Agent(pool), 'https:': new tls.Agent(pool) };
  }

  /** Never fails: what went wrong is the outcome. */
  async send(
    receiver: string,
    secrets: readonly string[],
    message: Message,
    nowMs: number,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const url = new URL(receiver);
    const isPlain = url.protocol === 'http:';
    // A name is judged when it is looked up; a number is never looked up.
    if (
      isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 &&
      !this.#addresses.mayConnect(url.hostname, isPlain)
    )
      return { status: null, failure: notAllowed(url.hostname).message };
    const body = messageOf(message.type, message.createdAtMs, message.data);
    const timestamp = Math.floor(nowMs / secondMs);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
    const options = {
      method: 'POST',
      agent: isPlain ? this.#agents['http:'] : this.#agents['https:'],
      lookup: this.#addresses.lookupFor(isPlain),
      signal: limit,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Soundings',
        'webhook-id': message.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf(secrets, { id: message.id, timestamp, body }),
      },
    };
    const ask = (more: { readonly agent?: false } = {}): ClientRequest =>
      (isPlain ? plain.request : tls.request)(url, { ...options, ...more });
    try {
      const request = ask();
      const status = await statusOf(request, body).catch((error: unknown) => {
        // A receiver may close a connection at the moment at which it is used again: that is no failure of anybody's.
        if (!request.reusedSocket || limit.aborted) throw error;
        return statusOf(ask({ agent: false }), body);
      });
      return { status, failure: failureOf(status) };
    } catch (error) {
      const isLate = limit.aborted && !signal.aborted;
      const reason = isLate ? `no answer within ${attemptMs / secondMs} s` : reasonOf(error);
      return { status: null, failure: reason.slice(0, failureLengthMax) };
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** It is over when the answer was read or cut off, so that no more connections are open than attempts are under way. */
function statusOf(request: ClientRequest, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let status: number | null = null;
    let failure: unknown = new Error('The connection was closed without an answer.');
    request.on('response', (answer) => {
      status = answer.statusCode ?? 0;
      readShortly(answer);
    });
    request.on('error', (error) => {
      failure = error;
    });
    // An answer that changes the protocol (101) ends the connection with neither an error nor an answer.
    request.on('close', () => (status === null ? reject(failure) : resolve(status)));
    request.end(body);
  });
}

/** An answer without an end costs a connection, and nothing else. */
function readShortly(answer: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => answer.destroy(), answerMs);
  timer.unref();
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBytesMax) answer.destroy();
  });
  // It was destroyed, or broke off: the status is all that counts.
  answer.on('error', () => {});
  answer.on('close', () => clearTimeout(timer));
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return `answered ${status}`;
}

/** The words of the failure, without anything that the receiver may have put into them. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ADDRESS_NOT_ALLOWED') return message ?? code;
  return code ?? 'the connection failed';
}
