// Definitions as callers see them: of a measure (D-32) and of a project (D-38). Links are added by the routes,
// which know the address of the service.

import {
  type Answer,
  answersOf,
  type CustomQuestion,
  type LatentType,
  type Measure,
  type MeasuredQuestion,
  type Parameter,
  type Project,
  type ResponseType,
  type Rule,
  type Scale,
  type SurveyDefinition,
  type ValueType,
} from './definition.ts';

interface ShownQuestion {
  readonly id: string;
  readonly name: string;
  readonly phrase: string;
  readonly type: 'MQ' | 'CQ' | 'CPP' | 'EPP';
  readonly label: string;
  readonly responseType: ResponseType;
  readonly required: boolean;
  readonly scale?: Scale;
  readonly weight?: number;
  readonly maxLength?: number;
  readonly valueType?: ValueType;
  /** Only on the question whose role is topic (D-38). */
  readonly topic?: true;
  readonly answers?: readonly Answer[];
  readonly rules?: readonly Rule[];
}

interface ShownLatent {
  readonly id: string;
  readonly name: string;
  readonly type: LatentType;
  readonly questions?: readonly ShownQuestion[];
}

interface ShownMeasure {
  readonly id: number;
  readonly name: string;
  /** Null while there is no version. */
  readonly modelInstanceId: string | null;
  readonly version: number | null;
  readonly MQ: { readonly latents: readonly ShownLatent[] };
  readonly CQ: readonly ShownQuestion[];
  readonly CPP: readonly ShownQuestion[];
  readonly EPP: readonly ShownQuestion[];
}

interface DefinitionToggles {
  readonly excludeQuestions: boolean;
  readonly excludeAnswers: boolean;
}

/** The definition of a measure by its current version. Without questions there are no answers either. */
export function showMeasure(
  measure: Pick<Measure, 'key' | 'name'>,
  survey: SurveyDefinition,
  { excludeQuestions, excludeAnswers }: DefinitionToggles,
): ShownMeasure {
  const withAnswers = !excludeAnswers;
  const latents = survey.latents.map(({ id, name, type, questions }) => ({
    id,
    name,
    type,
    ...(excludeQuestions
      ? {}
      : { questions: questions.map((question) => showMeasured(question, withAnswers)) }),
  }));
  return {
    id: measure.key,
    name: measure.name,
    modelInstanceId: survey.modelInstanceId,
    version: survey.version,
    MQ: { latents },
    CQ: excludeQuestions ? [] : survey.questions.map((question) => showCustom(question, withAnswers)),
    CPP: survey.parameters.custom.map((parameter) => showParameter(parameter, 'CPP')),
    EPP: survey.parameters.external.map((parameter) => showParameter(parameter, 'EPP')),
  };
}

export interface ShownProject {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly createdDateTime: string;
  /** Null while there is no version. */
  readonly modelInstanceId: string | null;
  readonly siteKey: string;
  readonly status: Project['status'];
  readonly CQ: readonly ShownQuestion[];
}

/** A project by its current version; `createdDateTime` is the store's, of the first apply unless the file says. */
export function showProject(
  project: Pick<Project, 'id' | 'name' | 'description' | 'siteKey' | 'status'>,
  survey: SurveyDefinition,
  createdDateTime: string,
): ShownProject {
  const { id, name, description, siteKey, status } = project;
  const CQ = survey.questions.map((question) => showCustom(question, true));
  return {
    id,
    name,
    description,
    createdDateTime,
    modelInstanceId: survey.modelInstanceId,
    siteKey,
    status,
    CQ,
  };
}

/** A measure that has no version yet: there is nothing in it (D-107). */
export function emptyMeasure({ key, name }: Pick<Measure, 'key' | 'name'>): ShownMeasure {
  return {
    id: key,
    name,
    modelInstanceId: null,
    version: null,
    MQ: { latents: [] },
    CQ: [],
    CPP: [],
    EPP: [],
  };
}

/** A project that has no version yet (D-107). */
export function emptyProject(
  {
    id,
    name,
    description,
    siteKey,
    status,
  }: Pick<Project, 'id' | 'name' | 'description' | 'siteKey' | 'status'>,
  createdDateTime: string,
): ShownProject {
  return { id, name, description, createdDateTime, modelInstanceId: null, siteKey, status, CQ: [] };
}

function showMeasured(question: MeasuredQuestion, withAnswers: boolean): ShownQuestion {
  const { id, name, phrase, label, required, scale, weight } = question;
  return {
    id,
    name,
    phrase,
    type: 'MQ',
    label,
    responseType: 'MEASURED_QUESTION',
    required,
    scale: boundsOf(scale),
    weight,
    ...(withAnswers ? { answers: answersOf(question) } : {}),
  };
}

function showCustom(question: CustomQuestion, withAnswers: boolean): ShownQuestion {
  const { id, name, phrase, label, responseType, required, scale, maxLength, role, rules } = question;
  return {
    id,
    name,
    phrase,
    type: 'CQ',
    label,
    responseType,
    required,
    ...(scale === null ? {} : { scale: boundsOf(scale) }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(role === 'topic' ? { topic: true as const } : {}),
    ...(withAnswers ? { answers: answersOf(question) } : {}),
    rules,
  };
}

function showParameter(
  { id, name, phrase, label, valueType }: Parameter,
  type: 'CPP' | 'EPP',
): ShownQuestion {
  return { id, name, phrase, type, label, responseType: 'TEXT', required: false, valueType };
}

/** What its ends mean is for the page alone. */
function boundsOf({ min, max }: Scale): Scale {
  return { min, max };
}
