// What speaks against a response that came from the page of a survey. It is kept all the same, with these words beside it,
// and counted like any other unless whoever reads leaves it out (D-465).

/** In the order in which they are kept and shown. */
export const suspicions = [
  /** The field that people do not see was filled in. */
  'HONEYPOT',
  /** Sent sooner after the page was asked for than anybody can answer so many questions. */
  'TOO_FAST',
  /** The survey ran hot, and the sender waited instead of doing the work. */
  'NO_WORK',
] as const;
type Suspicion = (typeof suspicions)[number];

export interface Quality {
  readonly suspect: readonly Suspicion[];
}

/** Null where nothing speaks against it, as nearly always. */
export function qualityOf(isSuspected: Readonly<Record<Suspicion, boolean>>): Quality | null {
  const suspect = suspicions.filter((suspicion) => isSuspected[suspicion]);
  return suspect.length === 0 ? null : { suspect };
}

// Nobody reads a question and answers it in a quarter of a second; a program answers all of them in no time. An answer that
// the address filled in counts like any other, so that the bound is one for a person who only presses the button.
const answerMs = 250;
const paceMaxMs = 10_000;

/** Whether so many questions were answered faster than a person can. A clock that is behind ours proves nothing. */
export function isTooFast(elapsedMs: number, answeredCount: number): boolean {
  return elapsedMs >= 0 && elapsedMs < Math.min(paceMaxMs, answerMs * answeredCount);
}
