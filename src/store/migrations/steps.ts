// The steps of the schema, in order, forward only. A step that has been released is never edited: a replica
// with older code must keep working while a newer one has already migrated, so steps only add.

import { firstSchema } from './0001-first-schema.ts';

/** The few words in which the two engines differ. */
export interface Types {
  /** Text that is compared and ordered by its bytes. */
  readonly text: string;
  readonly integer: string;
}

export interface Step {
  readonly number: number;
  readonly name: string;
  readonly statements: (types: Types) => readonly string[];
}

export const steps: readonly Step[] = [firstSchema];

export const typesOf: Record<'sqlite' | 'postgres', Types> = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text collate "C"', integer: 'bigint' },
};
