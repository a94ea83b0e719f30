import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inOneGo } from './interruptible.ts';
import { ExactIntegers } from './json-members.ts';
import { parsedInPieces, type ShapeLimits, shapeOfText } from './json-pieces.ts';

const read = (text: string, pieceLength: number): unknown =>
  inOneGo(parsedInPieces(text, () => {}, pieceLength));

const many = 1_000_000;
const boundless: ShapeLimits = {
  ...{ names: many, values: many, containers: many, textLength: many, depth: many },
};
const shape = (text: string, limits: Partial<ShapeLimits>): string =>
  inOneGo(shapeOfText(text, { ...boundless, ...limits }));

/** What is read, or that nothing can be. */
function outcome(work: () => unknown): string {
  try {
    return JSON.stringify(work());
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return 'no JSON';
  }
}

const spaced = fc.json({ maxDepth: 5 }).map((text) => text.replaceAll(/[,:[\]{}]/g, (mark) => ` ${mark}\n`));

describe('a JSON text in pieces', () => {
  it('means what it means in one piece, wherever it is cut, and is none where it is none [D-920]', () => {
    const damaged = fc
      .tuple(
        fc.oneof(fc.json({ maxDepth: 5 }), spaced),
        fc.nat(),
        fc.constantFrom('', ',', '[', ']', '{', '}', ':', '"', '\\', '1', ' ', '\u00a0'),
        fc.boolean(),
      )
      .map(([text, at, mark, isDamaged]) => {
        const place = at % (text.length + 1);
        return isDamaged ? text.slice(0, place) + mark + text.slice(place + (at % 2)) : text;
      });
    fc.assert(
      fc.property(damaged, fc.integer({ min: 0, max: 40 }), (text, pieceLength) => {
        const wanted = outcome(() => JSON.parse(text));
        assert.equal(
          outcome(() => read(text, pieceLength)),
          wanted,
          text,
        );
      }),
      { numRuns: 20_000, seed: 26 },
    );
  });

  it('has names twice, names of JavaScript and names with a backslash as they are meant [D-195]', () => {
    const text = '{"a":[1,2,3],"__proto__":{"x":[1]},"a":{"\\\\":1,"\\"":2},"b":1,"\\u0062":[2,{}],"1":0}';
    for (let pieceLength = 0; pieceLength < 60; pieceLength += 1) {
      const value = read(text, pieceLength) as object;
      assert.deepEqual(Object.keys(value), ['1', 'a', '__proto__', 'b'], String(pieceLength));
      assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(text)));
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
    }
  });

  it('shows every list and object to whoever looks, as deep as it is', () => {
    const deepest = (pieceLength: number): number => {
      let found = 0;
      const look = (piece: unknown, depth: number): void => {
        if (typeof piece !== 'object' || piece === null) return;
        found = Math.max(found, depth);
        for (const value of Object.values(piece)) look(value, depth + 1);
      };
      inOneGo(parsedInPieces('[1,{"a":[{"b":[1,2,3,4,5,6,7]},2,3,4]},5,6]', look, pieceLength));
      return found;
    };
    for (const pieceLength of [0, 1, 5, 10, 20, 1_000])
      assert.equal(deepest(pieceLength), 5, String(pieceLength));
  });

  it('gives way some times in a hundred thousand characters [D-920]', () => {
    for (const text of [
      `[${'0,'.repeat(50_000)}0]`,
      `[${'[[0]],'.repeat(20_000)}0]`,
      `{"a":[${'{"b":"c"},'.repeat(10_000)}0]}`,
      `${' '.repeat(50_000)}[${' '.repeat(50_000)}0]`,
    ]) {
      let pauses = 0;
      for (const _ of parsedInPieces(text, () => {})) pauses += 1;
      assert.ok(pauses >= 5, `${pauses} pauses`);
      let scanPauses = 0;
      for (const _ of shapeOfText(text, { ...boundless, depth: 32 })) scanPauses += 1;
      assert.ok(scanPauses >= 5, `${scanPauses} pauses of the first look`);
    }
  });

  it('has its different names counted, however they and the values are written, valid or not', () => {
    const counted = (text: string): number => {
      let count = 0;
      while (shape(text, { names: count }) === 'manyNames') count += 1;
      return count;
    };
    assert.equal(counted('{"a":1,"b":{"a":2},"c" : "x","e":[{"d":1}]}'), 5);
    assert.equal(counted('{"a":"\\"b\\":1","\\\\":2,"c\\\\\\"":3}'), 3);
    assert.equal(counted('["a","b"]'), 0);
    for (const text of ['', '"', '{"a', '{"a\\"', '\\"\\"\\":'.repeat(100)]) counted(text);
  });

  it('is known to be deep, or not to end, before it is read [D-920]', () => {
    const depth = 3;
    assert.equal(shape('[[[0]]]', { depth }), 'usual');
    assert.equal(shape('[[["[[[["]]]', { depth }), 'usual');
    assert.equal(shape('[[[[0]]]]', { depth }), 'deep');
    assert.equal(shape('[[[[', { depth }), 'unclosed');
    assert.equal(shape('["', { depth }), 'unclosed');
  });

  it('is known to have too many values, lists or objects before one of them is made [D-930]', () => {
    assert.equal(shape('[[],{},{"a":"[{"}]', { containers: 4 }), 'usual');
    assert.equal(shape('[[],{},{"a":"[{"}]', { containers: 3 }), 'manyContainers');
    assert.equal(shape('[0,",,,",{"a":0}]', { values: 4 }), 'usual');
    assert.equal(shape('[0,",,,",{"a":0,"b":0}]', { values: 4 }), 'manyValues');
    assert.equal(shape('["123456","\\u0041"]', { textLength: 7 }), 'usual');
    assert.equal(shape('["123456","\\u0041"]', { textLength: 6 }), 'longText');
    assert.equal(shape('[[[]]]', { depth: 1, containers: 1 }), 'deep');
  });
});

describe('the digits of a member', () => {
  it('are those of the last of its name, in any spelling, among members of any kind [D-886]', () => {
    const text =
      ' { "b":[{"a":1},"a\\":2"], "a" : 9007199254740993 ,"\\u0061": 9007199254740995\n,"c":{"a":-9223372036854775808},"d":1e18,"e":"1"}';
    const exact = new ExactIntegers(text);
    assert.equal(exact.at('a'), 9007199254740995n);
    assert.equal(exact.at('c', 'a'), -9223372036854775808n);
    for (const path of [['d'], ['e'], ['b'], ['b', 'a'], ['nothing'], ['a', 'a']])
      assert.equal(exact.at(...path), null);
  });
});
