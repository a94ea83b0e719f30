// Where each figure of a version stands among its figures: a list of whole numbers, one list for each day and version. All of them
// are counts or sums, so lists are added number by number, and what was added can be taken away again.
//
// A layout depends on the version alone, and a version that has responses keeps its questions, answers and latents (D-30). Another
// order of figures is another form: `form` is counted up, and everything is added up anew from the log.

import type { PreparedQuestion, PreparedSurvey } from '../feedback/survey.ts';

/** The number of this form. */
export const form = 1;

/**
 * The forms that can be read, newest first. Whoever counts `form` up leaves the one before here, with its layout, for one release:
 * it answers until the new one has caught up, and erasures take answers out of both.
 */
export const readableForms: readonly number[] = [form];

/**
 * What is added up anew stands beside what answers meanwhile, as another build of the same form: its number is that of the form and
 * so many times this one. A release that knows nothing of builds takes it for a form that it cannot read (D-630).
 */
export const buildStep = 1_000_000;

/** The form of a build. */
export function formOfBuild(build: number): number {
  return build % buildStep;
}

/** The squares of a sum of micro-scores do not fit a double; see moments.ts. */
const sumPlaces = 5;
const pairPlaces = 12;

export const completionBins = 64;
/** More cells than this are not counted together. */
const topicCellsMax = 20_000;

interface LatentLayout {
  readonly id: string;
  /** n, the sum, and the three parts of the sum of squares. */
  readonly moments: number;
  /** The same of the responses that have a score of satisfaction too, of both, and of their products; -1 for satisfaction itself. */
  readonly pair: number;
}

export interface QuestionLayout {
  readonly question: PreparedQuestion;
  /** Asked and not answered. */
  readonly unanswered: number;
  readonly notAsked: number;
  /** An open question has one figure here, how often it was answered; others one for each answer. */
  readonly answers: number;
  /** Responses that chose any answer of a check box, which may choose several. */
  readonly answered: number;
}

interface SingleLayout {
  /** Of the question, among all of the version. */
  readonly index: number;
  readonly unanswered: number;
  readonly notAsked: number;
  readonly answers: number;
}

export interface FigureLayout {
  readonly survey: PreparedSurvey;
  /** How many figures there are. */
  readonly length: number;
  readonly latents: readonly LatentLayout[];
  /** Place among the latents; -1 where the version measures no satisfaction. */
  readonly satisfaction: number;
  /** In the order of the version's questions. */
  readonly questions: readonly QuestionLayout[];
  /** Those of them that take one answer, which are most, with what is needed of them at hand; and the others. */
  readonly singles: readonly SingleLayout[];
  readonly others: readonly QuestionLayout[];
  /** First of the bins of completion times (completion-times.ts). */
  readonly completion: number;
  /** Of a project: first of the counts by topic and rating, a row of ratings for each topic; -1 where they are not kept. */
  readonly topics: number;
}

/** All responses, erased ones too, and those that are not erased. */
export const responsesPlace = 0;
export const fullPlace = 1;

export function layoutOf(survey: PreparedSurvey): FigureLayout {
  let length = 2;
  const take = (count: number): number => {
    const first = length;
    length += count;
    return first;
  };
  const satisfaction = survey.latents.findIndex(({ latent }) => latent.type === 'SATISFACTION');
  const latents = survey.latents.map(({ latent: { id } }, index) => ({
    id,
    moments: take(sumPlaces),
    pair: satisfaction < 0 || index === satisfaction ? -1 : take(pairPlaces),
  }));
  const questions = survey.questions.map((question) => ({
    question,
    unanswered: take(1),
    notAsked: take(1),
    answers: take(question.form === 'open' ? 1 : question.answers.length),
    answered: question.form === 'multiple' ? take(1) : -1,
  }));
  const completion = take(completionBins);
  const { rating, topic } = survey;
  const hasTopics = rating !== null && topic !== null && topic.form === 'single' && rating.form === 'single';
  const cells = hasTopics ? topic.answers.length * rating.answers.length : 0;
  const topics = cells > 0 && cells <= topicCellsMax ? take(cells) : -1;
  const isSingle = ({ question }: QuestionLayout): boolean => question.form === 'single';
  const singles = questions
    .filter(isSingle)
    .map(({ question: { index }, unanswered, notAsked, answers }) => ({
      index,
      unanswered,
      notAsked,
      answers,
    }));
  const others = questions.filter((question) => !isSingle(question));
  return { survey, length, latents, satisfaction, questions, singles, others, completion, topics };
}
