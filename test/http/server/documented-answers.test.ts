// What the other tests rely on: that an answer which the API document does not describe is noticed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultOf } from '../../support/documented-answers.ts';

const measures = { hasMore: false, links: [], items: [] };
const refusal = {
  timestamp: '2026-01-15T12:00:00.000Z',
  status: 404,
  message: 'No measure has the key 1.',
  errorCode: 'MEASURE_NOT_FOUND',
  detailedErrors: [],
};

function judged(
  path: string,
  status: number,
  body: unknown,
  { method = 'GET', type = 'application/json; charset=utf-8' } = {},
): string | null {
  const text = body === null ? '' : JSON.stringify(body);
  return faultOf({ method, url: `http://127.0.0.1${path}`, status, text, header: () => type });
}

describe('an answer held against the API document', () => {
  it('is described when status, content type and body are', () => {
    assert.equal(judged('/v1/measures?limit=1', 200, measures), null);
    assert.equal(judged('/v1/measures/7/data?from=x', 404, refusal), null);
    assert.equal(judged('/v1/measures', 200, null, { method: 'HEAD' }), null);
    assert.equal(judged('/scim/v2/Users/7', 204, null, { method: 'DELETE', type: '' }), null);
    assert.equal(judged('/v1/measures', 405, { ...refusal, status: 405 }, { method: 'POST' }), null);
  });

  const undescribed: readonly [string, string | null][] = [
    ['a status that the operation does not have', judged('/v1/measures', 404, refusal)],
    ['another content type', judged('/v1/measures', 200, measures, { type: 'text/plain' })],
    ['a member that is not named', judged('/v1/measures', 200, { ...measures, total: 1 })],
    ['a member that is missing', judged('/v1/measures', 200, { hasMore: false, links: [] })],
    ['a member of another type', judged('/v1/measures', 200, { ...measures, hasMore: 'no' })],
    ['no JSON', judged('/v1/measures', 200, null)],
    ['the error body of another area', judged('/v1/projects/7/definition', 404, refusal)],
    ['a body where there is none', judged('/scim/v2/Users/7', 204, {}, { method: 'DELETE' })],
    ['a success of a method that the path does not take', judged('/v1/measures', 200, {}, { method: 'PUT' })],
  ];
  for (const [what, fault] of undescribed)
    it(`is not described when it has ${what}`, () => assert.notEqual(fault, null));

  it('is nobody’s when the document has no such path', () => {
    assert.equal(judged('/nowhere', 418, {}), null);
  });
});
