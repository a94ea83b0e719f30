import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PackedLines } from './packed-lines.ts';

interface Line {
  readonly line: number;
  readonly id: string | null;
  readonly cells: readonly string[];
}

const lineOf = (line: number): Line => ({
  line,
  id: line % 2 === 0 ? null : `id-${line}`,
  cells: [`"é\u2028${line}`, ''],
});

describe('packed lines [D-934]', () => {
  it('are those that were added, in their order, as often as they are asked for', () => {
    for (const count of [0, 1, 63, 64, 65, 1_000]) {
      const wanted = Array.from({ length: count }, (_, line) => lineOf(line));
      const packed = new PackedLines<Line>();
      for (const line of wanted) packed.add(line);
      assert.equal(packed.length, count);
      assert.deepEqual([...packed], wanted);
      assert.deepEqual([...packed], wanted);
    }
  });

  it('keep hardly any object alive', async () => {
    const packed = new PackedLines<Line>();
    const added: WeakRef<Line>[] = [];
    for (let line = 0; line < 1_000; line += 1) {
      const one = lineOf(line);
      added.push(new WeakRef(one));
      packed.add(one);
    }
    // What a reference was made to stays until the end of the turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    const alive = added.filter((one) => one.deref() !== undefined).length;
    assert.ok(alive <= 64, `${alive} of ${packed.length}`);
  });
});
