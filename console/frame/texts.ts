// The texts of a group of pages, in the language of the page. They are loaded with the page that needs them.

import { signal } from '@preact/signals';
import { type Language, language } from '../language.ts';

/** Counts up when the language has changed, and everything is said anew. */
export const spoken = signal(0);

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
  return {
    get t() {
      // Until those of a language that was just chosen are there, the page goes on in the one before.
      return loaded.get(language) ?? newest;
    },
    async load() {
      const wanted = language;
      newest = loaded.get(wanted) ?? (await loaders[wanted]()).texts;
      loaded.set(wanted, newest);
    },
  };
}
