// soundings source remove, soundings account remove: the only verbs that delete rows (D-273).

import { Problem } from '../domain/problem.ts';
import { lastSeqOf } from '../store/erasure/erasable-rows.ts';
import { emptyEverything, removalJob } from '../store/feedback/account-removal.ts';
import { findSource, hasAccount } from '../store/feedback/catalogue.ts';
import {
  accountRemovedAt,
  closeAccount,
  closeSource,
  countAccount,
  emptySource,
  sourcesToEmpty,
} from '../store/feedback/removal.ts';
import { dropJob } from '../store/operations/jobs.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import {
  accountIdOf,
  type Common,
  namedSource,
  noSuchAccount,
  noSuchAccountText,
  type OfSource,
} from './options.ts';
import { LateProgress, numberText } from './progress.ts';
import { ask } from './questions.ts';
import { StopSignals } from './stop-signal.ts';
import { CommandError, type Terminal } from './terminal.ts';

interface RemovalOptions extends Common {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function removeSource(
  terminal: Terminal,
  flags: Flags,
  options: RemovalOptions & OfSource,
): Promise<void> {
  const name = namedSource(options);
  if (name === null) throw new CommandError('Name one of --measure and --project.');
  const { accountId, kind, key } = name;
  const title = `${kind} ${key} of account ${accountId}`;
  await withContext(terminal, flags, async (context) => {
    const { db } = context;
    const source = await findSource(db, name);
    const left = await sourcesToEmpty(db, accountId, name);
    if (source === null && left.length === 0)
      throw new CommandError(
        (await hasAccount(db, accountId))
          ? `Account ${accountId} has no ${kind} ${key}.`
          : noSuchAccountText(accountId),
      );
    const responses = source === null ? 0 : await lastSeqOf(db, source);
    const facts = { accountId, kind, key, responses };
    if (options.dryRun === true) {
      if (options.json === true) return terminal.print(JSON.stringify({ ...facts, removed: false }));
      return terminal.print(
        `The ${title} would be removed, with ${numberText(responses)} responses. Nothing was changed.`,
      );
    }
    if (source !== null) {
      const question = `This deletes the ${title} with ${numberText(responses)} responses for good.`;
      await confirm(terminal, options, question, String(key));
      await db.write(closeSource, { ...changeStamp(context), ...name });
    }
    await inSlices(terminal, async (onSlice) => {
      for (const sourceId of await sourcesToEmpty(db, accountId, name))
        await emptySource(db, () => changeStamp(context), { accountId, sourceId }, onSlice);
    });
    if (options.json === true) return terminal.print(JSON.stringify({ ...facts, removed: true }));
    terminal.print(`The ${title} is removed, with all of its responses.`);
  });
}

export async function removeAccount(
  terminal: Terminal,
  flags: Flags,
  idText: string,
  options: RemovalOptions,
): Promise<void> {
  const accountId = accountIdOf(idText, 'The id');
  await withContext(terminal, flags, async (context) => {
    const { db } = context;
    const removedAt = await accountRemovedAt(db, accountId);
    if (removedAt === undefined) throw noSuchAccount(accountId);
    const counts = await countAccount(db, accountId);
    const sentence = `${numberText(counts.measures)} measures, ${numberText(counts.projects)} projects, ${numberText(counts.responses)} responses, ${numberText(counts.users)} users, ${numberText(counts.groups)} groups, ${numberText(counts.apiClients)} API clients and ${numberText(counts.provisioningTokens)} provisioning tokens`;
    if (options.dryRun === true) {
      if (options.json === true)
        return terminal.print(JSON.stringify({ accountId, ...counts, removed: false }));
      return terminal.print(`Account ${accountId} would be removed, with ${sentence}. Nothing was changed.`);
    }
    if (removedAt === null) {
      const question = `This deletes account ${accountId} for good, with ${sentence}.`;
      await confirm(terminal, options, question, String(accountId));
      await db.write(closeAccount, { ...changeStamp(context), accountId });
    }
    await inSlices(terminal, (onSlice) =>
      emptyEverything(context, () => changeStamp(context), accountId, onSlice),
    );
    await db.write(dropJob, { name: removalJob(accountId) });
    if (options.json === true) return terminal.print(JSON.stringify({ accountId, ...counts, removed: true }));
    terminal.print(`Account ${accountId} is removed, with everything that it had.`);
  });
}

/** Whoever sits at a terminal types the number once more; a script says --yes. */
async function confirm(
  terminal: Terminal,
  { yes }: RemovalOptions,
  sentence: string,
  number: string,
): Promise<void> {
  if (yes === true) return;
  if (!terminal.isInteractive)
    throw new CommandError(`${sentence} Nothing was changed: say --yes, or look first with --dry-run.`);
  const typed = await ask(`${sentence} Type ${number} to go on`);
  if (typed !== number) throw new CommandError('Nothing was changed.');
}

/** Says how far it has come, and stops between slices where somebody asks for it. */
async function inSlices(
  terminal: Terminal,
  work: (onSlice: (table: string, rows: number) => void) => Promise<void>,
): Promise<void> {
  using signals = new StopSignals(terminal);
  const progress = new LateProgress(terminal);
  let deleted = 0;
  const goesOn = 'The same command goes on.';
  try {
    await work((table, rows) => {
      deleted += rows;
      progress.say(() => `${numberText(deleted)} rows deleted, now of ${table}`);
      if (signals.exitCode !== null) throw new CommandError('Stopped', { exitCode: signals.exitCode });
    });
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof Problem)) throw error;
    const reason = error.message.replace(/ Please retry\.$/, '').replace(/\.$/, '');
    const exitCode = error instanceof CommandError ? error.exitCode : 1;
    throw new CommandError(`${reason}. ${numberText(deleted)} rows are deleted. ${goesOn}`, {
      exitCode,
      cause: error,
    });
  }
}
