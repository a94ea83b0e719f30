// soundings export: the responses of a range as a file, in the order of arrival. A few hundred rows are in hand at a
// time, and the next ones are read when the file or the pipe has taken those.

import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { type DateRange, readDateRange } from '../domain/dates.ts';
import type { SourceName } from '../domain/feedback/catalogue-change.ts';
import { type ExportFormat, exportFormats } from '../domain/feedback/export-format.ts';
import { excludeNothing } from '../domain/feedback/respondent.ts';
import type { Fault } from '../domain/problem.ts';
import { hasAccount } from '../store/feedback/catalogue.ts';
import { LogReader } from '../store/feedback/log-reader.ts';
import { RangeExport } from '../store/feedback/range-export.ts';
import { Sources } from '../store/feedback/sources.ts';
import { TableThread } from '../store/feedback/table-thread.ts';
import { fileOutput, type Output, standardOutput } from './export-output.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, noSuchAccountText, type OfAccount } from './options.ts';
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

export async function exportRange(terminal: Terminal, flags: Flags, options: ExportOptions): Promise<void> {
  const name = sourceNameOf(options);
  const range = rangeOf(options);
  const format = formatOf(options);
  await withContext(terminal, flags, async (context) => {
    const sources = new Sources(context);
    const found = await sources.byName(name);
    if (found === null) throw await missing(context, name);
    const output =
      options.out === undefined ? standardOutput() : await fileOutput(options.out, options.force === true);
    const tools = {
      reader: new LogReader(context.db),
      sources,
      tables: new TableThread(),
      // Nobody else waits for the event loop of a command.
      pause: async () => {},
    };
    const begun = await RangeExport.begin(tools, {
      ...{ found, range, format, toggles: excludeNothing, after: 0, until: null },
      isForSpreadsheet: options.spreadsheet === true,
      hasHeader: true,
    });
    const { rowCount, endPosition } = begun;
    await withProgress(
      terminal,
      { title: `Exporting ${name.kind} ${name.key}`, total: rowCount },
      (advance) => writeOut(begun, output, advance),
      () => sentenceOf(options, rowCount),
    );
    if (options.json !== true) return;
    const facts = JSON.stringify({ rows: rowCount, endPosition, file: options.out ?? null });
    if (options.out === undefined) terminal.tell(facts);
    else terminal.print(facts);
  });
}

function sentenceOf({ out }: ExportOptions, count: number): string {
  return `${numberText(count)} rows were written${out === undefined ? '' : ` to ${out}`}.`;
}

async function writeOut(begun: RangeExport, output: Output, advance: Advance): Promise<void> {
  let told = 0;
  const pieces = async function* pieces(): AsyncGenerator<Buffer> {
    for await (const piece of begun.pieces()) {
      yield piece;
      advance(begun.rowsRead - told);
      told = begun.rowsRead;
    }
  };
  try {
    await pipeline(pieces(), output.stream, { end: output.isOurs });
    await output.keep();
  } catch (error) {
    await output.discard();
    throw output.explain(error);
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

function formatOf({ format, spreadsheet, out }: ExportOptions): ExportFormat {
  const known = exportFormats.find((one) => one === format);
  if (known === undefined) throw new CommandError(`--format is ndjson, csv or parquet, not "${format}".`);
  if (spreadsheet === true && known !== 'csv')
    throw new CommandError('--spreadsheet goes with --format csv.');
  if (known === 'parquet' && out === undefined && process.stdout.isTTY)
    throw new CommandError('Parquet is no text for a terminal. Name a file with --out, or a pipe.');
  return known;
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
      : noSuchAccountText(accountId),
  );
}
