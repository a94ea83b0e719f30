import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeError } from './log.ts';

describe('an error in the log', () => {
  it('takes some kilobytes at most, however long its message is, and still says where it came from [D-184]', () => {
    const text = JSON.stringify(describeError(new Error('x'.repeat(1_000_000))));
    assert.ok(text.length < 8_000, `${text.length} characters`);
    assert.match(text, /log\.test\.ts/);
  });

  it('names its causes to an end, also where they go round in a circle [D-184]', () => {
    const outer = new Error('outer');
    const inner = new Error('y'.repeat(1_000_000), { cause: outer });
    outer.cause = inner;
    const text = JSON.stringify(describeError(outer));
    assert.ok(text.length < 32_000, `${text.length} characters`);
    assert.match(text, /outer/);
  });

  it('is told whole where it is short', () => {
    const error = new Error('short', { cause: new RangeError('why') });
    const told = describeError(error) as { message: string; stack: string; cause: { message: string } };
    assert.equal(told.message, 'short');
    assert.equal(told.stack, error.stack);
    assert.equal(told.cause.message, 'why');
  });

  it('has nothing of a text that a parser could not read, for JSON, CSV and YAML alike [D-870]', async () => {
    const { CsvError } = await import('csv-parse');
    const { parse } = await import('csv-parse/sync');
    const { parseDocument } = await import('yaml');
    const errors: unknown[] = [];
    for (const text of [
      '{"name": canary}',
      '{"canary": 1}}',
      '["canary\nof two lines"',
      'canary\n    at canary',
    ])
      try {
        JSON.parse(text);
      } catch (error) {
        errors.push(error);
      }
    for (const text of ['a\ncanary"x"\n', 'a\n"x"canary\n'])
      try {
        parse(text);
      } catch (error) {
        assert.ok(error instanceof CsvError);
        errors.push(error, new Error('outer', { cause: error }));
      }
    errors.push(...parseDocument('a: !canary x\nb: "\\canary"\n- canary: [').errors);
    assert.ok(errors.length > 9);
    assert.ok(errors.some((error) => String(error).includes('canary')));
    for (const error of errors) {
      const text = JSON.stringify(describeError(error));
      assert.doesNotMatch(text, /canary/);
      assert.match(text, / at /);
    }
  });
});
