import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Fault } from './problem.ts';
import { measureDataLimits, pageWindow, projectDataLimits, rowWindow, windowOfStart } from './window.ts';

it('measure data counts pages of 25 unless told, and at most 100 [D-35]', () => {
  const faults: Fault[] = [];
  assert.deepEqual(pageWindow(undefined, undefined, measureDataLimits, faults), { skip: 0, take: 25 });
  assert.deepEqual(pageWindow(3, 10, measureDataLimits, faults), { skip: 30, take: 10 });
  assert.deepEqual(pageWindow(2 ** 52, 100, measureDataLimits, faults), { skip: 2 ** 53 - 1, take: 100 });
  assert.deepEqual(faults, []);
  pageWindow(-1, 101, measureDataLimits, faults);
  assert.deepEqual(
    faults.map(({ field }) => field),
    ['limit', 'offset'],
  );
});

it('project data counts rows, 100 unless told, and at most 1000 [D-39]', () => {
  const faults: Fault[] = [];
  assert.deepEqual(rowWindow(undefined, undefined, projectDataLimits, faults), { skip: 0, take: 100 });
  assert.deepEqual(rowWindow(7, 1000, projectDataLimits, faults), { skip: 7, take: 1000 });
  assert.deepEqual(faults, []);
  rowWindow(0, 0, projectDataLimits, faults);
  rowWindow(0.5, 1001, projectDataLimits, faults);
  assert.equal(faults.length, 3);
});

it('users are counted from 1, and everything is brought into bounds [D-54]', () => {
  assert.deepEqual(windowOfStart(undefined, undefined), { skip: 0, take: 100 });
  assert.deepEqual(windowOfStart(0, -5), { skip: 0, take: 0 });
  assert.deepEqual(windowOfStart(-3, 1000), { skip: 0, take: 200 });
  assert.deepEqual(windowOfStart(41, 20), { skip: 40, take: 20 });
  assert.deepEqual(windowOfStart(2 ** 60, 20), { skip: 2 ** 53 - 1, take: 20 });
});
