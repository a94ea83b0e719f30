// How a webhook is doing, in a word.

import type { JSX } from 'preact';
import { operationsTexts } from './texts.ts';

export interface Webhook {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly hasSecret: boolean;
  readonly isRotating: boolean;
  readonly delivered: number;
  readonly waiting: number;
  readonly dead: number;
  readonly givenUp: number;
  readonly lastDelivered: string | null;
  readonly lastFailed: string | null;
  readonly lastFailure: string | null;
}

export function HookState({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const { hasSecret, lastDelivered, lastFailed, dead } = webhook;
  const { hooksStates } = operationsTexts.t;
  if (!hasSecret) return <span class="badge bad">{hooksStates.noSecret}</span>;
  const isFailing = lastFailed !== null && (lastDelivered === null || lastFailed > lastDelivered);
  if (isFailing || dead > 0) return <span class="badge bad">{hooksStates.failing}</span>;
  if (lastDelivered === null) return <span class="badge off">{hooksStates.idle}</span>;
  return <span class="badge">{hooksStates.good}</span>;
}
