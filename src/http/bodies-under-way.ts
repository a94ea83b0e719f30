// Bodies that are being received, of all requests together, and the memory that they take. Whoever sends slowly holds
// what has arrived until the time for requests is over; beyond the limit nobody's body is taken in (D-183).

import type { IncomingMessage } from 'node:http';
import { Problem } from '../domain/problem.ts';

// A piece of a body is an object beside its bytes: a body that comes in pieces of one byte takes hundreds of times as much.
const pieceBytes = 256;
const retryAfterSeconds = 2;

export class BodiesUnderWay {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a body as it arrives. It is refused at once where there is no room for it, and else when there is no more. */
  receive(body: IncomingMessage): void {
    const announced = Number(body.headers['content-length'] ?? 0);
    // Larger than any body may be: it is refused for that, and not read.
    if (announced > this.#bytesMax) return;
    if (this.#bytes + announced > this.#bytesMax) throw tooManyBodies();
    let taken = 0;
    const count = (piece: Buffer): void => {
      const bytes = piece.length + pieceBytes;
      taken += bytes;
      this.#bytes += bytes;
      if (this.#bytes <= this.#bytesMax) return;
      body.off('data', count);
      release();
      // Whoever reads the body hears of it as of any failure, and can still answer; to destroy it would cut the connection.
      body.emit('error', tooManyBodies());
    };
    const release = (): void => {
      this.#bytes -= taken;
      taken = 0;
    };
    body.on('data', count);
    body.once('end', release);
    // Also where it is never received to its end.
    body.once('close', release);
  }
}

function tooManyBodies(): Problem {
  const message = 'More is being sent to the service than it has room for. Please retry in a moment.';
  return new Problem('TOO_MANY_BODIES', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
}
