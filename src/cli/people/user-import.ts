// soundings user import: many users from a file. The whole file is judged first: one fault of form, and nothing is
// created. What clashes with users who are there already is listed and passed over.

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import { createUser, type UserDraft } from '../../domain/provisioning/user.ts';
import { UserCreation } from '../../store/provisioning/user-creation.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { lineFaults } from '../frame/given-file.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import { readUsers, type UserFormat } from './user-file.ts';

/** Enough to keep every commit full, few enough to hold in memory. */
const atOnce = 256;
const progressEveryMs = 1_000;

export interface UserImport {
  readonly accountId: number;
  readonly file: string;
  readonly format: UserFormat;
  readonly isDryRun: boolean;
}

/** How many users the file has, and what became of them. */
export interface ImportOutcome {
  readonly created: number;
  /** A user may clash in two ways, and is still one. */
  readonly passedOver: number;
  readonly users: number;
  readonly skipped: readonly LineFault[];
}

interface LineFault {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

export async function importUsers(
  terminal: Terminal,
  context: Context,
  { accountId, file, format, isDryRun }: UserImport,
): Promise<ImportOutcome> {
  const lines = await judgeFile(file, format);
  if (isDryRun) return { created: 0, passedOver: 0, users: lines, skipped: [] };
  const { created, skipped } = await createAll(context, terminal, { accountId, file, format, lines });
  return { created, passedOver: lines - created, users: lines, skipped };
}

/** Returns how many users the file has; throws when a line has a fault. */
async function judgeFile(file: string, format: UserFormat): Promise<number> {
  const faults: LineFault[] = [];
  let users = 0;
  for await (const line of readUsers(file, format)) {
    users += 1;
    if (!('faults' in line)) continue;
    faults.push(...line.faults.map(({ field, message }) => ({ line: line.number, field, message })));
  }
  if (faults.length > 0)
    throw new CommandError(`The file has faults, and nothing was changed:\n${lineFaults(file, faults)}`, {
      facts: { created: 0, users, faults },
    });
  if (users === 0) throw new CommandError(`The file ${file} has no users.`);
  return users;
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
