// Responses that have been kept long enough are emptied by a command. A service does the same by itself (D-272); both move the same
// cursors, so that either goes on where the other stopped.

import type { Context } from '../../context.ts';
import { dayText } from '../../domain/dates.ts';
import { Problem } from '../../domain/problem.ts';
import { findTask } from '../../store/engine/work/background-task.ts';
import {
  countRetained,
  type RetainedSource,
  retainedSources,
  retentionName,
  retentionScope,
  retentionStep,
  retentionToday,
} from '../../store/erasure/retention.ts';
import { hasAccount } from '../../store/feedback/catalogue.ts';
import { noSuchAccount } from '../frame/account-and-source.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { StopSignals } from '../frame/stop-signal.ts';
import { CommandError } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

interface WantedRetention {
  readonly account: number | undefined;
  readonly dryRun: boolean;
}

export interface SourceFigures {
  readonly accountId: number;
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly retainDays: number;
  /** The first day that is kept. */
  readonly keptFrom: string;
  readonly emptied: number;
}

export async function runRetention({ terminal, context, input }: StoreCall<WantedRetention>) {
  const { account: accountId = null, dryRun: isDryRun } = input;
  const { db, now } = context;
  if (accountId !== null && !(await hasAccount(db, accountId))) throw noSuchAccount(accountId);
  using signals = new StopSignals(terminal);
  const progress = new LateProgress(terminal);
  const today = await retentionToday(db, now());
  const figures: SourceFigures[] = [];
  let emptied = 0;
  const onSlice = (more: number): void => {
    emptied += more;
    progress.say(() => `${numberText(emptied)} responses ${isDryRun ? 'to empty' : 'emptied'}`);
    if (signals.exitCode !== null) throw new CommandError('Stopped', { exitCode: signals.exitCode });
  };
  try {
    for await (const sources of retainedSources(db, accountId))
      for (const source of sources) {
        const ofSource = isDryRun
          ? await countOf(context, source, today, onSlice)
          : await emptySource(context, source, today, onSlice);
        const { accountId: account, kind, key, retainDays } = source;
        const keptFrom = dayText(today - retainDays);
        figures.push({ accountId: account, kind, key, retainDays, keptFrom, emptied: ofSource });
      }
  } catch (error) {
    throw stopped(error, emptied, isDryRun);
  }
  return { emptied, sources: figures };
}

async function emptySource(
  context: Context,
  source: RetainedSource,
  today: number,
  onSlice: (emptied: number) => void,
): Promise<number> {
  const { db } = context;
  let emptied = 0;
  for (;;) {
    const at = await findTask(db, retentionName, retentionScope(source));
    const step = await retentionStep(context, source, today, at);
    if (step.outcome === 'idle') return emptied;
    emptied += step.emptied;
    onSlice(step.emptied);
  }
}

/** Goes the same way without a change. */
async function countOf(
  { db }: Context,
  source: RetainedSource,
  today: number,
  onSlice: (emptied: number) => void,
): Promise<number> {
  let count = 0;
  await countRetained(db, source, today, (more) => {
    count += more;
    onSlice(more);
    return true;
  });
  return count;
}

function stopped(cause: unknown, emptied: number, isDryRun: boolean): unknown {
  if (isDryRun || !(cause instanceof CommandError || cause instanceof Problem)) return cause;
  const reason = cause.message.replace(/ Please retry\.$/, '').replace(/\.$/, '');
  const exitCode = cause instanceof CommandError ? cause.exitCode : 1;
  const state = `${numberText(emptied)} responses are emptied and stay so.`;
  return new CommandError(`${reason}. ${state} Run the same command again: it goes on with the rest.`, {
    exitCode,
    cause,
  });
}
