// soundings insight: how far the figures that are added up ahead have come, whether they are those of the rows, and how they are
// added up anew (D-480).

import type { Context } from '../context.ts';
import { accountIds } from '../store/access/accounts.ts';
import { rebuildFigures } from '../store/insight/builds.ts';
import {
  checkFigures,
  rollUpAll,
  type SourceStatus,
  sourceStatuses,
} from '../store/insight/insight-status.ts';
import { versionsOf } from '../store/insight/roll-up-task.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common, namedSource } from './options.ts';
import { LateProgress, numberText } from './progress.ts';
import { StopSignals } from './stop-signal.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

export interface InsightOptions extends Common {
  readonly account?: string;
  readonly measure?: string;
  readonly project?: string;
}

/** The sources that are meant, in their order. */
async function* sourcesOf({ db }: Context, options: InsightOptions): AsyncGenerator<SourceStatus> {
  const { account } = options;
  if (account === undefined) {
    if (options.measure !== undefined || options.project !== undefined)
      throw new CommandError('Name the --account of the measure or project too.');
    return yield* sourceStatuses(db, await accountIds(db));
  }
  const accountId = accountIdOf(account);
  const name = namedSource({ ...options, account });
  await demandAccount({ db }, accountId);
  let count = 0;
  for await (const status of sourceStatuses(db, [accountId], name)) {
    count += 1;
    yield status;
  }
  if (count === 0 && name !== null)
    throw new CommandError(`Account ${accountId} has no ${name.kind} ${name.key}.`);
}

interface StatusLine {
  accountId: number;
  kind?: string;
  key?: number;
  responses: number;
  addedUp: number;
  behind: number;
  /** Of those, so many are added up anew as well; null where nothing is. */
  anew: number | null;
  updatedAt: string | null;
}

export async function insightStatus(
  terminal: Terminal,
  flags: Flags,
  options: InsightOptions,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const lines: StatusLine[] = [];
    for await (const status of sourcesOf(context, options)) {
      const { accountId, kind, key, responses, addedUp, anew } = status;
      const updatedAt = status.updatedAtMs === null ? null : new Date(status.updatedAtMs).toISOString();
      const behind = responses - addedUp;
      const last = lines.at(-1);
      // Of the whole store, one line for each account.
      if (options.account !== undefined || last?.accountId !== accountId)
        lines.push({
          accountId,
          ...(options.account === undefined ? {} : { kind, key }),
          responses,
          addedUp,
          behind,
          anew,
          updatedAt,
        });
      else {
        last.responses += responses;
        last.addedUp += addedUp;
        last.behind += behind;
        if (anew !== null) last.anew = (last.anew ?? 0) + anew;
        if (updatedAt !== null && (last.updatedAt === null || updatedAt > last.updatedAt))
          last.updatedAt = updatedAt;
      }
    }
    if (options.json === true) return terminal.print(JSON.stringify(lines));
    if (lines.length === 0) return terminal.print('There is no measure or project.');
    const isOfAccount = options.account !== undefined;
    const isAnew = lines.some(({ anew }) => anew !== null);
    terminal.print(
      table([
        [
          'ACCOUNT',
          ...(isOfAccount ? ['SOURCE'] : []),
          'RESPONSES',
          'ADDED UP',
          'BEHIND',
          ...(isAnew ? ['ANEW'] : []),
          'LAST CHANGE',
        ],
        ...lines.map((line) => [
          String(line.accountId),
          ...(isOfAccount ? [`${line.kind} ${line.key}`] : []),
          numberText(line.responses),
          numberText(line.addedUp),
          numberText(line.behind),
          ...(isAnew ? [line.anew === null ? '' : numberText(line.anew)] : []),
          line.updatedAt ?? '',
        ]),
      ]),
    );
  });
}

export async function insightRebuild(
  terminal: Terminal,
  flags: Flags,
  options: InsightOptions,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const { db, now } = context;
    using signals = new StopSignals(terminal);
    const progress = new LateProgress(terminal);
    let sources = 0;
    let responses = 0;
    for await (const { accountId, kind, key, sourceId, responses: ofSource } of sourcesOf(context, options)) {
      if (ofSource === 0) continue;
      await db.write(rebuildFigures, { ...changeStamp(context), accountId, kind, key, sourceId });
      let reached = 0;
      await rollUpAll(db, { accountId, sourceId }, { versions: versionsOf(db), now }, (addedUp) => {
        reached = addedUp ?? reached;
        progress.say(
          () =>
            `${kind} ${key} of account ${accountId}: ${numberText(reached)} of ${numberText(ofSource)} added up`,
        );
        if (signals.exitCode !== null)
          throw new CommandError(
            'Stopped; a running service goes on with it, and so does the same command.',
            {
              exitCode: signals.exitCode,
            },
          );
      });
      sources += 1;
      responses += ofSource;
    }
    if (options.json === true) return terminal.print(JSON.stringify({ sources, responses }));
    terminal.print(
      `${numberText(responses)} responses of ${numberText(sources)} measures and projects were added up anew.`,
    );
  });
}

export async function insightVerify(
  terminal: Terminal,
  flags: Flags,
  options: InsightOptions,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    using signals = new StopSignals(terminal);
    const progress = new LateProgress(terminal);
    const faults: {
      accountId: number;
      kind: string;
      key: number;
      differences: number;
      named: readonly string[];
    }[] = [];
    let rows = 0;
    let sources = 0;
    for await (const { accountId, kind, key, sourceId } of sourcesOf(context, options)) {
      const check = await checkFigures(context.db, { accountId, sourceId }, (more) => {
        rows += more;
        progress.say(() => `${numberText(rows)} responses counted, ${kind} ${key} of account ${accountId}`);
        if (signals.exitCode !== null) throw new CommandError('Stopped', { exitCode: signals.exitCode });
      });
      sources += 1;
      if (check.isUndecided)
        terminal.tell(
          `${kind} ${key} of account ${accountId}: responses are being erased all the time; please try again.`,
        );
      if (check.differences > 0 || check.isUndecided)
        faults.push({ accountId, kind, key, differences: check.differences, named: check.named });
    }
    const differences = faults.reduce((sum, fault) => sum + fault.differences, 0);
    if (options.json === true)
      terminal.print(JSON.stringify({ sources, responses: rows, differences, faults }));
    else if (faults.length === 0)
      terminal.print(
        `The figures of ${numberText(sources)} measures and projects are those of their ${numberText(rows)} responses.`,
      );
    else
      for (const { accountId, kind, key, named, differences: count } of faults) {
        for (const text of named) terminal.print(`${kind} ${key} of account ${accountId}: ${visible(text)}.`);
        if (count > named.length)
          terminal.print(`${kind} ${key} of account ${accountId}: ${numberText(count - named.length)} more.`);
      }
    if (faults.length > 0)
      throw new CommandError(
        differences === 0
          ? 'Not everything could be counted.'
          : `${numberText(differences)} differences: run "soundings insight rebuild" with the account and the measure or project.`,
      );
  });
}
