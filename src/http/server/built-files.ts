// What was built for browsers into a folder of dist/: the list of its files, and the bytes of each.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { builtTypes } from '../../contract/pages/open-page.ts';
import { Problem } from '../../domain/problem.ts';
import { findInstalled, readInstalled } from '../../installation.ts';
import { SharedFile } from './shared-file.ts';

// A year: the name of a file changes with what is in it.
const forever = 'public, max-age=31536000, immutable';
const rememberedMs = 1_000;

interface Manifest {
  readonly files: readonly string[];
}

export class BuiltFiles<Members> {
  readonly #folder: string;
  /** By names that change with what is in them, so that one that was read stays right. */
  readonly #files = new Map<string, SharedFile>();
  #known: (Manifest & Members) | null = null;
  #knownUntilMs = 0;

  constructor(folder: 'console' | 'pages' | 'help' | 'reference') {
    this.#folder = `dist/${folder}`;
  }

  /** What `manifest` read within the last second; undefined where it must be asked. */
  remembered(): (Manifest & Members) | null | undefined {
    return performance.now() < this.#knownUntilMs ? this.#known : undefined;
  }

  /** Looked at again every second, so that what is built anew needs no restart; null where nothing was built. */
  async manifest(): Promise<(Manifest & Members) | null> {
    const remembered = this.remembered();
    if (remembered !== undefined) return remembered;
    this.#known = await this.#read();
    this.#knownUntilMs = performance.now() + rememberedMs;
    return this.#known;
  }

  /** One file, by default for as long as browsers keep files. Only what the list names is ever read. */
  async send(
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
    caching: string = forever,
  ): Promise<FastifyReply> {
    const file = await this.#file(name);
    const tag = `"${name}"`;
    reply.headers({ 'cache-control': caching, etag: tag });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return file.send(request, reply.type(typeOf(name)));
  }

  /** One file, whatever the caller has already: for answers that say that something is not there. */
  async sendWhole(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return (await this.#file(name)).send(request, reply.type(typeOf(name)));
  }

  /** One file, for whoever works with what is in it. */
  async bytes(name: string): Promise<Buffer> {
    return (await this.#file(name)).bytes();
  }

  async #file(name: string): Promise<SharedFile> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    // A file that nobody heard of may have been built a moment ago.
    const manifest = await this.#read();
    if (manifest?.files.includes(name) !== true)
      throw new Problem('ROUTE_NOT_FOUND', 'There is no such file: load the page again.');
    const file = new SharedFile(() => readInstalled(`${this.#folder}/assets/${name}`));
    this.#files.set(name, file);
    return file;
  }

  async #read(): Promise<(Manifest & Members) | null> {
    const bytes = await findInstalled(`${this.#folder}/manifest.json`);
    return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as Manifest & Members);
  }
}

function typeOf(name: string): string {
  const type = builtTypes[name.slice(name.lastIndexOf('.') + 1) as keyof typeof builtTypes];
  return type === 'image/png' ? type : `${type}; charset=utf-8`;
}
