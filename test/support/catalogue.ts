// Catalogue files for tests.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** JSON is YAML, so an object will do. The file goes with the machine's temporary folder. */
export function writeCatalogue(catalogue: object | string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'soundings-catalogue-')), 'catalogue.yaml');
  writeFileSync(file, typeof catalogue === 'string' ? catalogue : JSON.stringify(catalogue));
  return file;
}
