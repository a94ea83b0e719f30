import assert from 'node:assert/strict';
import { it } from 'node:test';
import { measureDataLimits, pageWindow, projectDataLimits, rowWindow, windowOfStart } from './window.ts';

it('measure data counts pages of 25 unless told, and at most 100 [D-35]', () => {
  assert.deepEqual(pageWindow(undefined, undefined, measureDataLimits), { skip: 0, take: 25 });
  assert.deepEqual(pageWindow(3, 10, measureDataLimits), { skip: 30, take: 10 });
  assert.deepEqual(pageWindow(2 ** 52, 100, measureDataLimits), { skip: 2 ** 53 - 1, take: 100 });
  assert.equal(measureDataLimits.maxTake, 100);
});

it('project data counts rows, 100 unless told, and at most 1000 [D-39]', () => {
  assert.deepEqual(rowWindow(undefined, undefined, projectDataLimits), { skip: 0, take: 100 });
  assert.deepEqual(rowWindow(7, 1000, projectDataLimits), { skip: 7, take: 1000 });
  assert.equal(projectDataLimits.maxTake, 1000);
});

it('users are counted from 1, and everything is brought into bounds [D-54]', () => {
  assert.deepEqual(windowOfStart(undefined, undefined), { skip: 0, take: 100 });
  assert.deepEqual(windowOfStart(0, -5), { skip: 0, take: 0 });
  assert.deepEqual(windowOfStart(-3, 1000), { skip: 0, take: 200 });
  assert.deepEqual(windowOfStart(41, 20), { skip: 40, take: 20 });
  assert.deepEqual(windowOfStart(2 ** 60, 20), { skip: 2 ** 53 - 2, take: 20 });
});
