// What the pages of operations say.

import { areaTexts } from '../../frame/texts.ts';

/** What the service says by itself, in the language of the page (D-730). */
export const toldTexts = areaTexts({
  en: () => import('./told/en.ts'),
  de: () => import('./told/de.ts'),
  fr: () => import('./told/fr.ts'),
});

export const operationsTexts = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});
