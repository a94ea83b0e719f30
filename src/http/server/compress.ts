// Answers worth it are compressed at fast levels (D-29): a page of data shrinks more than ten times.

import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding } from './accept.ts';

export const worthItBytes = 1024;
// Below this the work is shorter than the way to the thread pool and back, which other work of the process delays, and
// during which the answer is held in memory. A whole page of data takes zstd less than a millisecond and the others one
// or two. What hardly shrinks takes gzip ten times as long, so there it is in place only when it is small (D-199).
const inPlaceBytes = 1024 * 1024;
const inPlaceBytesUnshrinkable: Readonly<Record<Encoding, number>> = {
  zstd: inPlaceBytes,
  br: inPlaceBytes,
  gzip: 128 * 1024,
};

const zstdOptions = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } };
const gzipOptions = { level: 1 };

const inPlace: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  zstd: (bytes) => zlib.zstdCompressSync(bytes, zstdOptions),
  br: (bytes) => zlib.brotliCompressSync(bytes, brotliOptions),
  gzip: (bytes) => zlib.gzipSync(bytes, gzipOptions),
};

const zstd = promisify(zlib.zstdCompress);
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const aside: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  zstd: (bytes) => zstd(bytes, zstdOptions),
  br: (bytes) => brotli(bytes, brotliOptions),
  gzip: (bytes) => gzip(bytes, gzipOptions),
};

const asStream: Readonly<Record<Encoding, () => Transform>> = {
  zstd: () => zlib.createZstdCompress(zstdOptions),
  br: () => zlib.createBrotliCompress(brotliOptions),
  gzip: () => zlib.createGzip(gzipOptions),
};

export function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (payload instanceof SliceStream) return compressedSlices(request, reply, payload);
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  if (payload.length < worthItBytes) return payload;
  varyByEncoding(reply);
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding === null || reply.hasHeader('content-encoding')) return payload;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-encoding', encoding);
  reply.removeHeader('content-length');
  return isDoneInPlace(bytes, encoding) ? inPlace[encoding](bytes) : aside[encoding](bytes);
}

/** Beside what the answer varies by already. */
function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
}

function isDoneInPlace(bytes: Buffer, encoding: Encoding): boolean {
  if (bytes.length > inPlaceBytes) return false;
  return bytes.length <= inPlaceBytesUnshrinkable[encoding] || shrinksWell(bytes);
}

const sampleBytes = 32 * 1024;
const samplePieces = 16;
const shrinksWellTimes = 3;
const sample = Buffer.allocUnsafeSlow(sampleBytes);

/** Judged by pieces from all over the bytes, which zstd takes some ten microseconds for. */
function shrinksWell(bytes: Buffer): boolean {
  const length = sampleBytes / samplePieces;
  const step = Math.floor((bytes.length - length) / (samplePieces - 1));
  for (let piece = 0; piece < samplePieces; piece += 1)
    bytes.copy(sample, piece * length, piece * step, piece * step + length);
  return inPlace.zstd(sample).length * shrinksWellTimes <= sampleBytes;
}

/** Bytes that are the same for everybody, for those who remember them: they may take their time. */
export function compressedAside(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return aside[encoding](bytes);
}

/** An answer that is made in slices while it is sent. */
export class SliceStream extends Readable {
  /** Whether its bytes are compressed already, as those of Parquet. */
  readonly isDense: boolean;
  readonly #slices: AsyncIterator<Buffer>;

  constructor(slices: AsyncIterator<Buffer>, isDense = false) {
    // One slice is made ahead of the one that is being sent.
    super({ highWaterMark: 1 });
    this.#slices = slices;
    this.isDense = isDense;
  }

  override _read(): void {
    this.#slices.next().then(
      ({ done, value }) => this.push(done === true ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Whoever makes the slices lets go what it holds.
    const end = (): void => done(error);
    Promise.resolve(this.#slices.return?.()).then(end, end);
  }
}

function compressedSlices(request: FastifyRequest, reply: FastifyReply, slices: SliceStream): Readable {
  if (slices.isDense) return slices;
  varyByEncoding(reply);
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding === null) return slices;
  reply.header('content-encoding', encoding);
  // A failure of one destroys the other, and with it the connection.
  return pipeline(slices, asStream[encoding](), () => {});
}
