// /help: the pages of docs/, for whoever comes.

import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { builtFile, builtTypes, openPage } from './open-page.ts';

export const helpOperations = serviceOperations({
  'GET /help': openPage,
  'GET /help/*': { ...openPage, params: Type.Object({ '*': Type.String({ maxLength: 200 }) }) },
  'GET /help/assets/:file': builtFile(builtTypes),
});
