// soundings epp: external passed parameters from a CSV file, for responses that are there already (D-37). The file is
// read and held against the store as a whole, without holding anybody up; only when nothing in it is wrong are its lines
// written, in slices (D-260).

import { createReadStream } from 'node:fs';
import type { Context } from '../context.ts';
import type { SkippedLine } from '../domain/feedback/external-judging.ts';
import { CsvLines, type ExternalLine, type LineFault } from '../domain/feedback/external-lines.ts';
import { reasonOf } from '../domain/reason.ts';
import { readCsvLines, UnreadableLines } from '../store/feedback/external-file.ts';
import {
  appendChecked,
  checkExternal,
  type ExternalOutcome,
  externalNames,
} from '../store/feedback/external-parameters.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { unreadableFile } from './given-file.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf } from './options.ts';
import { type Advance, numberText, withProgress } from './progress.ts';
import { PutAside } from './put-aside.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

interface EppOptions {
  readonly file: string;
  readonly account: string;
  readonly isReplacing: boolean;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

/** What became of the file. */
interface EppOutcome extends ExternalOutcome {
  /** Whether its changes are in the store, all of them or those before a fault that came up meanwhile. */
  readonly isApplied: boolean;
}

const skippedExitCode = 2;

export async function epp(terminal: Terminal, flags: Flags, options: EppOptions): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    await demandAccount(context, accountId);
    const outcome = await withProgress(
      terminal,
      { title: `Reading ${options.file}`, total: null },
      (advance) => takeFile(context, accountId, options, advance),
      (result) => summaryOf(result, options),
    );
    report(terminal, options, outcome);
  });
}

async function takeFile(
  context: Context,
  accountId: number,
  { file, isReplacing, isDryRun }: EppOptions,
  advance: Advance,
): Promise<EppOutcome> {
  const { db } = context;
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
  const written = await appendChecked(db, request, changing.values(), () => changeStamp(context), advanced);
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
  { isDryRun }: EppOptions,
): string {
  if (faults.length > 0)
    return isApplied ? `${numberText(changed)} responses got new values.` : 'Nothing was changed.';
  const verb = isDryRun ? 'would get' : 'got';
  return `${numberText(changed)} responses ${verb} new values, ${numberText(unchanged)} had them already, ${numberText(skipped.length)} lines were skipped.`;
}

/** Exit status 1 when there are faults, 2 when lines were skipped, else 0. */
function report(terminal: Terminal, { file, isDryRun, isJson }: EppOptions, outcome: EppOutcome): void {
  const { changed, unchanged, skipped, faults, isApplied } = outcome;
  const isFaulty = faults.length > 0;
  if (isJson) {
    const facts = {
      applied: isApplied && !isFaulty,
      changed: isFaulty && !isApplied ? 0 : changed,
      unchanged,
    };
    terminal.print(JSON.stringify({ ...facts, skipped, faults }));
  }
  if (isFaulty) {
    const list = faults.map(({ line, message }) => `  ${file}:${line}: ${visible(message)}`).join('\n');
    throw new CommandError(
      isApplied
        ? `While the lines were written somebody else changed these responses, and the lines from here on were left:\n${list}\nMend them; the same command goes on.`
        : `The file has faults, and nothing was changed:\n${list}`,
    );
  }
  if (skipped.length > 0) throw skippedError(file, skipped, isDryRun);
}

function skippedError(file: string, skipped: readonly SkippedLine[], isDryRun: boolean): CommandError {
  const reasons = { unknown: 'no response has the id', erased: 'erased, so it gets nothing more:' };
  const list = skipped.map(
    ({ line, responseId, reason }) => `  ${file}:${line}: ${reasons[reason]} "${visible(responseId)}"`,
  );
  return new CommandError(
    `These lines were skipped${isDryRun ? '' : ', all others were taken'}:\n${list.join('\n')}`,
    { exitCode: skippedExitCode },
  );
}
