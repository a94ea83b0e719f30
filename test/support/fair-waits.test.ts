import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fairWaits } from './fair-waits.ts';

it('of a wait the time is taken off in which a server that does nothing was late too, or there was no processor [D-403]', () => {
  const wait = (fromMs: number, toMs: number, unscheduledMs = 0) => ({ fromMs, toMs, unscheduledMs });
  const standstills = [
    { fromMs: 100, toMs: 400 },
    { fromMs: 900, toMs: 1_000 },
  ];
  const waits = [
    // Before, across the beginning, across the end, within, across both, and after them.
    [wait(0, 80), 80],
    [wait(50, 150), 50],
    [wait(350, 450), 50],
    [wait(150, 250), 0],
    [wait(0, 1_200), 800],
    [wait(1_000, 1_300), 300],
    // The longer of the two counts, and never more than the wait.
    [wait(50, 450, 350), 50],
    [wait(50, 450, 20), 100],
    [wait(1_000, 1_100, 500), 0],
  ] as const;
  assert.deepEqual(
    fairWaits(
      waits.map(([one]) => one),
      standstills,
    ),
    waits.map(([, fairMs]) => fairMs),
  );
});
