// The texts of comments, responses and shared views.

import { areaTexts } from '../../frame/texts.ts';

export const readingTexts = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});
