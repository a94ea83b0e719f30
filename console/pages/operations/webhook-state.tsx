// How a webhook is doing, in a word.

import type { JSX } from 'preact';
import type { AnswerTo } from '../../call.ts';
import { operationsTexts } from './texts.ts';

export type Webhook = AnswerTo<'GET /webhooks'>['items'][number];

export function HookState({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const { hasSecret, lastDelivered, lastFailed, dead } = webhook;
  const { hooksStates } = operationsTexts.t;
  if (!hasSecret) return <span class="badge bad">{hooksStates.noSecret}</span>;
  const isFailing = lastFailed !== null && (lastDelivered === null || lastFailed > lastDelivered);
  if (isFailing || dead > 0) return <span class="badge bad">{hooksStates.failing}</span>;
  if (lastDelivered === null) return <span class="badge off">{hooksStates.idle}</span>;
  return <span class="badge">{hooksStates.good}</span>;
}
