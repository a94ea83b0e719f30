// What is built from pages/ for the pages of surveys: one file each, by a name that changes with what is in it. The build
// and the service read the same list, so a further file is one line here.

interface PageEntry {
  readonly file: string;
  /** A module, a script that runs anywhere, or a file that is taken as it stands. */
  readonly format: 'es' | 'iife' | 'text';
}

export const pageEntries = {
  survey: { file: 'survey.ts', format: 'es' },
  work: { file: 'work.ts', format: 'iife' },
  /** Served at /embed.js. */
  embed: { file: 'embed.ts', format: 'iife' },
  /** The page of a draft, in the editor of the console. */
  preview: { file: 'preview.ts', format: 'es' },
  embedContent: { file: 'embed-content.ts', format: 'es' },
  style: { file: 'survey.css', format: 'text' },
} as const satisfies Readonly<Record<string, PageEntry>>;
