// A thread that makes tables of rows, for all exports of the process. It is started by the first of them and ends some
// time after the last. What it is given and what it gives back go in the order of an export; exports take turns.

import type { Worker } from 'node:worker_threads';
import type { TableRequest } from '../../domain/feedback/table.ts';
import { startThread } from '../../installation.ts';
import type { RowBatch } from './row-batch.ts';

export interface TableFileRequest {
  readonly format: 'csv' | 'parquet';
  readonly table: TableRequest;
  readonly isForSpreadsheet: boolean;
  readonly hasHeader: boolean;
}

/** What the thread is sent; every one but `drop` is answered once. */
export type TableOrder = { readonly file: number } & (
  | { readonly what: 'begin'; readonly request: TableFileRequest }
  | { readonly what: 'add'; readonly batch: RowBatch }
  | { readonly what: 'end' }
  | { readonly what: 'drop' }
);

export type TableAnswer = { readonly file: number } & (
  | { readonly parts: readonly Uint8Array[] }
  | { readonly failure: string }
);

/** A file that is being made. Disposed of before its end, nothing is left of it. */
interface TableFile extends Disposable {
  /** The bytes that are ready by then, in parts; often none. */
  add(batch: RowBatch): Promise<readonly Uint8Array[]>;
  end(): Promise<readonly Uint8Array[]>;
}

interface Waiting {
  readonly resolve: (parts: readonly Uint8Array[]) => void;
  readonly reject: (error: Error) => void;
}

/** Short, because what it has used is given back only when it ends. */
const idleMs = 500;
/**
 * What needs more memory breaks off all exports that are under way, and the process goes on. Garbage is left lying until half
 * of it is used, so a larger limit also makes the process larger that never comes near it.
 */
const workerLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 4 };

export class TableThread {
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  /** Who waits for answers, by file, in the order of what was sent. */
  readonly #files = new Map<number, Waiting[]>();
  #lastFile = 0;

  begin(request: TableFileRequest): TableFile {
    const file = ++this.#lastFile;
    const worker = this.#started();
    this.#files.set(file, []);
    worker.ref();
    const send = (order: TableOrder): Promise<readonly Uint8Array[]> => {
      const waiting = this.#files.get(file);
      if (waiting === undefined) return Promise.reject(new Error('The thread that makes tables has ended.'));
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(order);
      });
    };
    const begun = send({ file, what: 'begin', request });
    // Its failure is that of everything which follows.
    begun.catch(() => {});
    let isFirst = true;
    const withFirst = async (sent: Promise<readonly Uint8Array[]>): Promise<readonly Uint8Array[]> => {
      if (!isFirst) return sent;
      isFirst = false;
      sent.catch(() => {});
      return [...(await begun), ...(await sent)];
    };
    return {
      add: (batch) => withFirst(send({ file, what: 'add', batch })),
      end: () => withFirst(send({ file, what: 'end' })),
      [Symbol.dispose]: () => {
        if (!this.#files.has(file)) return;
        worker.postMessage({ file, what: 'drop' } satisfies TableOrder);
        this.#forget(file, new Error('The file is not wanted any more.'));
      },
    };
  }

  #started(): Worker {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#worker !== null) return this.#worker;
    const worker = startThread('table-worker', { name: 'tables', resourceLimits: workerLimits });
    worker.on('message', (answer: TableAnswer) => this.#take(answer));
    worker.on('error', (error) => this.#lose(worker, error as Error));
    worker.on('exit', () => this.#lose(worker, new Error('The thread that makes tables has ended.')));
    this.#worker = worker;
    return worker;
  }

  #take(answer: TableAnswer): void {
    const waiting = this.#files.get(answer.file)?.shift();
    if (waiting === undefined) return;
    if ('parts' in answer) waiting.resolve(answer.parts);
    else waiting.reject(new Error(answer.failure));
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const file of [...this.#files.keys()]) this.#forget(file, error);
  }

  #forget(file: number, error: Error): void {
    const waiting = this.#files.get(file) ?? [];
    this.#files.delete(file);
    for (const { reject } of waiting) reject(error);
    if (this.#files.size > 0 || this.#worker === null) return;
    const worker = this.#worker;
    // It keeps no process alive that has nothing else to do.
    worker.unref();
    this.#idleTimer = setTimeout(() => {
      this.#worker = null;
      void worker.terminate();
    }, idleMs).unref();
  }
}
