// What callers of an earlier release see is there today: it is only added to.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { takenAway } from './support/api-difference.ts';
import { writeCatalogue } from './support/catalogue.ts';
import { engines } from './support/engines.ts';
import {
  type ApiDocument,
  publishedBy,
  publishedNow,
  releaseFolder,
  shapesOfRelease,
} from './support/published.ts';
import { commandHereOk, startProcess } from './support/service.ts';
import { missingFrom, shapeOf } from './support/shape.ts';
import { type Filled, fillWithEverything } from './support/store-of-everything.ts';
import { temporaryFile } from './support/temporary-file.ts';

const releases = globSync('*', { cwd: releaseFolder('.') });
const sqlite = engines.find(({ name }) => name === 'sqlite')!;

it('there are releases to hold today against', () => {
  assert.ok(releases.includes('0.2.0'));
});

for (const release of releases) {
  describe(`what callers of ${release} see`, () => {
    const kept = publishedBy(release);
    const now = publishedNow();
    const missing = (had: readonly string[], has: readonly string[]): string[] =>
      had.filter((word) => !has.includes(word));

    it('every operation of the interface takes what it took and answers what it answered [D-60]', () => {
      assert.deepEqual(takenAway(kept.openapi, now.openapi), []);
    });
    it('so does every operation of the console', () => {
      assert.deepEqual(takenAway(kept.consoleOpenapi, now.consoleOpenapi), []);
    });
    it('every command has its arguments and flags', () => {
      // A script gives an argument by its place; what the help calls it is for people.
      const given = (words: readonly string[] = []): string[] =>
        words.map((word, index) => (word.startsWith('--') ? word : `argument ${index + 1}: ${word[0]}`));
      const gone = Object.entries(kept.commands).flatMap(([name, words]) =>
        missing(given(words), given(now.commands[name])).map((word) => `${name} ${word}`),
      );
      assert.deepEqual(missing(Object.keys(kept.commands), Object.keys(now.commands)), []);
      assert.deepEqual(gone, []);
    });
    it('every error code has its number, every fault its code, every setting its name [D-21]', () => {
      const ofThen = Object.keys(kept.codes);
      assert.deepEqual(Object.fromEntries(ofThen.map((code) => [code, now.codes[code]])), kept.codes);
      assert.deepEqual(missing(kept.faultCodes, now.faultCodes), []);
      assert.deepEqual(missing(kept.settings, now.settings), []);
    });
    it('every page of the console has its address', () => {
      assert.deepEqual(missing(kept.consoleAddresses, now.consoleAddresses), []);
    });
    it('every catalogue is taken', async () => {
      for (const catalogue of kept.catalogues) {
        const store = await sqlite.newStore();
        const file = catalogue.startsWith('{')
          ? writeCatalogue(JSON.parse(catalogue))
          : temporaryFile('demo.yaml', catalogue);
        await commandHereOk(['apply', file], { DATABASE_URL: store.databaseUrl });
        await store.dispose();
      }
    });

    describe('by what it does', () => {
      const shapes = shapesOfRelease(release);
      let filled: Filled;
      before(async () => {
        const store = await sqlite.newStore();
        try {
          filled = await fillWithEverything(store.databaseUrl, (env) => startProcess(env));
        } finally {
          await store.dispose();
        }
      });
      it('every command prints with --json what it printed', () => {
        for (const [verb, shape] of Object.entries(shapes.commands)) {
          assert.ok(verb in filled.commands, `${verb} was not run`);
          assert.deepEqual(missingFrom(shape, filled.commands[verb]!), [], verb);
        }
      });
      it('every webhook message holds what it held', () => {
        assert.ok(Object.keys(shapes.messages).length >= 6);
        for (const [type, shape] of Object.entries(shapes.messages))
          assert.deepEqual(missingFrom(shape, filled.messages[type]!), [], type);
      });
      it('every file has its columns, in their order', () => {
        assert.ok(Object.keys(shapes.columns).length >= 4);
        for (const [path, columns] of Object.entries(shapes.columns))
          assert.deepEqual(
            filled.columns[path]!.filter((name) => columns.includes(name)),
            columns,
            path,
          );
      });
    });
  });
}

describe('the comparison itself', () => {
  const answer = (schema: object): ApiDocument => ({
    paths: { '/a': { get: { responses: { 200: { content: { json: { schema } } } } } } },
    components: {},
  });
  it('tells what is missing from a shape', () => {
    const one = shapeOf([
      { a: 1, b: null },
      { a: 'x', b: [true] },
    ]);
    assert.deepEqual(
      missingFrom(
        one,
        shapeOf([
          { a: 1, b: null, c: 1 },
          { a: 'x', b: [false] },
        ]),
      ),
      [],
    );
    assert.deepEqual(missingFrom(one, shapeOf([{ a: 1 }])), ['[].a is no string any more', '[].b is gone']);
  });
  it('tells what an answer does not say any more', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    assert.deepEqual(takenAway(answer(schema), answer({ ...schema, properties: {} })), [
      'GET /a 200: the member a is gone',
    ]);
    assert.deepEqual(takenAway(answer(schema), answer({ ...schema, required: [] })), [
      'GET /a 200: a is not always there',
    ]);
    assert.deepEqual(takenAway(answer(schema), { paths: {}, components: {} }), ['GET /a is gone']);
  });
});
