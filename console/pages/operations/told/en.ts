// What the service says by itself is English, so nothing has to be said anew.

import type { FindingWords } from '../../../../src/domain/operations/finding-words.ts';

export interface Told {
  /** By the code of a finding of doctor. */
  readonly findings: FindingWords | null;
  /** What each of doctor's checks looks at. */
  readonly checks: Readonly<Record<string, string>>;
  /** By the name of the task. */
  readonly tasks: Readonly<Record<string, string>>;
  /** By the name of the setting. */
  readonly settings: Readonly<Record<string, string>>;
  /** What a sealing key holds. */
  readonly sealed: Readonly<Record<string, string>>;
}

export const texts: Told = { findings: null, checks: {}, tasks: {}, settings: {}, sealed: {} };
