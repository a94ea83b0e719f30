import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { jsonPieces } from './json-pieces.ts';

it('a value in pieces is the text of JSON.stringify, however deep it is cut', () => {
  const document = JSON.parse(
    readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
  ) as object;
  const values = [
    document,
    { a: {}, b: [{ c: 'x\ny' }], 'd"\n': { e: { f: null }, g: undefined } },
    [],
    'x',
    7,
  ];
  for (const value of values)
    for (const levels of [0, 1, 2, 5])
      assert.equal([...jsonPieces(value, levels)].join(''), JSON.stringify(value, null, 2));
  const longest = Math.max(...[...jsonPieces(document, 3)].map(({ length }) => length));
  assert.ok(longest < 100_000, `A piece has ${longest} characters.`);
});
