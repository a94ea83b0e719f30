// The scores of what is answered in the preview, by the rules that score responses.

import { latentScore } from '../../../src/domain/feedback/score.ts';
import type { PreparedQuestion, PreparedSurvey } from '../../../src/domain/feedback/survey.ts';
import { contributionsOf } from '../../../src/domain/insight/trace.ts';
import { answersOfForm, faultsOfAnswers } from '../../../src/domain/pages/form-answers.ts';

export type PreviewFields = readonly (readonly [string, readonly string[]])[];

interface LiveQuestion {
  readonly id: string;
  readonly name: string;
  readonly state: 'counted' | 'dontKnow' | 'unanswered';
  readonly value: number | null;
  readonly normalised: number | null;
  readonly weight: number;
  readonly share: number | null;
  readonly contribution: number | null;
}

export interface LiveLatent {
  readonly id: string;
  readonly name: string;
  readonly score: number | null;
  readonly questions: readonly LiveQuestion[];
}

interface LiveScores {
  readonly latents: readonly LiveLatent[];
  readonly rating: number | null;
  /** Questions that are asked after these answers, and all there are. */
  readonly asked: number;
  readonly questions: number;
  /** Ids of questions that still need an answer. */
  readonly missing: number;
}

export function liveScores(survey: PreparedSurvey, fields: PreviewFields): LiveScores {
  const { answers, isAsked } = answersOfForm(survey, new Map(fields));
  const chosenOf = ({ id, answerByText }: PreparedQuestion): number =>
    answerByText.get(answers[id]?.[0] ?? '') ?? -1;
  const chosen = survey.questions.map((question) => (question.form === 'single' ? chosenOf(question) : -1));
  const { rating } = survey;
  const rated = rating === null ? null : rating.answers[chosen[rating.index]!]?.value;
  return {
    latents: survey.latents.map(({ latent, questions }) => {
      const score = latentScore({ latent, questions }, chosen);
      const counted = questions.flatMap((question) => {
        const normalised = question.normalised[chosen[question.index]!] ?? Number.NaN;
        return Number.isNaN(normalised) ? [] : [{ question, normalised }];
      });
      const weights = counted.reduce((sum, { question }) => sum + question.weight, 0);
      const parts = contributionsOf(score ?? 0, counted);
      return {
        id: latent.id,
        name: latent.name,
        score,
        questions: questions.map((question) => {
          const place = counted.findIndex((one) => one.question === question);
          const answer = chosen[question.index]!;
          const isCounted = place >= 0;
          return {
            id: question.id,
            name: question.question.name,
            state: isCounted ? 'counted' : answer >= 0 ? 'dontKnow' : 'unanswered',
            value: isCounted ? (question.answers[answer]!.value as number) : null,
            normalised: isCounted ? counted[place]!.normalised : null,
            weight: question.weight,
            share: isCounted ? question.weight / weights : null,
            contribution: isCounted ? parts[place]! : null,
          };
        }),
      };
    }),
    rating: typeof rated === 'number' ? rated : null,
    asked: isAsked.filter(Boolean).length,
    questions: survey.questions.length,
    missing: faultsOfAnswers(survey, answers).filter(({ code }) => code === 'REQUIRED').length,
  };
}
