// soundings export: the responses of a range as a file, in the order of arrival.

import { type DateRange, readDateRange } from '../../domain/dates.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import { type ExportFormat, exportFormats } from '../../domain/feedback/export-format.ts';
import type { Fault } from '../../domain/problem.ts';
import { namedSource } from '../frame/account-and-source.ts';
import { needed, ofAccount, option, toggle } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';

export const exportVerb = verb({
  about: 'write the responses of a range of days to a file or standard output',
  takes: {
    account: ofAccount(),
    measure: option('<key>', 'the measure'),
    project: option('<id>', 'or the project'),
    from: needed('<day>', 'the first day, YYYY-MM-DD, UTC'),
    to: needed('<day>', 'the last day, inclusive'),
    format: needed(
      '<format>',
      'ndjson: one line per item, as in the API; csv: one row per respondent; parquet: the same with types',
    ),
    out: option('<file>', 'output file (default: standard output)'),
    force: toggle('overwrite an existing file'),
    spreadsheet: toggle('csv for spreadsheets: no text is interpreted as a formula'),
  },
  help: `
Contains the rows that existed when the export began, in order of arrival. An output file only appears once it is
complete. The columns of csv and parquet are explained in docs/export.md. Progress and row count go to standard error.

Examples:
  soundings export --account 4001 --measure 8840868 --from 2026-01-01 --to 2026-01-31 --format csv --out january.csv
  soundings export --account 4001 --project 3223 --from 2026-01-01 --to 2026-12-31 --format ndjson | gzip > badge.gz
  soundings export --account 4001 --measure 8840868 --from 2026-01-01 --to 2026-12-31 --format parquet --out web.parquet
`,
  validate: (input) => ({ name: sourceOf(input), range: rangeOf(input), format: formatOf(input) }),
  load: () => import('./range-file.ts'),
  act: (call, { exportRange }) => exportRange(call),
  json: (facts) => facts,
  isOutputTaken: ({ out }) => out === undefined,
});

interface Asked {
  readonly account: number;
  readonly measure: string | undefined;
  readonly project: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly format: string;
  readonly out: string | undefined;
  readonly spreadsheet: boolean;
}

function sourceOf(asked: Asked): SourceName {
  const { measure, project } = asked;
  const name = (measure === undefined) === (project === undefined) ? null : namedSource(asked);
  if (name === null) throw new CommandError('Name one of --measure and --project.');
  return name;
}

function formatOf({ format, spreadsheet, out }: Asked): ExportFormat {
  const known = exportFormats.find((one) => one === format);
  if (known === undefined) throw new CommandError(`--format is ndjson, csv or parquet, not "${format}".`);
  if (spreadsheet && known !== 'csv') throw new CommandError('--spreadsheet goes with --format csv.');
  if (known === 'parquet' && out === undefined && process.stdout.isTTY)
    throw new CommandError('Parquet is no text for a terminal. Name a file with --out, or a pipe.');
  return known;
}

function rangeOf({ from, to }: Asked): DateRange {
  const faults: Fault[] = [];
  const range = readDateRange(from, to, faults);
  if (faults.length === 0) return range;
  throw new CommandError(faults.map(({ field, message }) => `--${field}: ${message}`).join(' '));
}
