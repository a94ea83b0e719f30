// Bytes that grow, for answers that are joined from thousands of small pieces.

export class ByteWriter {
  /** For the code that joins: room is made with `reserve`, then written at `end`. */
  target: Buffer;
  end = 0;

  constructor(size = 65_536) {
    this.target = Buffer.allocUnsafeSlow(size);
  }

  /** Makes room for this many further bytes. */
  reserve(count: number): void {
    const needed = this.end + count;
    if (needed <= this.target.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.target.length * 2));
    larger.set(this.target.subarray(0, this.end));
    this.target = larger;
  }

  text(text: string): void {
    // No character of UTF-16 takes more than three bytes of UTF-8.
    this.reserve(text.length * 3);
    this.end += this.target.write(text, this.end, 'utf8');
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.target.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** Bytes for which room was made before. */
  put(bytes: Uint8Array): void {
    this.target.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** Likewise, for a few: one by one they are written sooner than by a call. */
  putShort(bytes: Uint8Array): void {
    const { target, end } = this;
    for (let index = 0; index < bytes.length; index += 1) target[end + index] = bytes[index] as number;
    this.end = end + bytes.length;
  }

  byte(byte: number): void {
    if (this.end === this.target.length) this.reserve(1);
    this.target[this.end] = byte;
    this.end += 1;
  }

  /** What was written, as long as the writer is not used again: for one who sends it and then clears. */
  view(): Buffer {
    return this.target.subarray(0, this.end);
  }

  clear(): void {
    this.end = 0;
  }

  /**
   * What was written. The writer begins anew, and never touches these bytes again; with room for so many, where fewer
   * are going to follow.
   */
  take(nextBytes = this.target.length): Buffer {
    const bytes = this.target.subarray(0, this.end);
    // A large answer leaves with the memory that it was written in; a small one would hold too much of it.
    if (this.end * 2 >= this.target.length) {
      this.target = Buffer.allocUnsafeSlow(Math.min(this.target.length, nextBytes));
      this.end = 0;
      return bytes;
    }
    this.end = 0;
    return Buffer.from(bytes);
  }
}

/** Part of what a writer or a driver holds, for one who reads it before that memory is used again. */
export interface ByteSpan {
  readonly source: Buffer;
  readonly begin: number;
  readonly end: number;
}

/** Writers that were used before: memory that grew once need not grow again, and the collector has less to do. */
export class WriterPool {
  readonly #idle: ByteWriter[] = [];
  readonly #idleBytesMax: number;
  #idleBytes = 0;

  /** What lies idle has at most so many bytes in all: a few very large answers must not keep their memory (D-169). */
  constructor(idleBytesMax: number) {
    this.#idleBytesMax = idleBytesMax;
  }

  get idleBytes(): number {
    return this.#idleBytes;
  }

  lend(): ByteWriter {
    const writer = this.#idle.pop();
    if (writer === undefined) return new ByteWriter();
    this.#idleBytes -= writer.target.length;
    return writer;
  }

  /** Nobody reads any more what was written. */
  takeBack(writer: ByteWriter): void {
    writer.clear();
    if (this.#idleBytes + writer.target.length > this.#idleBytesMax) return;
    this.#idleBytes += writer.target.length;
    this.#idle.push(writer);
  }
}
