// Answers as numbers. They are added up as whole millionths, like scores (D-34), and those of ratings are added up from counts.

import type { Answer } from '../feedback/definition.ts';
import { type Moments, noMoments } from './moments.ts';
import { type Figures, figuresAround, meanOf } from './statistics.ts';

const unit = 1_000_000;

/** The value of an answer in millionths; null for texts, and for numbers too large to be added up exactly. */
export function valueMicros({ value }: Answer): number | null {
  if (typeof value !== 'number') return null;
  const micros = Math.round(value * unit);
  return Number.isSafeInteger(micros) ? micros : null;
}

/** The moments of answers that were counted from a place on, one count for each answer. */
export function momentsOfCounts(
  figures: Float64Array,
  at: number,
  micros: readonly (number | null)[],
): Moments {
  let { count, sum, squares } = noMoments;
  for (const [place, value] of micros.entries()) {
    const times = figures[at + place]!;
    if (value === null || times === 0) continue;
    const exact = BigInt(value);
    count += times;
    sum += BigInt(times) * exact;
    squares += BigInt(times) * exact * exact;
  }
  return { count, sum, squares };
}

export function valueFigures(moments: Moments): Figures {
  return figuresAround(moments, meanOf(moments));
}
