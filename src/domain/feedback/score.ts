// Scores: of one response, and of a range of days.

import type { SurveyDefinition } from './definition.ts';
import type { PreparedLatent } from './survey.ts';

export interface LatentScore {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** 0 to 100, or null when nothing of the latent was answered; never 0 in its place (D-33). */
  readonly score: number | null;
}

export interface RangeScore extends LatentScore {
  readonly count: number;
}

/** What the days of a range add up to for one latent. */
export interface LatentSum {
  /** The sum of `scoreMicros` of every response that has a score. */
  readonly micros: number;
  readonly count: number;
}

/**
 * The weighted mean over the measured questions that were answered with a value (D-33). Rounding may carry a sum of
 * doubles past its terms, so the mean is held between the lowest and the highest answer.
 */
export function latentScore(latent: PreparedLatent, chosen: readonly number[]): number | null {
  let sum = 0;
  let weights = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { index, normalised, weight } of latent.questions) {
    const answer = chosen[index] ?? -1;
    if (answer < 0) continue;
    const value = normalised[answer] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += weight * value;
    weights += weight;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return weights === 0 ? null : Math.min(highest, Math.max(lowest, sum / weights));
}

/** A score as rollups add it: whole millionths, because sums of doubles depend on their order (D-34). */
export function scoreMicros(score: number): number {
  return Math.round(score * 1e6);
}

/** The mean of a range, or null when no response of it has a score. */
export function rangeScore({ micros, count }: LatentSum): number | null {
  return count === 0 ? null : micros / count / 1e6;
}

/**
 * The scores of a range (D-34): the current version's latents in order, then older ones that have data in the
 * range, newest version first, with the name and type that the newest version gives them.
 */
export function rangeScores(
  versions: readonly SurveyDefinition[],
  sums: ReadonlyMap<string, LatentSum>,
): RangeScore[] {
  const newestFirst = [...versions].sort((one, other) => other.version - one.version);
  const scores = new Map<string, RangeScore>();
  for (const version of [...versions.filter(({ current }) => current), ...newestFirst]) {
    for (const { id, name, type } of version.latents) {
      const sum = sums.get(id) ?? { micros: 0, count: 0 };
      if (scores.has(id) || (!version.current && sum.count === 0)) continue;
      scores.set(id, { id, name, type, score: rangeScore(sum), count: sum.count });
    }
  }
  return [...scores.values()];
}
