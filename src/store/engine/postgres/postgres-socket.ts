// A connection to PostgreSQL that reads into memory of its own. Node makes a new buffer of 64 KiB for everything that
// arrives, and V8 counts it as heap: reading pages of data brought so many collections of the whole heap that they took a
// fifth of the processor's time. Here all that arrives is read into one buffer, again and again.
//
// The driver keeps a message that has not wholly arrived where it lies, so only whole messages are handed to it; the
// beginning of the next one moves to the front of the buffer, and what arrives then is read behind it.

import { Socket } from 'node:net';

const bufferBytes = 64 * 1024;
// A message begins with a byte for its kind and the length of what follows, which counts itself.
const kindBytes = 1;
const lengthBytes = 4;

/** The driver says whether there is to be TLS; then messages are not seen here, and Node reads as it does. */
export function postgresSocket({ ssl }: { readonly ssl?: unknown } = {}): Socket {
  if (ssl !== undefined && ssl !== false) return new Socket();
  const messages = new MessageBuffer((whole) => void socket.emit('data', whole));
  const socket: Socket = new Socket({
    onread: { buffer: () => messages.free(), callback: (bytes) => messages.arrived(bytes) },
  });
  return socket;
}

export class MessageBuffer {
  readonly #handOver: (whole: Buffer) => void;
  #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  /** Bytes of a message that is not whole yet, at the front of the buffer. */
  #held = 0;

  /** Whatever is handed over must be read at once: the memory is used again. */
  constructor(handOver: (whole: Buffer) => void) {
    this.#handOver = handOver;
  }

  /** Where the next bytes are to be written. */
  free(): Buffer {
    return this.#buffer.subarray(this.#held);
  }

  /** So many bytes were written there. True, because more may always come. */
  arrived(bytes: number): true {
    const buffer = this.#buffer;
    const end = this.#held + bytes;
    const wholeEnd = this.#wholeUntil(end);
    this.#held = end - wholeEnd;
    try {
      if (wholeEnd > 0) this.#handOver(buffer.subarray(0, wholeEnd));
    } finally {
      // A message may be longer than the buffer. It grows with what has arrived, not with the length that is announced.
      if (this.#held > buffer.length / 2) this.#buffer = Buffer.allocUnsafeSlow(buffer.length * 2);
      else if (this.#held === 0 && buffer.length > bufferBytes)
        this.#buffer = Buffer.allocUnsafeSlow(bufferBytes);
      if (this.#held > 0) buffer.copy(this.#buffer, 0, wholeEnd, end);
    }
    return true;
  }

  /** Where the last whole message ends. */
  #wholeUntil(end: number): number {
    let wholeEnd = 0;
    while (wholeEnd + kindBytes + lengthBytes <= end) {
      const next = wholeEnd + kindBytes + this.#buffer.readUInt32BE(wholeEnd + kindBytes);
      if (next > end) break;
      wholeEnd = next;
    }
    return wholeEnd;
  }
}
