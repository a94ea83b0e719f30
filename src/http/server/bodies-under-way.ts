// Bodies that are being received, of all requests together, and the memory that they take. Whoever sends slowly holds
// what has arrived until the time for requests is over; beyond the limit nobody's body is taken in (D-183). One sender
// may have a part of it, and all who are not known yet together another, so that the others' bodies go on (D-184).

import type { IncomingMessage } from 'node:http';
import { Problem } from '../../domain/problem.ts';

// A piece of a body is an object beside its bytes: a body that comes in pieces of one byte takes hundreds of times as much.
const pieceBytes = 256;
const retryAfterSeconds = 2;
const senderShare = 1 / 4;
const anonymousShare = 1 / 2;
// A part must have room for the largest body, with its pieces, however small the whole is.
const largestBodiesMin = 2;

/** Whose body it is: an account, or the network of somebody who has shown no token. */
export interface BodySender {
  readonly name: string;
  readonly isAnonymous: boolean;
}

export interface BodyLimits {
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
    const partOf = (share: number): number =>
      Math.min(bytesMax, Math.max(bytesMax * share, largestBodiesMin * largestBodyBytes));
    this.#bytesMax = bytesMax;
    this.#senderBytesMax = partOf(senderShare);
    this.#anonymousBytesMax = partOf(anonymousShare);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a body as it arrives. It is refused at once where there is no room for it, and else when there is no more. */
  receive(body: IncomingMessage, sender: BodySender): void {
    const announced = Number(body.headers['content-length'] ?? 0);
    // Larger than any body may be: it is refused for that, and not read.
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
      // Whoever reads the body hears of it as of any failure, and can still answer; to destroy it would cut the connection.
      body.emit('error', tooManyBodies());
    };
    const release = (): void => {
      if (taken > 0) this.#add(sender, -taken);
      taken = 0;
    };
    body.on('data', count);
    body.once('end', release);
    // Also where it is never received to its end.
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
