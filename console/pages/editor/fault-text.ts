// A fault of a draft in the language of the page.

import type { FaultTexts } from './faults/en.ts';
import { faultTexts } from './texts.ts';

interface Pattern {
  readonly test: RegExp;
  readonly says: string;
}

const known = new WeakMap<FaultTexts, readonly Pattern[]>();

/** A sentence that is not among them stays as it is. */
export function faultText(message: string, texts: FaultTexts = faultTexts.t): string {
  const patterns = known.get(texts) ?? patternsOf(texts);
  known.set(texts, patterns);
  return translated(message, patterns);
}

/** Those with more words of their own come first: others would fit too much. */
function patternsOf({ sentences }: FaultTexts): readonly Pattern[] {
  return Object.entries(sentences)
    .toSorted(([one], [other]) => ownLength(other) - ownLength(one))
    .map(([template, says]) => ({
      test: new RegExp(
        `^${template
          .split(/\{\d\}/)
          .map(escaped)
          .join('(.*)')}$`,
        's',
      ),
      says,
    }));
}

function ownLength(template: string): number {
  return template.replaceAll(/\{\d\}/g, '').length;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function translated(message: string, patterns: readonly Pattern[]): string {
  for (const { test, says } of patterns) {
    const found = test.exec(message);
    // What stands in a sentence may be one of them again, such as what a member may be.
    if (found !== null)
      return says.replaceAll(/\{(\d)\}/g, (_, at) => translated(found[Number(at) + 1] ?? '', patterns));
  }
  return message;
}
