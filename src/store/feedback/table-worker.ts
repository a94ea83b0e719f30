// The thread of table-thread.ts. It is handed rows as they are kept and gives back bytes of files.

import { type MessagePort, parentPort } from 'node:worker_threads';
import type { RowBatch } from './row-batch.ts';
import type { TableAnswer, TableFileRequest, TableOrder } from './table-thread.ts';

/** Makes one file. Parts are handed over as they become ready. */
export interface TableEncoder {
  begin(): readonly Uint8Array[];
  add(batch: RowBatch): readonly Uint8Array[];
  end(): readonly Uint8Array[];
}

const port = parentPort as MessagePort;
const encoders = new Map<number, TableEncoder>();
/** One after the other: what makes the format is loaded first, and orders behind it wait. */
let turn: Promise<void> = Promise.resolve();

port.on('message', (order: TableOrder) => {
  turn = turn.then(() => carryOut(order));
});

async function carryOut(order: TableOrder): Promise<void> {
  const { file } = order;
  if (order.what === 'drop') {
    encoders.delete(file);
    return;
  }
  try {
    answer({ file, parts: await partsOf(order) });
  } catch (error) {
    encoders.delete(file);
    answer({ file, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function partsOf(order: Exclude<TableOrder, { what: 'drop' }>): Promise<readonly Uint8Array[]> {
  if (order.what === 'begin') {
    const encoder = await encoderOf(order.request);
    encoders.set(order.file, encoder);
    return encoder.begin();
  }
  const encoder = encoders.get(order.file);
  if (encoder === undefined) throw new Error('The file has failed before.');
  if (order.what === 'add') return encoder.add(order.batch);
  encoders.delete(order.file);
  return encoder.end();
}

async function encoderOf(request: TableFileRequest): Promise<TableEncoder> {
  if (request.format === 'csv') return new (await import('./csv-table.ts')).CsvTable(request);
  return new (await import('./parquet-table.ts')).ParquetTable(request);
}

function answer(message: TableAnswer): void {
  const buffers = 'parts' in message ? message.parts.map(({ buffer }) => buffer as ArrayBuffer) : [];
  port.postMessage(message, [...new Set(buffers)]);
}
