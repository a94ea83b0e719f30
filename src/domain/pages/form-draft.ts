// From the fields of a form to a draft like any other, and to the body that is kept of it. The body is written here and not as
// it came, so that it is the same for a form and for JSON, with and without scripts.

import { type ResponseDraft, readDraft } from '../feedback/response-draft.ts';
import type { PreparedSurvey } from '../feedback/survey.ts';
import { answersOfForm, plainText } from './form-answers.ts';
import { type FormFields, languageField, parameterPrefix, shownField, testField } from './form-fields.ts';
import { languagesOf } from './survey-language.ts';

/** What the service knows of a sending, beside its fields. */
interface SendingFacts {
  readonly responseId: string;
  /** Null where it is not known when the page was opened, as with an invitation (D-434). */
  readonly completionTimeInMs: number | null;
  /** Of the invitation: what the inviter has written into it, and nobody can change. */
  readonly sealedParameters: Readonly<Record<string, string>>;
  /** Custom parameters that the sender may set. */
  readonly freeParameters: ReadonlySet<string>;
  /** Of the page, without anything that would name a person. */
  readonly url: string;
  /** Of `visibilityRules`. */
  readonly shownAfterSend: ReadonlySet<string>;
}

export interface FormDraft {
  readonly draft: ResponseDraft;
  /** The draft as it is kept. */
  readonly body: string;
  /** Of those questions that are shown after a send: what is asked after these answers. */
  readonly asked: ReadonlySet<string>;
  /** Of these, what nobody has seen yet. */
  readonly unseen: ReadonlySet<string>;
}

export function draftOf(survey: PreparedSurvey, fields: FormFields, facts: SendingFacts): FormDraft {
  const { definition } = survey;
  const { answers, isAsked } = answersOfForm(survey, fields);
  const data = parametersOf(fields, facts);
  const { completionTimeInMs } = facts;
  const content = {
    surveyDefinitionId: definition.id,
    responseId: facts.responseId,
    url: facts.url,
    locale: localeOf(survey, fields),
    ...(completionTimeInMs === null ? {} : { completionTimeInMs }),
    responses: answers,
    ...(Object.keys(data).length === 0 ? {} : { cpps: { data } }),
    ...(isTest(fields) ? { isTest: true } : {}),
  };
  const { draft, faults: faultsOfForm } = readDraft(content);
  if (draft === null) throw new Error(`A form became a draft with faults: ${faultsOfForm[0]?.message}`);

  const asked = new Set([...facts.shownAfterSend].filter((id) => isAsked[survey.byId.get(id)!.index]));
  const seen = fields.get(shownField) ?? [];
  const unseen = new Set([...asked].filter((id) => !seen.includes(id) && answers[id] === undefined));
  return { draft, body: JSON.stringify(content), asked, unseen };
}

export function isTest(fields: FormFields): boolean {
  return fields.get(testField)?.[0] === '1';
}

/** In which language it was answered: the one that the page says it had. */
function localeOf({ definition }: PreparedSurvey, fields: FormFields): string {
  const languages = languagesOf(definition);
  const said = fields.get(languageField)?.[0];
  return languages.find((language) => language === said) ?? languages[0]!;
}

function parametersOf(
  fields: FormFields,
  { sealedParameters, freeParameters }: SendingFacts,
): Readonly<Record<string, string>> {
  const data: Record<string, string> = {};
  for (const name of freeParameters) {
    const text = plainText(fields.get(parameterPrefix + name)?.[0] ?? '');
    if (text !== '') data[name] = text;
  }
  return { ...data, ...sealedParameters };
}
