// A fault of a draft in the language of the page, whether the browser found it or the service (D-1041).

import { type Phrase, worded } from '../../../src/domain/feedback/catalogue-fault.ts';
import type { FaultTexts } from './faults/en.ts';
import { faultTexts } from './texts.ts';

interface ToldFault extends Phrase {
  /** Of what the service has found, in the words of the service. */
  readonly message?: string;
}

/** What a later release has found, and what is said of files alone, stays in the words of the service. */
export function faultText(fault: ToldFault, texts: FaultTexts = faultTexts.t): string {
  return worded(texts.sentences, fault) ?? fault.message ?? fault.code;
}
