// soundings report: the figures of a range of days, for the terminal, as a page, or as a table.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { type CalendarUnit, calendarUnits, parseDay } from '../domain/dates.ts';
import type { SourceName } from '../domain/feedback/catalogue-change.ts';
import { type Comparison, comparisons } from '../domain/insight/compared-range.ts';
import { isEmpty, type Report } from '../domain/insight/report.ts';
import { reportPage } from '../domain/insight/report-html.ts';
import { reportColumns, reportRows } from '../domain/insight/report-rows.ts';
import { reportStyle } from '../domain/insight/report-style.ts';
import { reportLines, type StyledLine } from '../domain/insight/report-text.ts';
import type { Fault } from '../domain/problem.ts';
import { filterOfRequest, insightRange } from '../http/insight/view-requests.ts';
import { accountName } from '../store/feedback/catalogue.ts';
import { type PreparedSource, Sources } from '../store/feedback/sources.ts';
import { fileOutput, type Output, standardOutput } from './export-output.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, namedSource, noSuchAccountText, type OfSource } from './options.ts';
import { LateProgress } from './progress.ts';
import { reportOf } from './report-figures.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface ReportOptions extends OfSource {
  readonly from: string;
  readonly to: string;
  readonly unit?: string;
  readonly compare?: string;
  readonly filter?: string;
  readonly comments?: string;
  readonly format: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly spreadsheet?: boolean;
}

const formats = ['text', 'html', 'csv'] as const;
type Format = (typeof formats)[number];

const commentsMax = 200;
const usualComments = { text: 5, html: 12, csv: 50 } as const;

export async function report(terminal: Terminal, flags: Flags, options: ReportOptions): Promise<void> {
  const faults: string[] = [];
  const asked = readOptions(options, faults);
  await withContext(terminal, flags, async (context) => {
    const sources = new Sources(context);
    const found = await findSource(context, sources, asked, options, faults);
    const output = await openOutput(options, asked.format, faults);
    if (found === null || faults.length > 0) {
      await output?.discard();
      throw refusal(faults);
    }
    const { unit, compare, format, comments } = asked;
    const wish = {
      ...{ ...found, unit, compare, comments, from: options.from, to: options.to },
      filter: options.filter ?? null,
    };
    const made = await withWaiting(terminal, () => reportOf(context, sources, wish)).catch(async (error) => {
      await output?.discard();
      throw error;
    });
    if (output !== null) await writeOut(await textOf(made, format, options), output);
    say(terminal, made, options, format);
  });
}

function refusal(faults: readonly string[]): CommandError {
  const [first = '', ...others] = faults;
  if (others.length === 0) return new CommandError(first);
  return new CommandError(`The report cannot be made:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

/** Says after two seconds that there is something to wait for. */
async function withWaiting<T>(terminal: Terminal, work: () => Promise<T>): Promise<T> {
  const beganAtMs = performance.now();
  const progress = new LateProgress(terminal);
  const timer = setInterval(
    () =>
      progress.say(() => `Reading the figures: ${Math.round((performance.now() - beganAtMs) / 1000)} s ...`),
    1_000,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

// ---- what was asked for

interface Asked {
  readonly name: SourceName | null;
  readonly unit: CalendarUnit;
  readonly compare: Comparison | null;
  readonly format: Format;
  readonly comments: number;
}

/** Every fault is told at once. */
function readOptions(options: ReportOptions, faults: string[]): Asked {
  const { from, to } = options;
  const format = oneOf('--format', options.format, formats, faults) ?? 'text';
  const compare =
    options.compare === undefined ? null : oneOf('--compare', options.compare, comparisons, faults);
  const unit = options.unit === undefined ? null : oneOf('--unit', options.unit, calendarUnits, faults);
  const name = told(faults, () => {
    accountIdOf(options.account);
    const named = namedSource(options);
    if (named === null) throw new CommandError('Name one of --measure and --project.');
    return named;
  });
  const found: Fault[] = [];
  insightRange({ from, to, ...(compare !== null && { compare }) }, found);
  faults.push(...found.map(({ field, message }) => `--${field}: ${message}`));
  if (options.spreadsheet === true && format !== 'csv') faults.push('--spreadsheet goes with --format csv.');
  if (options.force === true && options.out === undefined) faults.push('--force goes with --out.');
  return {
    ...{ name, compare, format },
    unit: unit ?? usualUnit(from, to),
    comments: commentsOf(options, format, faults),
  };
}

function told<T>(faults: string[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    faults.push(error.message);
    return null;
  }
}

function oneOf<T extends string>(
  option: string,
  text: string,
  known: readonly T[],
  faults: string[],
): T | null {
  const found = known.find((one) => one === text);
  if (found === undefined)
    faults.push(`${option} is ${known.slice(0, -1).join(', ')} or ${known.at(-1)}, not "${text}".`);
  return found ?? null;
}

function commentsOf({ comments }: ReportOptions, format: Format, faults: string[]): number {
  if (comments === undefined) return usualComments[format];
  if (/^\d{1,3}$/.test(comments) && Number(comments) <= commentsMax) return Number(comments);
  faults.push(`--comments must be a whole number from 0 to ${commentsMax}, not "${comments}".`);
  return 0;
}

const daysByDay = 31;
const daysByWeek = 400;

/** As many points as a chart of a report can show well. */
function usualUnit(from: string, to: string): CalendarUnit {
  const days = (parseDay(to) ?? 0) - (parseDay(from) ?? 0) + 1;
  return days <= daysByDay ? 'day' : days <= daysByWeek ? 'week' : 'month';
}

interface Found {
  readonly accountName: string;
  readonly found: PreparedSource;
}

/** The measure or project, and what is wrong with the filter on it. */
async function findSource(
  { db }: Context,
  sources: Sources,
  { name }: Asked,
  { filter }: ReportOptions,
  faults: string[],
): Promise<Found | null> {
  if (name === null) return null;
  const { accountId, kind, key } = name;
  const account = await accountName(db, accountId);
  if (account === null) {
    faults.push(noSuchAccountText(accountId));
    return null;
  }
  const found = await sources.byName(name);
  if (found === null) {
    faults.push(`Account ${accountId} has no ${kind} ${key}.`);
    return null;
  }
  if (filter !== undefined) {
    const wrong: Fault[] = [];
    filterOfRequest({ ready: found, query: { filter }, mayReadComments: true }, wrong);
    faults.push(...wrong.map(({ message }) => `--filter: ${message}`));
  }
  return { accountName: account, found };
}

// ---- where it goes

/** Null for a report that is printed, line by line. */
async function openOutput(
  { out, force, json }: ReportOptions,
  format: Format,
  faults: string[],
): Promise<Output | null> {
  if (out === undefined) return format === 'text' || json === true ? null : standardOutput();
  try {
    return await fileOutput(out, force === true);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    faults.push(error.message);
    return null;
  }
}

async function textOf(made: Report, format: Format, { spreadsheet }: ReportOptions): Promise<string> {
  if (format === 'html') return reportPage(made, createHash('sha256').update(reportStyle).digest('base64'));
  if (format === 'text')
    return reportLines(made)
      .map((line) => `${plainText(line)}\n`)
      .join('');
  const { stringify } = await import('csv-stringify/sync');
  const isSafe = spreadsheet === true;
  return stringify([[...reportColumns], ...reportRows(made)], { bom: isSafe, escape_formulas: isSafe });
}

async function writeOut(text: string, output: Output): Promise<void> {
  try {
    await pipeline(Readable.from([text]), output.stream, { end: output.isOurs });
    await output.keep();
  } catch (error) {
    await output.discard();
    throw output.explain(error);
  }
}

function plainText(line: StyledLine): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

function say(terminal: Terminal, made: Report, { out, json }: ReportOptions, format: Format): void {
  if (out !== undefined) {
    const responses = made.distribution.count + made.distribution.erased;
    if (json === true) terminal.print(JSON.stringify({ file: out, format, responses }));
    else
      terminal.tell(`${isEmpty(made) ? 'A report without responses' : 'The report'} was written to ${out}.`);
  } else if (json === true) {
    const { isComplete, ...figures } = made;
    terminal.print(JSON.stringify({ ...figures, complete: isComplete }));
  }
  if (out === undefined && json !== true && format === 'text')
    for (const line of reportLines(made)) {
      if (terminal.printStyled === undefined) terminal.print(plainText(line));
      else terminal.printStyled(line);
    }
}
