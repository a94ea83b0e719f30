// soundings clock: the clock of this machine beside the trusted time, and the word of an operator that it is right (D-846).

import type { Context } from '../context.ts';
import { type EndedKind, endedKinds } from '../domain/operations/ended-kind.ts';
import { type ClockState, shownClock } from '../domain/operations/trusted-time.ts';
import { countEndedRows, type EndedRows } from '../store/ended-rows.ts';
import { clockState, confirmClock, ifBelieved } from '../store/engine/trusted-time.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import type { Common } from './options.ts';
import { numberText } from './progress.ts';
import { ask } from './questions.ts';
import { CommandError, type Terminal } from './terminal.ts';

interface ConfirmOptions extends Common {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const countForMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export async function showClock(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  await withContext(terminal, flags, async ({ db, now }) => {
    const state = await clockState(db, now());
    terminal.print(isJson ? JSON.stringify(shownClock(state)) : stateText(state));
  });
}

export async function confirmTime(terminal: Terminal, flags: Flags, options: ConfirmOptions): Promise<void> {
  const isJson = options.json === true;
  await withContext(terminal, flags, async (context) => {
    const state = await clockState(context.db, context.now());
    if (state.jumpMs === 0) {
      if (isJson) return terminal.print(JSON.stringify({ ...shownClock(state), confirmed: false }));
      return terminal.print(`${stateText(state)}\nThere is nothing to confirm.`);
    }
    const ended = await endedIfBelieved(context, state);
    const facts = { ...shownClock(state), deletes: ended.counts, isWhole: ended.isWhole };
    if (options.dryRun === true) {
      if (isJson) return terminal.print(JSON.stringify({ ...facts, confirmed: false }));
      return terminal.print(`${stateText(state)}\n${endedText(ended)} Nothing was changed.`);
    }
    await agree(terminal, options, `${stateText(state)}\n${endedText(ended)}`);
    await context.db.write(confirmClock, { ...changeStamp(context), wallMs: context.now() });
    if (isJson) return terminal.print(JSON.stringify({ ...facts, confirmed: true }));
    terminal.print('The clock is believed from now on.');
  });
}

function endedIfBelieved({ db, config, elapsedMs }: Context, { clockMs }: ClockState): Promise<EndedRows> {
  const untilMs = elapsedMs() + countForMs;
  const { auditKeepDays, changesDays } = config;
  return countEndedRows(db, ifBelieved(clockMs), {
    auditKeepDays,
    changesDays,
    mayGoOn: () => elapsedMs() < untilMs,
  });
}

async function agree(terminal: Terminal, { yes }: ConfirmOptions, sentence: string): Promise<void> {
  if (yes === true) return;
  if (!terminal.isInteractive)
    throw new CommandError(`${sentence} Nothing was changed: say --yes, or look first with --dry-run.`);
  const typed = await ask(`${sentence} Type yes if the clock is right`);
  if (typed !== 'yes') throw new CommandError('Nothing was changed.');
}

function stateText(state: ClockState): string {
  const { clock, trusted, jumpSeconds } = shownClock(state);
  if (jumpSeconds === 0) return `The clock says ${clock}; the trusted time of the store follows it.`;
  const side = jumpSeconds > 0 ? 'ahead of' : 'behind';
  const left = spanText(state.believedInMs ?? 0);
  return `The clock says ${clock}, which is ${spanText(Math.abs(state.jumpMs))} ${side} the trusted time (${trusted}). Nothing is deleted for it: set the clock if it is wrong, confirm it if it is right. Otherwise it is believed after ${left} of serving.`;
}

const words: Readonly<Record<EndedKind, string>> = {
  responses: 'responses emptied',
  changes: 'changes of the feed',
  refusedResponses: 'refused responses',
  auditEntries: 'entries of the audit log',
  sessions: 'ended sessions',
  links: 'ended links',
  sharedViews: 'ended shared views',
  invitations: 'revocations of ended invitations',
  deliveries: 'given up messages',
  provisioningRequests: 'requests of the provisioning log',
};

function endedText({ counts, isWhole }: EndedRows): string {
  const some = endedKinds.filter((kind) => counts[kind] > 0);
  if (some.length === 0 && isWhole) return 'Nothing would be deleted once it is believed.';
  const list = some.map((kind) => `${numberText(counts[kind])} ${words[kind]}`).join(', ');
  return `Once it is believed, what has ended by it is deleted for good: ${isWhole ? '' : 'at least '}${list}.`;
}

function spanText(ms: number): string {
  const days = ms / dayMs;
  return days >= 2 ? `${Math.round(days)} days` : `${Math.ceil(ms / hourMs)} hours`;
}
