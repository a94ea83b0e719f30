// soundings retention run: empties what has been kept for as long as it should be, now. A service does the same by itself
// (D-272); both move the same cursors, so that either goes on where the other stopped.

import type { Context } from '../context.ts';
import { dayText } from '../domain/dates.ts';
import { Problem } from '../domain/problem.ts';
import { findTask } from '../store/engine/work/background-task.ts';
import {
  countRetained,
  type RetainedSource,
  retainedSources,
  retentionName,
  retentionScope,
  retentionStep,
  retentionToday,
} from '../store/erasure/retention.ts';
import { hasAccount } from '../store/feedback/catalogue.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common, noSuchAccount } from './options.ts';
import { LateProgress, numberText } from './progress.ts';
import { StopSignals } from './stop-signal.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

interface RetentionOptions extends Common {
  readonly account?: string;
  readonly dryRun?: boolean;
}

interface SourceFigures {
  readonly accountId: number;
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly retainDays: number;
  /** The first day that is kept. */
  readonly keptFrom: string;
  readonly emptied: number;
}

export async function runRetention(
  terminal: Terminal,
  flags: Flags,
  options: RetentionOptions,
): Promise<void> {
  const accountId = options.account === undefined ? null : accountIdOf(options.account);
  const isDryRun = options.dryRun === true;
  await withContext(terminal, flags, async (context) => {
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
    report(terminal, options, figures, emptied);
  });
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

function report(
  terminal: Terminal,
  { json, dryRun }: RetentionOptions,
  figures: readonly SourceFigures[],
  emptied: number,
): void {
  const isDryRun = dryRun === true;
  if (json === true) return terminal.print(JSON.stringify({ applied: !isDryRun, emptied, sources: figures }));
  if (figures.length === 0)
    return terminal.print(
      'No account, measure or project has retainDays in its catalogue: everything is kept.',
    );
  const rows = figures.map((one) => [
    String(one.accountId),
    `${one.kind} ${one.key}`,
    String(one.retainDays),
    one.keptFrom,
    numberText(one.emptied),
  ]);
  terminal.print(
    table([['ACCOUNT', 'SOURCE', 'DAYS', 'KEPT FROM', isDryRun ? 'TO EMPTY' : 'EMPTIED'], ...rows]),
  );
  terminal.print(
    isDryRun
      ? `${numberText(emptied)} responses would be emptied; nothing was changed.`
      : `${numberText(emptied)} responses were emptied.`,
  );
}
