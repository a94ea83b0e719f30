// Equality of answers with figures that were worked out in another way: numbers may differ in their last digits, all else is equal.

import assert from 'node:assert/strict';

const share = 1e-9;

/** A member that is `undefined` is one that is not there. */
export function assertNear(actual: unknown, expected: unknown, place = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const isNear = Math.abs(actual - expected) <= share * Math.max(1, Math.abs(expected));
    assert.ok(isNear, `${place}: ${actual} instead of ${expected}`);
    return;
  }
  if (!isObject(expected) || !isObject(actual)) {
    assert.deepEqual(
      actual,
      expected,
      `${place}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`,
    );
    return;
  }
  assert.equal(Array.isArray(actual), Array.isArray(expected), `${place} is a list, or not`);
  assert.deepEqual(namesOf(actual), namesOf(expected), `members of ${place || 'the whole'}`);
  for (const name of namesOf(expected)) assertNear(actual[name], expected[name], `${place}/${name}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function namesOf(value: Record<string, unknown>): string[] {
  return Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
}
