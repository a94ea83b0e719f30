// The texts of the frame, for everything that stands around the pages and for what they all use.

import { areaTexts } from './texts.ts';

export const frameTexts = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});
