// The texts of the pages about figures.

import { areaTexts } from '../../frame/texts.ts';

export const insightTexts = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});
