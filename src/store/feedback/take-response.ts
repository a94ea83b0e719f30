// One survey response, judged by the version it names and appended to its log. Ingestion and the redrive of the quarantine
// both come this way, so that neither takes what the other would refuse.

import type { Config } from '../../config.ts';
import { judgeDraft } from '../../domain/feedback/judged-draft.ts';
import type { ParameterLimits } from '../../domain/feedback/parameters.ts';
import type { JudgingContext, SurveyResponse } from '../../domain/feedback/response.ts';
import type { ResponseDraft } from '../../domain/feedback/response-draft.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import type { Db } from '../engine/db.ts';
import type { LogAppender } from './appender.ts';
import { findHash, hashOfBody } from './log.ts';
import type { PreparedSource } from './sources.ts';

export type Taken =
  | { readonly outcome: 'kept' | 'repeated'; readonly responseId: string }
  | { readonly outcome: 'test'; readonly response: SurveyResponse; readonly prepared: PreparedSurvey }
  | { readonly outcome: 'invalid'; readonly faults: readonly Fault[]; readonly ready: PreparedSource }
  | { readonly outcome: 'conflict' | 'unknownSurvey' };

interface Taking {
  readonly draft: ResponseDraft;
  /** As it was sent. */
  readonly body: string;
  readonly judging: JudgingContext;
  readonly ready: PreparedSource;
  /** The survey as it is now, where it changed meanwhile; throws where the sender may not use it any more. */
  readonly again: () => Promise<PreparedSource>;
}

/** What the settings allow one response to pass. */
export function parameterLimits({
  parameterLimit: count,
  parameterNameLimit: nameCharacters,
  parameterValueLimit: valueCharacters,
}: Pick<Config, 'parameterLimit' | 'parameterNameLimit' | 'parameterValueLimit'>): ParameterLimits {
  return { count, nameCharacters, valueCharacters };
}

interface TakingServices {
  readonly db: Db;
  readonly appender: LogAppender;
}

// A definition may change between the judging and the keeping of a response; it is then judged again by the new one.
const judgingsMax = 5;

export async function takeResponse({ db, appender }: TakingServices, taking: Taking): Promise<Taken> {
  const { draft, body, judging } = taking;
  let { ready } = taking;
  for (let attempt = 1; attempt <= judgingsMax; attempt += 1) {
    const survey = ready.survey(draft.surveyDefinitionId);
    if (survey === null) return { outcome: 'unknownSurvey' };
    const prepared = ready.prepared(survey);
    const version = { source: ready.source, survey, prepared };
    const { response, item, faults } = judgeDraft(version, draft, body, judging);
    if (response === null)
      return (await keptBefore(db, ready, taking)) ?? { outcome: 'invalid', faults, ready };
    if (response.isTest) return { outcome: 'test', response, prepared };
    const outcome = await appender.add(item);
    if (outcome === 'conflict') return { outcome };
    if (outcome !== 'stale') return { outcome, responseId: response.responseId };
    ready = await taking.again();
  }
  throw new Problem('STORE_TIMEOUT', 'The survey definition kept changing. Please retry.');
}

/** What would become of it now; nothing is kept. */
export async function judgeOnly(db: Db, taking: Taking): Promise<Taken> {
  const { draft, body, judging, ready } = taking;
  const survey = ready.survey(draft.surveyDefinitionId);
  if (survey === null) return { outcome: 'unknownSurvey' };
  const prepared = ready.prepared(survey);
  const { response, faults } = judgeDraft({ source: ready.source, survey, prepared }, draft, body, judging);
  const before = await keptBefore(db, ready, taking);
  if (before !== null) return before;
  return response === null ? { outcome: 'invalid', faults, ready } : { outcome: 'test', response, prepared };
}

/** A retry succeeds for ever, whatever has changed about the survey: so it is looked up before the refusal (D-41). */
async function keptBefore(
  db: Db,
  { source: { accountId } }: PreparedSource,
  { draft: { responseId, isTest }, body }: Taking,
): Promise<Taken | null> {
  if (responseId === null || isTest) return null;
  const kept = await findHash(db, accountId, responseId);
  if (kept === null) return null;
  return kept === hashOfBody(body) ? { outcome: 'repeated', responseId } : { outcome: 'conflict' };
}
