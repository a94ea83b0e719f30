// soundings epp: external passed parameters from a CSV file, appended to responses that are there already (D-37). The
// file is read line by line and then appended as one change: all of it, or nothing.

import { hasAccount } from '../store/feedback/catalogue.ts';
import {
  appendExternal,
  type ExternalOutcome,
  externalNames,
} from '../store/feedback/external-parameters.ts';
import { changeStamp } from './change-stamp.ts';
import { type LineFault, readEppFile } from './epp-file.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf } from './options.ts';
import { numberText, withProgress } from './progress.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

interface EppOptions {
  readonly file: string;
  readonly account: string;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

const skippedExitCode = 2;

export async function epp(terminal: Terminal, flags: Flags, options: EppOptions): Promise<void> {
  const { file, isDryRun } = options;
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    if (!(await hasAccount(context.db, accountId)))
      throw new CommandError(`There is no account ${accountId}.`);
    const declared = await externalNames(context.db, accountId);
    const outcome = await withProgress(
      terminal,
      { title: `Reading ${file}`, total: null },
      async (advance) => {
        const { columns, lines, faults } = await readEppFile(file, declared, advance);
        const found = await context.db.write(appendExternal, {
          ...changeStamp(context),
          accountId,
          columns,
          lines,
          // With a fault in the file the store is still asked what else is wrong, so that one run names everything.
          isOnlyCheck: isDryRun || faults.length > 0,
        });
        return { ...found, faults: inOrder([...faults, ...found.faults]) };
      },
      (result) => summaryOf(result, isDryRun),
    );
    report(terminal, options, outcome);
  });
}

function inOrder(faults: readonly LineFault[]): LineFault[] {
  return [...faults].sort((one, other) => one.line - other.line);
}

function summaryOf({ changed, unchanged, skipped, faults }: ExternalOutcome, isDryRun: boolean): string {
  if (faults.length > 0) return 'Nothing was changed.';
  const verb = isDryRun ? 'would get' : 'got';
  return `${numberText(changed)} responses ${verb} new values, ${numberText(unchanged)} had them already, ${numberText(skipped.length)} lines were skipped.`;
}

/** Exit status 1 when there are faults, 2 when lines were skipped, else 0. */
function report(terminal: Terminal, { file, isDryRun, isJson }: EppOptions, outcome: ExternalOutcome): void {
  const { changed, unchanged, skipped, faults } = outcome;
  const isFaulty = faults.length > 0;
  if (isJson) {
    const facts = { applied: !isDryRun && !isFaulty, changed: isFaulty ? 0 : changed, unchanged };
    terminal.print(JSON.stringify({ ...facts, skipped, faults }));
  }
  if (isFaulty) {
    const list = faults.map(({ line, message }) => `  ${file}:${line}: ${visible(message)}`);
    throw new CommandError(`The file has faults, and nothing was changed:\n${list.join('\n')}`);
  }
  if (skipped.length === 0) return;
  const reasons = { unknown: 'no response has the id', erased: 'erased, so it gets nothing more:' };
  const list = skipped.map(
    ({ line, responseId, reason }) => `  ${file}:${line}: ${reasons[reason]} "${visible(responseId)}"`,
  );
  throw new CommandError(
    `These lines were skipped${isDryRun ? '' : ', all others were taken'}:\n${list.join('\n')}`,
    { exitCode: skippedExitCode },
  );
}
