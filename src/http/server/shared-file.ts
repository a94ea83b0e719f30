// Files that are the same for everybody: read when first asked for, compressed once.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding, encodings } from './accept.ts';
import { compressedAside, worthItBytes } from './compress.ts';

/** A file that is the same for everybody, compressed once: else anybody could keep the processor busy with it. */
export class SharedFile {
  readonly bytes: () => Promise<Buffer>;
  readonly #compressed = new Map<Encoding, () => Promise<Buffer>>();

  constructor(load: () => Promise<Buffer>) {
    this.bytes = loadOnce(load);
    for (const encoding of encodings)
      this.#compressed.set(
        encoding,
        loadOnce(async () => compressedAside(await this.bytes(), encoding)),
      );
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const bytes = await this.bytes();
    if (encoding === null || bytes.length < worthItBytes) return reply.send(bytes);
    return reply.header('content-encoding', encoding).send(await this.#compressed.get(encoding)!());
  }
}

/** Loads when first asked, once for all. A failure is thrown to those who waited; the next one to ask loads again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
