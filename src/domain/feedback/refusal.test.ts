import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FaultCode } from '../fault-codes.ts';
import { Problem } from '../problem.ts';
import { briefFaults, causeOf } from './refusal.ts';

const fault = (field: string, code: FaultCode = 'REQUIRED') => ({
  field,
  code,
  message: `${field} is wrong`,
});

it('a response that is not valid is counted under its first fault, everything else under its code [D-285]', () => {
  const details = [fault('responses.Q', 'UNKNOWN_QUESTION'), fault('responses.P')];
  assert.equal(causeOf(new Problem('INVALID_RESPONSE', '', { details })), 'UNKNOWN_QUESTION');
  assert.equal(causeOf(new Problem('RESPONSE_CONFLICT', '', { details })), 'RESPONSE_CONFLICT');
  assert.equal(causeOf(new Problem('INVALID_RESPONSE', '')), 'INVALID_RESPONSE');
});

it('of a fault the code and 200 characters of the path are kept, and no sentence [D-286]', () => {
  const long = `responses.${'x'.repeat(5_000)}`;
  const { faults, more } = briefFaults([fault('responses.Q'), fault(long, 'UNKNOWN_QUESTION')]);
  assert.deepEqual(faults, [
    { field: 'responses.Q', code: 'REQUIRED' },
    { field: `${long.slice(0, 200)}…`, code: 'UNKNOWN_QUESTION' },
  ]);
  assert.equal(more, 0);
});

it('twenty faults are kept and the others counted [D-286]', () => {
  const { faults, more } = briefFaults(
    Array.from({ length: 1_000 }, (_, index) => fault(`responses.Q${index}`)),
  );
  assert.deepEqual([faults.length, more], [20, 980]);
});

it('what is kept of one refusal has at most some four thousand characters, whatever has to be escaped in it [D-286]', () => {
  const details = Array.from({ length: 20 }, () => fault('\u0001'.repeat(400)));
  const { faults, more } = briefFaults(details);
  assert.equal(faults.length + more, 20);
  assert.ok(JSON.stringify(faults).length <= 4_200);
  assert.ok(faults.length > 1);
});
