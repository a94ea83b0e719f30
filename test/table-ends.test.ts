// Every table of the schema has a row in docs/operations.md that says what it grows with and what ends it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from './support/engines.ts';
import { storeTables } from './support/store-rows.ts';

const page = readFileSync(`${import.meta.dirname}/../docs/operations.md`, 'utf8');
const section = page.split('## What grows, and what ends it\n')[1]?.split('\n## ')[0] ?? '';
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

/** The tables in which SQLite keeps an index of texts: they grow and end with the table whose name they begin with. */
const isOfIndex = (name: string): boolean => /^user_(gram|name_part)_/.test(name);

for (const engine of engines)
  describe(`what the tables grow with on ${engine.name}`, () => {
    let store: TestStore;
    before(async () => {
      store = await engine.readyStore();
    });
    after(() => store?.dispose());

    it('each table of the schema stands once in the list of what ends it, and nothing else does [D-897]', async () => {
      const ofEngine = rows.filter(
        ([tables = '']) => engine.name === 'sqlite' || !tables.includes('(SQLite)'),
      );
      const named = ofEngine.flatMap(([tables = '']) =>
        [...tables.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
      );
      assert.deepEqual(
        named.toSorted(),
        (await storeTables(store.databaseUrl)).filter((name) => !isOfIndex(name)).toSorted(),
      );
    });
  });

describe('the list of what ends tables', () => {
  it('says what each grows with, and its end unless it does not grow [D-897]', () => {
    for (const [tables, growsWith = '', ends = ''] of rows)
      assert.ok(
        growsWith !== '' && (ends !== '' || /^nothing|^releases/.test(growsWith)),
        `${tables} has no end`,
      );
  });
});
