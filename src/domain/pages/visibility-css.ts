// The rules of a survey as CSS, so that questions come and go without scripts: a question is hidden unless the form has
// (`:has()`) one of the answers that let it be asked. A rule counts only while its source is itself asked (D-42), so the
// conditions of the source stand beside those of the rule.
//
// Three things cannot be said in CSS, and such a question is shown after the first send instead: a rule on open text, which no
// selector sees; more than 64 selectors, as chains of long lists would need; and where there is no `:has()`, everything is shown
// and the server drops what was not asked (D-432).

import type { PreparedQuestion, PreparedRule, PreparedSurvey } from '../feedback/survey.ts';
import { questionPrefix } from './form-fields.ts';
import { controlOf } from './question-control.ts';
import { sectionsOf } from './survey-texts.ts';

export interface VisibilityRules {
  /** For a form with the class `survey`. */
  readonly css: string;
  /** Questions that are hidden by their attribute, and shown by the server or the script. */
  readonly shownAfterSend: ReadonlySet<string>;
}

const selectorsMax = 64;
const sectionSelectorsMax = 256;

/** Holds where one of these answers is given; without answers, where the question is shown at all. */
interface Condition {
  readonly source: PreparedQuestion;
  readonly answers: readonly number[] | null;
}

/** All of its conditions hold. */
type Way = readonly Condition[];

export function visibilityRules(survey: PreparedSurvey): VisibilityRules {
  const waysOf = new Map<PreparedQuestion, readonly Way[]>();
  const shownAfterSend = new Set<string>();
  const lines: string[] = [];
  for (const question of survey.conditional) {
    const ways = waysTo(question, waysOf);
    if (ways === null || selectorsIn(ways) > selectorsMax) {
      shownAfterSend.add(question.id);
      waysOf.set(question, [[{ source: question, answers: null }]]);
      continue;
    }
    waysOf.set(question, ways);
    lines.push(hiddenUnless(ways, `[data-question=${cssText(question.id)}]`));
  }
  for (const [index, { questions }] of sectionsOf(survey.definition).entries()) {
    // A heading without a question below it would only puzzle.
    const ways = questions.map((id) => waysOf.get(survey.byId.get(id)!));
    if (ways.length === 0 || !ways.every((each) => each !== undefined)) continue;
    const all = ways.flat();
    if (selectorsIn(all) <= sectionSelectorsMax) lines.push(hiddenUnless(all, `[data-section="${index}"]`));
  }
  const css = lines.length === 0 ? '' : `@supports selector(:has(a)){${lines.join('')}}`;
  return { css, shownAfterSend };
}

/** Every way in which the question comes to be asked; null where one of them cannot be told by selectors. */
function waysTo(
  question: PreparedQuestion,
  waysOf: ReadonlyMap<PreparedQuestion, readonly Way[]>,
): readonly Way[] | null {
  const ways: Way[] = [];
  for (const [source, rules] of Map.groupBy(question.rules, (rule) => rule.source)) {
    if (source.form === 'open') return null;
    const answers = matchingAnswers(source, rules);
    if (answers.length === 0) continue;
    const condition = { source, answers };
    const before = waysOf.get(source) ?? [[]];
    // Ways multiply along chains: this many are beyond the bound already.
    if (before.length > selectorsMax) return null;
    ways.push(...before.map((way) => [...way, condition]));
  }
  return ways;
}

function matchingAnswers(source: PreparedQuestion, rules: readonly PreparedRule[]): readonly number[] {
  return source.answers.flatMap((_, answer) =>
    rules.some(({ matches }) => matches[answer] === true) ? [answer] : [],
  );
}

function selectorsIn(ways: readonly Way[]): number {
  return ways.flat().reduce((sum, { answers }) => sum + (answers?.length ?? 1), 0);
}

function hiddenUnless(ways: readonly Way[], target: string): string {
  const has = ways.map((way) => way.map((condition) => `:has(${selectorOf(condition)})`).join(''));
  const unless = has.length === 0 ? '' : `:not(${has.join(',')})`;
  return `.survey${unless} ${target}{display:none}`;
}

function selectorOf({ source, answers }: Condition): string {
  if (answers === null) return `[data-question=${cssText(source.id)}]:not([hidden])`;
  const values = answers.map((answer) => `[value=${cssText(source.answers[answer]!.id)}]`);
  const value = values.length === 1 ? values[0] : `:is(${values.join(',')})`;
  const field = `[name=${cssText(questionPrefix + source.id)}]`;
  return controlOf(source) === 'select' ? `${field} ${value}:checked` : `${field}${value}:checked`;
}

/** A text in quotes; ids hold any character, so each that is not plain is written as its number. */
function cssText(text: string): string {
  const plain = text.replaceAll(/[^\w.-]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `);
  return `"${plain}"`;
}
