// Whether the rules of a survey can be followed: every source exists, every answer can be given, and no
// question waits for itself (D-42).

import { type Interruptible, inOneGo } from '../interruptible.ts';
import { phrase } from './catalogue-fault.ts';
import type { FileNode } from './catalogue-file.ts';
import {
  answersOf,
  type CustomQuestion,
  type MeasuredQuestion,
  type SurveyDefinition,
} from './definition.ts';

/** Names every rule that leads nowhere. `places` are those of the custom questions in the file. */
export function* checkRules(survey: SurveyDefinition, places: readonly FileNode[]): Interruptible<void> {
  // Something under questions was no question at all: that fault is known, and places would not match.
  if (places.length !== survey.questions.length) return;
  const sources = new Map<string, MeasuredQuestion | CustomQuestion>();
  for (const latent of survey.latents) {
    for (const question of latent.questions) sources.set(question.id, question);
  }
  for (const question of survey.questions) sources.set(question.id, question);

  for (const [index, question] of survey.questions.entries()) {
    const rulePlaces = places[index]?.list('rules') ?? [];
    yield;
    for (const [ruleIndex, rule] of question.rules.entries()) {
      const place = rulePlaces[ruleIndex];
      const source = sources.get(rule.question);
      if (place === undefined || rule.question === '') continue;
      if (source === undefined) {
        place.at('question').fault(phrase('ruleWithoutQuestion', { question: rule.question }));
        continue;
      }
      const isText = 'responseType' in source && source.responseType.startsWith('TEXT');
      if (rule.operator === 'lt' || rule.operator === 'gt') {
        if (isText)
          place.at('operator').fault(phrase('ruleOnText', { operator: rule.operator, question: source.id }));
        if (!isNumberText(rule.answer)) {
          place
            .at('answer')
            .fault(phrase('ruleWithoutNumber', { operator: rule.operator, answer: rule.answer }));
        }
      } else if (rule.operator === 'equals' && !isText && !offers(source, rule.answer)) {
        place.at('answer').fault(phrase('ruleWithoutAnswer', { question: source.id, answer: rule.answer }));
      }
    }
  }
  yield* checkCycles(survey, places);
}

interface RuleOrder {
  readonly order: readonly CustomQuestion[];
  readonly cyclic: readonly CustomQuestion[];
}

/** Custom questions in an order in which every source stands before those that wait for it. */
export function questionsInRuleOrder(survey: SurveyDefinition): RuleOrder {
  return inOneGo(ruleOrder(survey));
}

function* ruleOrder(survey: SurveyDefinition): Interruptible<RuleOrder> {
  const waiting = new Map(survey.questions.map((question) => [question.id, question]));
  const order: CustomQuestion[] = [];
  for (let before = -1; waiting.size > 0 && waiting.size !== before; ) {
    before = waiting.size;
    yield;
    for (const question of waiting.values()) {
      if (question.rules.some((rule) => waiting.has(rule.question))) continue;
      waiting.delete(question.id);
      order.push(question);
    }
  }
  return { order, cyclic: [...waiting.values()] };
}

function* checkCycles(survey: SurveyDefinition, places: readonly FileNode[]): Interruptible<void> {
  const { cyclic } = yield* ruleOrder(survey);
  const ids = cyclic.map((question) => question.id).join(', ');
  for (const question of cyclic) {
    const place = places[survey.questions.indexOf(question)];
    place?.at('rules').fault(phrase('rulesInCircle', { questions: ids }));
  }
}

function offers(source: MeasuredQuestion | CustomQuestion, wanted: string | number): boolean {
  return answersOf(source).some(
    ({ id, value }) => id === `${wanted}` || (value !== null && `${value}` === `${wanted}`),
  );
}

function isNumberText(value: string | number): boolean {
  return typeof value === 'number' || (value.trim() !== '' && Number.isFinite(Number(value)));
}
