// Exports: a file of a range of days, as rows or as bytes, which goes on where a connection was cut (D-664).

import type { Caller, QueryValue } from './caller.ts';
import { SoundingsError } from './error.ts';
import { backoff, type CallOptions, connectionLost, isPassing, timedOut, wait } from './retry.ts';
import { CsvRows, NdjsonRows, ParquetBytes, type RowSplitter } from './row-splitters.ts';

export type ExportFormat = 'ndjson' | 'csv' | 'parquet';

/** What every row has beside what the data endpoint shows. */
export interface ExportedPlace {
  /** The place of the response in the log. */
  readonly position: number;
  readonly surveyVersion: number;
  readonly digest: string;
}

interface ExportRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, QueryValue>> & { readonly after?: number; readonly until?: number };
  readonly format: ExportFormat;
  /** Of CSV: whether the names of the columns come first. */
  readonly hasHeader: boolean;
}

/** The rows of an NDJSON export. */
export async function* exportedRows<Row>(
  caller: Caller,
  request: Omit<ExportRequest, 'format' | 'hasHeader'>,
  options: CallOptions | undefined,
): AsyncGenerator<Row, void, undefined> {
  const decoder = new TextDecoder();
  for await (const bytes of exportedBytes(caller, { ...request, format: 'ndjson', hasHeader: true }, options))
    for (const line of decoder.decode(bytes).split('\n')) if (line !== '') yield JSON.parse(line) as Row;
}

/** The bytes of an export. Of NDJSON and CSV each piece ends with a row; put together they are the file. */
export async function* exportedBytes(
  caller: Caller,
  { path, query, format, hasHeader }: ExportRequest,
  options: CallOptions | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { signal, tries = 5, backoffMs, attemptMs = 60_000 } = caller.patience(options);
  const splitter = splitterOf(format, hasHeader);
  let expectedRows: number | null = null;
  let until = query.until;
  for (let failures = 0; ; ) {
    const after = splitter.lastPosition() ?? query.after;
    const call = { path, query: { ...query, after, until, format }, headers: { accept: '*/*' } };
    const opened = await caller.answer(call, options, async ({ headers, body }, controller) => ({
      rows: Number(headers.get('export-rows')),
      end: Number(headers.get('export-end-position')),
      reader: body!.getReader(),
      controller,
    }));
    // The first answer says what the file is; what comes in later is not in it.
    expectedRows ??= opened.rows;
    until ??= opened.end;
    splitter.begin();
    const rowsBefore = splitter.rows;
    try {
      for await (const chunk of chunksOf(opened.reader, opened.controller, attemptMs, signal)) {
        const whole = splitter.take(chunk);
        if (whole.length > 0) yield whole;
      }
      if (splitter.isWhole(expectedRows)) return;
      throw new SoundingsError({ code: 'CONNECTION_LOST', message: 'The export ended before its last row.' });
    } catch (error) {
      failures = splitter.rows > rowsBefore ? 1 : failures + 1;
      if (!(error instanceof SoundingsError) || !isPassing(error) || failures >= tries) throw error;
      await wait(backoff(failures, backoffMs), signal);
    }
  }
}

function splitterOf(format: ExportFormat, hasHeader: boolean): RowSplitter {
  if (format === 'parquet') return new ParquetBytes();
  return format === 'csv' ? new CsvRows(hasHeader) : new NdjsonRows();
}

/** What comes in, as long as something comes within the time. */
async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: AbortController,
  idleMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const timer = setTimeout(() => controller.abort(timedOut(idleMs)), idleMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw connectionLost(error, controller);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // Whoever stops half-way does not leave the connection waiting.
    reader.cancel().catch(() => {});
  }
}
