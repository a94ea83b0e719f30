// Many responses erased: by a list of ids, by the value of a parameter, by their days (D-270). They are erased
// in slices, each all or nothing; what ends it half-way leaves erased what is, and the same command goes on.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Context } from '../../context.ts';
import { ByteWriter } from '../../domain/byte-writer.ts';
import { type DateRange, readDateRange } from '../../domain/dates.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import {
  mayPass,
  passes,
  readWantedParameter,
  type WantedParameter,
} from '../../domain/feedback/parameter-search.ts';
import { excludeNothing, RowCursor } from '../../domain/feedback/respondent.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import type { EmptiedRows } from '../../store/erasure/emptied-rows.ts';
import {
  type ChoosableRow,
  lastSeqOf,
  listedRows,
  nextErasable,
  sliceRows,
} from '../../store/erasure/erasable-rows.ts';
import { eraseSlice, type FoundBy } from '../../store/erasure/erase.ts';
import { findSource, listSourceNames } from '../../store/feedback/catalogue.ts';
import { eraseWaiting, waitingIds } from '../../store/feedback/quarantine.ts';
import { PreparedSource } from '../../store/feedback/sources.ts';
import { demandAccount } from '../frame/account-check.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { unreadableFile } from '../frame/given-file.ts';
import { namedSource } from '../frame/account-and-source.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { StopSignals } from '../frame/stop-signal.ts';
import { CommandError } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

const unknownShownMax = 20;
const allDays: DateRange = { firstDay: 0, lastDay: 1_000_000 };

/** Which responses are meant. */
export interface EraseOptions {
  readonly account: number;
  readonly file: string | undefined;
  readonly parameter: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly measure: string | undefined;
  readonly project: string | undefined;
  readonly dryRun: boolean;
}

interface Wanted {
  readonly accountId: number;
  readonly source: SourceName | null;
  readonly parameter: WantedParameter | null;
  readonly range: DateRange | null;
  readonly isDryRun: boolean;
}

/** What was done so far; of a dry run, what would be. */
export class Tally {
  erased = 0;
  erasedBefore = 0;
  looked = 0;
  readonly unknown: string[] = [];
  unknownCount = 0;
}

export async function eraseMany({ terminal, context, input }: StoreCall<EraseOptions>): Promise<Tally> {
  const wanted = wantedOf(input);
  const { accountId, isDryRun } = wanted;
  await demandAccount(context, accountId);
  using signals = new StopSignals(terminal);
  const progress = new LateProgress(terminal);
  const tally = new Tally();
  const onSlice = (): void => {
    const verb = isDryRun ? 'to erase' : 'erased';
    progress.say(() => `${numberText(tally.looked)} looked at, ${numberText(tally.erased)} ${verb}`);
    if (signals.exitCode !== null) throw new CommandError('Stopped', { exitCode: signals.exitCode });
  };
  try {
    if (input.file === undefined) await eraseFound(context, wanted, tally, onSlice);
    else await eraseListed(context, wanted, input.file, tally, onSlice);
  } catch (error) {
    throw isDryRun ? error : stopped(error, tally);
  }
  return tally;
}

function wantedOf(options: EraseOptions): Wanted {
  const parameter = options.parameter === undefined ? null : readWantedParameter(options.parameter);
  if (parameter === null && options.parameter !== undefined)
    throw new CommandError('--parameter is a name and a value, as in --parameter customer_id=C-20931.');
  return {
    accountId: options.account,
    source: namedSource(options),
    parameter,
    range: rangeOf(options),
    isDryRun: options.dryRun,
  };
}

function rangeOf({ from, to }: EraseOptions): DateRange | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) throw new CommandError('Give both --from and --to.');
  const faults: Fault[] = [];
  const range = readDateRange(from, to, faults);
  if (faults.length === 0) return range;
  throw new CommandError(faults.map(({ field, message }) => `--${field}: ${message}`).join(' '));
}

/** By a parameter, by days, or by both: the logs are looked through from their beginning to where they end now. */
async function eraseFound(
  context: Context,
  { accountId, source, parameter, range, isDryRun }: Wanted,
  tally: Tally,
  onSlice: () => void,
): Promise<void> {
  const { db } = context;
  const names = source === null ? await listSourceNames(db, accountId) : [source];
  for (const name of names) {
    const found = await findSource(db, name);
    if (found === null) {
      if (source === null) continue;
      throw new CommandError(`Account ${accountId} has no ${name.kind} ${name.key}.`);
    }
    const isChosen = parameter === null ? undefined : chooser(new PreparedSource(found), parameter);
    const lastSeq = await lastSeqOf(db, found);
    let afterSeq = 0;
    while (afterSeq < lastSeq) {
      const { sourceId } = found;
      const slice = await nextErasable(
        db,
        found,
        { afterSeq, lastSeq, range: range ?? allDays },
        { ...(isChosen && { isChosen }), isOnlyCount: isDryRun },
      );
      const foundBy = foundByOf(name, parameter, range);
      tally.erased += isDryRun
        ? slice.count
        : await write(context, accountId, [{ sourceId, rows: slice.rows }], foundBy);
      tally.looked += slice.throughSeq - afterSeq;
      afterSeq = slice.throughSeq;
      onSlice();
    }
  }
}

/** For the audit log: the name of the parameter, never the value, which may be that of a person. */
function foundByOf(
  { kind, key }: SourceName,
  parameter: WantedParameter | null,
  range: DateRange | null,
): FoundBy {
  return {
    source: `${kind} ${key}`,
    parameter: parameter === null ? null : parameter.name.slice(0, 200),
    isByDays: range !== null,
  };
}

function chooser(prepared: PreparedSource, parameter: WantedParameter): (row: ChoosableRow) => boolean {
  const cursor = new RowCursor();
  const writer = new ByteWriter();
  return (row) => {
    if (!mayPass(row.values, row.external, parameter)) return false;
    const texts = prepared.texts(row.surveyNumber);
    if (prepared.source.kind === 'project') cursor.writeProjectEntry(writer, texts, row);
    else cursor.writeRespondent(writer, texts, row, excludeNothing);
    return passes(JSON.parse(writer.take().toString()), parameter);
  };
}

async function eraseListed(
  context: Context,
  { accountId, source, isDryRun }: Wanted,
  file: string,
  tally: Tally,
  onSlice: () => void,
): Promise<void> {
  const { db } = context;
  const found = source === null ? null : await findSource(db, source);
  if (source !== null && found === null)
    throw new CommandError(`Account ${accountId} has no ${source.kind} ${source.key}.`);
  for await (const ids of idsOf(file)) {
    const rows = await listedRows(db, accountId, ids, found?.sourceId ?? null, isDryRun);
    const known = new Set(rows.map(({ responseId }) => responseId));
    const left = rows.filter(({ isErased }) => !isErased);
    const bySource = Map.groupBy(left, ({ sourceId }) => sourceId);
    const sources = [...bySource].map(([sourceId, ofSource]) => ({
      sourceId,
      rows: ofSource.flatMap(({ row }) => (row === null ? [] : [row])),
    }));
    const erased = isDryRun ? left.length : await write(context, accountId, sources, null);
    tally.erasedBefore += rows.length - erased;
    tally.erased += erased;
    // Bodies that were refused wait under ids of the account, of whichever source (D-289).
    const waiting = source === null ? await waitingIds(db, accountId, ids) : [];
    if (waiting.length > 0 && !isDryRun)
      await db.write(eraseWaiting, { ...changeStamp(context), accountId, responseIds: waiting });
    for (const id of waiting) {
      if (!known.has(id)) tally.erased += 1;
      known.add(id);
    }
    tally.looked += ids.length;
    for (const id of ids) {
      if (known.has(id)) continue;
      tally.unknownCount += 1;
      if (tally.unknown.length < unknownShownMax) tally.unknown.push(id);
    }
    onSlice();
  }
}

/** A line is an id; empty lines, and a first one that is the name of a column, say nothing. */
async function* idsOf(file: string): AsyncGenerator<readonly string[]> {
  const input = file === '-' ? process.stdin : createReadStream(file, 'utf8');
  let ids = new Set<string>();
  let isFirst = true;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const id = line.replace(/^\uFEFF/, '').trim();
      const isHeading = isFirst && id === 'responseId';
      isFirst = false;
      if (id === '' || isHeading) continue;
      ids.add(id);
      if (ids.size < sliceRows) continue;
      yield [...ids];
      ids = new Set();
    }
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw unreadableFile(file, error);
  }
  if (ids.size > 0) yield [...ids];
}

async function write(
  context: Context,
  accountId: number,
  sources: readonly EmptiedRows[],
  foundBy: FoundBy | null,
): Promise<number> {
  if (sources.every(({ rows }) => rows.length === 0)) return 0;
  return context.db.write(eraseSlice, { ...changeStamp(context), accountId, sources, foundBy });
}

/** What is done and stays, and what to do. A failure of our own stays what it is. */
function stopped(cause: unknown, { erased }: Tally): unknown {
  if (!(cause instanceof CommandError) && !(cause instanceof Problem)) return cause;
  const isOfFile = cause.cause instanceof Error && 'syscall' in cause.cause;
  if (erased === 0 && isOfFile) return cause;
  const reason = cause.message.replace(/ Please retry\.$/, '').replace(/\.$/, '');
  const exitCode = cause instanceof CommandError ? cause.exitCode : 1;
  return new CommandError(
    `${reason}. ${numberText(erased)} responses are erased and stay so. Run the same command again: it goes on with the rest.`,
    { exitCode, cause },
  );
}
