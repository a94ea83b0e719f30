// What is handed to all code that acts: settings, store, and the three things that make a program
// unpredictable (clock, ids, randomness), so that tests can give them.

import type { Logger } from 'pino';
import type { Config, ShownSetting } from './config.ts';
import type { Db } from './store/engine/db.ts';
import type { Standby } from './store/engine/postgres/standby.ts';
import type { Tracing } from './store/engine/work/tracing.ts';

export interface Context {
  readonly config: Config;
  readonly db: Db;
  /** The settings as operators may see them, where the process serves. */
  readonly settings?: readonly ShownSetting[];
  /** A server that rows of pages may be read from instead (DATABASE_URL_READ). */
  readonly standby: Standby | null;
  /** The wall clock, for what is kept and shown. It may be set back or forward at any time. */
  readonly now: () => number;
  /** Milliseconds that have passed since some moment: every age is told by this, whatever the wall clock does. */
  readonly elapsedMs: () => number;
  /** A UUIDv7: it grows with time, so that indexes grow at their end. */
  readonly newId: () => string;
  /** 256 random bits as base64url. */
  readonly newSecret: () => string;
  readonly log: Logger;
  /** Follows requests where an operator wants traces. */
  readonly tracing?: Tracing;
}
