// A catalogue file as it is read: one document after the other, never more than one in memory.

import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type CatalogueFault, type LineOf, readCatalogue } from '../../domain/feedback/catalogue.ts';
import { DocumentSplitter } from '../../domain/feedback/catalogue-documents.ts';
import type { Catalogue } from '../../domain/feedback/definition.ts';
import { faultLine } from '../../domain/feedback/fault-sentence.ts';
import { unreadableFile } from '../frame/given-file.ts';
import { CommandError, visible } from '../frame/terminal.ts';

/** A document of a file, or what is wrong with it. */
export type CataloguePart =
  | { readonly catalogue: Catalogue; readonly lineOf: LineOf; readonly faults: readonly [] }
  | { readonly catalogue: null; readonly faults: readonly CatalogueFault[] };

// What is listed; a file with more faults than that is not read to its end.
const faultsMax = 100;

/** A file that is open. `-` is standard input. */
export class CatalogueFile implements AsyncDisposable {
  readonly name: string;
  /** Null where nobody knows: a pipe has no length. */
  readonly bytes: number | null;
  readonly #content: FileHandle | Buffer | null;
  #bytesRead = 0;

  /** By its place, or with what was read of it already. */
  static async open(place: string | Buffer, name: string): Promise<CatalogueFile> {
    if (place === '-') return new CatalogueFile('standard input', null, null);
    if (Buffer.isBuffer(place)) return new CatalogueFile(name, place, place.length);
    let file: FileHandle | null = null;
    try {
      file = await open(place, 'r');
      const stat = await file.stat();
      if (stat.isDirectory()) throw new Error('EISDIR, it is a folder');
      return new CatalogueFile(name, file, stat.isFile() ? stat.size : null);
    } catch (error) {
      await file?.close();
      throw unreadableFile(name, error);
    }
  }

  private constructor(name: string, content: FileHandle | Buffer | null, bytes: number | null) {
    this.name = name;
    this.bytes = bytes;
    this.#content = content;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#content !== null && 'close' in this.#content) await this.#content.close();
  }

  /** How much of it was read, in words. */
  get progress(): string {
    return this.bytes === null
      ? megabytes(this.#bytesRead)
      : `${megabytes(this.#bytesRead)} of ${megabytes(this.bytes)}`;
  }

  /** Its documents, read once; of one account alone if so wanted. */
  async *parts(accountId: number | null = null): AsyncGenerator<CataloguePart> {
    const splitter = new DocumentSplitter();
    let isEmpty = true;
    const partsOf = function* partsOf(
      documents: ReturnType<DocumentSplitter['push']>,
    ): Generator<CataloguePart> {
      for (const { line, text, fault } of documents) {
        isEmpty = false;
        if (fault !== null) yield { catalogue: null, faults: [{ line, path: '', ...fault }] };
        else yield readCatalogue(text ?? '', { firstLine: line, accountId });
      }
    };
    try {
      for await (const chunk of this.#chunks()) {
        this.#bytesRead += chunk.length;
        yield* partsOf(splitter.push(chunk));
      }
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) throw unreadableFile(this.name, error);
      throw error;
    }
    yield* partsOf(splitter.end());
    // A file without a document is told what is missing.
    if (isEmpty) yield readCatalogue('');
  }

  #chunks(): AsyncIterable<Buffer> | Iterable<Buffer> {
    if (this.#content === null) return process.stdin;
    if (Buffer.isBuffer(this.#content)) return [this.#content];
    return createReadStream('', { fd: this.#content, autoClose: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The faults of a file as they are found, up to a number that somebody can read. */
export class FaultList {
  readonly #name: string;
  readonly #faults: CatalogueFault[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  add(faults: readonly CatalogueFault[]): void {
    this.#faults.push(...faults.slice(0, faultsMax + 1 - this.#faults.length));
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  get isFull(): boolean {
    return this.#faults.length > faultsMax;
  }

  /** In the order of the file: what the store objects to is found some documents later. */
  error(ending = 'nothing was changed'): CommandError {
    const inOrder = this.#faults.slice(0, faultsMax).sort((one, other) => one.line - other.line);
    const list = inOrder.map((fault) => `  ${visible(faultLine(this.#name, fault))}`);
    if (this.isFull) list.push(`  ... and more: these are the first ${faultsMax}.`);
    return new CommandError(`The catalogue has faults, and ${ending}:\n${list.join('\n')}`);
  }
}
