// Answers worth it are compressed at fast levels (D-29): a page of data shrinks more than ten times.

import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding } from './accept.ts';

const worthItBytes = 1024;
// Below this the work is shorter than the way to the thread pool and back.
const inPlaceBytes = 16 * 1024;

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

export function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  if (payload.length < worthItBytes) return payload;
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding === null || reply.hasHeader('content-encoding')) return payload;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-encoding', encoding);
  reply.removeHeader('content-length');
  return bytes.length <= inPlaceBytes ? inPlace[encoding](bytes) : aside[encoding](bytes);
}
