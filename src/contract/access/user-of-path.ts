// The user that a path of the console names, by the internal id: the pages of the console know it, and it never changes.

import { Type } from '../schema.ts';

export const userIdParams = Type.Object({ id: Type.String({ description: 'The internal id of the user.' }) });
