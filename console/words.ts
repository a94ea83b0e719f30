// What went wrong, in the language of the page.

import { noAnswer, Refusal } from './call.ts';
import { language } from './language.ts';
import { problemTexts } from './problem-texts.ts';

interface Words {
  readonly text: string;
  /** Where the text does not say it. */
  readonly toDo: string;
  readonly request: string | null;
}

export function wordsOf(error: unknown): Words {
  const { t } = problemTexts;
  if (typeof error === 'string') return { text: error, toDo: '', request: null };
  if (!(error instanceof Refusal)) return { text: t.failed, toDo: '', request: null };
  const { status, code, message, faults, requestId } = error;
  const known =
    wordsIn(t.problems, code) ||
    faults
      .map((fault) => wordsIn(t.faults, fault.code))
      .join(' ')
      .trim();
  // What is refused for want of a role is said in detail by the service, in English.
  const general = wordsIn(t.general, status >= 500 ? noAnswer : code);
  const said = language === 'en' || code === 'CONFLICT' ? message || general : general || message;
  const isConflict = known === '' && status === 409;
  return {
    text: known || said || t.failed,
    toDo: isConflict ? t.conflictToDo : '',
    request: requestId,
  };
}

function wordsIn(texts: Readonly<Record<string, string>>, code: string): string {
  return (Object.hasOwn(texts, code) && texts[code]) || '';
}
