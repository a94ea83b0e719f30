// What was refused and kept in the quarantine is judged once more, by the survey as it is now (D-288).

import { newOutcome, type RedriveOutcome, Redriving } from '../../acts/feedback/redrive.ts';
import { Sealer, SealingKeyMissing } from '../../store/access/sealer.ts';
import { LogAppender } from '../../store/feedback/appender.ts';
import { quarantineOf } from '../../store/feedback/quarantine.ts';
import { Sources } from '../../store/feedback/sources.ts';
import { type Advance, numberText, withProgress } from '../frame/progress.ts';
import { CommandError } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

export interface WantedRedrive {
  readonly account: number;
  readonly survey: string;
  readonly as: string | undefined;
  readonly dryRun: boolean;
}

export async function redriveAll(call: StoreCall<WantedRedrive>): Promise<RedriveOutcome> {
  const { terminal, context, input } = call;
  const work = redriving(call);
  await work.survey();
  const kept = await quarantineOf(context.db, input.account, context.now());
  const total = kept.find(({ surveyId }) => surveyId === input.survey)?.bodies ?? 0;
  return withProgress(
    terminal,
    { title: input.dryRun ? 'Judging what is in the quarantine' : 'Redriving', total },
    (advance) => run(work, advance),
    (result) => summaryOf(result, input.dryRun),
  );
}

function redriving({ context, stamp, input }: StoreCall<WantedRedrive>): Redriving {
  const { account: accountId, survey: surveyId, as, dryRun: isDryRun } = input;
  return new Redriving(
    {
      context,
      sources: new Sources(context),
      appender: new LogAppender(context.db),
      sealer: new Sealer(context),
      newStamp: stamp,
    },
    { accountId, surveyId, ...(as === undefined ? {} : { as }), isDryRun },
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
