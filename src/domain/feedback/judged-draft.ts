// From a draft to what the log takes: judged by the version it names, scored, and put beside the place it goes to.
// Ingestion and the demo come this way, so what the one would refuse the other cannot load.

import type { Fault } from '../problem.ts';
import type { SurveyDefinition } from './definition.ts';
import { type JudgingContext, judge, type SurveyResponse } from './response.ts';
import type { ResponseDraft } from './response-draft.ts';
import type { PreparedSurvey } from './survey.ts';

export interface AppendItem {
  readonly accountId: number;
  readonly sourceId: number;
  /** The revision of the source that the response was judged by. */
  readonly revision: number;
  readonly surveyId: string;
  readonly surveyNumber: number;
  readonly responseId: string;
  /** Made by us a moment ago: it cannot exist already, so nobody asks. */
  readonly isFreshId: boolean;
  readonly day: number;
  readonly submittedAtMs: number;
  readonly values: string;
  readonly body: string;
}

type JudgedDraft =
  | { readonly response: SurveyResponse; readonly item: AppendItem; readonly faults: readonly [] }
  | { readonly response: null; readonly item: null; readonly faults: readonly Fault[] };

/** The version that the draft names, with the source it belongs to. */
interface JudgingVersion {
  readonly source: { readonly accountId: number; readonly sourceId: number; readonly revision: number };
  readonly survey: { readonly number: number; readonly definition: SurveyDefinition };
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
