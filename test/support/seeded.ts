// Chance that can be repeated: the same seed gives the same numbers, so that a failure can be played again.

export interface Seeded {
  /** From 0 up to 1. */
  number(): number;
  /** A whole number below the bound. */
  below(bound: number): number;
  /** True so many times in a hundred. */
  percent(share: number): boolean;
  pick<T>(among: readonly T[]): T;
  /** Some of them, at most so many, each once. */
  some<T>(among: readonly T[], atMost: number): T[];
  shuffle<T>(among: readonly T[]): T[];
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(number() * bound);
  const shuffle = <T>(among: readonly T[]): T[] => {
    const mixed = [...among];
    for (let end = mixed.length - 1; end > 0; end -= 1) {
      const other = below(end + 1);
      [mixed[end], mixed[other]] = [mixed[other] as T, mixed[end] as T];
    }
    return mixed;
  };
  return {
    number,
    below,
    shuffle,
    percent: (share) => below(100) < share,
    pick(among) {
      if (among.length === 0) throw new Error('There is nothing to pick from.');
      return among[below(among.length)] as (typeof among)[number];
    },
    some: (among, atMost) => shuffle(among).slice(0, Math.min(atMost, among.length)),
  };
}
