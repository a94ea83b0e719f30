// soundings user import: many users from a file. The whole file is judged first: one fault of form, and nothing is
// created. What clashes with users who are there already is listed and passed over.

import { access } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { Problem } from '../domain/problem.ts';
import { createUser, type UserDraft } from '../domain/provisioning/user.ts';
import { UserCreation } from '../store/provisioning/user-creation.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, unreadableFile, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';
import { readUsers, type UserFormat } from './user-file.ts';

/** Enough to keep every commit full, few enough to hold in memory. */
const atOnce = 256;
const progressEveryMs = 1_000;
const faultsShownMax = 100;

export interface ImportOptions extends OfAccount {
  readonly dryRun?: boolean;
}

interface LineFault {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

export async function importUsers(
  terminal: Terminal,
  flags: Flags,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const format = formatOf(file);
  await access(file).catch((error: unknown) => {
    throw unreadableFile(file, error);
  });
  await withContext(terminal, flags, async (context) => {
    await demandAccount(context, accountId);
    const lines = await judgeFile(terminal, file, format, options);
    if (options.dryRun === true) {
      const sentence = `${lines} users would be created; nothing was changed.`;
      return terminal.print(
        options.json ? JSON.stringify({ created: 0, passedOver: 0, users: lines, skipped: [] }) : sentence,
      );
    }
    const { created, skipped } = await createAll(context, terminal, { accountId, file, format, lines });
    // A user may clash in two ways, and is still one.
    const passedOver = lines - created;
    if (options.json) terminal.print(JSON.stringify({ created, passedOver, users: lines, skipped }));
    else terminal.print(`${created} of ${lines} users created.`);
    if (passedOver === 0) return;
    const were = passedOver === 1 ? 'was' : 'were';
    const others = created === 0 ? 'nobody is created' : 'the others are created';
    const sentence = `${passedOver} of ${lines} users ${were} passed over; ${others}:`;
    throw new CommandError(`${sentence}\n${listed(file, skipped)}`, { exitCode: 2 });
  });
}

function formatOf(file: string): UserFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new CommandError(`The name of the file must end in .csv or .ndjson, not "${file}".`);
}

/** Returns how many users the file has; throws when a line has a fault. */
async function judgeFile(
  terminal: Terminal,
  file: string,
  format: UserFormat,
  { json }: ImportOptions,
): Promise<number> {
  const faults: LineFault[] = [];
  let users = 0;
  for await (const line of readUsers(file, format)) {
    users += 1;
    if (!('faults' in line)) continue;
    faults.push(...line.faults.map(({ field, message }) => ({ line: line.number, field, message })));
  }
  if (faults.length > 0) {
    if (json) terminal.print(JSON.stringify({ created: 0, users, faults }));
    throw new CommandError(`The file has faults, and nothing was changed:\n${listed(file, faults)}`);
  }
  if (users === 0) throw new CommandError(`The file ${file} has no users.`);
  return users;
}

function listed(file: string, faults: readonly LineFault[]): string {
  const shown = faults
    .slice(0, faultsShownMax)
    .map(({ line, message }) => `  ${file}:${line}: ${visible(message)}`)
    .join('\n');
  const rest = faults.length - faultsShownMax;
  return rest > 0 ? `${shown}\n  and ${rest} more.` : shown;
}

async function createAll(
  context: Context,
  terminal: Terminal,
  { accountId, file, format, lines }: { accountId: number; file: string; format: UserFormat; lines: number },
): Promise<{ created: number; skipped: readonly LineFault[] }> {
  const creation = new UserCreation(context.db);
  const skipped: LineFault[] = [];
  let created = 0;
  let judged = 0;
  let toldAtMs = context.elapsedMs();
  const createOne = async (line: number, draft: UserDraft): Promise<void> => {
    const stamp = changeStamp(context);
    const user = createUser(draft, { accountId, id: 0, nowMs: stamp.nowMs });
    try {
      await creation.create(user, stamp);
      created += 1;
    } catch (error) {
      if (!(error instanceof Problem) || error.condition !== 'conflict') throw error;
      skipped.push(...error.details.map(({ field, message }) => ({ line, field, message })));
    }
    judged += 1;
  };
  let batch: Promise<void>[] = [];
  for await (const line of readUsers(file, format)) {
    if (!('draft' in line)) throw new CommandError('The file changed while it was read.');
    batch.push(createOne(line.number, line.draft));
    if (batch.length < atOnce) continue;
    await Promise.all(batch);
    batch = [];
    if (context.elapsedMs() - toldAtMs < progressEveryMs) continue;
    toldAtMs = context.elapsedMs();
    terminal.tell(`${judged} of ${lines} users ...`);
  }
  await Promise.all(batch);
  return { created, skipped: skipped.sort((a, b) => a.line - b.line) };
}
