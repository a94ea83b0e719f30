// How long people took, counted in bins: four to each doubling, so that a bin is some 19 % wide whatever the length. The first bin
// begins at nothing and ends at one second, the last has no end.

import { completionBins } from './layout.ts';

const binsToDoubling = 4;

/** The bin of a time that was sent as `completionTimeInMs`; -1 for what is no time. */
export function completionBin(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return -1;
  const milliseconds = Number(text);
  if (milliseconds < 1_000) return 0;
  return Math.min(
    completionBins - 1,
    1 + Math.floor(binsToDoubling * Math.log2(milliseconds / 1_000) + 1e-9),
  );
}

/** Where a bin begins, in milliseconds. */
export function binBegin(bin: number): number {
  return bin === 0 ? 0 : 1_000 * 2 ** ((bin - 1) / binsToDoubling);
}
