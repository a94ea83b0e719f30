// Reads lines of external parameters, and of invitations, from bytes, a piece at a time: a file of the command line, or the body of a request.

import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Info } from 'csv-parse';
import { csvFault } from '../../domain/feedback/csv-fault.ts';
import type { JsonLines } from '../../domain/feedback/external-lines.ts';
import { withPauses } from '../engine/work/work-budget.ts';

type Pieces = AsyncIterable<Uint8Array>;

/** The bytes are not what they are said to be. It has no cause, because that of CSV holds cells of the file (D-870). */
export class UnreadableLines extends Error {
  readonly reason: 'encoding' | 'csv';
  /** Null where it is not known. */
  readonly line: number | null;

  constructor(reason: 'encoding' | 'csv', line: number | null, message: string) {
    super(message);
    this.name = 'UnreadableLines';
    this.reason = reason;
    this.line = line;
  }
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: Info;
}

/** What takes the records of a CSV file: its header first, each with the line that it begins on. */
interface RecordReader {
  record(record: readonly string[], line: number): void;
  end(): void;
}

/** Of one record, in characters. A quote that is never closed must not have the rest of a large file read into memory. */
const recordCharactersMax = 4 * 1024 * 1024;

export async function readCsvLines(pieces: Pieces, lines: RecordReader): Promise<void> {
  const { parse } = await import('csv-parse');
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordCharactersMax,
  });
  await explained(() =>
    pipeline(pieces, strictUtf8(), parser, async (records: AsyncIterable<CsvRecord>) => {
      for await (const { record, info } of records) lines.record(record, firstLineOf(record, info));
    }),
  );
  lines.end();
}

/** A longer line is read some of it at a time. */
const shortLineCharacters = 16 * 1024;

/** `pause` is waited for within long lines. */
export async function readJsonLines(
  pieces: Pieces,
  lines: JsonLines,
  pause: () => Promise<void>,
): Promise<void> {
  let line = 0;
  const read = async (text: string): Promise<void> => {
    line += 1;
    if (text.length <= shortLineCharacters) lines.text(text, line);
    else await withPauses(lines.longText(text, line), pause);
  };
  await explained(() =>
    pipeline(pieces, strictUtf8(), async (texts: AsyncIterable<string>) => {
      let begun: string[] = [];
      for await (const text of texts) {
        const parts = text.split('\n');
        const rest = parts.pop()!;
        for (const part of parts) {
          await read(begun.length === 0 ? part : begun.join('') + part);
          begun = [];
        }
        if (rest !== '') begun.push(rest);
      }
      await read(begun.join(''));
    }),
  );
  lines.end();
}

// The parser counts the lines up to the end of a record; people look for its beginning.
function firstLineOf(record: readonly string[], { lines }: Info): number {
  let breaks = 0;
  for (const value of record) breaks += value.split('\n').length - 1;
  return lines - breaks;
}

/** Refuses what is not UTF-8 instead of putting question marks into people's data; drops a byte order mark. */
function strictUtf8(): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return new Transform({
    readableObjectMode: false,
    encoding: 'utf8',
    transform(chunk: Buffer, _encoding, done) {
      try {
        done(null, decoder.decode(chunk, { stream: true }));
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        done(null, decoder.decode());
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

async function explained(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    const { CsvError } = await import('csv-parse');
    if (error instanceof CsvError) {
      const { line, message } = csvFault(error);
      throw new UnreadableLines('csv', line, message);
    }
    if ((error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new UnreadableLines('encoding', null, 'it is not UTF-8');
    throw error;
  }
}
