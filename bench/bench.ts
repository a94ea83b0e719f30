// What a bench is. Another one is a file in benches/ and a line in the list of run.ts.

import type { EngineName, Figure } from './figures.ts';

/** How long a run may take. */
export interface Effort {
  readonly rounds: number;
  readonly warmUpMs: number;
  /** For each side of each round of an exchange. */
  readonly measuredMs: number;
  /** Programs started, for each side of a start. */
  readonly starts: number;
  /** In a log of short responses that is meant to be long. */
  readonly longLog: number;
  /** Of the measure that figures are worked out of. */
  readonly insightLog: number;
}

export interface Bench {
  /** By which it is chosen: npm run bench -- NAME. */
  readonly name: string;
  readonly about: string;
  /** Where it means anything. */
  readonly engines: readonly EngineName[];
  run(engine: EngineName, effort: Effort): Promise<readonly Figure[]>;
}
