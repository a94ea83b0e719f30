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
  /** In words. */
  readonly scale: string;
  readonly weight: number;
}

export function compositionOfLatent({ name, questions }: Latent): Composition {
  const parts = questions.map(
    ({ id, weight, scale: { min, max } }) => [id, { scale: `${min} to ${max}`, weight }] as const,
  );
  return { name, parts: new Map(parts) };
}

/** Of a rating: its question, with the numbers that can be given. */
export function compositionOfRating({ id, question, answers }: PreparedQuestion): Composition {
  const scale = 'scale' in question ? question.scale : null;
  const numbers = answers.map(({ value }: Answer) => value).filter((value) => typeof value === 'number');
  const words =
    scale === null
      ? numbers.toSorted((one, other) => one - other).join(', ')
      : `${scale.min} to ${scale.max}`;
  return { name: 'Rating', parts: new Map([[id, { scale: words, weight: 1 }]]) };
}

export function canJoin(one: Composition, other: Composition): boolean {
  return one.parts.size === other.parts.size && changesBetween(one, other).length === 0;
}

const changesShown = 5;

/** What changed from one version to the next, as a sentence. */
export function changeInWords(before: Composition, now: Composition): string {
  const changes = changesBetween(before, now);
  const more = changes.length > changesShown ? `; ${changes.length - changesShown} more changes` : '';
  return `${now.name}: ${changes.slice(0, changesShown).join('; ')}${more}.`;
}

function changesBetween(before: Composition, now: Composition): string[] {
  const changes: string[] = [];
  for (const [id, { scale, weight }] of now.parts) {
    const was = before.parts.get(id);
    if (was === undefined) {
      changes.push(`${id} was added`);
      continue;
    }
    if (was.scale !== scale) changes.push(`the scale of ${id} was ${was.scale} and is ${scale}`);
    if (was.weight !== weight) changes.push(`the weight of ${id} was ${was.weight} and is ${weight}`);
  }
  for (const id of before.parts.keys()) if (!now.parts.has(id)) changes.push(`${id} was taken out`);
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
