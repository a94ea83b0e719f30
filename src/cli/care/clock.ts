// soundings clock: the clock of this machine beside the trusted time, and the word of an operator that it is right (D-846).

import type { Context } from '../../context.ts';
import { type EndedKind, endedKinds } from '../../domain/operations/ended-kind.ts';
import { type ClockState, shownClock } from '../../domain/operations/trusted-time.ts';
import type { EndedRows } from '../../store/ended-rows.ts';
import { confirm } from '../frame/confirmation.ts';
import { numberText } from '../frame/progress.ts';
import { toggle } from '../frame/takes.ts';
import { family, verb } from '../frame/verb.ts';

const countForMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const clock = async () => ({
  ...(await import('../../store/engine/trusted-time.ts')),
  ...(await import('../../store/ended-rows.ts')),
});
type Clock = Awaited<ReturnType<typeof clock>>;

const status = verb({
  about: 'show the clock of this machine beside the trusted time of the store',
  help: `
Whatever deletes by time (retainDays, audit log, refused responses, ended sessions and links, given up messages) goes by the
trusted time. It follows the clock as long as both are less than a day apart.
Example:
  soundings clock status
`,
  load: clock,
  act: ({ context: { db, now } }, { clockState }) => clockState(db, now()),
  json: shownClock,
  says: stateText,
});

const confirmTime = verb({
  about: 'say that the clock of this machine is right, although it has jumped',
  takes: {
    dryRun: toggle('show what would be deleted then, without changing anything'),
    yes: toggle('do not ask'),
  },
  help: `
A clock that is more than a day from the trusted time is not believed, and nothing is deleted for it. That is so after a store
was not in use for a while, after the restore of a backup, and when a clock is wrong. Set a clock that is wrong; confirm one that
is right. Otherwise it is believed when the service has run by it for seven days.

Examples:
  soundings clock confirm --dry-run
  soundings clock confirm --yes
`,
  load: clock,
  async act({ terminal, context, stamp, input: { dryRun, yes } }, loaded) {
    const state = await loaded.clockState(context.db, context.now());
    if (state.jumpMs === 0) return { state, ended: null, confirmed: false };
    const ended = await endedIfBelieved(context, state, loaded);
    if (dryRun) return { state, ended, confirmed: false };
    const sentence = `${stateText(state)}\n${endedText(ended)}`;
    await confirm(terminal, yes, { sentence, word: 'yes', question: 'if the clock is right' });
    await context.db.write(loaded.confirmClock, { ...stamp(), wallMs: context.now() });
    return { state, ended, confirmed: true };
  },
  json: ({ state, ended, confirmed }) => ({
    ...shownClock(state),
    ...(ended !== null && { deletes: ended.counts, isWhole: ended.isWhole }),
    confirmed,
  }),
  says: ({ state, ended, confirmed }) => {
    if (ended === null) return `${stateText(state)}\nThere is nothing to confirm.`;
    if (confirmed) return 'The clock is believed from now on.';
    return `${stateText(state)}\n${endedText(ended)} Nothing was changed.`;
  },
});

function endedIfBelieved(
  { db, config, elapsedMs }: Context,
  { clockMs }: ClockState,
  { countEndedRows, ifBelieved }: Clock,
): Promise<EndedRows> {
  const untilMs = elapsedMs() + countForMs;
  const { auditKeepDays, changesDays } = config;
  return countEndedRows(db, ifBelieved(clockMs), {
    auditKeepDays,
    changesDays,
    mayGoOn: () => elapsedMs() < untilMs,
  });
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

export const clockFamily = family(
  'clock',
  'the clock of this machine, and the trusted time that rows are deleted by',
  { status, confirm: confirmTime },
);
