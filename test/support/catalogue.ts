// Catalogue files for tests.

import { temporaryFile } from './temporary-file.ts';

/** JSON is YAML, so an object will do. */
export function writeCatalogue(catalogue: object | string): string {
  return temporaryFile(
    'catalogue.yaml',
    typeof catalogue === 'string' ? catalogue : JSON.stringify(catalogue),
  );
}
