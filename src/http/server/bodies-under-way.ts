// How much memory the request bodies take that are being received, all together. What a slow sender has sent stays in
// memory until its request times out, so beyond a limit no further body is received (D-183). One sender may use a quarter
// of the limit, and all senders without a token half of it, so that the bodies of others still arrive (D-184).

import type { IncomingMessage } from 'node:http';
import { Problem } from '../../domain/problem.ts';

// Each piece of a body is an object beside its bytes: a body that arrives byte by byte takes hundreds of times its size.
const pieceBytes = 256;
const retryAfterSeconds = 2;
const senderShare = 1 / 4;
const anonymousShare = 1 / 2;
// However low the limit is, each share has room for the largest body and its pieces.
const largestBodiesMin = 2;

/** Whose body it is: an account, or the network of somebody who has shown no token. */
export interface BodySender {
  readonly name: string;
  readonly isAnonymous: boolean;
}

interface BodyLimits {
  /** Of all bodies together. */
  readonly bytesMax: number;
  readonly largestBodyBytes: number;
}

export class BodiesUnderWay {
  readonly #bytesMax: number;
  readonly #senderBytesMax: number;
  readonly #anonymousBytesMax: number;
  #bytes = 0;
  #anonymousBytes = 0;
  readonly #bySender = new Map<string, number>();

  constructor({ bytesMax, largestBodyBytes }: BodyLimits) {
    const bytesOf = (share: number): number =>
      Math.min(bytesMax, Math.max(bytesMax * share, largestBodiesMin * largestBodyBytes));
    this.#bytesMax = bytesMax;
    this.#senderBytesMax = bytesOf(senderShare);
    this.#anonymousBytesMax = bytesOf(anonymousShare);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a body while it arrives. It is refused at its announced length, or as soon as it exceeds what is left. */
  receive(body: IncomingMessage, sender: BodySender): void {
    const announced = Number(body.headers['content-length'] ?? 0);
    // Larger than any body may be: Fastify refuses it without reading it.
    if (announced > this.#senderBytesMax) return;
    if (!this.#hasRoom(sender, announced)) throw tooManyBodies();
    let taken = 0;
    const count = (piece: Buffer): void => {
      const bytes = piece.length + pieceBytes;
      taken += bytes;
      this.#add(sender, bytes);
      if (this.#hasRoom(sender, 0)) return;
      body.off('data', count);
      release();
      // The parser gets this like any other error, and answers it; destroying the body would cut the connection.
      body.emit('error', tooManyBodies());
    };
    const release = (): void => {
      if (taken > 0) this.#add(sender, -taken);
      taken = 0;
    };
    body.on('data', count);
    body.once('end', release);
    // Also where the caller goes away before the end.
    body.once('close', release);
  }

  #hasRoom({ name, isAnonymous }: BodySender, bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false;
    if (isAnonymous && this.#anonymousBytes + bytes > this.#anonymousBytesMax) return false;
    return (this.#bySender.get(name) ?? 0) + bytes <= this.#senderBytesMax;
  }

  #add({ name, isAnonymous }: BodySender, bytes: number): void {
    this.#bytes += bytes;
    if (isAnonymous) this.#anonymousBytes += bytes;
    const ofSender = (this.#bySender.get(name) ?? 0) + bytes;
    if (ofSender === 0) this.#bySender.delete(name);
    else this.#bySender.set(name, ofSender);
  }
}

function tooManyBodies(): Problem {
  const message = 'More is being sent to the service at once than it has room for. Please retry in a moment.';
  return new Problem('TOO_MANY_BODIES', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}
