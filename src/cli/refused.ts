// soundings refused: which survey responses were refused and why, without what they said.

import type { Context } from '../context.ts';
import { dayOf, dayText } from '../domain/dates.ts';
import { refusalsKept } from '../domain/feedback/refusal.ts';
import { hasAccount } from '../store/feedback/catalogue.ts';
import { quarantineOf } from '../store/feedback/quarantine.ts';
import {
  countedDays,
  lastRefusals,
  type NamedRefusal,
  noAccount,
  refusalCounts,
} from '../store/feedback/refusals.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, noSuchAccount, type OfAccount } from './options.ts';
import { numberText } from './progress.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

export interface ListOptions extends OfAccount {
  readonly count: string;
}

export async function listRefused(terminal: Terminal, flags: Flags, options: ListOptions): Promise<void> {
  const accountId = ownerOf(options.account);
  const count = wholeNumber('--count', options.count, refusalsKept);
  await withContext(terminal, flags, async (context) => {
    await mustExist(context, accountId);
    const refusals = await lastRefusals(context.db, accountId, context.now(), count);
    if (options.json === true) return terminal.print(JSON.stringify(refusals.map(asJson)));
    if (refusals.length === 0)
      return terminal.print(`Nothing was refused ${ownerText(accountId)} in the last 30 days.`);
    terminal.print(linesOf(refusals));
  });
}

export interface CountOptions extends OfAccount {
  readonly days: string;
}

export async function countRefused(terminal: Terminal, flags: Flags, options: CountOptions): Promise<void> {
  const accountId = ownerOf(options.account);
  const days = wholeNumber('--days', options.days, countedDays);
  await withContext(terminal, flags, async (context) => {
    await mustExist(context, accountId);
    const today = dayOf(context.now());
    const counts = await refusalCounts(context.db, accountId, today - days + 1, today);
    const quarantine = await quarantineOf(context.db, accountId, context.now());
    if (options.json === true) {
      const facts = {
        counts: counts.map(({ day, surveyId, ...rest }) => ({
          day: dayText(day),
          surveyDefinitionId: surveyId === '' ? null : surveyId,
          ...rest,
        })),
        quarantine: quarantine.map(({ surveyId, oldestMs, ...rest }) => ({
          surveyDefinitionId: surveyId,
          ...rest,
          oldest: new Date(oldestMs).toISOString(),
        })),
      };
      return terminal.print(JSON.stringify(facts));
    }
    if (counts.length === 0)
      terminal.print(
        `Nothing was refused ${ownerText(accountId)} ${days === 1 ? 'today' : `in the last ${days} days`}.`,
      );
    else
      terminal.print(
        table([
          ['DAY', 'SURVEY', 'CAUSE', 'REFUSED', 'QUARANTINED'],
          ...counts.map(({ day, surveyId, cause, refused, quarantined }) => [
            dayText(day),
            surveyText(surveyId),
            cause,
            numberText(refused),
            numberText(quarantined),
          ]),
        ]),
      );
    for (const { surveyId, bodies, oldestMs } of quarantine)
      terminal.print(
        `In the quarantine: ${numberText(bodies)} of ${visible(surveyId)}, the first of ${new Date(oldestMs).toISOString()}. Once the survey is mended: soundings redrive --account ${accountId} --survey ${visible(surveyId)}`,
      );
  });
}

/** `none` is for what belongs to no account. */
function ownerOf(text: string): number {
  return text === 'none' ? noAccount : accountIdOf(text);
}

async function mustExist({ db }: Context, accountId: number): Promise<void> {
  if (accountId !== noAccount && !(await hasAccount(db, accountId))) throw noSuchAccount(accountId);
}

function wholeNumber(option: string, text: string, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new CommandError(`${option} must be a whole number from 1 to ${max}, not "${text}".`);
}

function ownerText(accountId: number): string {
  return accountId === noAccount ? 'that belongs to no account' : `of account ${accountId}`;
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
