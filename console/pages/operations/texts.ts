// What the pages of operations say.

import { areaTexts } from '../../frame/texts.ts';

export const operationsTexts = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});
