// External passed parameters from a CSV file, for responses that are there already (D-37). The file is
// read and held against the store as a whole, without holding anybody up; only when nothing in it is wrong are its lines
// written, in slices (D-260).

import { createReadStream } from 'node:fs';
import { CsvLines, type ExternalLine, type LineFault } from '../../domain/feedback/external-lines.ts';
import { reasonOf } from '../../domain/reason.ts';
import { readCsvLines, UnreadableLines } from '../../store/feedback/external-file.ts';
import {
  appendChecked,
  checkExternal,
  type ExternalOutcome,
  externalNames,
} from '../../store/feedback/external-parameters.ts';
import { demandAccount } from '../frame/account-check.ts';
import { unreadableFile } from '../frame/given-file.ts';
import { type Advance, numberText, withProgress } from '../frame/progress.ts';
import { PutAside } from '../frame/put-aside.ts';
import { CommandError } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

/** What a file of parameters is applied by. */
interface WantedParameters {
  readonly file: string;
  readonly account: number;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

/** What became of the file. */
export interface EppOutcome extends ExternalOutcome {
  /** Whether its changes are in the store, all of them or those before a fault that came up meanwhile. */
  readonly isApplied: boolean;
}

export async function applyParameters(call: StoreCall<WantedParameters>): Promise<EppOutcome> {
  const { terminal, context, input } = call;
  await demandAccount(context, input.account);
  return withProgress(
    terminal,
    { title: `Reading ${input.file}`, total: null },
    (advance) => takeFile(call, advance),
    (result) => summaryOf(result, input.dryRun),
  );
}

async function takeFile(
  { context, stamp, input }: StoreCall<WantedParameters>,
  advance: Advance,
): Promise<EppOutcome> {
  const { db } = context;
  const { file, account: accountId, replace: isReplacing, dryRun: isDryRun } = input;
  using all = new PutAside<ExternalLine>();
  using changing = new PutAside<ExternalLine>();
  const declared = { names: await externalNames(db, accountId), of: 'account' } as const;
  const lines = new CsvLines(declared, (line) => all.add(line));
  await readFile(file, lines);
  const request = { accountId, sourceId: null, columns: lines.columns, isReplacing };
  const advanced = async (count: number): Promise<void> => advance(count);
  // With a fault in the file the store is still asked what else is wrong, so that one run names everything.
  const checked = await checkExternal(db, request, all.values(), (line) => changing.add(line), advanced);
  const faults = inOrder([...lines.faults, ...checked.faults]);
  if (isDryRun || faults.length > 0) return { ...checked, faults, isApplied: false };
  const written = await appendChecked(db, request, changing.values(), stamp, advanced);
  return {
    changed: written.changed,
    unchanged: checked.unchanged,
    skipped: [...checked.skipped, ...written.skipped].sort((one, other) => one.line - other.line),
    faults: written.faults,
    isApplied: true,
  };
}

async function readFile(file: string, lines: CsvLines): Promise<void> {
  try {
    await readCsvLines(createReadStream(file), lines);
  } catch (error) {
    throw explained(file, error);
  }
}

function explained(file: string, error: unknown): unknown {
  if (error instanceof UnreadableLines && error.reason === 'csv')
    return new CommandError(
      `The file is not CSV, and nothing was changed:\n  ${file}:${error.line ?? '?'}: ${reasonOf(error)}.`,
      { cause: error },
    );
  if (error instanceof UnreadableLines)
    return new CommandError(`The file ${file} is not UTF-8, and nothing was changed. Save it as UTF-8.`, {
      cause: error,
    });
  if (error instanceof Error && 'syscall' in error) return unreadableFile(file, error);
  return error;
}

function inOrder(faults: readonly LineFault[]): LineFault[] {
  return [...faults].sort((one, other) => one.line - other.line);
}

function summaryOf(
  { changed, unchanged, skipped, faults, isApplied }: EppOutcome,
  isDryRun: boolean,
): string {
  if (faults.length > 0)
    return isApplied ? `${numberText(changed)} responses got new values.` : 'Nothing was changed.';
  const verb = isDryRun ? 'would get' : 'got';
  return `${numberText(changed)} responses ${verb} new values, ${numberText(unchanged)} had them already, ${numberText(skipped.length)} lines were skipped.`;
}
