// soundings refused and redrive: survey responses that were refused, why, and how they are judged once more.

import type { RedriveOutcome } from '../../acts/feedback/redrive.ts';
import type { Context } from '../../context.ts';
import { dayOf, dayText } from '../../domain/dates.ts';
import { refusalsKept } from '../../domain/feedback/refusal.ts';
import type { NamedRefusal } from '../../store/feedback/refusals.ts';
import { noSuchAccount } from '../frame/account-and-source.ts';
import { numberText } from '../frame/progress.ts';
import { accountIdOf, countOf, needed, ofAccount, option, toggle, usual } from '../frame/takes.ts';
import { CommandError, table, visible } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

/** Null for what belongs to no account. */
const owner = ofAccount('the account; "none" for refusals that belong to no account', (text) =>
  text === 'none' ? null : accountIdOf(text),
);

const refusals = async () => ({
  ...(await import('../../store/feedback/refusals.ts')),
  ...(await import('../../store/feedback/catalogue.ts')),
});
type Refusals = Awaited<ReturnType<typeof refusals>>;

async function ownerId(
  { db }: Context,
  accountId: number | null,
  { noAccount, hasAccount }: Refusals,
): Promise<number> {
  if (accountId === null) return noAccount;
  if (!(await hasAccount(db, accountId))) throw noSuchAccount(accountId);
  return accountId;
}

const list = verb({
  about: 'list the latest refused responses, with the paths and codes of their faults',
  takes: { account: owner, count: usual('<number>', 'how many: 1 to 1000', '20', countOf(1, refusalsKept)) },
  help: `
Refusals are kept for 30 days, at most 1,000 per account, and are listed a second after they were answered; in a flood,
20 per second are kept from each process. The answers themselves are not kept: fields are named, values are not. A
refusal belongs to the account of its survey, or else of the caller; one sent without a token for no public survey
belongs to none.

Example:
  soundings refused list --account 4001 --count 100
`,
  load: refusals,
  act: async ({ context, input: { account, count } }, loaded) =>
    loaded.lastRefusals(context.db, await ownerId(context, account, loaded), context.now(), count),
  json: (latest) => latest.map(asJson),
  says: (latest, { account }) =>
    latest.length === 0 ? `Nothing was refused ${ownerText(account)} in the last 30 days.` : linesOf(latest),
});

const counts = verb({
  about: 'count refused responses by day, survey and cause',
  takes: { account: owner, days: usual('<count>', 'how many days back, including today: 1 to 400', '7') },
  help: `
Every refusal is counted once, under its code; an invalid response is counted under the code of its first fault. Days
are in UTC. Surveys that the sender could not know share one line. QUARANTINED counts those whose bodies were kept
(quarantine: true in the catalogue).

Example:
  soundings refused counts --account 4001 --days 30
`,
  load: async () => ({ ...(await refusals()), ...(await import('../../store/feedback/quarantine.ts')) }),
  async act({ context, input }, loaded) {
    const { db } = context;
    const days = countOf(1, loaded.countedDays)(input.days, '--days');
    const accountId = await ownerId(context, input.account, loaded);
    const today = dayOf(context.now());
    return {
      days,
      counted: await loaded.refusalCounts(db, accountId, today - days + 1, today),
      quarantine: await loaded.quarantineOf(db, accountId, context.now()),
    };
  },
  json: ({ counted, quarantine }) => ({
    counts: counted.map(({ day, surveyId, ...rest }) => ({
      day: dayText(day),
      surveyDefinitionId: surveyId === '' ? null : surveyId,
      ...rest,
    })),
    quarantine: quarantine.map(({ surveyId, oldestMs, ...rest }) => ({
      surveyDefinitionId: surveyId,
      ...rest,
      oldest: new Date(oldestMs).toISOString(),
    })),
  }),
  says: ({ days, counted, quarantine }, { account }) => [
    counted.length === 0
      ? `Nothing was refused ${ownerText(account)} ${days === 1 ? 'today' : `in the last ${days} days`}.`
      : table([
          ['DAY', 'SURVEY', 'CAUSE', 'REFUSED', 'QUARANTINED'],
          ...counted.map(({ day, surveyId, cause, refused, quarantined }) => [
            dayText(day),
            surveyText(surveyId),
            cause,
            numberText(refused),
            numberText(quarantined),
          ]),
        ]),
    ...quarantine.map(
      ({ surveyId, bodies, oldestMs }) =>
        `In the quarantine: ${numberText(bodies)} of ${visible(surveyId)}, the first of ${new Date(oldestMs).toISOString()}. Once the survey is mended: soundings redrive --account ${account} --survey ${visible(surveyId)}`,
    ),
  ],
});

function ownerText(accountId: number | null): string {
  return accountId === null ? 'that belongs to no account' : `of account ${accountId}`;
}

function surveyText(surveyId: string): string {
  return surveyId === '' ? '(not known)' : surveyId;
}

function asJson({ atMs, surveyId, actor, who, ...rest }: NamedRefusal): object {
  const { id, status, code, cause, faults, moreFaults } = rest;
  return {
    at: new Date(atMs).toISOString(),
    requestId: id,
    surveyDefinitionId: surveyId === '' ? null : surveyId,
    actor,
    name: who,
    status,
    code,
    cause,
    faults,
    moreFaults,
  };
}

/** A line a refusal, and below it its faults. */
function linesOf(refusals: readonly NamedRefusal[]): string {
  const lines = table(
    refusals.map((one) => [
      new Date(one.atMs).toISOString(),
      String(one.status),
      one.code,
      surveyText(one.surveyId),
      one.who ?? one.actor ?? '(no token)',
      one.id,
    ]),
  ).split('\n');
  return refusals
    .flatMap(({ faults, moreFaults }, at) => [
      lines[at] ?? '',
      ...faults.map(({ field, code }) => `    ${code} ${visible(field)}`.trimEnd()),
      ...(moreFaults > 0 ? [`    and ${numberText(moreFaults)} more`] : []),
    ])
    .join('\n');
}

export const refusedFamily = family('refused', 'survey responses that were refused, and why', {
  list,
  counts,
});

const refusedExitCode = 2;

export const redrive = verb({
  about: 'process quarantined responses again, using the survey as it is now',
  takes: {
    account: ofAccount(),
    survey: needed('<id>', 'the survey definition that they name'),
    as: option('<id>', 'use this version of the same measure or project instead'),
    dryRun: toggle('show what would happen to them without changing anything'),
  },
  help: `
Surveys with quarantine: true keep the bodies that they refuse, sealed, for 7 days. Each one goes through ingestion
again: if accepted, it is a response like any other, under its own responseId, at the end of its log, on the day it was
submitted or else received. Those still refused stay in quarantine, with their new cause. Running it twice stores
nothing twice.
The questions of a version that has responses cannot change: write a new version, and name it with --as.
Exit status: 0 all accepted, 2 some still refused.

Examples:
  soundings redrive --account 4001 --survey web-3 --dry-run
  soundings redrive --account 4001 --survey web-3 --as web-4
`,
  load: () => import('./redrive.ts'),
  act: (call, { redriveAll }) => redriveAll(call),
  json: (outcome, { account: accountId, survey: surveyDefinitionId, as, dryRun }) => ({
    ...{ accountId, surveyDefinitionId },
    ...(as !== undefined && { as }),
    ...{ dryRun, accepted: outcome.accepted, keptBefore: outcome.keptBefore },
    refused: Object.fromEntries(causesOf(outcome)),
  }),
  says: (outcome) => {
    const causes = causesOf(outcome);
    return causes.length === 0 ? null : table(causes.map(([cause, number]) => [cause, numberText(number)]));
  },
  failure: ({ refused }, { account }) =>
    refused.size === 0
      ? null
      : new CommandError(
          `What is refused stays in the quarantine until it is seven days old. Mend the survey, or see "soundings refused list --account ${account}".`,
          { exitCode: refusedExitCode },
        ),
});

function causesOf({ refused }: RedriveOutcome): readonly (readonly [string, number])[] {
  return [...refused].sort(([one], [other]) => (one < other ? -1 : 1));
}
