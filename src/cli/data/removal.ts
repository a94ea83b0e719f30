// What account remove and source remove do, in slices that can be gone on with (D-273).

import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import { Problem } from '../../domain/problem.ts';
import { lastSeqOf } from '../../store/erasure/erasable-rows.ts';
import { emptyEverything, removalJob } from '../../store/feedback/account-removal.ts';
import { findSource, hasAccount } from '../../store/feedback/catalogue.ts';
import {
  accountRemovedAt,
  closeAccount,
  closeSource,
  countAccount,
  emptySource,
  sourcesToEmpty,
} from '../../store/feedback/removal.ts';
import { dropJob } from '../../store/operations/jobs.ts';
import { confirm } from '../frame/confirmation.ts';
import { noSuchAccount, noSuchAccountText } from '../frame/account-and-source.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { StopSignals } from '../frame/stop-signal.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

/** How it is removed: only looked at, or without a question. */
interface How {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

export async function removeSource({
  terminal,
  context,
  stamp,
  input,
  valid: name,
}: StoreCall<How, SourceName>) {
  const { db } = context;
  const { accountId, kind, key } = name;
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
  if (input.dryRun) return { ...facts, removed: false };
  if (source !== null) {
    const sentence = `This deletes the ${kind} ${key} of account ${accountId} with ${numberText(responses)} responses for good.`;
    await confirm(terminal, input.yes, { sentence, word: String(key) });
    await db.write(closeSource, { ...stamp(), ...name });
  }
  await inSlices(terminal, async (onSlice) => {
    for (const sourceId of await sourcesToEmpty(db, accountId, name))
      await emptySource(db, stamp, { accountId, sourceId }, onSlice);
  });
  return { ...facts, removed: true };
}

export async function removeAccount({
  terminal,
  context,
  stamp,
  input,
}: StoreCall<How & { readonly id: number }>) {
  const { db } = context;
  const { id: accountId, dryRun, yes } = input;
  const removedAt = await accountRemovedAt(db, accountId);
  if (removedAt === undefined) throw noSuchAccount(accountId);
  const counts = await countAccount(db, accountId);
  const sentence = `${numberText(counts.measures)} measures, ${numberText(counts.projects)} projects, ${numberText(counts.responses)} responses, ${numberText(counts.users)} users, ${numberText(counts.groups)} groups, ${numberText(counts.apiClients)} API clients and ${numberText(counts.provisioningTokens)} provisioning tokens`;
  if (dryRun) return { accountId, counts, sentence, removed: false };
  if (removedAt === null) {
    const question = `This deletes account ${accountId} for good, with ${sentence}.`;
    await confirm(terminal, yes, { sentence: question, word: String(accountId) });
    await db.write(closeAccount, { ...stamp(), accountId });
  }
  await inSlices(terminal, (onSlice) => emptyEverything(context, stamp, accountId, onSlice));
  await db.write(dropJob, { name: removalJob(accountId) });
  return { accountId, counts, sentence, removed: true };
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
