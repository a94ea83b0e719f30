// Measures what the rules for passwords refuse (D-823): of the 3,000 most frequent passwords of 15 characters and more in a public
// list, and of random phrases of four words. The lists are fetched by name or read from a folder, and are no part of the
// repository:
//
//   node scripts/password-lists.ts
//   node scripts/password-lists.ts --lists FOLDER --words eff_large_wordlist.txt
//
// With --write it writes the fingerprints of those that no rule refuses into src/domain/access/known-passwords.ts.

import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { passwordFingerprint } from '../src/domain/access/known-passwords.ts';
import { passwordFaults, passwordLengthMin } from '../src/domain/access/password-rules.ts';
import { fold } from '../src/domain/fold.ts';

/** The list of ten million passwords of SecLists as Nextcloud's password_policy has it: a file a length, the most frequent first. */
const listsAt =
  'https://raw.githubusercontent.com/nextcloud/password_policy/f86860ab983e85c5a72d5c06025fbe346de3cc4f/lists/';
const wordsAt = 'https://www.eff.org/files/2016/07/18/eff_large_wordlist.txt';
const longest = 42;
const passwordsMeasured = 3_000;
const phrasesMeasured = 100_000;
const refusedMin = 0.95;
const phrasesRefusedMax = 0.001;

const { values } = parseArgs({
  options: {
    lists: { type: 'string' },
    words: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const passwords = await frequentPasswords();
const isRefused = (password: string): boolean => passwordFaults(password, []).length > 0;
const taken = passwords.filter((password) => !isRefused(password));
if (values.write) writeFingerprints(taken);
const refused = 1 - taken.length / passwords.length;
console.log(`${passwords.length} frequent passwords: ${percent(refused)} refused`);

const words = (await textOf(values.words ?? wordsAt))
  .split('\n')
  .flatMap((line) => line.split(/\s+/).at(-1) || []);
const rates = ['', ' ', '-'].map((between) => {
  const phrases = Array.from({ length: phrasesMeasured }, () =>
    Array.from({ length: 4 }, () => words[randomInt(words.length)]).join(between),
  );
  // Four words of three letters may have fewer characters than any password needs.
  const long = phrases.filter(({ length }) => length >= passwordLengthMin);
  const rate = long.filter(isRefused).length / long.length;
  console.log(
    `${long.length} phrases of four of ${words.length} words, joined by "${between}": ${percent(rate)} refused`,
  );
  return rate;
});
if (refused < refusedMin || rates.some((rate) => rate >= phrasesRefusedMax)) process.exitCode = 1;

/** The lists by length are joined in proportion to their sizes. */
async function frequentPasswords(): Promise<readonly string[]> {
  const lists: (readonly string[])[] = [];
  for (let length = passwordLengthMin; length <= longest; length += 1) {
    const text = await textOf(
      `${values.lists === undefined ? listsAt : join(values.lists, '/')}list-${length}.php`,
    );
    lists.push([...text.matchAll(/^ {2}(?:'((?:[^'\\]|\\.)*)'|(\d+)) => true,$/gm)].map(passwordIn));
  }
  const all = lists.reduce((sum, { length }) => sum + length, 0);
  return lists.flatMap((list) => list.slice(0, Math.round((passwordsMeasured * list.length) / all)));
}

function passwordIn([, quoted, number]: RegExpMatchArray): string {
  return quoted === undefined ? number! : quoted.replaceAll(/\\(.)/g, '$1');
}

async function textOf(place: string): Promise<string> {
  if (!place.startsWith('https://')) return readFileSync(place, 'utf8');
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place} answers ${answer.status}.`);
  return answer.text();
}

function writeFingerprints(unseen: readonly string[]): void {
  const file = 'src/domain/access/known-passwords.ts';
  const prints = [...new Set(unseen.map((password) => passwordFingerprint(fold(password))))].toSorted(
    (a, b) => a - b,
  );
  const bytes = Buffer.alloc(prints.length * 4);
  for (const [index, print] of prints.entries()) bytes.writeUInt32BE(print, index * 4);
  const lines = bytes.toString('base64').match(/.{1,100}/g) ?? [];
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    /const fingerprints = `[^`]*`;/,
    `const fingerprints = \`\n${lines.join('\n')}\n\`;`,
  );
  writeFileSync(file, after);
  console.log(`${prints.length} fingerprints are in ${file}.`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)} %`;
}
