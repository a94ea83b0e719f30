// Makes the store agree with a catalogue. All of it is compared with the store before the first change; then it is changed
// group by group, each in a transaction of its own, so that no transaction grows with the file (D-211). Whatever ends this
// half-way, the same command goes on: what is there already is left alone.

import type { Context } from '../../context.ts';
import { CatalogueNames } from '../../domain/feedback/catalogue-names.ts';
import { Problem } from '../../domain/problem.ts';
import { countCatalogueAnew } from '../../store/feedback/catalogue-group.ts';
import { compareWithKept, publish, type WantedCatalogue } from '../../store/feedback/publish.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { numberText } from '../frame/progress.ts';
import { PutAside } from '../frame/put-aside.ts';
import { CommandError } from '../frame/terminal.ts';
import { GroupBuilder, linesOf, type WantedGroup } from './catalogue-groups.ts';
import { type CataloguePart, FaultList } from './catalogue-reading.ts';

interface ApplyInput {
  /** Of the file, for faults. */
  readonly name: string;
  readonly parts: AsyncIterable<CataloguePart>;
  /** The only account that is wanted. */
  readonly accountId?: number | null;
  readonly isDryRun: boolean;
}

/** Who wants to hear how it goes. */
interface ApplyWatcher {
  /** Some more of the file was compared with the store. */
  onCompared?(): void;
  /** All of it was, and so much is to change. */
  onJudged?(changes: number): void;
  /** These changes are made; of a dry run, these would be. */
  onChanged?(words: readonly string[]): void;
  /** The exit status of whoever asked to stop, looked at between groups; null while nobody did. */
  stopCode?(): number | null;
}

// So many changes, and each time as many as before again, are worth a count of the rows (D-751).
const countedFrom = 1_000;

export async function applyParts(
  context: Context,
  input: ApplyInput,
  watcher: ApplyWatcher = {},
): Promise<void> {
  using groups = new PutAside<WantedGroup>();
  const { name, isDryRun } = input;
  const { changes: total, words } = await judge(context, input, groups, watcher);
  watcher.onJudged?.(total);
  if (isDryRun) return watcher.onChanged?.(words);
  let made = 0;
  let counted = 0;
  for (const group of groups.values()) {
    const stopCode = watcher.stopCode?.() ?? null;
    if (stopCode !== null) throw stopped(made, total, group, new Stopped(stopCode));
    let changed: readonly string[];
    try {
      changed = await applyGroup(context, name, group);
    } catch (error) {
      throw stopped(made, total, group, error);
    }
    made += changed.length;
    watcher.onChanged?.(changed);
    if (made - counted < Math.max(countedFrom, counted)) continue;
    await countCatalogueAnew(context.db);
    counted = made;
  }
  if (made - counted >= countedFrom) await countCatalogueAnew(context.db);
}

/** Holds the whole file against the store. What is to change is put aside; one fault, and nothing will be changed. */
async function judge(
  context: Context,
  { name, parts, accountId = null, isDryRun }: ApplyInput,
  groups: PutAside<WantedGroup>,
  watcher: ApplyWatcher,
): Promise<{ changes: number; words: readonly string[] }> {
  const faults = new FaultList(name);
  const names = new CatalogueNames();
  const builder = new GroupBuilder(context.db.dialect.isSpread);
  const words: string[] = [];
  let changes = 0;
  const compare = async (group: WantedGroup): Promise<void> => {
    const comparison = await compareWithKept(context.db, wantedOf(group));
    faults.add(comparison.faults);
    faults.add(names.addPageNames(comparison.claims));
    if (comparison.changes.length === 0) return;
    changes += comparison.changes.length;
    if (!isDryRun) groups.add(group);
    else for (const change of comparison.changes) words.push(change.words);
  };
  let isNamed = accountId === null;
  for await (const part of parts) {
    watcher.onCompared?.();
    const stopCode = watcher.stopCode?.() ?? null;
    if (stopCode !== null) throw new CommandError('Stopped. Nothing was changed.', { exitCode: stopCode });
    faults.add(part.faults);
    if (part.catalogue !== null) {
      isNamed ||= part.catalogue.accounts.length > 0;
      faults.add(names.add(part.catalogue, part.lineOf));
      for (const account of part.catalogue.accounts)
        for (const group of builder.add(account, part.lineOf)) await compare(group);
    }
    if (faults.isFull) break;
  }
  for (const group of builder.end()) await compare(group);
  if (!faults.isEmpty) throw faults.error();
  if (!isNamed) throw new CommandError(`${name} names no account ${accountId}. Nothing was changed.`);
  return { changes, words };
}

function wantedOf(group: WantedGroup): WantedCatalogue {
  const { accounts, continued } = group;
  return { catalogue: { accounts }, lineOf: linesOf(group), leftAccounts: continued };
}

/** Changes what the group wants otherwise, and says it in words. */
async function applyGroup(context: Context, name: string, group: WantedGroup): Promise<readonly string[]> {
  const { changes, faults } = await publish(context.db, wantedOf(group), () => changeStamp(context));
  if (changes !== null) return changes.map(({ words }) => words);
  const list = new FaultList(name);
  list.add(faults);
  throw list.error('they came up after it was compared with the store');
}

/** Somebody asked to stop. */
class Stopped extends CommandError {
  constructor(exitCode: number) {
    super('Stopped', { exitCode });
  }
}

/** What is made and what is not, truthfully, and what to do. A failure of our own stays what it is. */
function stopped(made: number, total: number, { line }: WantedGroup, cause: unknown): unknown {
  if (!(cause instanceof CommandError) && !(cause instanceof Problem)) return cause;
  const reason = cause.message.replace(/ Please retry\.$/, '').replace(/\.$/, '');
  const state =
    made === 0
      ? `None of ${numberText(total)} changes is known to be made.`
      : `${numberText(made)} of ${numberText(total)} changes are made and stay; the next is in line ${line} of the file.`;
  const next = 'Run the same command again: it leaves alone what is there and goes on with the rest.';
  const exitCode = cause instanceof CommandError ? cause.exitCode : 1;
  return new CommandError(`${reason}. ${state} ${next}`, { exitCode, cause });
}
