// The answers of a draft, judged by the questions of its survey: whether each can be taken, which questions are asked after
// them, and whether those that need an answer have one (D-42). Browsers run it too, before they send, so nothing is imported
// here that is not needed for it, and the sentences of the API are made elsewhere, by `answer-faults.ts`.

import type { Fault } from '../problem.ts';
import { isLongerThan } from './draft-faults.ts';
import { type PreparedQuestion, type PreparedSurvey, settleVisibility } from './survey.ts';

/** As sent, by the id of the question. */
export type SentAnswers = Readonly<Record<string, readonly string[]>>;

/** What was answered, by the index of the question. */
export interface GivenAnswers {
  /** The answer of a question that takes one; -1 for none. */
  readonly chosen: number[];
  readonly several: (readonly number[] | undefined)[];
  readonly texts: (string | undefined)[];
  /** Questions whose answers have faults; made when the first one is found. */
  isDoubtful: boolean[] | null;
}

/** Is told each fault: its code, the id of the question as sent, and the place of the answer where it is about one. */
export type OnAnswerFault = (code: Fault['code'], id: string, position?: number) => void;

/** Takes what can be taken; all faults are found at once (D-22, D-42). */
export function judgeAnswers(
  survey: PreparedSurvey,
  answers: SentAnswers,
  onFault: OnAnswerFault,
): GivenAnswers {
  const count = survey.questions.length;
  const given: GivenAnswers = {
    chosen: new Array(count).fill(-1),
    several: new Array(count).fill(undefined),
    texts: new Array(count).fill(undefined),
    isDoubtful: null,
  };
  for (const id in answers) {
    const question = survey.byId.get(id);
    if (question === undefined) onFault('UNKNOWN_QUESTION', id);
    else takeAnswers(question, answers[id] ?? [], given, onFault);
  }
  checkVisibility(survey, answers, given, onFault);
  return given;
}

function takeAnswers(
  question: PreparedQuestion,
  answers: readonly string[],
  given: GivenAnswers,
  onFault: OnAnswerFault,
): void {
  if (answers.length === 0) return;
  const { id, index } = question;
  if (question.form === 'multiple') {
    given.several[index] = takeSeveral(question, answers, given, onFault);
    return;
  }
  if (answers.length > 1) {
    given.isDoubtful = doubt(given, index);
    onFault('TOO_MANY_ANSWERS', id);
    return;
  }
  const text = answers[0] as string;
  if (question.form === 'single') {
    const answer = question.answerByText.get(text);
    if (answer !== undefined) given.chosen[index] = answer;
    else refuseAnswer(question, text, 0, given, onFault);
    return;
  }
  if (isLongerThan(text, question.maxLength)) {
    given.isDoubtful = doubt(given, index);
    onFault('TEXT_TOO_LONG', id, 0);
    return;
  }
  // Blank text is no answer: it neither meets a requirement nor makes a row.
  if (text.trim() !== '') given.texts[index] = text;
}

// The answers of a check box as sent; one that is named twice counts once.
function takeSeveral(
  question: PreparedQuestion,
  answers: readonly string[],
  given: GivenAnswers,
  onFault: OnAnswerFault,
): readonly number[] {
  const several: number[] = [];
  for (const [position, text] of answers.entries()) {
    const answer = question.answerByText.get(text);
    if (answer === undefined) refuseAnswer(question, text, position, given, onFault);
    else if (!several.includes(answer)) several.push(answer);
  }
  return several;
}

function refuseAnswer(
  question: PreparedQuestion,
  text: string,
  position: number,
  given: GivenAnswers,
  onFault: OnAnswerFault,
): void {
  given.isDoubtful = doubt(given, question.index);
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  const code = isNumber && question.question.scale !== null ? 'OFF_SCALE' : 'UNKNOWN_ANSWER';
  onFault(code, question.id, position);
}

// `required` binds only visible questions, and a hidden one may not be answered (D-42). Questions that hang on
// an answer with a fault are passed over: what is wrong with them cannot be known before that is mended.
function checkVisibility(
  survey: PreparedSurvey,
  answers: SentAnswers,
  given: GivenAnswers,
  onFault: OnAnswerFault,
): void {
  const isAsked: boolean[] = new Array(survey.questions.length).fill(true);
  const { isDoubtful } = given;
  if (survey.conditional.length > 0) {
    settleVisibility(survey, given.chosen, given.several, given.texts, isAsked);
    for (const question of survey.conditional) {
      if (isDoubtful !== null && hangsOnDoubt(question, isDoubtful)) {
        isDoubtful[question.index] = true;
      } else if (!isAsked[question.index] && isAnswered(question, given, answers)) {
        onFault('HIDDEN_QUESTION', question.id);
      }
    }
  }
  for (const question of survey.required) {
    if (!isAsked[question.index] || isAnswered(question, given, null)) continue;
    if (isDoubtful?.[question.index] === true) continue;
    onFault('REQUIRED', question.id);
  }
}

function hangsOnDoubt(question: PreparedQuestion, isDoubtful: readonly boolean[]): boolean {
  return question.rules.some(({ source }) => isDoubtful[source.index] === true);
}

// With what was sent at hand an answer counts even if it had a fault of its own.
function isAnswered({ id, index }: PreparedQuestion, given: GivenAnswers, sent: SentAnswers | null): boolean {
  if ((given.chosen[index] as number) >= 0 || given.texts[index] !== undefined) return true;
  if ((given.several[index]?.length ?? 0) > 0) return true;
  return sent !== null && given.isDoubtful?.[index] === true && (sent[id]?.length ?? 0) > 0;
}

function doubt(given: GivenAnswers, index: number): boolean[] {
  const isDoubtful = given.isDoubtful ?? new Array<boolean>(given.chosen.length).fill(false);
  isDoubtful[index] = true;
  return isDoubtful;
}
