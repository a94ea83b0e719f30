// The measure or project that a path of the console is about.

import type { SourceKind } from '../../domain/feedback/source-kind.ts';
import type { Code } from '../../domain/problem.ts';
import { Type } from '../schema.ts';

export const sourceKey = Type.Object({
  key: Type.Integer({
    format: 'int64',
    description: 'The key of the measure, or the id of the project.',
  }),
});

/** Where there is none. */
export const sourceRefusals = (kind: SourceKind): readonly [Code] => [
  kind === 'measure' ? 'MEASURE_NOT_FOUND' : 'PROJECT_NOT_FOUND',
];
