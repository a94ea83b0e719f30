// What the pages of identity providers say.

import { areaTexts } from '../../frame/texts.ts';
import type { ProviderTexts } from './messages/en.ts';

export const providerTexts = areaTexts<ProviderTexts>({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});
