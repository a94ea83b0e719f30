// soundings epp: external passed parameters from a CSV file, for responses that are there already (D-37).

import type { SkippedLine } from '../../domain/feedback/external-judging.ts';
import { argument, ofAccount, toggle } from '../frame/takes.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';

const skippedExitCode = 2;

export const epp = verb({
  about: 'add or correct external passed parameters of existing responses, from a CSV file',
  takes: {
    file: argument('CSV file in UTF-8: a responseId column, then one column per declared parameter'),
    account: ofAccount('the account that the responses belong to'),
    replace: toggle('allow existing values to be replaced by different ones'),
    dryRun: toggle('show what would change without changing anything'),
  },
  help: `
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
  load: () => import('./external-file.ts'),
  act: (call, { applyParameters }) => applyParameters(call),
  json: ({ changed, unchanged, skipped, faults, isApplied }) => {
    const isFaulty = faults.length > 0;
    return {
      applied: isApplied && !isFaulty,
      changed: isFaulty && !isApplied ? 0 : changed,
      ...{ unchanged, skipped, faults },
    };
  },
  failure({ skipped, faults, isApplied }, { file, dryRun }) {
    if (faults.length === 0) return skipped.length === 0 ? null : skippedError(file, skipped, dryRun);
    const list = faults.map(({ line, message }) => `  ${file}:${line}: ${visible(message)}`).join('\n');
    return isApplied
      ? `While the lines were written somebody else changed these responses, and the lines from here on were left:\n${list}\nMend them; the same command goes on.`
      : `The file has faults, and nothing was changed:\n${list}`;
  },
});

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
