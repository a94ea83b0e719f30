// Names that people give to things in the console.

import { Type } from './schema.ts';

/** Something that can be seen, within the length that the command line allows. */
export const nameSchema = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' });
