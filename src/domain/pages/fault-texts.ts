// Faults of answers in the words of the page, by the question that each is about. The server says them under a form that it
// sends back, and the script before anything is sent.

import type { SurveyLanguage } from '../feedback/definition.ts';
import type { PreparedQuestion, PreparedSurvey } from '../feedback/survey.ts';
import type { Fault } from '../problem.ts';
import type { QuestionFault } from './form-answers.ts';
import { fill, type Messages } from './messages/messages.ts';

/** One sentence for each question, the first; what is about no question is left out. In the order of the questions. */
export function faultTexts(
  survey: PreparedSurvey,
  faults: readonly QuestionFault[],
  messages: Pick<Messages, 'faults'>,
  language: SurveyLanguage,
): ReadonlyMap<string, string> {
  const sentences: Readonly<Record<string, string>> = messages.faults;
  const texts = new Map<PreparedQuestion, string>();
  for (const { question: id, code } of faults) {
    const question = survey.byId.get(id);
    if (question === undefined || texts.has(question)) continue;
    const text = sentences[otherNames[code] ?? code] ?? messages.faults.INVALID;
    texts.set(question, fill(text, { max: question.maxLength }, language));
  }
  return new Map(
    [...texts].sort(([one], [other]) => one.index - other.index).map(([{ id }, text]) => [id, text]),
  );
}

/** The faults of what was sent, each with its question; '' for what is about none. */
export function byQuestion(survey: PreparedSurvey, faults: readonly Fault[]): readonly QuestionFault[] {
  return faults.map(({ field, code }) => {
    // `responses.ID`, or `responses.ID[0]` for one of its answers.
    const path = field.replace(/^responses\./, '');
    const question = survey.byId.get(path) ?? survey.byId.get(path.replace(/\[\d+\]$/, ''));
    return { question: question?.id ?? '', code };
  });
}

/** Codes whose sentence has another name than they have themselves. */
const otherNames: Readonly<Record<string, keyof Messages['faults']>> = {
  TEXT_TOO_LONG: 'TOO_LONG',
  OFF_SCALE: 'UNKNOWN_ANSWER',
};
