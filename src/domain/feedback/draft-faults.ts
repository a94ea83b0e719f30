// Faults of what was sent, and the words that all of them are made with.

import type { Fault } from '../problem.ts';

const maxFaults = 1000;

/** Adds a fault. A hostile body could have as many as it has bytes, so the list ends somewhere. */
export function addFault(faults: Fault[], field: string, code: Fault['code'], message: string): void {
  if (faults.length < maxFaults) faults.push({ field, code, message });
  else if (faults.length === maxFaults) {
    faults.push({
      field: '',
      code: 'MORE_FAULTS',
      message: `Only the first ${maxFaults} faults are listed.`,
    });
  }
}

/** Whether nothing more is listed: whoever has many to tell need not word them. */
export function isFull(faults: readonly Fault[]): boolean {
  return faults.length > maxFaults;
}

/** Whether a text has more characters than this; a character outside the first plane counts as one. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > max;
}

/** A name that a caller chose, as part of a sentence. */
export function shortened(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 80).toWellFormed()}...`;
}
