// Which surveys a sender may use (D-12).

import type { Caller } from '../../domain/access/account.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';

/** With a token those of the account, without one those that are public. */
export function mayUse(caller: Caller | null, ready: PreparedSource, surveyId: string): boolean {
  const survey = ready.survey(surveyId);
  if (survey === null) return false;
  return caller === null ? survey.definition.public : caller.accountId === ready.source.accountId;
}
