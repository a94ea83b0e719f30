// The versions of a survey as the catalogue writes them: latents, questions, answers, rules, parameters.

import type { Interruptible } from '../interruptible.ts';
import { phrase } from './catalogue-fault.ts';
import {
  aBoolean,
  anId,
  anInteger,
  aPositiveNumber,
  aText,
  aTextOrNumber,
  aValue,
  distinct,
  type FileNode,
  type Keep,
  type Kind,
  oneOf,
  readEach,
  readEachInPieces,
} from './catalogue-file.ts';
import { aHelp, aLabel, aTitle, readLabels, readPage, readTranslations } from './catalogue-page.ts';
import { checkRules } from './catalogue-rules.ts';
import {
  type Answer,
  answersOf,
  type CustomQuestion,
  type CustomResponseType,
  customResponseTypes,
  type Latent,
  latentTypes,
  type MeasuredQuestion,
  type Parameter,
  type Rule,
  roles,
  ruleOperators,
  type Scale,
  type SurveyDefinition,
  surveyLanguages,
  valueTypes,
} from './definition.ts';

// A scale makes an answer for each of its steps, and a stored choice is one character: both want a bound.
const maxScaleSteps = 1000;
const maxAnswers = 1000;

/** The versions of one measure or project; exactly one of them is current, once there are any (D-107). */
export function* readSurveys(
  source: FileNode,
  kind: 'measure' | 'project',
  keep: Keep,
): Interruptible<SurveyDefinition[]> {
  const places = source.list('surveys');
  const surveys = yield* readEachInPieces(places, (place) =>
    readSurvey(place, kind, places.length === 1, keep),
  );
  const current = surveys.filter((survey) => survey.current).length;
  if (surveys.length > 0 && current !== 1) {
    source
      .at('surveys')
      .fault(current === 0 ? phrase('noCurrentVersion') : phrase('currentVersions', { count: current }));
  }
  checkLatentTypes(places);
  return surveys;
}

function* readSurvey(
  place: FileNode,
  kind: 'measure' | 'project',
  isOnly: boolean,
  keep: Keep,
): Interruptible<SurveyDefinition> {
  const id = place.required('id', anId, '');
  const latentPlaces = kind === 'measure' ? place.list('latents') : [];
  const questionPlaces = place.list('questions');
  const parameters = place.object('parameters');
  const survey: SurveyDefinition = {
    id,
    modelInstanceId: place.optional('modelInstanceId', anId, id),
    version: place.optional('version', anInteger(1, 2 ** 31 - 1), 1),
    current: place.optional('current', aBoolean, isOnly),
    public: place.optional('public', aBoolean, false),
    origins: place.list('origins').map((origin) => origin.value(anOrigin, '')),
    closed: place.optional('closed', aBoolean, false),
    ...(place.optional('quarantine', aBoolean, false) && { quarantine: true as const }),
    ...optionalText(place, 'title', aTitle),
    ...optionalText(place, 'language', oneOf(surveyLanguages)),
    latents: yield* readEachInPieces(latentPlaces, readLatent),
    questions: yield* readEachInPieces(questionPlaces, readCustomQuestion),
    parameters: {
      custom: parameters === null ? [] : yield* readParameters(parameters, 'custom'),
      external: parameters === null ? [] : yield* readParameters(parameters, 'external'),
    },
  };
  parameters?.refuseOthers();
  const whole: SurveyDefinition = {
    ...survey,
    ...(yield* readTranslations(place, survey)),
    ...(yield* readPage(place, survey)),
  };
  if (kind === 'project' && place.has('latents')) {
    place.at('latents').fault(phrase('latentsOfProject'));
  }

  yield;
  const uniqueLatents = distinct('latentIdTaken');
  const uniqueQuestions = distinct('questionIdTaken');
  for (const latent of latentPlaces) {
    uniqueLatents(latent, 'id');
    for (const question of latent.list('questions')) uniqueQuestions(question, 'id');
  }
  for (const question of questionPlaces) uniqueQuestions(question, 'id');
  checkRoles(questionPlaces);
  yield;
  yield* checkRules(survey, questionPlaces);
  return keep(whole, place);
}

// A latent id keeps its type for ever, because its daily sums are kept under the id alone (D-34).
function checkLatentTypes(surveys: readonly FileNode[]): void {
  const types = new Map<string, string>();
  for (const place of surveys.flatMap((survey) => survey.list('latents'))) {
    const id = place.optional('id', anId, '');
    const type = place.optional('type', oneOf(latentTypes), undefined);
    if (type === undefined) continue;
    const first = types.get(id);
    if (first === undefined) types.set(id, type);
    else if (first !== type) {
      place.at('type').fault(phrase('latentTypeOfVersion', { latent: id, type: first }));
    }
  }
}

function* readLatent(place: FileNode): Interruptible<Latent> {
  const latent: Latent = {
    id: place.required('id', anId, ''),
    name: place.required('name', aText, ''),
    type: place.required('type', oneOf(latentTypes), 'ELEMENTS'),
    questions: yield* readEach(place.list('questions'), readMeasuredQuestion),
  };
  if (latent.questions.length === 0) {
    place.at('questions').fault(phrase('latentWithoutQuestions'));
  }
  return latent;
}

/** What every question and parameter has: an id and a name, and the name again where a text is not given. */
function readTexts(place: FileNode, nameKind: typeof aText) {
  const name = place.required('name', nameKind, '');
  return {
    id: place.required('id', anId, ''),
    name,
    phrase: place.optional('phrase', aText, name),
    label: place.optional('label', aText, name),
  };
}

function readMeasuredQuestion(place: FileNode): MeasuredQuestion {
  const question = {
    ...readTexts(place, aText),
    weight: place.optional('weight', aPositiveNumber, 1),
    scale: readScale(place) ?? { min: 0, max: 1 },
    required: place.optional('required', aBoolean, false),
    ...readDontKnow(place),
    ...optionalText(place, 'help', aHelp),
  };
  if (!place.has('scale')) place.fault(phrase('missing', { member: 'scale', kind: phrase('aScale') }));
  return question;
}

/** A text is what the page calls the answer (D-411). */
function readDontKnow(place: FileNode): Pick<MeasuredQuestion, 'dontKnow' | 'dontKnowText'> {
  const dontKnow = place.optional('dontKnow', trueOrText, false);
  return typeof dontKnow === 'string' ? { dontKnow: true, dontKnowText: dontKnow } : { dontKnow };
}

const trueOrText = {
  called: phrase('aBooleanOrText', { text: aLabel.called }),
  read: (value: unknown) => (typeof value === 'boolean' ? value : aLabel.read(value)),
};

function optionalText<Name extends string, T extends string>(
  place: FileNode,
  name: Name,
  kind: Kind<T>,
): { readonly [Member in Name]?: T } {
  const text = place.optional(name, kind, undefined);
  return (text === undefined ? {} : { [name]: text }) as { readonly [Member in Name]?: T };
}

function readScale(place: FileNode): Scale | null {
  const scale = place.object('scale');
  if (scale === null) return null;
  const bound = anInteger(-1_000_000, 1_000_000);
  const min = scale.required('min', bound, 0);
  const max = scale.required('max', bound, min + 1);
  if (max <= min) scale.fault(phrase('scaleEndsEarly', { max, min }));
  else if (max - min > maxScaleSteps) scale.fault(phrase('scaleTooLong', { most: maxScaleSteps }));
  const labels = readLabels(scale);
  scale.refuseOthers();
  return max > min && max - min <= maxScaleSteps ? { min, max, ...labels } : { min: 0, max: 1 };
}

function* readCustomQuestion(place: FileNode): Interruptible<CustomQuestion> {
  const texts = readTexts(place, aText);
  const responseType = place.required('responseType', oneOf(customResponseTypes), 'TEXT');
  const answerPlaces = place.list('answers');
  const scale = readScale(place);
  const question: CustomQuestion = {
    ...texts,
    responseType,
    required: place.optional('required', aBoolean, false),
    answers: yield* readEach(answerPlaces, readAnswer),
    scale: scaleOf(responseType, scale),
    maxLength: place.optional('maxLength', anInteger(1, 2 ** 31 - 1), null),
    role: place.optional('role', oneOf(roles), null),
    rules: yield* readEach(place.list('rules'), readRule),
    ...optionalText(place, 'help', aHelp),
  };
  if (place.has('responseType')) checkCustomQuestion(place, question, scale);
  return question;
}

function checkCustomQuestion(place: FileNode, question: CustomQuestion, scale: Scale | null): void {
  const { responseType } = question;
  const answerPlaces = place.list('answers');
  const isChoice = responseType === 'RADIO' || responseType === 'SELECT' || responseType === 'CHECKBOX';
  const isText = responseType === 'TEXT' || responseType === 'TEXT_AREA';
  if (isChoice && answerPlaces.length === 0) place.fault(phrase('answersMissing', { type: responseType }));
  if (!isChoice && place.has('answers')) {
    place.at('answers').fault(phrase('noOwnAnswers', { type: responseType }));
  }
  if (answerPlaces.length > maxAnswers)
    place.at('answers').fault(phrase('answersTooMany', { most: maxAnswers }));
  if ((isChoice || isText) && place.has('scale')) {
    place.at('scale').fault(phrase('noScale', { type: responseType }));
  }
  if (responseType === 'NPS' && scale !== null && (scale.min !== 0 || scale.max !== 10)) {
    place.at('scale').fault(phrase('scaleOfNps'));
  }
  if (!isText && place.has('maxLength')) {
    place.at('maxLength').fault(phrase('noMaxLength', { type: responseType }));
  }
  checkRole(place, question);
  const uniqueAnswers = distinct('answerIdTaken');
  for (const answer of answerPlaces) uniqueAnswers(answer, 'id');
}

function scaleOf(responseType: CustomResponseType, scale: Scale | null): Scale | null {
  if (responseType === 'STAR_RATING') return scale ?? { min: 1, max: 5 };
  return responseType === 'NPS' ? { ...scale, min: 0, max: 10 } : null;
}

function readAnswer(place: FileNode): Answer {
  const id = place.required('id', anId, '');
  const text = place.optional('text', aText, id);
  return {
    id,
    text,
    label: place.optional('label', aText, text),
    value: place.optional('value', aValue, null),
  };
}

function readRule(place: FileNode): Rule {
  return {
    question: place.required('question', anId, ''),
    operator: place.required('operator', oneOf(ruleOperators), 'equals'),
    answer: place.required('answer', aTextOrNumber, ''),
  };
}

// A rating is shown as a number and a topic as one text (D-39).
function checkRole(place: FileNode, question: CustomQuestion): void {
  if (question.role === null) return;
  if (question.responseType === 'CHECKBOX') {
    place.at('role').fault(phrase('roleOfCheckbox'));
  } else if (
    question.role === 'rating' &&
    !answersOf(question).some((answer) => typeof answer.value === 'number')
  ) {
    place.at('role').fault(phrase('ratingWithoutNumbers'));
  }
}

function checkRoles(questions: readonly FileNode[]): void {
  const uniqueRoles = distinct('roleTaken');
  for (const question of questions) uniqueRoles(question, 'role');
}

function readParameters(parameters: FileNode, kind: 'custom' | 'external'): Interruptible<Parameter[]> {
  const uniqueIds = distinct('parameterIdTaken');
  const uniqueNames = distinct('parameterNameTaken');
  return readEach(parameters.list(kind), (place) => {
    const texts = readTexts(place, anId);
    uniqueIds(place, 'id');
    uniqueNames(place, 'name');
    return { ...texts, valueType: place.optional('valueType', oneOf(valueTypes), 'STRING') };
  });
}

const anOrigin = {
  called: phrase('anOrigin'),
  read: (value: unknown) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    const { origin, protocol } = new URL(value);
    return origin === value && (protocol === 'https:' || protocol === 'http:') ? value : undefined;
  },
};
