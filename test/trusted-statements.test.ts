// Whatever deletes or empties rows by time asks for the trusted time (D-845): the statements of the source, read as text.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

/** Statements that compare something else than a time, by a piece of their text, and why. */
const otherComparisons: Readonly<Record<string, string>> = {
  'id <= ${newestTooMany}': 'the oldest beyond a number',
  'at < ${input.forgetBeforeMs}': 'the heartbeat hands in what the trusted clock says',
  'expires_at > ${nowMs}': 'a link is used up while it is good',
};

const isTime = /(<=?|>=?)(?!>)/;

describe('statements that delete by time', () => {
  const statements = globSync('src/store/**/*.ts', { cwd: `${import.meta.dirname}/..` })
    .filter((file) => !file.includes('migrations/') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(`${import.meta.dirname}/../${file}`, 'utf8');
      return [...source.matchAll(/`[^`]*\bdelete\s+from\b[^`]*`/g)].map(([text]) => ({ file, text }));
    });
  const ofTime = statements.filter(({ text }) => text.includes('${ended'));

  it('are found where they are', () => {
    assert.ok(statements.length > 60, String(statements.length));
    assert.ok(ofTime.length >= 12, String(ofTime.length));
  });

  it('compare with a time only through a condition that takes the trusted time [D-845]', () => {
    const wrong = statements
      .filter(({ text }) => !text.includes('${ended'))
      .filter(({ text }) => isTime.test(text.replaceAll('<>', '').replaceAll(/=>/g, '')))
      .filter(({ text }) => !Object.keys(otherComparisons).some((known) => text.includes(known)))
      .filter(({ text }) => /_at\b|\bat\b|\bday\b|ends|Ms\b|until|last_end|signs_from/.test(text));
    assert.deepEqual(wrong, []);
  });

  it('conditions of what has ended take nothing but the trusted time [D-845]', () => {
    for (const file of globSync('src/store/**/*.ts', { cwd: `${import.meta.dirname}/..` })) {
      const source = readFileSync(`${import.meta.dirname}/../${file}`, 'utf8');
      for (const [head] of source.matchAll(/function ended[A-Z]\w*\(\s*now\b[^)]*\): Sql/g))
        assert.match(head, /\(now: TrustedMs[,)]/, `${file}: ${head}`);
    }
  });
});
