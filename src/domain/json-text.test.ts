import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJsonText } from './json-text.ts';

/** As the test means it, whatever the parser guesses: names and values side by side. */
type Member = readonly [name: string, value: number];

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '/': '\\/' };
const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const character = fc.constantFrom('a', 'b', 'n', 'u', '\\', '"', '\n', '/', 'é', '中', '_', '1');
/** A name and one of the ways to write it. */
const name = fc
  .array(fc.tuple(character, fc.boolean()), { minLength: 1, maxLength: 3 })
  .map((characters) => ({
    meant: characters.map(([one]) => one).join(''),
    written: characters
      .map(([one, isUnicode]) => (isUnicode ? unicode(one) : (escapes[one] ?? one)))
      .join(''),
  }));
const names = fc.array(name, { minLength: 1, maxLength: 5 });

describe('a JSON text', () => {
  it('is misread by this Node, which is why parseJsonText is there: once this fails, it can go', () => {
    JSON.parse('{"only here": 0, "\\\\": 1}');
    const [, read] = Object.keys(JSON.parse('{"only here": 0, "\\"": 2}') as object);
    assert.equal(read, '\\', 'JSON.parse reads escaped names right now: let parseJsonText go.');
  });

  it('means the same whatever the process read before [D-195]', () => {
    const rows: readonly (readonly [before: string, text: string, names: readonly string[]])[] = [
      ['"\\\\": 1', '"\\"": 2', ['"']],
      ['"\\\\": 1', '"\\n": 2', ['\n']],
      ['"\\\\": 1', '"\\/": 2', ['/']],
      ['"\\\\": 1', '"\\u0061": 2', ['a']],
      ['"\\\\": 1', '"\\\\": 2', ['\\']],
      ['"\\\\": 1', '"\\\\a": 2, "\\"b": 3', ['\\a', '"b']],
      ['"a\\\\n": 1', '"a\\nb" : {"a\\\\n": "\\\\"}', ['a\nb']],
      ['"\\\\u": 1', '"\\u0022\\u0031": "\\u0022"', ['"1']],
    ];
    for (const [index, [before, text, names]] of rows.entries()) {
      // A first member of its own: the guess is made from objects that began alike.
      const first = `row ${index}`;
      JSON.parse(`{"${first}": 0, ${before}}`);
      const read = parseJsonText(`{"${first}": 0, ${text}}`) as object;
      assert.deepEqual(Object.keys(read), [first, ...names], text);
    }
  });

  it('with one name twice has it once, with the last value', () => {
    const read = parseJsonText('{"\\\\": 1, "\\"": 2, "\\u0022": 3, "1": 4, "\\u0031": 5}');
    assert.deepEqual(read, { '\\': 1, '"': 3, 1: 5 });
  });

  it('has the names that are written, in any spelling, order and nesting [D-195]', () => {
    fc.assert(
      fc.property(names, names, (outer, inner) => {
        const object = (of: typeof outer, more = ''): string =>
          `{${of.map(({ written }, index) => `"${written}" :\n${index}`).join(',')}${more}}`;
        const members = (of: typeof outer): Member[] => of.map(({ meant }, index): Member => [meant, index]);
        const text = object(outer, `,"inner":[${object(inner)},"\\" : \\\\"]`);
        const wanted = new Map<string, unknown>(members(outer));
        const wantedInner = [Object.fromEntries(members(inner)), '" : \\'];
        const read = parseJsonText(text) as Record<string, unknown>;
        assert.deepEqual(read, { ...Object.fromEntries(wanted), inner: wantedInner });
      }),
      { numRuns: 5_000, seed: 26 },
    );
  });

  it('keeps a name that means something to JavaScript as an ordinary member', () => {
    const value = parseJsonText('{"\\\\": 1, "__proto__": {"a": 1}}') as object;
    assert.deepEqual(Object.keys(value), ['\\', '__proto__']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it('that is none is refused as JSON.parse refuses it, and a deep one neither hangs nor falls over', () => {
    for (const text of ['', '{"\\"', '{"a":1,}', '"\\x"', '{"\\\\":1,"\\"":}'])
      assert.throws(() => parseJsonText(text), SyntaxError, text);
    const depth = 100_000;
    const deep = `${'{"\\\\":'.repeat(depth)}1${'}'.repeat(depth)}`;
    assert.ok(parseJsonText(deep));
    assert.ok(parseJsonText(`["\\\\",${'['.repeat(depth)}${']'.repeat(depth)}]`));
  });
});
