// A response as it was asked: the questions of its version in the order and sections of its page, what became of each, and what was
// answered, in words. Pure, from a row that was read (given-answers.ts).

import { sectionsOf } from '../pages/survey-texts.ts';
import type { GivenRow } from './given-answers.ts';
import { type TracedRule, traceRow } from './trace.ts';

export const askedStates = ['answered', 'dontKnow', 'unanswered', 'notAsked', 'erased'] as const;

interface AskedQuestion {
  readonly id: string;
  readonly name: string;
  readonly phrase: string;
  readonly help: string | null;
  readonly responseType: string;
  /** The latent that it measures. */
  readonly latent: string | null;
  readonly state: (typeof askedStates)[number];
  /** In words; of a number on a scale also its ends. */
  readonly answers: readonly string[];
  readonly scale: { readonly min: number; readonly max: number } | null;
  /** Of a question that is not always asked: one rule that holds is enough. */
  readonly rules?: readonly AskedRule[];
}

interface AskedRule extends TracedRule {
  /** Its answer as it was to be read. */
  readonly answerText: string;
}

interface AskedSection {
  readonly title: string | null;
  readonly questions: readonly AskedQuestion[];
}

export function askedSections(row: GivenRow): readonly AskedSection[] {
  const questions = askedQuestions(row);
  return sectionsOf(row.survey.definition)
    .map(({ title, questions: ids }) => ({
      title: title ?? null,
      questions: ids.flatMap((id) => questions.get(id) ?? []),
    }))
    .filter((section) => section.questions.length > 0);
}

function askedQuestions(row: GivenRow): ReadonlyMap<string, AskedQuestion> {
  const { latents, questions } = traceRow(row);
  const latentOf = new Map(latents.flatMap((latent) => latent.questions.map(({ id }) => [id, latent.id])));
  const measured = new Map(latents.flatMap((latent) => latent.questions.map((one) => [one.id, one.state])));
  const custom = new Map(questions.map((one) => [one.id, one]));
  const sources = new Map(row.survey.questions.map((one) => [one.id, one]));
  const inWords = (rule: TracedRule): AskedRule => {
    const source = sources.get(rule.question);
    const place = source?.answerByText.get(String(rule.answer));
    const text = place === undefined ? undefined : source?.answers[place]?.text;
    return { ...rule, answerText: text ?? String(rule.answer) };
  };
  return new Map(
    row.survey.questions.map((prepared) => {
      const { id, question } = prepared;
      const { name, phrase, help = null, scale } = question;
      const traced = custom.get(id);
      const ofMeasured = measured.get(id);
      const state = ofMeasured === 'counted' ? 'answered' : (ofMeasured ?? traced?.state ?? 'unanswered');
      return [
        id,
        {
          ...{ id, name, phrase, help, state },
          responseType: 'responseType' in question ? question.responseType : 'MEASURED_QUESTION',
          latent: latentOf.get(id) ?? null,
          answers: row.isErased ? [] : answersIn(row, prepared),
          scale: scale === null ? null : { min: scale.min, max: scale.max },
          ...(traced?.rules === undefined ? {} : { rules: traced.rules.map(inWords) }),
        },
      ];
    }),
  );
}

function answersIn(row: GivenRow, { form, index, answers }: GivenRow['survey']['questions'][number]) {
  if (form === 'open') return row.texts[index] === undefined ? [] : [row.texts[index]];
  const chosen = form === 'single' ? [row.chosen[index]!] : (row.several[index] ?? []);
  return chosen.flatMap((one) => answers[one]?.text ?? []);
}
