// Lists that are shown some at a time.

import { CommandError } from './terminal.ts';

export function wholeNumber(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`${name} must be a whole number, not "${text}".`);
}

/** How many of a list are shown, and how to see the next ones. */
export function pageHint(what: string, shown: number, last: number, total: number): string {
  const more = last < total && shown > 0 ? `; go on with --start ${last + 1}` : '';
  return `${shown} of ${total} ${what}${more}.`;
}
