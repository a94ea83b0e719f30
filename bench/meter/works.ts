// What the meter measures: each work is the requests of one turn, and what the store holds before them. Whatever a work needs is done
// through HTTP or by the commands of the tree that is measured, so that older releases can do it too.

import type { EngineName } from '../../test/support/engines.ts';
import type { Side, StoreContent } from './sides.ts';

export interface Work {
  readonly name: string;
  readonly about: string;
  /** Requests of one turn. */
  readonly count: number;
  readonly connections: number;
  /** Works that follow each other and have the same one share the stores, so they must not change them. */
  readonly content: StoreContent;
  /** Whole requests, asked in turn. */
  requests(side: Side): readonly string[] | Promise<readonly string[]>;
  /** A request is taken once: there are others for each turn, as many as it has. */
  readonly isOnce?: true;
  /** The bare server parses what it is sent, as whoever wants to use it must. */
  readonly isParsed?: true;
  /** Floor : ours is at least this. */
  readonly goal?: Readonly<Record<EngineName, number>>;
}

/** As many responses or users as a work has in its store. */
export function rowsOr(usual: number): number {
  return Number(process.env.BENCH_ROWS ?? usual);
}
