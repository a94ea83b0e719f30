// What a new survey may begin with: nothing, or a copy of another.

import type { SourceKind } from '../../../src/domain/feedback/source-kind.ts';

/** Ids of surveys are unique in the whole store, so that a new one is drawn. */
function newSurveyId(): string {
  return `survey-${crypto.randomUUID().slice(0, 8)}`;
}

export function newSurvey(language = document.documentElement.lang): object {
  return {
    id: newSurveyId(),
    version: 1,
    current: true,
    public: true,
    ...(language !== 'en' && { language }),
  };
}

export function newSource(kind: SourceKind, key: number, name: string): object {
  return { [kind === 'measure' ? 'key' : 'id']: key, name, surveys: [newSurvey()] };
}

/** The same under another number, with ids of its own and without a site key. */
export function copyOf(document: unknown, kind: SourceKind, key: number, name: string): object {
  const {
    key: _key,
    id: _id,
    name: _name,
    siteKey: _siteKey,
    createdDateTime: _created,
    retainDays: _days,
    surveys = [],
    ...rest
  } = document as Record<string, unknown> & { readonly surveys?: readonly object[] };
  const [survey = newSurvey()] = surveys;
  const {
    id: _survey,
    modelInstanceId: _model,
    version: _version,
    ...copied
  } = survey as Record<string, unknown>;
  return {
    [kind === 'measure' ? 'key' : 'id']: key,
    name,
    ...rest,
    surveys: [{ id: newSurveyId(), version: 1, ...copied, current: true }],
  };
}
