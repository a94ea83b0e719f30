// The faults of answers, in the sentences of the API. They name the place and never the answer: what people say does not
// belong in an error.

import type { Fault } from '../problem.ts';
import type { OnAnswerFault, SentAnswers } from './answers.ts';
import { addFault, shortened } from './draft-faults.ts';
import type { PreparedQuestion, PreparedSurvey } from './survey.ts';

/** Adds each fault of the answers to the list. */
export function intoFaults(survey: PreparedSurvey, answers: SentAnswers, faults: Fault[]): OnAnswerFault {
  return (code, id, position) => {
    const field = `responses.${id}${position === undefined ? '' : `[${position}]`}`;
    const question = survey.byId.get(id);
    const message =
      question === undefined
        ? `The survey has no question ${shortened(id)}.`
        : sentence(code, question, answers[id]?.length ?? 0);
    addFault(faults, field, code, message);
  };
}

function sentence(code: Fault['code'], { id, maxLength, question }: PreparedQuestion, sent: number): string {
  switch (code) {
    case 'TOO_MANY_ANSWERS':
      return `${id} takes one answer, not ${sent}.`;
    case 'TEXT_TOO_LONG':
      return `The text for ${id} is longer than ${maxLength} characters.`;
    case 'OFF_SCALE':
      return `The answer is not on the scale of ${id}, ${question.scale?.min} to ${question.scale?.max}.`;
    case 'HIDDEN_QUESTION':
      return `${id} is not asked after these answers, so it cannot be answered.`;
    case 'REQUIRED':
      return `${id} needs an answer.`;
    default:
      return `${id} has no answer with this id or value.`;
  }
}
