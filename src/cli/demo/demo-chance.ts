// Chance that can be repeated: everything follows from a seed, so the demo is the same every time.

export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  below(limit: number): number;
  happens(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** At least one of the values, in their order. */
  some<T>(values: readonly T[]): T[];
  weighted<T extends { readonly share: number }>(values: readonly T[]): T;
  /** Around 0 like a bell, with about this width to each side. */
  around(width: number): number;
}

export function chanceFrom(seed: number): Chance {
  // A linear congruential generator with the constants of Numerical Recipes; its high bits are good enough here.
  let state = (seed ^ 0x5f3759df) >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // Two steps make one number, so that neighbouring numbers do not march in step.
    const high = state >>> 8;
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (high * 0x20_0000 + (state >>> 11)) / (0x100_0000 * 0x20_0000);
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  return {
    next,
    below,
    pick,
    happens: (probability) => next() < probability,
    some: (values) => {
      const sure = pick(values);
      return values.filter((value) => value === sure || next() < 0.25);
    },
    weighted: (values) => {
      let left = next() * values.reduce((sum, { share }) => sum + share, 0);
      for (const value of values) {
        left -= value.share;
        if (left < 0) return value;
      }
      return pick(values);
    },
    around: (width) => (next() + next() + next() - 1.5) * width * 2,
  };
}
