// What the pages of the console are made of, as scripts/build-browser.ts lists it.

import type { PageName } from '../../../domain/console/page-paths.ts';

export const consoleLanguages = ['en', 'de', 'fr'] as const;
export type ConsoleLanguage = (typeof consoleLanguages)[number];

export type ConsoleView = 'signIn' | 'setup' | 'shared' | PageName;

export interface ConsoleManifest {
  readonly script: string;
  readonly firstPaint: string;
  /** What the server draws the first look at a page with. */
  readonly firstScreen: string;
  readonly style: string;
  readonly icon: string;
  /** The files that a page needs beside the script, so that the browser asks for them at once. */
  readonly preload: Readonly<
    Partial<
      Record<
        ConsoleView,
        {
          readonly files: readonly string[];
          readonly texts: Readonly<Record<ConsoleLanguage, readonly string[]>>;
        }
      >
    >
  >;
}
