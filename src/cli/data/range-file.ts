// The responses of a range as a file, in the order of arrival. A few hundred rows are in hand at a
// time, and the next ones are read when the file or the pipe has taken those.

import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import type { DateRange } from '../../domain/dates.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { ExportFormat } from '../../domain/feedback/export-format.ts';
import { excludeNothing } from '../../domain/feedback/respondent.ts';
import { hasAccount } from '../../store/feedback/catalogue.ts';
import { LogReader } from '../../store/feedback/log-reader.ts';
import { RangeExport } from '../../store/feedback/range-export.ts';
import { Sources } from '../../store/feedback/sources.ts';
import { TableThread } from '../../store/feedback/table-thread.ts';
import { fileOutput, type Output, standardOutput } from '../frame/export-output.ts';
import { noSuchAccountText } from '../frame/account-and-source.ts';
import { type Advance, numberText, withProgress } from '../frame/progress.ts';
import { CommandError } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

export interface WantedRows {
  readonly name: SourceName;
  readonly range: DateRange;
  readonly format: ExportFormat;
}

interface WantedFile {
  readonly out: string | undefined;
  readonly force: boolean;
  readonly spreadsheet: boolean;
}

/** How many rows were written, and up to which position of the log. */
export async function exportRange({ terminal, context, input, valid }: StoreCall<WantedFile, WantedRows>) {
  const { name, range, format } = valid;
  const { out, force, spreadsheet: isForSpreadsheet } = input;
  const sources = new Sources(context);
  const found = await sources.byName(name);
  if (found === null) throw await missing(context, name);
  const output = out === undefined ? standardOutput() : await fileOutput(out, force);
  const tools = {
    reader: new LogReader(context.db),
    sources,
    tables: new TableThread(),
    // Nobody else waits for the event loop of a command.
    pause: async () => {},
  };
  const begun = await RangeExport.begin(tools, {
    ...{ found, range, format, toggles: excludeNothing, after: 0, until: null },
    isForSpreadsheet,
    hasHeader: true,
  });
  const { rowCount, endPosition } = begun;
  await withProgress(
    terminal,
    { title: `Exporting ${name.kind} ${name.key}`, total: rowCount },
    (advance) => writeOut(begun, output, advance),
    () => `${numberText(rowCount)} rows were written${out === undefined ? '' : ` to ${out}`}.`,
  );
  return { rows: rowCount, endPosition, file: out ?? null };
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

async function missing({ db }: Context, { accountId, kind, key }: SourceName): Promise<CommandError> {
  return new CommandError(
    (await hasAccount(db, accountId))
      ? `Account ${accountId} has no ${kind} ${key}.`
      : noSuchAccountText(accountId),
  );
}
