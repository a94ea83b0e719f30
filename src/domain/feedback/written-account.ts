// An account as an operator would write it into a catalogue: what is as it would be without a word is left out. Read
// again, it is the same account (D-212).

import type {
  Answer,
  CatalogueAccount,
  CustomQuestion,
  Latent,
  Measure,
  MeasuredQuestion,
  Parameter,
  Project,
  SurveyDefinition,
} from './definition.ts';

/** Plain data for YAML or JSON. */
export function writtenAccount(account: CatalogueAccount): object {
  const { id, name, limits, retainDays, insight, measures, projects } = account;
  const { webhooks = [], connections = [] } = account;
  return {
    id,
    name,
    ...(limits && { limits }),
    ...(retainDays && { retainDays }),
    ...(insight && { insight }),
    ...some('webhooks', webhooks),
    ...some('connections', connections),
    ...some('measures', measures.map(writtenMeasure)),
    ...some('projects', projects.map(writtenProject)),
  };
}

export function writtenMeasure({
  key,
  name,
  channel,
  active,
  retainDays,
  surveys,
}: Measure): Readonly<Record<string, unknown>> {
  return {
    key,
    name,
    ...unless('channel', channel, 'WEB'),
    ...unless('active', active, true),
    ...(retainDays && { retainDays }),
    ...some('surveys', surveys.map(writtenSurvey)),
  };
}

export function writtenProject(project: Project): Readonly<Record<string, unknown>> {
  const { id, name, description, siteKey, status, createdDateTime, retainDays, surveys } = project;
  return {
    id,
    name,
    ...unless('description', description, ''),
    ...unless('siteKey', siteKey, ''),
    ...unless('status', status, 'ACTIVE'),
    ...unless('createdDateTime', createdDateTime, null),
    ...(retainDays && { retainDays }),
    ...some('surveys', surveys.map(writtenSurvey)),
  };
}

function writtenSurvey(survey: SurveyDefinition): object {
  const { id, modelInstanceId, version, current, origins, closed, latents, questions, parameters } = survey;
  const written = {
    ...some('custom', parameters.custom.map(writtenParameter)),
    ...some('external', parameters.external.map(writtenParameter)),
  };
  return {
    id,
    ...unless('modelInstanceId', modelInstanceId, id),
    version,
    // Said in any case: without a word it depends on how many versions there are.
    current,
    ...unless('public', survey.public, false),
    ...some('origins', origins),
    ...unless('closed', closed, false),
    ...unless('quarantine', survey.quarantine ?? false, false),
    ...unless('title', survey.title, undefined),
    ...unless('language', survey.language, undefined),
    ...some('latents', latents.map(writtenLatent)),
    ...some('questions', questions.map(writtenQuestion)),
    ...(Object.keys(written).length > 0 && { parameters: written }),
    ...unless('page', survey.page, undefined),
    ...unless('translations', survey.translations, undefined),
  };
}

function writtenLatent({ id, name, type, questions }: Latent): object {
  return { id, name, type, questions: questions.map(writtenMeasuredQuestion) };
}

function writtenMeasuredQuestion(question: MeasuredQuestion): object {
  const { id, name, phrase, label, weight, scale, required, dontKnow, dontKnowText, help } = question;
  return {
    id,
    name,
    ...unless('phrase', phrase, name),
    ...unless('label', label, name),
    ...unless('weight', weight, 1),
    scale,
    ...unless('required', required, false),
    ...unless('dontKnow', dontKnowText ?? dontKnow, false),
    ...unless('help', help, undefined),
  };
}

function writtenQuestion(question: CustomQuestion): object {
  const { id, name, phrase, label, responseType, required, answers, scale, maxLength, role, rules } =
    question;
  return {
    id,
    name,
    ...unless('phrase', phrase, name),
    ...unless('label', label, name),
    responseType,
    ...unless('required', required, false),
    ...some('answers', answers.map(writtenAnswer)),
    // The scale of NPS is always the same, but for its labels; choices and texts have none.
    ...((responseType === 'STAR_RATING' || scale?.labels !== undefined) && { scale }),
    ...unless('maxLength', maxLength, null),
    ...unless('role', role, null),
    ...some('rules', rules),
    ...unless('help', question.help, undefined),
  };
}

function writtenAnswer({ id, text, label, value }: Answer): object {
  return {
    id,
    ...unless('text', text, id),
    ...unless('label', label, text),
    ...unless('value', value, null),
  };
}

function writtenParameter({ id, name, phrase, label, valueType }: Parameter): object {
  return {
    id,
    name,
    ...unless('phrase', phrase, name),
    ...unless('label', label, name),
    ...unless('valueType', valueType, 'STRING'),
  };
}

function unless(name: string, value: unknown, usual: unknown): object {
  return value === usual ? {} : { [name]: value };
}

function some(name: string, values: readonly unknown[]): object {
  return values.length === 0 ? {} : { [name]: values };
}
