// Which versions may be joined in one figure. A score means the same in two versions when it is made of the same questions, on the
// same scales, with the same weights; wording may differ. Otherwise the line of a trend breaks, and says what changed (D-483).

import type { Answer, Latent } from '../feedback/definition.ts';
import type { PreparedQuestion } from '../feedback/survey.ts';

/** What a figure of one version is made of. */
export interface Composition {
  readonly name: string;
  /** By the id of the question. */
  readonly parts: ReadonlyMap<string, Part>;
}

interface Part {
  /** Its ends, such as 1–10, or every number that can be given. */
  readonly scale: string;
  readonly weight: number;
}

export function compositionOfLatent({ name, questions }: Latent): Composition {
  const parts = questions.map(
    ({ id, weight, scale: { min, max } }) => [id, { scale: `${min}–${max}`, weight }] as const,
  );
  return { name, parts: new Map(parts) };
}

/** Of a rating: its question, with the numbers that can be given. */
export function compositionOfRating({ id, question, answers }: PreparedQuestion): Composition {
  const scale = 'scale' in question ? question.scale : null;
  const numbers = answers.map(({ value }: Answer) => value).filter((value) => typeof value === 'number');
  const words =
    scale === null ? numbers.toSorted((one, other) => one - other).join(', ') : `${scale.min}–${scale.max}`;
  return { name: 'Rating', parts: new Map([[id, { scale: words, weight: 1 }]]) };
}

export function canJoin(one: Composition, other: Composition): boolean {
  return one.parts.size === other.parts.size && changesBetween(one, other).length === 0;
}

const changesShown = 5;

export const changeKinds = ['added', 'removed', 'scale', 'weight'] as const;

/** What became of one question of a figure. */
interface CompositionChange {
  readonly kind: (typeof changeKinds)[number];
  readonly question: string;
  /** The scale or the weight; null of a question that is new, or was taken out. */
  readonly before: string | number | null;
  readonly now: string | number | null;
}

/** What changed of a figure from one version to the next: the first of it, and how much more there is. */
export interface FigureChange {
  readonly name: string;
  readonly changes: readonly CompositionChange[];
  readonly more: number;
}

export function figureChange(before: Composition, now: Composition): FigureChange {
  const changes = changesBetween(before, now);
  return {
    name: now.name,
    changes: changes.slice(0, changesShown),
    more: Math.max(0, changes.length - changesShown),
  };
}

/** The same as a sentence. */
export function changeInWords({ name, changes, more }: FigureChange): string {
  const rest = more > 0 ? `; ${more} more changes` : '';
  return `${name}: ${changes.map(wordsOf).join('; ')}${rest}.`;
}

function wordsOf({ kind, question, before, now }: CompositionChange): string {
  if (kind === 'added') return `${question} was added`;
  if (kind === 'removed') return `${question} was taken out`;
  const said = (value: string | number | null): string => `${value}`.replace('–', ' to ');
  return `the ${kind} of ${question} was ${said(before)} and is ${said(now)}`;
}

function changesBetween(before: Composition, now: Composition): CompositionChange[] {
  const changes: CompositionChange[] = [];
  for (const [question, { scale, weight }] of now.parts) {
    const was = before.parts.get(question);
    if (was === undefined) {
      changes.push({ kind: 'added', question, before: null, now: null });
      continue;
    }
    if (was.scale !== scale) changes.push({ kind: 'scale', question, before: was.scale, now: scale });
    if (was.weight !== weight) changes.push({ kind: 'weight', question, before: was.weight, now: weight });
  }
  for (const question of before.parts.keys())
    if (!now.parts.has(question)) changes.push({ kind: 'removed', question, before: null, now: null });
  return changes;
}

/** The versions of one figure, in groups that may be joined, in the order in which they were met. */
export class JoinGroups {
  readonly #groupOf = new Map<number, number>();
  readonly #compositions: Composition[] = [];

  /** The number of the group that a version belongs to. */
  groupOf(surveyNumber: number, composition: () => Composition): number {
    const known = this.#groupOf.get(surveyNumber);
    if (known !== undefined) return known;
    const its = composition();
    let group = this.#compositions.findIndex((other) => canJoin(other, its));
    if (group < 0) group = this.#compositions.push(its) - 1;
    this.#groupOf.set(surveyNumber, group);
    return group;
  }

  compositionOf(group: number): Composition {
    return this.#compositions[group]!;
  }
}
