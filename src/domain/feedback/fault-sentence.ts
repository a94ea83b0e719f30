// A fault of a catalogue as files, terminals and the interface say it.

import { type CatalogueFault, type Phrase, worded } from './catalogue-fault.ts';
import { catalogueSentences } from './catalogue-sentences.ts';

export function faultSentence(fault: Phrase): string {
  return worded(catalogueSentences, fault) ?? fault.code;
}

/** A fault as one line for a terminal: `shop.yaml:12: accounts[0].id: ...`. */
export function faultLine(filename: string, fault: CatalogueFault): string {
  const path = fault.path === '' ? '' : `${fault.path}: `;
  return `${filename}:${fault.line}: ${path}${faultSentence(fault)}`;
}
