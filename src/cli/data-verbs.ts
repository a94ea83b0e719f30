// The verbs for responses that are there already, and what they say of themselves.

import type { EraseOptions } from './erase-many.ts';
import type { ExportOptions } from './export.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { ReportOptions } from './report.ts';
import type { Terminal } from './terminal.ts';

export function dataVerbs(addVerb: AddVerb, terminal: Terminal): void {
  addVerb('epp', 'append or correct external passed parameters of responses that are there, from a CSV file')
    .argument('<file>', 'CSV in UTF-8: a column responseId, then one column a declared parameter')
    .requiredOption('--account <id>', 'the account whose responses they are')
    .option('--replace', 'let a value take the place of another one that is there')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText(
      'after',
      `
A column is the name or the id of an external parameter; an empty value says nothing. The whole file is checked before
anything is written: an undeclared column, a value of another type or, without --replace, another value than is there
is a fault; all faults are listed with their lines, and nothing is changed. Then the lines are written 1,000 at a time,
while others go on. Stopped in between, the same command goes on; running it again changes nothing.
A line whose response is unknown or erased is listed and skipped.
Exit status: 0 all taken, 1 faults and nothing changed, 2 some lines skipped.

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

  addVerb('erase', 'erase what responses say; what was counted of them stays')
    .requiredOption('--account <id>', 'the account whose responses they are')
    .option('--response <id>', 'one response, by its responseId')
    .option('--file <file>', 'many, by a file with a responseId a line; - for standard input')
    .option('--parameter <name=value>', 'many, by the value of a passed or external parameter')
    .option('--from <day>', 'many, by their day: the first one, YYYY-MM-DD, UTC')
    .option('--to <day>', 'the last day, included')
    .option('--measure <key>', 'only of this measure')
    .option('--project <id>', 'or only of this project')
    .option('--dry-run', 'say how many there are, and erase nothing')
    .addHelpText(
      'after',
      `
Answers, parameters and the body as sent are gone for good. Place, day and scores stay, so that pages and totals do
not move; the item shows "erased": true. Erasing twice is fine. Backups and exported files are yours to clean.

A parameter is named by its name or id, and its value is the whole text as it is shown; together with days, both must fit.
Many are erased in slices of 1,000, each all or nothing. What stops half-way says how far it came, and the same command
goes on. Responses that come in meanwhile may be missed: stop sending first, or run it again.
Exit status: 0 done, 1 failed or stopped, 2 some ids of the file are unknown.

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

  addVerb('export', 'write the responses of a range of days to a file or to standard output')
    .requiredOption('--account <id>', 'the account')
    .option('--measure <key>', 'the measure')
    .option('--project <id>', 'or the project')
    .requiredOption('--from <day>', 'the first day, YYYY-MM-DD, UTC')
    .requiredOption('--to <day>', 'the last day, included')
    .requiredOption(
      '--format <format>',
      'ndjson: a line an item, as the API shows it; csv: a row a respondent; parquet: the same with types',
    )
    .option('--out <file>', 'the file; standard output otherwise')
    .option('--force', 'overwrite the file')
    .option('--spreadsheet', 'csv for a spreadsheet: no text is taken for a formula')
    .addHelpText(
      'after',
      `
Rows stand in the order of arrival, those that were there when the export began. The file appears when it is whole.
The columns of csv and parquet are explained in docs/export.md. Progress and the count of rows go to standard error.

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
    .requiredOption('--to <day>', 'the last day, included')
    .option('--unit <unit>', 'a point for each day, week or month; what fits the range unless given')
    .option('--compare <range>', 'previous: with as many days before; year: with the same days a year before')
    .option(
      '--filter <conditions>',
      'only responses that meet them, such as is,device,Phone (docs/insight.md)',
    )
    .option('--comments <count>', 'so many of the newest comments, up to 200; 0 leaves them out')
    .option(
      '--format <format>',
      'text for the terminal; html: one page with charts that needs nothing else; csv: a row a figure',
      'text',
    )
    .option('--out <file>', 'the file; standard output otherwise')
    .option('--force', 'overwrite the file')
    .option('--spreadsheet', 'csv for a spreadsheet: no text is taken for a formula')
    .addHelpText(
      'after',
      `
The figures are those of /v1/measures/{key}/trend, distribution and drivers, of /v1/projects/{id}/topics, and the newest
comments. Colours are left out where nobody looks, and where NO_COLOR is set. --json prints the figures as JSON, or with
--out what was written.

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
