// From the fields of a form to the answers that are judged. The script of the page and the server both come this way, so
// what passed on the page is what is judged when it arrives, and with and without scripts the same is kept (D-441).

import { judgeAnswers } from '../feedback/answers.ts';
import { type PreparedSurvey, settleVisibility } from '../feedback/survey.ts';
import type { Fault } from '../problem.ts';
import { type FormFields, questionPrefix } from './form-fields.ts';

interface FormAnswers {
  /** By the id of the question; none is empty. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** By the index of the question. */
  readonly isAsked: readonly boolean[];
}

/** Answers to questions that are not asked are dropped: a page without `:has()` shows them, and people may change their mind. */
export function answersOfForm(survey: PreparedSurvey, fields: FormFields): FormAnswers {
  const given: [string, readonly string[]][] = survey.questions.flatMap(({ id, form }) => {
    const sent = fields.get(questionPrefix + id) ?? [];
    // The id of an answer may begin or end with a blank.
    const texts = (form === 'open' ? sent.map(plainText) : sent).filter((text) => text !== '');
    return texts.length === 0 ? [] : [[id, texts]];
  });
  const isAsked = askedAfter(survey, Object.fromEntries(given));
  const answers = Object.fromEntries(given.filter(([id]) => isAsked[survey.byId.get(id)!.index]));
  return { answers, isAsked };
}

/** A fault that is told beside its question. */
export interface QuestionFault {
  readonly question: string;
  readonly code: Fault['code'];
}

/** What is wrong with the answers. Whoever keeps them judges them anyway, so this is asked apart. */
export function faultsOfAnswers(
  survey: PreparedSurvey,
  answers: FormAnswers['answers'],
): readonly QuestionFault[] {
  const faults: QuestionFault[] = [];
  judgeAnswers(survey, answers, (code, question) => faults.push({ question, code }));
  return faults;
}

/**
 * A form that a browser sends has CR LF for every line break and no lone surrogates; a script has LF and whatever was typed.
 * Blanks around an answer mean nothing.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?/g, '\n').trim();
}

function askedAfter(survey: PreparedSurvey, answers: FormAnswers['answers']): boolean[] {
  const isAsked: boolean[] = new Array(survey.questions.length).fill(true);
  const { chosen, several, texts } = judgeAnswers(survey, answers, () => {});
  settleVisibility(survey, chosen, several, texts, isAsked);
  return isAsked;
}
