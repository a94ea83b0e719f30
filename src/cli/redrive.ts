// soundings redrive: what was refused and kept in the quarantine is judged once more, by the survey as it is now (D-288).

import { newOutcome, type RedriveOutcome, Redriving } from '../acts/feedback/redrive.ts';
import type { Context } from '../context.ts';
import { Sealer, SealingKeyMissing } from '../store/access/sealer.ts';
import { LogAppender } from '../store/feedback/appender.ts';
import { quarantineOf } from '../store/feedback/quarantine.ts';
import { Sources } from '../store/feedback/sources.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { type Advance, numberText, withProgress } from './progress.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

export interface RedriveOptions extends OfAccount {
  readonly survey: string;
  readonly as?: string;
  readonly dryRun?: boolean;
}

const refusedExitCode = 2;

export async function redrive(terminal: Terminal, flags: Flags, options: RedriveOptions): Promise<void> {
  const accountId = accountIdOf(options.account);
  const isDryRun = options.dryRun === true;
  await withContext(terminal, flags, async (context) => {
    const work = redriving(context, accountId, options);
    await work.survey();
    const kept = await quarantineOf(context.db, accountId, context.now());
    const total = kept.find(({ surveyId }) => surveyId === options.survey)?.bodies ?? 0;
    const outcome = await withProgress(
      terminal,
      { title: isDryRun ? 'Judging what is in the quarantine' : 'Redriving', total },
      (advance) => run(work, advance),
      (result) => summaryOf(result, isDryRun),
    );
    report(terminal, options, outcome);
  });
}

function redriving(
  context: Context,
  accountId: number,
  { survey: surveyId, as, dryRun }: RedriveOptions,
): Redriving {
  return new Redriving(
    {
      context,
      sources: new Sources(context),
      appender: new LogAppender(context.db),
      sealer: new Sealer(context),
      newStamp: () => changeStamp(context),
    },
    { accountId, surveyId, ...(as === undefined ? {} : { as }), isDryRun: dryRun === true },
  );
}

async function run(work: Redriving, advance: Advance): Promise<RedriveOutcome> {
  const outcome = newOutcome();
  let afterId = '';
  try {
    for (;;) {
      const slice = await work.slice(afterId, outcome);
      if (slice === null) return outcome;
      advance(slice.bodies);
      afterId = slice.lastId;
    }
  } catch (error) {
    if (error instanceof SealingKeyMissing) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function totalRefused({ refused }: RedriveOutcome): number {
  return [...refused.values()].reduce((sum, one) => sum + one, 0);
}

function summaryOf(outcome: RedriveOutcome, isDryRun: boolean): string {
  const { accepted, keptBefore } = outcome;
  const left = totalRefused(outcome);
  return isDryRun
    ? `${numberText(accepted)} would be accepted, ${numberText(keptBefore)} are kept already, ${numberText(left)} would be refused again.`
    : `${numberText(accepted)} are accepted, ${numberText(keptBefore)} were kept already, ${numberText(left)} are still refused.`;
}

/** Exit status 2 where something is still refused. */
function report(
  terminal: Terminal,
  { account, survey, as, dryRun, json }: RedriveOptions,
  outcome: RedriveOutcome,
): void {
  const { accepted, keptBefore, refused } = outcome;
  const causes = [...refused].sort(([one], [other]) => (one < other ? -1 : 1));
  if (json === true)
    terminal.print(
      JSON.stringify({
        accountId: Number(account),
        surveyDefinitionId: survey,
        ...(as === undefined ? {} : { as }),
        dryRun: dryRun === true,
        accepted,
        keptBefore,
        refused: Object.fromEntries(causes),
      }),
    );
  else if (causes.length > 0)
    terminal.print(table(causes.map(([cause, number]) => [cause, numberText(number)])));
  if (causes.length > 0)
    throw new CommandError(
      `What is refused stays in the quarantine until it is seven days old. Mend the survey, or see "soundings refused list --account ${account}".`,
      { exitCode: refusedExitCode },
    );
}
