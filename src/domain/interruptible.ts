// Pure work that grows with what a caller sends or what is stored. It yields wherever it may be interrupted, so that
// whoever runs it can serve others in between (see store/engine/work/work-budget.ts); it knows neither the clock nor the others.

export type Interruptible<T> = Generator<void, T, void>;

/** Told how much was looked at; throws when that is more than one request may use. */
export type Spend = (units: number) => void;

/** For work that is known to be small. */
export function inOneGo<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
