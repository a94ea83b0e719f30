// The verbs for responses that are there already, and what they say of themselves.

import type { EraseOptions } from './erase-many.ts';
import type { ExportOptions } from './export.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { ReportOptions } from './report.ts';
import type { Terminal } from './terminal.ts';

export function dataVerbs(addVerb: AddVerb, terminal: Terminal): void {
  addVerb('epp', 'add or correct external passed parameters of existing responses, from a CSV file')
    .argument('<file>', 'CSV file in UTF-8: a responseId column, then one column per declared parameter')
    .requiredOption('--account <id>', 'the account that the responses belong to')
    .option('--replace', 'allow existing values to be replaced by different ones')
    .option('--dry-run', 'show what would change without changing anything')
    .addHelpText(
      'after',
      `
Each column has the name or id of an external parameter; empty values are ignored. The whole file is checked before
anything is written: an undeclared column, a value of the wrong type or, without --replace, a value that differs from
the existing one is a fault. If there are any, all faults are listed with their line numbers and nothing is changed.
Otherwise the lines are written 1,000 at a time, while other work continues. If the command is stopped, run it again to
continue; running it again after that changes nothing.
Lines whose response is unknown or erased are listed and skipped.
Exit status: 0 all lines applied, 1 faults and nothing changed, 2 some lines skipped.

Example:
  responseId,loyalty_tier,spent_last_year
  019a1f2e-7c11-7d52-9d0c-0a1b2c3d4e5f,gold,1240
  soundings epp crm.csv --account 4001
`,
    )
    .action(async (file: string, options: OfAccount & { dryRun?: boolean; replace?: boolean }) => {
      const { epp } = await import('./epp.ts');
      await epp(terminal, flagsOf(options), {
        file,
        account: options.account,
        isReplacing: options.replace === true,
        isDryRun: options.dryRun === true,
        isJson: options.json === true,
      });
    });

  addVerb('erase', 'erase the content of responses, and keep what was counted from them')
    .requiredOption('--account <id>', 'the account that the responses belong to')
    .option('--response <id>', 'one response, by its responseId')
    .option('--file <file>', 'many, from a file with one responseId per line; - for standard input')
    .option('--parameter <name=value>', 'many, by the value of a passed or external parameter')
    .option('--from <day>', 'many, by their day: the first day, YYYY-MM-DD, UTC')
    .option('--to <day>', 'the last day, inclusive')
    .option('--measure <key>', 'only responses of this measure')
    .option('--project <id>', 'or only responses of this project')
    .option('--dry-run', 'show how many there are without erasing anything')
    .addHelpText(
      'after',
      `
Answers, parameters and the body as sent are deleted for good. Position, day and scores are kept, so that pages and
totals do not change; the item shows "erased": true. Erasing twice does no harm. Cleaning up backups and exported files
is up to you.

A parameter is identified by its name or id, and its value is the full text as shown. If days are given too, both must
match. Many responses are erased in batches of 1,000, each all or nothing. If the command stops halfway, it says how
far it got; run it again to continue. Responses that arrive meanwhile may be missed: stop sending first, or repeat it.
Exit status: 0 done, 1 failed, 2 some ids in the file are unknown, 129 and more stopped by a signal.

Examples:
  soundings erase --account 4001 --response 019a1f2e-7c11-7d52-9d0c-0a1b2c3d4e5f
  soundings erase --account 4001 --parameter customer_id=C-20931 --dry-run
  soundings erase --account 4001 --measure 8840868 --from 2024-01-01 --to 2024-12-31
  soundings erase --account 4001 --file ids.txt
`,
    )
    .action(async (options: EraseOptions) => {
      const { eraseResponses } = await import('./erase.ts');
      await eraseResponses(terminal, flagsOf(options), options);
    });

  addVerb('export', 'write the responses of a range of days to a file or standard output')
    .requiredOption('--account <id>', 'the account')
    .option('--measure <key>', 'the measure')
    .option('--project <id>', 'or the project')
    .requiredOption('--from <day>', 'the first day, YYYY-MM-DD, UTC')
    .requiredOption('--to <day>', 'the last day, inclusive')
    .requiredOption(
      '--format <format>',
      'ndjson: one line per item, as in the API; csv: one row per respondent; parquet: the same with types',
    )
    .option('--out <file>', 'output file (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .option('--spreadsheet', 'csv for spreadsheets: no text is interpreted as a formula')
    .addHelpText(
      'after',
      `
Contains the rows that existed when the export began, in order of arrival. An output file only appears once it is
complete. The columns of csv and parquet are explained in docs/export.md. Progress and row count go to standard error.

Examples:
  soundings export --account 4001 --measure 8840868 --from 2026-01-01 --to 2026-01-31 --format csv --out january.csv
  soundings export --account 4001 --project 3223 --from 2026-01-01 --to 2026-12-31 --format ndjson | gzip > badge.gz
  soundings export --account 4001 --measure 8840868 --from 2026-01-01 --to 2026-12-31 --format parquet --out web.parquet
`,
    )
    .action(async (options: ExportOptions) => {
      const { exportRange } = await import('./export.ts');
      await exportRange(terminal, flagsOf(options), options);
    });

  addVerb('report', 'show the figures of a measure or project over a range of days')
    .requiredOption('--account <id>', 'the account')
    .option('--measure <key>', 'the measure')
    .option('--project <id>', 'or the project')
    .requiredOption('--from <day>', 'the first day, YYYY-MM-DD, UTC')
    .requiredOption('--to <day>', 'the last day, inclusive')
    .option('--unit <unit>', 'one point per day, week or month (default: what suits the range)')
    .option(
      '--compare <range>',
      'previous: with the same number of days before; year: with the same days a year before',
    )
    .option('--filter <conditions>', 'only matching responses, such as is,device,Phone (docs/insight.md)')
    .option('--comments <count>', 'how many of the newest comments to show, up to 200; 0 for none')
    .option(
      '--format <format>',
      'text: for the terminal; html: a self-contained page with charts; csv: one row per figure',
      'text',
    )
    .option('--out <file>', 'output file (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .option('--spreadsheet', 'csv for spreadsheets: no text is interpreted as a formula')
    .addHelpText(
      'after',
      `
The figures are those of /v1/measures/{key}/trend, distribution and drivers, of /v1/projects/{id}/topics, and the newest
comments. Colours are omitted if the output is not a terminal or NO_COLOR is set. --json prints the figures as JSON or,
with --out, what was written.

Examples:
  soundings report --account 4001 --measure 8840868 --from 2026-10-01 --to 2026-10-31 --compare previous
  soundings report --account 4001 --project 3223 --from 2026-07-01 --to 2026-09-30 --format html --out badge.html
  soundings report --account 4001 --measure 8840868 --from 2026-10-01 --to 2026-10-31 --filter 'is,cpp:segment,new'
`,
    )
    .action(async (options: ReportOptions) => {
      const { report } = await import('./report.ts');
      await report(terminal, flagsOf(options), options);
    });
}
