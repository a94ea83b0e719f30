// By which control of HTML a question is answered.

import type { PreparedQuestion } from '../feedback/survey.ts';

export type QuestionControl = 'scale' | 'stars' | 'radio' | 'select' | 'checkbox' | 'text' | 'textarea';

// Beyond this many steps a row of buttons is a wall of them: a list takes one line and one stop of the Tab key, and typing
// the number finds it (D-431).
const scaleStepsMax = 21;
const starsMax = 10;

export function controlOf({ question }: Pick<PreparedQuestion, 'question'>): QuestionControl {
  const { scale } = question;
  const isLong = scale !== null && scale.max - scale.min + 1 > scaleStepsMax;
  if (isLong) return 'select';
  if (!('responseType' in question)) return 'scale';
  switch (question.responseType) {
    case 'STAR_RATING':
      return scale !== null && scale.min >= 0 && scale.max <= starsMax ? 'stars' : 'scale';
    case 'NPS':
      return 'scale';
    case 'RADIO':
      return 'radio';
    case 'SELECT':
      return 'select';
    case 'CHECKBOX':
      return 'checkbox';
    case 'TEXT':
      return 'text';
    case 'TEXT_AREA':
      return 'textarea';
  }
}
