// What every verb takes.

import type { Flags } from './open-context.ts';

export interface Common {
  readonly config?: string;
  readonly json?: boolean;
}

export function flagsOf(options: Common): Flags {
  return options.config === undefined ? {} : { config: options.config };
}
