import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOneGo } from '../interruptible.ts';
import { type ExternalLine, JsonLines } from './external-lines.ts';

const declared = { names: new Set(['tier', 'colour']), of: 'measure' } as const;

/** What becomes of one line, read as a short one or as a long one. */
function outcome(text: string, isLong: boolean): object {
  const lines: ExternalLine[] = [];
  const reader = new JsonLines(declared, (line) => lines.push(line));
  if (isLong) inOneGo(reader.longText(text, 3));
  else reader.text(text, 3);
  reader.end();
  return { lines, faults: reader.faults, columns: reader.columns };
}

const filled = (text: string, characters: number): string =>
  text.repeat(Math.floor(characters / text.length));

describe('a long line of external parameters [D-933]', () => {
  it('means what a short one means', () => {
    for (const text of [
      '{"responseId":"r","tier":"gold","colour":7}',
      ' {"tier":null,"responseId":"r","tier":"silver"} ',
      '{"responseId":"","tier":"gold"}',
      '{"responseId":"r","size":"x","tier":"a\\u0000b"}',
      `{"responseId":"r","tier":"${filled('long ', 50_000)}"}`,
      `{${filled('"tier":"gold",', 50_000)}"responseId":"r"}`,
      '{}',
      '   ',
      '[]',
      '"x"',
      '{"responseId":"r"',
      '{"responseId":"r",}',
      '{"responseId":"r"} {}',
    ])
      assert.deepEqual(outcome(text, true), outcome(text, false), text.slice(0, 80));
  });

  it('is refused before it is read where no line has so many names, or has lists or objects', () => {
    const namesOf = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 1])));
    for (const [text, says] of [
      [namesOf(2_001), /more than 2000 different member names/],
      [`{"responseId":"r","tier":[${filled('0,', 1_000_000)}0]}`, /holds lists or objects/],
      [`{"responseId":"r","tier":[${filled('{},', 1_000_000)}0]}`, /holds lists or objects/],
      [filled('{"a":', 1_000_000), /not a JSON object/],
      [`[${filled('{},', 1_000_000)}{}]`, /not a JSON object/],
    ] as const) {
      const { faults } = outcome(text, true) as { faults: { message: string }[] };
      assert.equal(faults.length, 1);
      assert.match(faults[0]!.message, says);
    }
  });

  it('is read in pieces', () => {
    let pieces = 0;
    const reader = new JsonLines(declared, () => {});
    for (const _ of reader.longText(`{${filled('"tier":"gold",', 500_000)}"responseId":"r"}`, 1)) pieces += 1;
    assert.ok(pieces >= 50, `${pieces} pieces`);
    assert.deepEqual(reader.faults, []);
  });
});
