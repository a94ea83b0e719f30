// The form of a survey as HTML: one renderer for the page, the popover, the inline form and the preview. It works without
// scripts and styles: native controls, labels and legends. It is pure, and everything that somebody wrote is escaped.

import type { SurveyLanguage } from '../feedback/definition.ts';
import type { PreparedQuestion, PreparedSurvey } from '../feedback/survey.ts';
import type { Interruptible } from '../interruptible.ts';
import {
  type FormFields,
  honeypotField,
  languageField,
  parameterPrefix,
  questionPrefix,
  shownField,
  testField,
  tokenField,
  workField,
} from './form-fields.ts';
import { elementName, escaped, textElement } from './html.ts';
import { fill, type Messages, numberText, plural } from './messages/messages.ts';
import { controlOf, type QuestionControl } from './question-control.ts';
import type { QuestionTexts, SectionTexts, ShownText, SurveyTexts } from './survey-texts.ts';

export interface FormInput {
  readonly prepared: PreparedSurvey;
  readonly texts: SurveyTexts;
  readonly messages: Messages;
  readonly language: SurveyLanguage;
  /** Where the form is sent to. */
  readonly action: string;
  /** Of this sending; or a mark in its place, where the page is kept and the token is put in later. */
  readonly token: string;
  /** Of `visibilityRules`: these are rendered hidden, unless they are asked by now. */
  readonly shownAfterSend: ReadonlySet<string>;
  readonly asked?: ReadonlySet<string>;
  /** What was answered before, under the names of the fields. */
  readonly given?: FormFields;
  /** What is wrong, by the id of the question, as a sentence in the language of the page. */
  readonly faults?: ReadonlyMap<string, string>;
  /** What is wrong with none of the questions, or to be known before sending again. */
  readonly notices?: readonly string[];
  readonly isTest?: boolean;
  /** The challenge that a browser without scripts brings back after it has waited. */
  readonly work?: string;
}

/** One question after the other: five hundred of them take longer than the others of a server may wait. */
export function* formInPieces(input: FormInput): Interruptible<string> {
  const { prepared, texts, messages, language, action, token, isTest = false, given, work } = input;
  const { definition } = prepared;
  const hasRequired = prepared.required.length > 0;
  const sections: string[] = [];
  for (const [index, section] of texts.sections.entries())
    sections.push(yield* sectionInPieces(section, index, input));
  const parts = [
    `<form class="survey" method="post" action="${escaped(action)}" accept-charset="utf-8"`,
    ` data-survey="${escaped(definition.id)}" data-version="${definition.version}"`,
    // The style sheet shows the first step alone from the first paint on, where a script will make steps of the sections.
    texts.sections.length > 1 ? ' data-steps>' : '>',
    summaryHtml(input),
    hasRequired ? `<p class="required-note">${escaped(messages.requiredNote)}</p>` : '',
    ...sections,
    // People do not see it and cannot reach it; a program that fills in every field gives itself away.
    `<p class="honeypot" aria-hidden="true"><label>${escaped(messages.honeypot)} `,
    `<input type="text" name="${honeypotField}" tabindex="-1" autocomplete="off"></label></p>`,
    hiddenField(languageField, language),
    isTest ? hiddenField(testField, '1') : '',
    work === undefined ? '' : hiddenField(workField, work),
    ...parametersOf(given).map(([name, value]) => hiddenField(name, value)),
    `<p class="actions"><button class="send" type="submit">${escaped(messages.send)}</button></p>`,
    // Last, so that what stands before it is the same for everybody.
    hiddenField(tokenField, token),
    '</form>',
  ];
  return parts.join('');
}

function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;
}

function parametersOf(given: FormFields | undefined): readonly (readonly [string, string])[] {
  return [...(given ?? [])].flatMap(([name, [value]]) =>
    name.startsWith(parameterPrefix) && value !== undefined ? [[name, value] as const] : [],
  );
}

/** What is wrong, on top, each with a link to its field. It takes the focus, so that nobody searches for it. */
function summaryHtml({ texts, messages, language, faults, notices = [] }: FormInput): string {
  const count = faults?.size ?? 0;
  if (count === 0 && notices.length === 0) return '';
  const items = [...(faults ?? [])].map(([id, fault]) => {
    const phrase = texts.questions.get(id)?.phrase;
    const about = phrase === undefined ? '' : `${textElement('bdi', phrase, language)}: `;
    return `<li><a href="#q-${elementName(id)}">${about}${escaped(fault)}</a></li>`;
  });
  return [
    '<div class="summary" role="alert" tabindex="-1" autofocus>',
    count > 0 ? `<h2>${escaped(plural(messages.faultsHeading, count, language))}</h2>` : '',
    ...notices.map((notice) => `<p>${escaped(notice)}</p>`),
    count > 0 ? `<ul>${items.join('')}</ul>` : '',
    '</div>',
  ].join('');
}

function* sectionInPieces(
  { title, questions }: SectionTexts,
  index: number,
  input: FormInput,
): Interruptible<string> {
  if (questions.length === 0) return '';
  const label = title === null ? '' : ` aria-labelledby="section-${index}"`;
  const heading = title === null ? '' : textElement('h2', title, input.language, ` id="section-${index}"`);
  const inside: string[] = [];
  for (const id of questions) {
    inside.push(questionHtml(input.prepared.byId.get(id)!, input));
    yield;
  }
  return `<section class="section" data-section="${index}"${label}>${heading}${inside.join('')}</section>`;
}

/** A question while it is rendered. */
interface Shown {
  readonly question: PreparedQuestion;
  readonly control: QuestionControl;
  readonly texts: QuestionTexts;
  readonly messages: Messages;
  readonly language: SurveyLanguage;
  readonly name: string;
  readonly given: readonly string[];
  readonly fault: string | undefined;
  /** Whether a browser may insist on an answer. Only the server can tell for a question that is not always asked. */
  readonly isNeeded: boolean;
  readonly isHidden: boolean;
}

function questionHtml(question: PreparedQuestion, input: FormInput): string {
  const { id } = question;
  const { messages, language, shownAfterSend, asked, given, faults } = input;
  const isAfterSend = shownAfterSend.has(id);
  const shown: Shown = {
    question,
    control: controlOf(question),
    texts: input.texts.questions.get(id)!,
    messages,
    language,
    name: elementName(id),
    given: given?.get(questionPrefix + id) ?? [],
    fault: faults?.get(id),
    isNeeded: question.question.required && question.rules.length === 0,
    isHidden: isAfterSend && asked?.has(id) !== true,
  };
  const mark = isAfterSend ? hiddenShownField(shown) : '';
  return isGroup(shown.control) ? groupHtml(shown, mark) : fieldHtml(shown, mark);
}

/** Tells the server that the question was seen, so that it is not asked again. */
function hiddenShownField({ question, isHidden }: Shown): string {
  const disabled = isHidden ? ' disabled' : '';
  return `<input type="hidden" name="${shownField}" value="${escaped(question.id)}"${disabled}>`;
}

function isGroup(control: QuestionControl): boolean {
  return control === 'scale' || control === 'stars' || control === 'radio' || control === 'checkbox';
}

// ---- several inputs under one legend

function groupHtml(shown: Shown, mark: string): string {
  const { question, control, name, isHidden, fault } = shown;
  const isRadio = control !== 'checkbox';
  const attributes = [
    ` class="question" data-question="${escaped(question.id)}"`,
    isRadio ? ` role="radiogroup" aria-labelledby="legend-${name}"` : '',
    // A group of check boxes has no such attributes; its legend says it in words.
    isRadio && question.question.required ? ' aria-required="true"' : '',
    isRadio && fault !== undefined ? ' aria-invalid="true"' : '',
    describedBy(shown),
    isHidden ? ' hidden disabled' : '',
  ];
  return [
    `<fieldset${attributes.join('')}>`,
    `<legend id="legend-${name}">${phraseHtml(shown)}</legend>`,
    mark,
    helpHtml(shown),
    faultHtml(shown),
    endsHtml(shown),
    `<div class="answers ${control}">${answersHtml(shown)}</div>`,
    '</fieldset>',
  ].join('');
}

function answersHtml(shown: Shown): string {
  const { question, control, name, texts, isNeeded, fault, language } = shown;
  const type = control === 'checkbox' ? 'checkbox' : 'radio';
  const given = givenAnswers(shown);
  const required = type === 'radio' && isNeeded ? ' required' : '';
  const invalid = type === 'checkbox' && fault !== undefined ? ' aria-invalid="true"' : '';
  return question.answers
    .map((answer, index) => {
      // The first one is what a link to the question leads to.
      const id = index === 0 ? ` id="q-${name}"` : '';
      const checked = given.has(index) ? ' checked' : '';
      const field = `name="${escaped(questionPrefix + question.id)}" value="${escaped(answer.id)}"`;
      const input = `<input type="${type}" ${field}${id}${required}${invalid}${checked}>`;
      const isDontKnow = question.isMeasured && answer.value === null;
      const text = isDontKnow
        ? dontKnowHtml(shown)
        : control === 'scale' || control === 'stars'
          ? stepHtml(shown, answer.value as number)
          : textElement('bdi', texts.answers.get(answer.id)!, language);
      return `<label${isDontKnow ? ' class="dont-know"' : ''}>${input}${text}</label>`;
    })
    .join('');
}

function stepHtml({ question, control, messages, language }: Shown, value: number): string {
  const number = numberText(value, language);
  if (control === 'scale') return `<span>${number}</span>`;
  const words = fill(messages.starsOf, { value, max: question.question.scale!.max }, language);
  return `<span class="visually-hidden">${escaped(words)}</span>`;
}

function dontKnowHtml({ texts, messages, language }: Shown): string {
  const own: ShownText = { text: messages.dontKnow, language };
  return textElement('bdi', texts.dontKnow ?? own, language);
}

/** What the ends of a scale mean, in words: "1: poor", "10: excellent". */
function endsHtml({ question, texts, name, language }: Shown): string {
  const { scale } = question.question;
  if (texts.labels === null || scale === null) return '';
  const { min, max } = texts.labels;
  const end = (value: number, label: ShownText) =>
    `<span>${numberText(value, language)}: ${textElement('bdi', label, language)}</span>`;
  return `<p class="ends" id="ends-${name}">${end(scale.min, min)} ${end(scale.max, max)}</p>`;
}

// ---- one control under one label

function fieldHtml(shown: Shown, mark: string): string {
  const { question, name, isHidden } = shown;
  return [
    `<div class="question" data-question="${escaped(question.id)}"${isHidden ? ' hidden' : ''}>`,
    `<label for="q-${name}">${phraseHtml(shown)}</label>`,
    mark,
    helpHtml(shown),
    faultHtml(shown),
    endsHtml(shown),
    controlHtml(shown),
    limitHtml(shown),
    '</div>',
  ].join('');
}

function controlHtml(shown: Shown): string {
  const { question, control, name, given, isNeeded, isHidden, fault } = shown;
  const attributes = [
    ` id="q-${name}" name="${escaped(questionPrefix + question.id)}"`,
    isNeeded ? ' required' : question.question.required ? ' aria-required="true"' : '',
    fault === undefined ? '' : ' aria-invalid="true"',
    describedBy(shown),
    isHidden ? ' disabled' : '',
  ].join('');
  if (control === 'select') return `<select${attributes}>${optionsHtml(shown)}</select>`;
  const max = limitOf(shown);
  const limit = max === null ? '' : ` maxlength="${max}"`;
  const text = given[0] ?? '';
  return control === 'text'
    ? `<input type="text"${attributes}${limit} value="${escaped(text)}">`
    : // The parser drops a line break right after the tag.
      `<textarea rows="4"${attributes}${limit}>\n${escaped(text)}</textarea>`;
}

function optionsHtml(shown: Shown): string {
  const { question, texts, messages, language } = shown;
  const given = givenAnswers(shown);
  const options = question.answers.map((answer, index) => {
    const selected = given.has(index) ? ' selected' : '';
    const words =
      question.isMeasured && answer.value === null
        ? (texts.dontKnow?.text ?? messages.dontKnow)
        : (texts.answers.get(answer.id)?.text ?? numberText(answer.value as number, language));
    return `<option value="${escaped(answer.id)}"${selected}>${escaped(words)}</option>`;
  });
  return `<option value="">${escaped(messages.choosePlease)}</option>${options.join('')}`;
}

/** How much may be written, where that is little enough to matter; the script counts down. */
function limitHtml(shown: Shown): string {
  const max = limitOf(shown);
  if (max === null || max > shownLimitMax) return '';
  const words = plural(shown.messages.charactersLeft, max, shown.language);
  return `<p class="limit" id="limit-${shown.name}">${escaped(words)}</p>`;
}

const shownLimitMax = 10_000;

function limitOf({ question: { question } }: Shown): number | null {
  return 'maxLength' in question ? question.maxLength : null;
}

// ---- parts of both

function phraseHtml({ texts, question, messages, language }: Shown): string {
  const phrase = textElement('bdi', texts.phrase, language, ' class="phrase"');
  if (!question.question.required) return phrase;
  return `${phrase} <span class="required">*<span class="visually-hidden"> ${escaped(messages.required)}</span></span>`;
}

function helpHtml({ texts: { help }, name, language }: Shown): string {
  return help === null ? '' : textElement('p', help, language, ` class="help" id="help-${name}"`);
}

function faultHtml({ fault, name }: Shown): string {
  return fault === undefined ? '' : `<p class="fault" id="fault-${name}">${escaped(fault)}</p>`;
}

function describedBy(shown: Shown): string {
  const { texts, fault, name, question } = shown;
  const limit = limitOf(shown);
  const ids = [
    fault === undefined ? [] : [`fault-${name}`],
    texts.help === null ? [] : [`help-${name}`],
    texts.labels === null || question.question.scale === null ? [] : [`ends-${name}`],
    limit === null || limit > shownLimitMax ? [] : [`limit-${name}`],
  ].flat();
  return ids.length === 0 ? '' : ` aria-describedby="${ids.join(' ')}"`;
}

function givenAnswers({ question, given }: Shown): ReadonlySet<number> {
  return new Set(given.map((text) => question.answerByText.get(text) ?? -1));
}
