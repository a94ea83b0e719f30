// A draft as plain data in the words of the catalogue, and how it is changed: every change gives a new one and leaves the old one
// as it was, so that each step can be taken back.

import type { RuleOperator } from '../../../src/domain/feedback/definition.ts';

export type Path = readonly (string | number)[];

export interface DraftScale {
  readonly min: number;
  readonly max: number;
  readonly labels?: { readonly min: string; readonly max: string };
}

export interface DraftAnswer {
  readonly id: string;
  readonly text?: string;
  readonly value?: number | string | null;
}

export interface DraftRule {
  readonly question: string;
  readonly operator: RuleOperator;
  readonly answer: string | number;
}

export interface DraftQuestion {
  readonly id: string;
  readonly name: string;
  readonly responseType?: string;
  readonly help?: string;
  readonly dontKnow?: boolean | string;
  readonly scale?: DraftScale;
  readonly answers?: readonly DraftAnswer[];
  readonly rules?: readonly DraftRule[];
}

export interface DraftLatent {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly questions: readonly DraftQuestion[];
}

export interface DraftSection {
  readonly title?: string;
  readonly questions: readonly string[];
}

interface DraftSurvey {
  readonly id: string;
  readonly version?: number;
  readonly title?: string;
  readonly language?: string;
  readonly latents?: readonly DraftLatent[];
  readonly questions?: readonly DraftQuestion[];
  readonly parameters?: Readonly<Record<string, readonly object[]>>;
  readonly page?: {
    readonly intro?: string;
    readonly thanks?: { readonly text?: string };
    readonly sections?: readonly DraftSection[];
    readonly theme?: object;
    readonly translations?: Readonly<Record<string, object>>;
  };
  readonly translations?: Readonly<Record<string, object>>;
}

export interface DraftDocument {
  readonly name: string;
  readonly surveys: readonly [DraftSurvey];
}

export const survey: Path = ['surveys', 0];

/** As faults name it: surveys[0].questions[2].name. */
export function pathText(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

export function getAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string | number, unknown>)[part];
  }
  return found;
}

export function listAt<T>(value: unknown, path: Path): readonly T[] {
  const found = getAt(value, path);
  return Array.isArray(found) ? (found as readonly T[]) : [];
}

/** Undefined takes the member away, and objects and lists that become empty by it. */
export function setAt<T>(root: T, path: Path, value: unknown): T {
  return changed(root, path, value) as T;
}

function changed(node: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  const after = changed(getAt(node, [part]), rest, value);
  const isGone = after === undefined || (value === undefined && isEmpty(after));
  if (typeof part === 'number') {
    const list = Array.isArray(node) ? [...(node as unknown[])] : [];
    if (isGone && rest.length === 0) list.splice(part, 1);
    else list[part] = after ?? {};
    return list;
  }
  const { [part]: before, ...others } = (node ?? {}) as Record<string, unknown>;
  if (isGone) return others;
  // A member keeps its place.
  return before === undefined ? { ...others, [part]: after } : { ...(node as object), [part]: after };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether a form can show it: what somebody writes as YAML may be anything. */
export function isShaped(value: unknown): value is DraftDocument {
  const surveys = getAt(value, ['surveys']);
  if (!Array.isArray(surveys) || surveys.length !== 1 || !isObject(surveys[0])) return false;
  const at = surveys[0];
  const areQuestions = (questions: unknown): boolean =>
    isListOf(
      questions,
      (question) =>
        typeof question.id === 'string' &&
        isListOf(question.answers, ({ id }) => typeof id === 'string') &&
        isListOf(question.rules, () => true) &&
        isObjectOrNone(question.scale),
    );
  return (
    areQuestions(at.questions) &&
    isListOf(at.latents, ({ id, questions }) => typeof id === 'string' && areQuestions(questions)) &&
    isObjectOrNone(at.page) &&
    isObjectOrNone(at.translations) &&
    isObjectOrNone(at.parameters) &&
    isListOf(
      getAt(at.page, ['sections']),
      ({ questions }) => questions === undefined || Array.isArray(questions),
    )
  );
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjectOrNone(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function isListOf(value: unknown, test: (item: Members) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every((item) => isObject(item) && test(item)));
}

// ---- questions

export interface PlacedQuestion {
  readonly path: Path;
  /** Of the list that it stands in. */
  readonly list: Path;
  readonly index: number;
  readonly isMeasured: boolean;
  readonly question: DraftQuestion;
}

export function placedQuestions(document: DraftDocument): readonly PlacedQuestion[] {
  const placed = (list: Path, isMeasured: boolean): PlacedQuestion[] =>
    listAt<DraftQuestion>(document, list).map((question, index) => ({
      path: [...list, index],
      list,
      index,
      isMeasured,
      question,
    }));
  const latents = listAt<DraftLatent>(document, [...survey, 'latents']);
  return [
    ...latents.flatMap((_, index) => placed([...survey, 'latents', index, 'questions'], true)),
    ...placed([...survey, 'questions'], false),
  ];
}

export function findQuestion(document: DraftDocument, id: string): PlacedQuestion | undefined {
  return placedQuestions(document).find(({ question }) => question.id === id);
}

/** An id that no question has: Q1, Q2 and so on. */
export function freeId(taken: Iterable<string>, stem: string): string {
  const ids = new Set(taken);
  for (let number = 1; ; number += 1) if (!ids.has(`${stem}${number}`)) return `${stem}${number}`;
}

function questionIds(document: DraftDocument): readonly string[] {
  return placedQuestions(document).map(({ question }) => question.id);
}

/** Puts it into its list, behind `after` where that is given and else at the end. */
function insertAt<T>(document: T, list: Path, index: number, value: object): T {
  return setAt(document, list, listAt<object>(document, list).toSpliced(index, 0, value));
}

export function moveWithin<T>(document: T, list: Path, from: number, to: number): T {
  const items = [...listAt<unknown>(document, list)];
  if (to < 0 || to >= items.length || from === to) return document;
  const [moved] = items.splice(from, 1);
  items.splice(to, 0, moved);
  return setAt(document, list, items);
}

/** With everything that names it: rules, sections, prefilled fields, translations. */
export function removeQuestion(document: DraftDocument, id: string): DraftDocument {
  const found = findQuestion(document, id);
  if (found === undefined) return document;
  return withReferences(setAt(document, found.path, undefined), id, null);
}

export function renameQuestion(document: DraftDocument, id: string, to: string): DraftDocument {
  const found = findQuestion(document, id);
  if (found === undefined || to === id) return document;
  return withReferences(setAt(document, [...found.path, 'id'], to), id, to);
}

function withReferences(document: DraftDocument, id: string, to: string | null): DraftDocument {
  let result = document;
  for (const { path, question } of placedQuestions(document)) {
    const { rules } = question;
    if (rules?.some((rule) => rule.question === id) !== true) continue;
    const left = rules.flatMap((rule) =>
      rule.question !== id ? [rule] : to === null ? [] : [{ ...rule, question: to }],
    );
    result = setAt(result, [...path, 'rules'], left.length === 0 ? undefined : left);
  }
  const renamed = (ids: readonly string[]): string[] =>
    ids.flatMap((one) => (one !== id ? [one] : to === null ? [] : [to]));
  const page: Path = [...survey, 'page'];
  const sections = listAt<DraftSection>(result, [...page, 'sections']);
  if (sections.some(({ questions }) => questions?.includes(id)))
    result = setAt(
      result,
      [...page, 'sections'],
      sections.map((section) => ({ ...section, questions: renamed(section.questions ?? []) })),
    );
  const prefill = listAt<string>(result, [...page, 'prefill']);
  if (prefill.includes(id)) {
    const left = renamed(prefill);
    result = setAt(result, [...page, 'prefill'], left.length === 0 ? undefined : left);
  }
  for (const language of Object.keys(document.surveys[0].translations ?? {})) {
    const at: Path = [...survey, 'translations', language, 'questions'];
    const texts = getAt(result, [...at, id]);
    if (texts === undefined) continue;
    result = setAt(result, [...at, id], undefined);
    if (to !== null) result = setAt(result, [...at, to], texts);
  }
  return result;
}

/** Of an answer with an id of its own: rules and translations follow. */
export function renameAnswer(
  document: DraftDocument,
  { path, question }: PlacedQuestion,
  index: number,
  to: string,
): DraftDocument {
  const id = question.answers?.[index]?.id;
  if (id === undefined || id === to) return document;
  let result = setAt(document, [...path, 'answers', index, 'id'], to);
  for (const other of placedQuestions(document))
    for (const [place, rule] of (other.question.rules ?? []).entries())
      if (rule.question === question.id && rule.answer === id)
        result = setAt(result, [...other.path, 'rules', place, 'answer'], to);
  for (const language of Object.keys(document.surveys[0].translations ?? {})) {
    const at: Path = [...survey, 'translations', language, 'questions', question.id, 'answers'];
    const text = getAt(result, [...at, id]);
    if (text === undefined) continue;
    result = setAt(setAt(result, [...at, id], undefined), [...at, to], text);
  }
  return result;
}

export const questionKinds = [
  'MEASURED',
  'RADIO',
  'SELECT',
  'CHECKBOX',
  'STAR_RATING',
  'NPS',
  'TEXT',
  'TEXT_AREA',
] as const;
export type QuestionKind = (typeof questionKinds)[number];

interface NewTexts {
  readonly question: string;
  readonly answers: readonly string[];
  readonly latent: string;
}

/** A new question behind the others of its kind; a measured one in the last latent, or in a first one. */
export function addQuestion(
  document: DraftDocument,
  kind: QuestionKind,
  { question: name, answers, latent }: NewTexts,
): { readonly document: DraftDocument; readonly id: string } {
  const id = freeId(questionIds(document), 'Q');
  if (kind === 'MEASURED') {
    const latents: Path = [...survey, 'latents'];
    const known = listAt<DraftLatent>(document, latents);
    const question = { id, name, scale: { min: 1, max: 10 } };
    if (known.length === 0) {
      const first = { id: 'L1', name: latent, type: 'SATISFACTION', questions: [question] };
      return { document: setAt(document, latents, [first]), id };
    }
    const list: Path = [...latents, known.length - 1, 'questions'];
    return { document: insertAt(document, list, listAt(document, list).length, question), id };
  }
  const isChoice = kind === 'RADIO' || kind === 'SELECT' || kind === 'CHECKBOX';
  const question = {
    id,
    name,
    responseType: kind,
    ...(isChoice && { answers: answers.map((text, index) => ({ id: `A${index + 1}`, text })) }),
  };
  const list: Path = [...survey, 'questions'];
  return { document: insertAt(document, list, listAt(document, list).length, question), id };
}

export function duplicateQuestion(
  document: DraftDocument,
  id: string,
): { readonly document: DraftDocument; readonly id: string } {
  const found = findQuestion(document, id);
  if (found === undefined) return { document, id };
  const copy = freeId(questionIds(document), `${id.replace(/\d+$/, '')}`);
  // Of two questions one has the role.
  const { role: _, ...question } = found.question as DraftQuestion & { role?: string };
  return { document: insertAt(document, found.list, found.index + 1, { ...question, id: copy }), id: copy };
}
