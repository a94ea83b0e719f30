// What the pages of surveys load: the files that are built from pages/, by the names of their list of entries.

import type { pageEntries } from '../../domain/pages/page-entries.ts';
import { BuiltFiles } from '../server/built-files.ts';

/** The file of each entry, by the name that it was given when it was built. */
interface PageManifest {
  readonly entries: Readonly<Record<keyof typeof pageEntries, string>>;
}

export class PageFiles extends BuiltFiles<PageManifest> {
  constructor() {
    super('pages');
  }
}

/** Where a file of the pages is served. */
export function assetPath(file: string): string {
  return `/assets/${file}`;
}
