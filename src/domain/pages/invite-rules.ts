// Whether `/embed.js` offers a survey to a visitor now: each rule of the catalogue is a gate, and the survey is offered when
// all of them are open. What a visitor's browser remembers for that is one small record, and nobody else ever sees it.

import type { PageInvite } from '../feedback/definition.ts';

/** Of one survey: the draw of the visitor (0 to 100) and when it was made, and when the survey was answered or declined. */
interface SurveyMemory {
  readonly draw?: number;
  readonly drawnAtMs?: number;
  readonly endedAtMs?: number;
}

export type InviteMemory = Readonly<Record<string, SurveyMemory>>;

interface InviteFacts {
  readonly survey: string;
  readonly invite: PageInvite;
  /** Null where the browser keeps nothing, or must not yet. */
  readonly memory: InviteMemory | null;
  readonly path: string;
  readonly nowMs: number;
  readonly secondsOnPage: number;
}

export interface Gate {
  readonly gate: string;
  readonly isOpen: boolean;
  readonly why: string;
}

/** Where the catalogue says nothing: a survey comes back once a quarter (D-459). */
const repeatDaysUsual = 90;
const dayMs = 86_400_000;
const surveysMax = 50;

/** Every gate, open or not, so that a page can be told why a survey is not offered. */
export function judgeInvite({
  survey,
  invite,
  memory,
  path,
  nowMs,
  secondsOnPage,
}: InviteFacts): readonly Gate[] {
  const { sample = 100, after = 0, urls = [], repeatDays = repeatDaysUsual, quietDays = 0 } = invite;
  const { draw = 100, endedAtMs } = memory?.[survey] ?? {};
  const daysSince = (ms: number | undefined): number =>
    ms === undefined ? Number.POSITIVE_INFINITY : (nowMs - ms) / dayMs;
  const daysSinceAny = Math.min(...Object.values(memory ?? {}).map((one) => daysSince(one.endedAtMs)));
  const ended = daysSince(endedAtMs);
  return [
    gate('memory', memory !== null, 'something can be kept here'),
    gate('urls', urls.length === 0 || urls.some((url) => matchesPath(url, path)), `${path} in ${urls}`),
    gate('sample', draw < sample, `drawn ${draw.toFixed(2)}, below ${sample}`),
    gate('repeatDays', ended >= repeatDays, `${daysText(ended)}, at least ${repeatDays}`),
    gate('quietDays', daysSinceAny >= quietDays, `${daysText(daysSinceAny)}, at least ${quietDays}`),
    gate('after', secondsOnPage >= after, `${secondsOnPage.toFixed(1)} s here, at least ${after}`),
  ];
}

function daysText(days: number): string {
  return days === Number.POSITIVE_INFINITY ? 'never ended' : `ended ${days.toFixed(2)} days ago`;
}

export function gate(name: string, isOpen: boolean, why: string): Gate {
  return { gate: name, isOpen, why };
}

/**
 * The memory with a draw that holds: made once for each visitor and period, however often the visitor comes, so that whoever
 * comes often is not asked more often. `chance` is from 0 to 1, without 1.
 */
export function withDraw(
  memory: InviteMemory,
  survey: string,
  { repeatDays = repeatDaysUsual }: PageInvite,
  nowMs: number,
  chance: number,
): InviteMemory {
  const { drawnAtMs } = memory[survey] ?? {};
  const isHeld = drawnAtMs !== undefined && nowMs - drawnAtMs < Math.max(repeatDays, 1) * dayMs;
  return isHeld ? memory : changed(memory, survey, { draw: chance * 100, drawnAtMs: nowMs });
}

/** The memory after the survey was answered or declined. */
export function withEnd(memory: InviteMemory, survey: string, nowMs: number): InviteMemory {
  return changed(memory, survey, { endedAtMs: nowMs });
}

function changed(memory: InviteMemory, survey: string, change: SurveyMemory): InviteMemory {
  // The one that changed is the last, so that those of long ago are the first to be forgotten.
  const { [survey]: before, ...others } = memory;
  const kept = Object.entries(others).slice(1 - surveysMax);
  return Object.fromEntries([...kept, [survey, { ...before, ...change }]]);
}

/** What the browser kept; whatever is not as it was written, or is of a time still to come, is forgotten. */
export function readMemory(text: string | null, nowMs: number): InviteMemory {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '{}');
  } catch {}
  const isKept = (value: unknown): boolean => typeof value === 'number' && value <= nowMs;
  return Object.fromEntries(
    Object.entries((kept ?? {}) as InviteMemory).map(([survey, one]) => [
      survey,
      Object.fromEntries(Object.entries(one ?? {}).filter(([, value]) => isKept(value))),
    ]),
  );
}

/** `*` stands for any text. Each part is looked for once, so that no pattern takes long. */
export function matchesPath(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === path;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
