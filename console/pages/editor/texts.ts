// The texts of the editor.

import { areaTexts } from '../../frame/texts.ts';

export const editorTexts = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});

/** What the rules of the catalogue say. */
export const faultTexts = areaTexts({
  en: () => import('./faults/en.ts'),
  de: () => import('./faults/de.ts'),
  fr: () => import('./faults/fr.ts'),
});

/** Puts values into a text: {name}. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function counted(texts: { readonly one: string; readonly other: string }, n: number): string {
  return fill(n === 1 ? texts.one : texts.other, { n });
}
