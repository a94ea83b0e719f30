// Moments as text. Pages of rows are full of them, so they are written byte by byte.

import { dayMs, dayOf, dayText } from './dates.ts';

const zero = 48;

/** The moment as ISO 8601 in UTC with milliseconds, like `Date.prototype.toISOString`. */
export function momentText(epochMs: number): string {
  const bytes = Buffer.allocUnsafe(momentBytes);
  writeMoment(bytes, 0, epochMs);
  return bytes.toString('latin1');
}

/** How many bytes a moment has: its day has the first ten. */
export const momentBytes = 24;

/** Writes the moment as text of ASCII into bytes that have room for it. */
export function writeMoment(target: Uint8Array, at: number, epochMs: number): void {
  const day = dayOf(epochMs);
  // Writing the date is most of the work, and pages of one range have the same days over and over.
  const place = day & (dayPlaces - 1);
  const from = place * dayTextBytes;
  if (daysKnown[place] !== day) {
    daysKnown[place] = day;
    dayTexts.write(dayText(day), from, 'latin1');
  }
  for (let index = 0; index < dayTextBytes; index += 1) target[at + index] = dayTexts[from + index] as number;
  const ms = epochMs - day * dayMs;
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const thousandths = ms % 1000;
  const tens = Math.floor(thousandths / 10);
  target[at + 10] = 84; // T
  writeTwo(target, at + 11, hours);
  target[at + 13] = 58; // :
  writeTwo(target, at + 14, minutes - hours * 60);
  target[at + 16] = 58;
  writeTwo(target, at + 17, Math.floor(ms / 1000) - minutes * 60);
  target[at + 19] = 46; // .
  writeTwo(target, at + 20, tens);
  target[at + 22] = zero + thousandths - tens * 10;
  target[at + 23] = 90; // Z
}

// More than ten years of days, each at a place of its own.
const dayPlaces = 4096;
const dayTextBytes = 10;
const daysKnown = new Int32Array(dayPlaces).fill(-(2 ** 31));
const dayTexts = Buffer.alloc(dayPlaces * dayTextBytes);

function writeTwo(target: Uint8Array, at: number, number: number): void {
  const ten = Math.floor(number / 10);
  target[at] = zero + ten;
  target[at + 1] = zero + number - ten * 10;
}
