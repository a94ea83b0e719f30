// How long people took, counted in bins: four to each doubling, so that a bin is some 19 % wide whatever the length. The first bin
// begins at nothing and ends at one second, the last has no end.

import { completionBins } from './layout.ts';

const binsToDoubling = 4;

const digitsMax = 15;
const quote = 34;
const zero = 48;

/** The bin of a time that was sent as `completionTimeInMs`, as a row keeps it (`"1234"`); -1 for what is no time. */
export function completionBin(piece: string | undefined): number {
  if (piece === undefined) return -1;
  const end = piece.length - 1;
  if (end < 2 || end > 1 + digitsMax) return -1;
  if (piece.charCodeAt(0) !== quote || piece.charCodeAt(end) !== quote) return -1;
  let milliseconds = 0;
  for (let at = 1; at < end; at += 1) {
    const digit = piece.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return -1;
    milliseconds = milliseconds * 10 + digit;
  }
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
