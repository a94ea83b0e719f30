// The texts of a group of pages, in the language of the page. They are loaded with the page that needs them.

import { type Language, language } from '../language.ts';
import { signal } from './signal.ts';

/** Counts up when the language has changed, and everything is said anew. */
export const spoken = signal(0);

/** Those that were loaded in any language. */
const begun = new Set<Texts<unknown>>();

export interface Texts<T> {
  /** There once they are loaded. */
  readonly t: T;
  load(): Promise<void>;
}

/** A module each, which exports `texts`. */
export function areaTexts<T>(
  loaders: Readonly<Record<Language, () => Promise<{ readonly texts: T }>>>,
): Texts<T> {
  const loaded = new Map<Language, T>();
  let newest: T;
  const texts: Texts<T> = {
    get t() {
      // Until those of a language that was just chosen are there, the page goes on in the one before.
      return loaded.get(language) ?? newest;
    },
    async load() {
      begun.add(texts);
      const wanted = language;
      newest = loaded.get(wanted) ?? (await loaders[wanted]()).texts;
      loaded.set(wanted, newest);
    },
  };
  return texts;
}

/** Another language was chosen: all that was said is there in it, and then the page is drawn anew. */
export async function speakAgain(): Promise<void> {
  await Promise.all([...begun].map((texts) => texts.load()));
  spoken.value += 1;
}
