// What a request of a provider asked for and changed, in the language of the page. The service keeps it in few words of English around
// names of the protocol (src/scim/explain.ts); those words are said anew (D-782).

import { areaTexts } from '../../frame/texts.ts';
import type { RequestTexts } from './requests/en.ts';

export const requestTexts = areaTexts<RequestTexts | null>({
  en: () => import('./requests/en.ts'),
  de: () => import('./requests/de.ts'),
  fr: () => import('./requests/fr.ts'),
});

/** What stands in quotes is a value of the request, and stays. */
export function requestWords(text: string, texts: RequestTexts | null = requestTexts.t): string {
  if (texts === null) return text;
  return text
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((piece, index) => (index % 2 === 1 ? piece : said(piece, texts, index === 0)))
    .join('');
}

function said(piece: string, texts: RequestTexts, isBeginning: boolean): string {
  const { operations, ignored, andMore, more, states, bulk, unreadable } = texts;
  return piece
    .replaceAll(/(^|; )(add|remove|replace) /g, (all, before: string, name: string) =>
      before === '' && !isBeginning ? all : `${before}${operations[name]} `,
    )
    .replaceAll(/(^|; )ignored: /g, (_, before: string) => `${before}${ignored} `)
    .replaceAll(/ and (\d+) more(?=$|;)/g, (_, count: string) => andMore(count))
    .replaceAll(/(?<=[(,] ?)(\d+) more(?=\))/g, (_, count: string) => more(count))
    .replaceAll(/\((true|false)\)/g, (_, state: string) => `(${states[state]})`)
    .replaceAll(
      /(?<=^|, )(\d+) (POST|PUT|PATCH|DELETE) of (\w+)/g,
      (_, count: string, method: string, endpoint: string) => bulk(count, method, endpoint),
    )
    .replaceAll(/(?<=^|, )(\d+) unreadable/g, (_, count: string) => unreadable(count));
}
