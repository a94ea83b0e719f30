// The texts of the pages about people, API clients and the audit log.

import { areaTexts } from '../../frame/texts.ts';

export const people = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});
