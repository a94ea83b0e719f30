// The figures of a range of days, for the terminal, as a page, or as a table.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { type CalendarUnit, calendarUnits, parseDay } from '../../domain/dates.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import { type Comparison, comparisons } from '../../domain/insight/compared-range.ts';
import type { Report } from '../../domain/insight/report.ts';
import { reportPage } from '../../domain/insight/report-html.ts';
import { reportColumns, reportRows } from '../../domain/insight/report-rows.ts';
import { reportStyle } from '../../domain/insight/report-style.ts';
import { reportLines, type StyledLine } from '../../domain/insight/report-text.ts';
import type { Fault } from '../../domain/problem.ts';
import { filterOfRequest, insightRange } from '../../acts/insight/views.ts';
import { accountName } from '../../store/feedback/catalogue.ts';
import { type PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { fileOutput, type Output, standardOutput } from '../frame/export-output.ts';
import { namedSource, noSuchAccountText } from '../frame/account-and-source.ts';
import { LateProgress } from '../frame/progress.ts';
import { reportOf } from './report-figures.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

interface WantedReport {
  readonly account: number;
  readonly measure: string | undefined;
  readonly project: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly unit: string | undefined;
  readonly compare: string | undefined;
  readonly filter: string | undefined;
  readonly comments: string | undefined;
  readonly format: string;
  readonly out: string | undefined;
  readonly force: boolean;
  readonly spreadsheet: boolean;
}

const formats = ['text', 'html', 'csv'] as const;
type Format = (typeof formats)[number];

const commentsMax = 200;
const usualComments = { text: 5, html: 12, csv: 50 } as const;

export interface MadeReport {
  readonly made: Report;
  readonly format: Format;
}

/** The figures; where they go into a file or a pipe, they are written by then. */
export async function makeReport(
  { terminal, context, isJson, input }: StoreCall<WantedReport>,
  asked: AskedReport,
): Promise<MadeReport> {
  const { unit, compare, format, comments } = asked;
  const faults = [...asked.faults];
  const sources = new Sources(context);
  const found = await findSource(context, sources, asked, input, faults);
  const output = await openOutput(input, isJson, format, faults);
  if (found === null || faults.length > 0) {
    await output?.discard();
    throw refusal(faults);
  }
  const wish = {
    ...{ ...found, unit, compare, comments, from: input.from, to: input.to },
    filter: input.filter ?? null,
  };
  const made = await withWaiting(terminal, () => reportOf(context, sources, wish)).catch(async (error) => {
    await output?.discard();
    throw error;
  });
  if (output !== null) await writeOut(await textOf(made, format, input), output);
  return { made, format };
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

export interface AskedReport {
  /** What is wrong with it so far: every fault is told at once. */
  readonly faults: readonly string[];
  readonly name: SourceName | null;
  readonly unit: CalendarUnit;
  readonly compare: Comparison | null;
  readonly format: Format;
  readonly comments: number;
}

export function readReport(options: WantedReport): AskedReport {
  const faults: string[] = [];
  const { from, to } = options;
  const format = oneOf('--format', options.format, formats, faults) ?? 'text';
  const compare =
    options.compare === undefined ? null : oneOf('--compare', options.compare, comparisons, faults);
  const unit = options.unit === undefined ? null : oneOf('--unit', options.unit, calendarUnits, faults);
  const name = told(faults, () => {
    const named = namedSource(options);
    if (named === null) throw new CommandError('Name one of --measure and --project.');
    return named;
  });
  const found: Fault[] = [];
  insightRange({ from, to, ...(compare !== null && { compare }) }, found);
  faults.push(...found.map(({ field, message }) => `--${field}: ${message}`));
  if (options.spreadsheet && format !== 'csv') faults.push('--spreadsheet goes with --format csv.');
  if (options.force && options.out === undefined) faults.push('--force goes with --out.');
  return {
    ...{ name, compare, format },
    unit: unit ?? usualUnit(from, to),
    comments: commentsOf(options, format, faults),
    faults,
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

function commentsOf({ comments }: WantedReport, format: Format, faults: string[]): number {
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
  { name }: AskedReport,
  { filter }: WantedReport,
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
  { out, force }: WantedReport,
  isJson: boolean,
  format: Format,
  faults: string[],
): Promise<Output | null> {
  if (out === undefined) return format === 'text' || isJson ? null : standardOutput();
  try {
    return await fileOutput(out, force);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    faults.push(error.message);
    return null;
  }
}

async function textOf(made: Report, format: Format, { spreadsheet }: WantedReport): Promise<string> {
  if (format === 'html') return reportPage(made, createHash('sha256').update(reportStyle).digest('base64'));
  if (format === 'text')
    return reportLines(made)
      .map((line) => `${plainText(line)}\n`)
      .join('');
  const { stringify } = await import('csv-stringify/sync');
  const isSafe = spreadsheet;
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

export function plainText(line: StyledLine): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}
