import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { csvFault } from './csv-fault.ts';

describe('a fault of a CSV file', () => {
  for (const [text, line, column, begins] of [
    ['a,b\n1,canary "x"\n', 2, 2, 'Invalid Opening Quote'],
    ['a,b\n"canary"x,1\n', 2, 1, 'Invalid Closing Quote'],
    ['a,b\n1,"canary\n', 2, 2, 'Quote Not Closed'],
    ['a,b\ncanary\n', 2, null, 'Invalid Record Length'],
    [`a,b\n1,"${'canary'.repeat(100)}"\n`, 2, 2, 'Max Record Size'],
  ] as const)
    it(`${begins}: has its line and column, and nothing of the cell [D-870]`, () => {
      assert.throws(
        () => parse(text, { max_record_size: 200 }),
        (error) => {
          assert.ok(error instanceof CsvError);
          const fault = csvFault(error);
          assert.equal(fault.line, line);
          if (column !== null) assert.equal(fault.column, column);
          assert.ok(fault.message.startsWith(begins), fault.message);
          assert.doesNotMatch(fault.message, /canary/);
          return true;
        },
      );
    });
});
