// The texts of what comes behind the first look at a page.

import { areaTexts } from './texts.ts';

export const laterTexts = areaTexts({
  en: () => import('./later-messages/en.ts'),
  de: () => import('./later-messages/de.ts'),
  fr: () => import('./later-messages/fr.ts'),
});
