// soundings export: the responses of a range as a file, in the order of arrival. A few hundred rows are in hand at a
// time, and the next ones are read when the file or the pipe has taken those.

import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { ByteWriter } from '../domain/byte-writer.ts';
import { type DateRange, readDateRange } from '../domain/dates.ts';
import type { SourceName } from '../domain/feedback/catalogue-change.ts';
import { excludeNothing, RowCursor } from '../domain/feedback/respondent.ts';
import { type ShownItem, tableOf } from '../domain/feedback/table.ts';
import type { Fault } from '../domain/problem.ts';
import { findSource, hasAccount } from '../store/feedback/catalogue.ts';
import { LogReader, type LogRow } from '../store/feedback/log-reader.ts';
import { PreparedSource } from '../store/feedback/sources.ts';
import { fileOutput, type Output, standardOutput } from './export-output.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { type Advance, numberText, withProgress } from './progress.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface ExportOptions extends OfAccount {
  readonly measure?: string;
  readonly project?: string;
  readonly from: string;
  readonly to: string;
  readonly format: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly spreadsheet?: boolean;
}

const rowsAtOnce = 500;

export async function exportRange(terminal: Terminal, flags: Flags, options: ExportOptions): Promise<void> {
  const name = sourceNameOf(options);
  const range = rangeOf(options);
  if (options.format !== 'ndjson' && options.format !== 'csv')
    throw new CommandError(`--format is ndjson or csv, not "${options.format}".`);
  if (options.spreadsheet === true && options.format !== 'csv')
    throw new CommandError('--spreadsheet goes with --format csv.');
  await withContext(terminal, flags, async (context) => {
    const source = await findSource(context.db, name);
    if (source === null) throw await missing(context, name);
    const output =
      options.out === undefined ? standardOutput() : await fileOutput(options.out, options.force === true);
    const scan = await RangeScan.begin(context, name, new PreparedSource(source), range);
    const rows = await withProgress(
      terminal,
      { title: `Exporting ${name.kind} ${name.key}`, total: scan.total },
      (advance) => writeOut(scan, options, output, advance),
      (count) => sentenceOf(options, count),
    );
    if (options.json !== true) return;
    const facts = JSON.stringify({ rows, file: options.out ?? null });
    if (options.out === undefined) terminal.tell(facts);
    else terminal.print(facts);
  });
}

function sentenceOf({ out }: ExportOptions, count: number): string {
  return `${numberText(count)} rows were written${out === undefined ? '' : ` to ${out}`}.`;
}

async function writeOut(
  scan: RangeScan,
  { format, spreadsheet }: ExportOptions,
  output: Output,
  advance: Advance,
): Promise<number> {
  let count = 0;
  const counted = async function* counted(): AsyncGenerator<readonly LogRow[]> {
    for await (const rows of scan.pages()) {
      yield rows;
      count += rows.length;
      advance(rows.length);
    }
  };
  const chunks =
    format === 'ndjson'
      ? ndjsonOf(scan, counted())
      : csvOf(scan, counted(), spreadsheet === true, (await import('csv-stringify/sync')).stringify);
  try {
    await pipeline(chunks, output.stream, { end: output.isOurs });
    await output.keep();
  } catch (error) {
    await output.discard();
    throw output.explain(error);
  }
  return count;
}

/** The rows of a range as they were when the scan began: what comes in later is left for the next export. */
class RangeScan {
  readonly total: number;
  readonly ready: PreparedSource;
  readonly #reader: LogReader;
  readonly #range: DateRange;
  readonly #cursor = new RowCursor();

  static async begin(
    context: Context,
    name: SourceName,
    first: PreparedSource,
    range: DateRange,
  ): Promise<RangeScan> {
    const reader = new LogReader(context.db);
    using page = await reader.page(first.source, range, { skip: 0, take: 0 });
    const { facts } = page;
    // Rows may have come in by a definition that is newer than the one we read a moment ago.
    const isOld = first.source.revision < facts.revision;
    const source = isOld ? await findSource(context.db, name) : first.source;
    return new RangeScan(reader, new PreparedSource(source ?? first.source), range, facts.total);
  }

  private constructor(reader: LogReader, ready: PreparedSource, range: DateRange, total: number) {
    this.#reader = reader;
    this.ready = ready;
    this.#range = range;
    this.total = total;
  }

  async *pages(): AsyncGenerator<readonly LogRow[]> {
    for (let skip = 0; skip < this.total; skip += rowsAtOnce) {
      const take = Math.min(rowsAtOnce, this.total - skip);
      // They are let go when the next ones are asked for.
      using page = await this.#reader.page(this.ready.source, this.#range, { skip, take });
      do yield page.rows;
      while (await page.next());
    }
  }

  /** An item exactly as the data endpoint shows it. */
  write(writer: ByteWriter, row: LogRow): void {
    const texts = this.ready.texts(row.surveyNumber);
    if (this.ready.source.kind === 'project') this.#cursor.writeProjectEntry(writer, texts, row);
    else this.#cursor.writeRespondent(writer, texts, row, excludeNothing);
  }
}

async function* ndjsonOf(scan: RangeScan, pages: AsyncIterable<readonly LogRow[]>): AsyncGenerator<Buffer> {
  const writer = new ByteWriter();
  for await (const rows of pages) {
    for (const row of rows) {
      scan.write(writer, row);
      writer.text('\n');
    }
    yield writer.take();
  }
}

type Stringify = typeof import('csv-stringify/sync').stringify;

async function* csvOf(
  scan: RangeScan,
  pages: AsyncIterable<readonly LogRow[]>,
  isForSpreadsheet: boolean,
  stringify: Stringify,
): AsyncGenerator<string> {
  const { kind, surveys } = scan.ready.source;
  const table = tableOf(
    kind,
    surveys.map(({ definition }) => definition),
  );
  yield stringify([[...table.header]], { bom: isForSpreadsheet });
  const writer = new ByteWriter();
  for await (const rows of pages) {
    const cells = rows.map((row) => {
      scan.write(writer, row);
      return table.row(JSON.parse(writer.take().toString()) as ShownItem);
    });
    yield stringify(cells, { escape_formulas: isForSpreadsheet });
  }
}

// ---- what was asked for

function sourceNameOf({ account, measure, project }: ExportOptions): SourceName {
  const accountId = accountIdOf(account);
  if ((measure === undefined) === (project === undefined))
    throw new CommandError('Name one of --measure and --project.');
  const kind = measure === undefined ? 'project' : 'measure';
  const text = measure ?? project ?? '';
  const key = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(key))
    throw new CommandError(`--${kind} must be the number of a ${kind}, not "${text}".`);
  return { accountId, kind, key };
}

function rangeOf({ from, to }: ExportOptions): DateRange {
  const faults: Fault[] = [];
  const range = readDateRange(from, to, faults);
  if (faults.length === 0) return range;
  throw new CommandError(faults.map(({ field, message }) => `--${field}: ${message}`).join(' '));
}

async function missing({ db }: Context, { accountId, kind, key }: SourceName): Promise<CommandError> {
  return new CommandError(
    (await hasAccount(db, accountId))
      ? `Account ${accountId} has no ${kind} ${key}.`
      : `There is no account ${accountId}.`,
  );
}
