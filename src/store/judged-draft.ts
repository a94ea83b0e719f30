// From a draft to what the log takes: judged by the version it names, scored, and put beside the place it goes to.
// Ingestion and the demo come this way, so what the one would refuse the other cannot load.

import type { ResponseDraft } from '../domain/draft.ts';
import type { Fault } from '../domain/problem.ts';
import { type JudgingContext, judge, type SurveyResponse } from '../domain/response.ts';
import type { PreparedSurvey } from '../domain/survey.ts';
import type { KeptSurvey, Source } from './catalogue.ts';
import type { AppendItem } from './log.ts';

export type JudgedDraft =
  | { readonly response: SurveyResponse; readonly item: AppendItem; readonly faults: readonly [] }
  | { readonly response: null; readonly item: null; readonly faults: readonly Fault[] };

/** The version that the draft names, with the source it belongs to. */
export interface JudgingVersion {
  readonly source: Source;
  readonly survey: KeptSurvey;
  readonly prepared: PreparedSurvey;
}

/** `body` is the draft as it was sent: it is kept as it came. */
export function judgeDraft(
  { source, survey, prepared }: JudgingVersion,
  draft: ResponseDraft,
  body: string,
  context: JudgingContext,
): JudgedDraft {
  const { response, faults } = judge(prepared, draft, context);
  if (response === null) return { response, item: null, faults };
  const item: AppendItem = {
    accountId: source.accountId,
    sourceId: source.sourceId,
    revision: source.revision,
    surveyId: survey.definition.id,
    surveyNumber: survey.number,
    responseId: response.responseId,
    isFreshId: draft.responseId === null,
    day: response.day,
    submittedAtMs: response.submittedAtMs,
    values: response.values,
    body,
  };
  return { response, item, faults: [] };
}
