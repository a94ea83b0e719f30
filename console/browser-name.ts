// The browser of a session, by what it says of itself.

import { t } from './person-texts.ts';

const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Enough to know it again; the order matters, because most name others too. */
export function browserName(text: string | null): string {
  const among = (known: readonly [RegExp, string][]): string | undefined =>
    known.find(([pattern]) => pattern.test(text ?? ''))?.[1];
  const names = [among(browsers), among(systems)].filter((name) => name !== undefined);
  return names.length === 0 ? t.unknownBrowser : names.join(', ');
}
