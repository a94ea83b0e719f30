// What it takes to read all data of a range: how many pages are counted, how many bytes they have is estimated from a sample of rows
// that is spread over the range (D-507).

import type { Window } from '../window.ts';

interface PullCost {
  readonly rows: number;
  readonly pages: number;
  readonly requests: number;
  readonly bytes: number;
}

const windowCount = 16;
const windowRows = 8;
/** Up to so many rows all of them are read, and the bytes are no estimate. */
export const sampledRowsMax = windowCount * windowRows;
/** Once the sample has so many bytes no further window of it is read. */
export const sampledBytesMax = 8 * 1024 * 1024;
// Without a common divisor with the number of windows: whatever part of the sample is read first, it is spread over the range.
const stride = 7;

/** The rows of the sample, in the order in which they are read. */
export function sampleWindows(rows: number): readonly Window[] {
  if (rows === 0) return [];
  if (rows <= sampledRowsMax) return [{ skip: 0, take: rows }];
  return Array.from({ length: windowCount }, (_, index) => {
    const place = (index * stride) % windowCount;
    return { skip: Math.floor((place * (rows - windowRows)) / (windowCount - 1)), take: windowRows };
  });
}

export interface Sample {
  readonly rows: number;
  readonly bytes: number;
}

/** `frameBytes` is what one page has beside its items, and the commas between these. */
export function pullCost(rows: number, pageSize: number, sample: Sample, frameBytes: PageFrame): PullCost {
  const pages = Math.ceil(rows / pageSize);
  const requests = Math.max(1, pages);
  const items = sample.rows === 0 ? 0 : Math.round((sample.bytes / sample.rows) * rows);
  const commas = rows - pages;
  const frames = (requests - 1) * frameBytes.withMore + frameBytes.last;
  return { rows, pages, requests, bytes: items + commas + frames };
}

/** Bytes of a page without its items: of one that says that there is more, and of the last one. */
interface PageFrame {
  readonly withMore: number;
  readonly last: number;
}
