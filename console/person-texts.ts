// What is said to and about a person: the sign-in, one's own page, roles and abilities.

import { areaTexts, type Texts } from './frame/texts.ts';
import type { Messages } from './messages/en.ts';

const loaded = areaTexts<Messages>({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});

/** There once they are loaded. */
export let t: Messages;

export const personTexts: Texts<Messages> = {
  get t() {
    return t;
  },
  async load() {
    await loaded.load();
    t = loaded.t;
  },
};
