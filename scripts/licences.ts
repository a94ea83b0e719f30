// The licences of everything of others that the package holds, with their texts: "node scripts/licences.ts FILE", or to standard
// output. Licences ask that their texts go along with copies, and a bundle is a copy.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package-files.ts';
import { type ThirdParty, thirdParties } from './third-party.ts';

const line = '='.repeat(80);

export function licenceTexts(): string {
  // The Node of each system comes as a package of its own, with its own licence in it.
  const found = thirdParties().filter(({ role }) => role !== 'node');
  const byText = new Map<string, ThirdParty[]>();
  for (const one of found) {
    const text = textOf(one);
    byText.set(text, [...(byText.get(text) ?? []), one]);
  }
  const list = found.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  const parts = [...byText].map(
    ([text, of]) => `${of.map(({ name, version }) => `${name} ${version}`).join('\n')}\n\n${text}`,
  );
  return [
    'Soundings holds the work of others. These are the packages, their licences, and the texts of those.',
    list.join('\n'),
    ...parts,
  ]
    .map((part) => `${part}\n`)
    .join(`\n${line}\n\n`);
}

/** Every file of a package that says under which terms it may be copied. */
function textOf({ place, licence }: ThirdParty): string {
  const folder = join(root, place);
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = names.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n').replaceAll('\r\n', '\n');
  const { author, homepage, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const of = (value: unknown, member: string): string =>
    typeof value === 'string'
      ? value
      : String((value as Record<string, unknown> | undefined)?.[member] ?? '');
  return `Its package has no text beside the name of the licence, ${licence}, and says of itself: ${[
    of(author, 'name'),
    of(homepage, ''),
    of(repository, 'url'),
  ]
    .filter((text) => text !== '')
    .join(', ')}`;
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) process.stdout.write(licenceTexts());
  else writeFileSync(file, licenceTexts());
}
