// The steps of the schema, in order, forward only. A step that has been released is never edited: a replica
// with older code must keep working while a newer one has already migrated, so steps only add.

import { firstSchema } from './0001-first-schema.ts';
import { feedback } from './0002-feedback.ts';

/** The few words in which the two engines differ. */
export interface Types {
  /** Text that is compared and ordered by its bytes. */
  readonly text: string;
  readonly integer: string;
  /** Behind a table that is read in the order of its key: SQLite then keeps the rows in the key itself. */
  readonly clustered: string;
}

export interface Step {
  readonly number: number;
  readonly name: string;
  readonly statements: (types: Types) => readonly string[];
}

export const steps: readonly Step[] = [firstSchema, feedback];

export const typesOf: Record<'sqlite' | 'postgres', Types> = {
  sqlite: { text: 'text', integer: 'integer', clustered: ' without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', clustered: '' },
};
