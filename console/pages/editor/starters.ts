// What a new survey may begin with.

import type { SourceKind } from './draft.ts';
import { editorTexts } from './texts.ts';

export const starterNames = ['satisfaction', 'nps', 'badge'] as const;
export type StarterName = (typeof starterNames)[number];

export function startersOf(kind: SourceKind): readonly StarterName[] {
  return kind === 'measure' ? ['satisfaction', 'nps'] : ['badge', 'nps'];
}

/** Ids of surveys are unique in the whole store, so that a new one is drawn. */
export function newSurveyId(): string {
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

export function newSource(kind: SourceKind, key: number, name: string, starter: StarterName | null): object {
  const survey = { ...newSurvey(), ...(starter !== null && questionsOf(kind, starter)) };
  return { [kind === 'measure' ? 'key' : 'id']: key, name, surveys: [survey] };
}

function questionsOf(kind: SourceKind, starter: StarterName): object {
  const { starters: s } = editorTexts.t;
  const why = { id: 'WHY', name: s.why, responseType: 'TEXT_AREA', maxLength: 2_000 };
  const labels = { min: s.poor, max: s.excellent };
  if (starter === 'nps')
    return {
      questions: [
        {
          id: 'NPS',
          name: s.recommend,
          responseType: 'NPS',
          required: true,
          ...(kind === 'project' && { role: 'rating' }),
        },
        why,
      ],
    };
  if (starter === 'badge')
    return {
      questions: [
        { id: 'STARS', name: s.rating, responseType: 'STAR_RATING', required: true, role: 'rating' },
        {
          id: 'TOPIC',
          name: s.topic,
          responseType: 'SELECT',
          role: 'topic',
          answers: s.topics.map((text, index) => ({ id: `T${index + 1}`, text })),
        },
        { id: 'WORDS', name: s.words, responseType: 'TEXT_AREA', maxLength: 2_000 },
      ],
    };
  return {
    latents: [
      {
        id: 'LOOK',
        name: s.look,
        type: 'ELEMENTS',
        questions: [{ id: 'EASY', name: s.easy, scale: { min: 1, max: 10, labels }, dontKnow: true }],
      },
      {
        id: 'SAT',
        name: s.satisfaction,
        type: 'SATISFACTION',
        questions: [
          { id: 'SAT1', name: s.satisfied, scale: { min: 1, max: 10, labels }, required: true },
          { id: 'SAT2', name: s.ideal, scale: { min: 1, max: 10, labels } },
        ],
      },
    ],
    questions: [
      {
        id: 'FOUND',
        name: s.found,
        responseType: 'RADIO',
        answers: [
          { id: 'YES', text: s.yes },
          { id: 'NO', text: s.no },
        ],
      },
      {
        id: 'SOUGHT',
        name: s.lookedFor,
        responseType: 'TEXT_AREA',
        maxLength: 2_000,
        rules: [{ question: 'FOUND', operator: 'equals', answer: 'NO' }],
      },
    ],
  };
}

/** The same under another number, with ids and site key of its own. */
export function copyOf(document: unknown, kind: SourceKind, key: number, name: string): object {
  const {
    key: _key,
    id: _id,
    siteKey: _siteKey,
    createdDateTime: _created,
    retainDays: _days,
    surveys = [],
    ...rest
  } = document as Record<string, unknown> & { readonly surveys?: readonly object[] };
  const [survey = newSurvey()] = surveys;
  const { modelInstanceId: _model, ...copied } = survey as Record<string, unknown>;
  return {
    [kind === 'measure' ? 'key' : 'id']: key,
    ...rest,
    name,
    surveys: [{ ...copied, id: newSurveyId(), version: 1, current: true }],
  };
}
