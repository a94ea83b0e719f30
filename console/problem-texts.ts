// What went wrong, in words, for every page.

import { areaTexts } from './frame/texts.ts';

export const problemTexts = areaTexts({
  en: () => import('./messages/problems/en.ts'),
  de: () => import('./messages/problems/de.ts'),
  fr: () => import('./messages/problems/fr.ts'),
});
