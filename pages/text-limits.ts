// How much may still be written, counted as the server counts: by characters, without blanks around the text.

import type { PreparedSurvey } from '../src/domain/feedback/survey.ts';
import { plainText } from '../src/domain/pages/form-answers.ts';
import { plural } from '../src/domain/pages/messages/messages.ts';
import type { ScriptData } from '../src/domain/pages/script-data.ts';

const nearEnd = 20;

/** Hands back what counts again. */
export function countCharacters(
  survey: PreparedSurvey,
  boxOf: ReadonlyMap<string, HTMLElement>,
  { messages, language }: ScriptData,
): readonly (() => void)[] {
  return survey.questions.flatMap(({ id, form, maxLength }) => {
    const box = form === 'open' ? boxOf.get(id) : undefined;
    const control = box?.querySelector<HTMLTextAreaElement>('[id^=q-]');
    // The browser would count an emoji twice, and cut off without a word what somebody pastes.
    control?.removeAttribute('maxlength');
    const limit = box?.querySelector<HTMLElement>('.limit');
    if (control == null || limit == null) return [];
    return [
      () => {
        const left = maxLength - [...plainText(control.value)].length;
        const text =
          left < 0
            ? plural(messages.charactersOver, -left, language)
            : plural(messages.charactersLeft, left, language);
        // Said aloud only when it matters.
        limit.ariaLive = left < nearEnd ? 'polite' : 'off';
        if (limit.textContent !== text) limit.textContent = text;
      },
    ];
  });
}
