// A wall clock and a clock of ages that a test moves apart. They run like the machine's, or stand still until moved.

export interface MovingClock {
  readonly now: () => number;
  readonly elapsedMs: () => number;
  /** The wall clock is set to another time, and no time passes. */
  set(byMs: number): void;
  /** Time passes, and both clocks see it. */
  pass(ms: number): void;
}

export const day = 86_400_000;

export function movingClock({ isStill = false } = {}): MovingClock {
  const start = { nowMs: Date.now(), elapsedMs: performance.now() };
  let setMs = 0;
  let passedMs = 0;
  return {
    now: () => (isStill ? start.nowMs : Date.now()) + setMs + passedMs,
    elapsedMs: () => (isStill ? start.elapsedMs : performance.now()) + passedMs,
    set(byMs) {
      setMs += byMs;
    },
    pass(ms) {
      passedMs += ms;
    },
  };
}
