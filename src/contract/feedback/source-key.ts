// The measure or project that a path of the console is about.

import type { Code } from '../../domain/problem.ts';
import { Type } from '../schema.ts';

export const sourceKey = Type.Object({
  key: Type.Integer({
    format: 'int64',
    description: 'The key of the measure, or the id of the project.',
  }),
});

/** The document names this code for whatever the console does not find. */
export const sourceRefusals = ['USER_NOT_FOUND'] as const satisfies readonly Code[];
