// What every type of resources has, whatever it is about: whose it is, how often it was changed, and what callers said.

import type { Values } from './user.ts';

export interface Resource {
  readonly accountId: number;
  /** Given by the service; users and groups share the same numbers (D-50). */
  readonly id: number;
  /** Counts the changes; `meta.version` is made of it (D-58). */
  readonly revision: number;
  readonly createdMs: number;
  readonly lastModifiedMs: number;
  /** What callers decide about it. */
  readonly profile: Values;
}
