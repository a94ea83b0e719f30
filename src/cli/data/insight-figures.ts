// How far the figures that are added up ahead have come, whether they are those of the rows, and how they are added up anew (D-480).

import type { Context } from '../../context.ts';
import { accountIds } from '../../store/access/accounts.ts';
import { rebuildFigures } from '../../store/insight/builds.ts';
import {
  checkFigures,
  rollUpAll,
  type SourceStatus,
  sourceStatuses,
} from '../../store/insight/insight-status.ts';
import { versionsOf } from '../../store/insight/roll-up-task.ts';
import { demandAccount } from '../frame/account-check.ts';
import { namedSource } from '../frame/account-and-source.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { StopSignals } from '../frame/stop-signal.ts';
import { CommandError } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

/** Whose figures: of a measure or project, of an account, or of the whole store. */
export interface WantedSources {
  readonly account: number | undefined;
  readonly measure?: string | undefined;
  readonly project?: string | undefined;
}

/** The sources that are meant, in their order. */
async function* sourcesOf(
  { db }: Context,
  { account: accountId, measure, project }: WantedSources,
): AsyncGenerator<SourceStatus> {
  if (accountId === undefined) {
    if (measure !== undefined || project !== undefined)
      throw new CommandError('Name the --account of the measure or project too.');
    return yield* sourceStatuses(db, await accountIds(db));
  }
  const name = namedSource({ account: accountId, measure, project });
  await demandAccount({ db }, accountId);
  let count = 0;
  for await (const status of sourceStatuses(db, [accountId], name)) {
    count += 1;
    yield status;
  }
  if (count === 0 && name !== null)
    throw new CommandError(`Account ${accountId} has no ${name.kind} ${name.key}.`);
}

export interface StatusLine {
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

export async function statusLines({ context, input }: StoreCall<WantedSources>): Promise<StatusLine[]> {
  const isOfAccount = input.account !== undefined;
  const lines: StatusLine[] = [];
  for await (const status of sourcesOf(context, input)) {
    const { accountId, kind, key, responses, addedUp, anew } = status;
    const updatedAt = status.updatedAtMs === null ? null : new Date(status.updatedAtMs).toISOString();
    const behind = responses - addedUp;
    const last = lines.at(-1);
    // Of the whole store, one line for each account.
    if (isOfAccount || last?.accountId !== accountId)
      lines.push({
        accountId,
        ...(isOfAccount && { kind, key }),
        ...{ responses, addedUp, behind, anew, updatedAt },
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
  return lines;
}

/** How much was added up anew. */
export async function rebuild({ terminal, context, stamp, input }: StoreCall<WantedSources>) {
  const { db, now } = context;
  using signals = new StopSignals(terminal);
  const progress = new LateProgress(terminal);
  let sources = 0;
  let responses = 0;
  for await (const { accountId, kind, key, sourceId, responses: ofSource } of sourcesOf(context, input)) {
    if (ofSource === 0) continue;
    await db.write(rebuildFigures, { ...stamp(), accountId, kind, key, sourceId });
    let reached = 0;
    await rollUpAll(db, { accountId, sourceId }, { versions: versionsOf(db), now }, (addedUp) => {
      reached = addedUp ?? reached;
      progress.say(
        () =>
          `${kind} ${key} of account ${accountId}: ${numberText(reached)} of ${numberText(ofSource)} added up`,
      );
      if (signals.exitCode !== null)
        throw new CommandError('Stopped; a running service goes on with it, and so does the same command.', {
          exitCode: signals.exitCode,
        });
    });
    sources += 1;
    responses += ofSource;
  }
  return { sources, responses };
}

interface SourceFault {
  readonly accountId: number;
  readonly kind: string;
  readonly key: number;
  readonly differences: number;
  readonly named: readonly string[];
}

/** What differs from the responses. */
export async function verify({ terminal, context, input }: StoreCall<WantedSources>) {
  using signals = new StopSignals(terminal);
  const progress = new LateProgress(terminal);
  const faults: SourceFault[] = [];
  let responses = 0;
  let sources = 0;
  for await (const { accountId, kind, key, sourceId } of sourcesOf(context, input)) {
    const check = await checkFigures(context.db, { accountId, sourceId }, (more) => {
      responses += more;
      progress.say(
        () => `${numberText(responses)} responses counted, ${kind} ${key} of account ${accountId}`,
      );
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
  return { sources, responses, differences, faults };
}
