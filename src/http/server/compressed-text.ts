// A large text that is the same for everybody and asked for now and then: made when it is first asked for, and kept compressed alone.

import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding, encodings } from './accept.ts';
import { compressedAside } from './compress.ts';
import { loadOnce } from './shared-file.ts';

const gunzip = promisify(zlib.gunzip);

export class CompressedText {
  /** Whoever takes no compressed answer gets what a thread unpacks for them. */
  readonly #gzip: () => Promise<Buffer>;
  readonly #compressed = new Map<Encoding, () => Promise<Buffer>>();

  constructor(make: () => Promise<Buffer>) {
    this.#gzip = loadOnce(async () => compressedAside(await make(), 'gzip'));
    for (const encoding of encodings)
      this.#compressed.set(
        encoding,
        encoding === 'gzip'
          ? this.#gzip
          : loadOnce(async () => compressedAside(await this.bytes(), encoding)),
      );
  }

  async bytes(): Promise<Buffer> {
    return gunzip(await this.#gzip());
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === null) return reply.send(await this.bytes());
    return reply.header('content-encoding', encoding).send(await this.#compressed.get(encoding)!());
  }
}
