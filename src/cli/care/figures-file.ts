// Figures of days that a warehouse has worked out by itself, as a file: CSV with the columns source, day, count and digest,
// or the same as NDJSON. A column account is only needed where the file has several.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readAccountId } from '../../domain/access/account.ts';
import { parseDay } from '../../domain/dates.ts';
import { compareSources, parseSource, type SourceFigures } from '../../domain/feedback/day-figures.ts';
import type { DayDigest } from '../../domain/feedback/digest.ts';
import { unreadableFile } from '../frame/given-file.ts';
import { CommandError } from '../frame/terminal.ts';

const columns = ['source', 'day', 'count', 'digest'] as const;
type Column = (typeof columns)[number] | 'account';

const lineLengthMax = 1_000;
const faultsMax = 20;
/** Some hundred bytes each. */
const linesMax = 5_000_000;

interface FileSource {
  readonly accountId: number;
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly days: Map<number, DayDigest>;
}

/** The figures by source, in the order of accounts, kinds and keys. The account is that of the command unless a line names one. */
export async function readFiguresFile(
  file: string,
  accountId: () => Promise<number>,
): Promise<SourceFigures[]> {
  const sources = new Map<string, FileSource>();
  const faults: string[] = [];
  let header: readonly string[] | null = null;
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
      number += 1;
      if (number > linesMax)
        throw new CommandError(`${file} has more than ${linesMax} lines: split it by source.`);
      const text = number === 1 ? line.replace(/^\ufeff/, '') : line;
      if (text.trim() === '') continue;
      if (text.length > lineLengthMax) faults.push(`line ${number}: longer than ${lineLengthMax} characters`);
      else if (text.startsWith('{')) await take(fieldsOfJson(text), number);
      else if (header === null) header = headerOf(cells(text), faults);
      else await take(fieldsOfCsv(header, cells(text)), number);
      if (faults.length >= faultsMax) break;
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw unreadableFile(file, error);
  }
  if (number === 0) faults.push('it is empty');
  if (faults.length > 0)
    throw new CommandError(
      `${file} is no file of figures (source, day, count, digest; see docs/digests.md):\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  return [...sources.values()]
    .map((of) => ({ ...of, position: null, days: [...of.days].sort(([one], [other]) => one - other) }))
    .sort(compareSources);

  async function take(fields: Partial<Record<Column, string>> | null, at: number): Promise<void> {
    const say = (what: string): void => void faults.push(`line ${at}: ${what}`);
    if (fields === null) return say('no object with source, day, count and digest');
    const { source = '', day = '', count = '', digest = '', account } = fields;
    const name = parseSource(source);
    const dayNumber = parseDay(day);
    if (name === null)
      say(`the source is "${source.slice(0, 40)}", not like measures/8840868 or projects/3223`);
    if (dayNumber === null) say(`the day is "${day.slice(0, 40)}", not like 2026-01-31`);
    if (!/^\d{1,15}$/.test(count)) say(`the count is "${count.slice(0, 40)}", no whole number`);
    const isEmpty = Number(count) === 0 && digest === '';
    if (!isEmpty && !/^[0-9a-f]{64}$/i.test(digest)) say('the digest has not 64 hexadecimal digits');
    const isOwnAccount = account === undefined || account === '';
    if (!isOwnAccount && readAccountId(account) === null)
      say(`the account is "${account.slice(0, 40)}", no number`);
    if (name === null || dayNumber === null || faults.length > 0) return;
    const owner = isOwnAccount ? await accountId() : Number(account);
    const key = `${owner} ${source}`;
    const known = sources.get(key) ?? { accountId: owner, ...name, days: new Map<number, DayDigest>() };
    sources.set(key, known);
    if (known.days.has(dayNumber)) return say(`${source} has ${day} twice`);
    // A day without responses may be there or not.
    if (Number(count) > 0) known.days.set(dayNumber, { count: Number(count), digest: digest.toLowerCase() });
  }
}

/** None of the values has a comma or a line break in it, so that quotes are all that has to be taken off. */
function cells(line: string): string[] {
  return line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function headerOf(names: readonly string[], faults: string[]): readonly string[] {
  const missing = columns.filter((column) => !names.includes(column));
  if (missing.length > 0) faults.push(`line 1: there is no column ${missing.join(', ')}`);
  return names;
}

function fieldsOfCsv(header: readonly string[], values: readonly string[]): Partial<Record<Column, string>> {
  return Object.fromEntries(header.map((name, at) => [name, values[at] ?? '']));
}

function fieldsOfJson(text: string): Partial<Record<Column, string>> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, field === null ? '' : String(field)]),
  );
}
