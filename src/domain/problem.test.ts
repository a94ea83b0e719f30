import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishedCodes } from '../../test/support/published-codes.ts';
import { type Code, type Condition, codes, Problem } from './problem.ts';

// The table of D-20, said a second time: a code that moves to another condition must be seen here.
const statuses: Record<Condition, number> = {
  badRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotSupported: 405,
  notAcceptable: 406,
  conflict: 409,
  gone: 410,
  preconditionFailed: 412,
  bodyTooLarge: 413,
  unsupportedMediaType: 415,
  throttled: 429,
  serverError: 500,
  downstreamError: 502,
  notImplemented: 501,
  serviceUnavailable: 503,
};

const entries = Object.entries(codes) as [Code, (typeof codes)[Code]][];

describe('the catalogue of codes', () => {
  it('every code is an upper-case word with a number of its own [D-21]', () => {
    for (const [code] of entries) assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
    const numbers = entries.map(([, { number }]) => number);
    assert.deepEqual(numbers, [...new Set(numbers)]);
  });

  it('a number begins with the HTTP status of its condition [D-20] [D-21]', () => {
    for (const [code, { number, condition }] of entries)
      assert.equal(Math.floor(number / 100), statuses[condition], code);
  });

  it('a published code keeps its number [D-21]', () => {
    assert.deepEqual(Object.fromEntries(entries.map(([code, { number }]) => [code, number])), publishedCodes);
  });

  it('every condition has a code, and every code a sentence that says what it means', () => {
    const used = new Set(entries.map(([, { condition }]) => condition));
    assert.deepEqual([...used].toSorted(), Object.keys(statuses).toSorted());
    for (const [code, { meaning }] of entries) assert.match(meaning, /^[A-Z].*\.$/, code);
  });
});

describe('a Problem', () => {
  it('knows its code, condition and number, and has nothing to add unless it is told', () => {
    const problem = new Problem('MEASURE_NOT_FOUND', 'No measure has the key 7.');
    assert.ok(problem instanceof Error);
    assert.deepEqual(
      [problem.code, problem.condition, problem.number],
      ['MEASURE_NOT_FOUND', 'notFound', 40402],
    );
    assert.equal(problem.message, 'No measure has the key 7.');
    assert.deepEqual([problem.details, problem.headers, problem.cause], [[], {}, undefined]);
    assert.equal('cause' in problem, false);
  });

  it('carries every fault, the headers of its answer, and its cause for the log [D-22] [D-23]', () => {
    const cause = new Error('the disk is on fire');
    const details = [{ field: 'limit', code: 'INVALID' as const, message: 'limit must be 1 to 100.' }];
    const headers = { 'retry-after': '1' };
    const problem = new Problem('THROTTLED', 'Too many requests.', { details, headers, cause });
    assert.deepEqual([problem.details, problem.headers, problem.cause], [details, headers, cause]);
    assert.doesNotMatch(problem.message, /fire/);
  });
});
