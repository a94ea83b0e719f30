// What went wrong, where it happened: a sentence, what to do, and the request to quote.

import type { ComponentChildren, JSX } from 'preact';
import { toSignIn } from '../addresses.ts';
import { Refusal } from '../call.ts';
import { t } from '../language.ts';
import { wordsOf } from '../words.ts';
import { frameTexts } from './messages.ts';

export interface ProblemProps {
  readonly error: unknown;
  /** Where another try makes sense. */
  readonly retry?: () => unknown;
  readonly children?: ComponentChildren;
}

const faultsShown = 20;

/** Of a list that was sent: nobody finds a fault in it without its line. */
function isLine(field: string | undefined): boolean {
  return field?.startsWith('line ') === true;
}

export function Problem({ error, retry, children }: ProblemProps): JSX.Element | null {
  if (error === null || error === undefined) return null;
  const { text, toDo, request } = wordsOf(error);
  const isFreshAsked = error instanceof Refusal && error.code === 'FRESH_SIGN_IN_REQUIRED';
  const isSignInAsked = error instanceof Refusal && error.status === 401;
  const faults = error instanceof Refusal ? error.faults.filter(({ message }) => message !== text) : [];
  return (
    <div class="bad" role="alert">
      <p>{isFreshAsked ? frameTexts.t.freshAsked : text}</p>
      {(faults.length > 1 || faults.some(({ field }) => isLine(field))) && (
        <ul>
          {faults.slice(0, faultsShown).map(({ field, message }) => (
            <li>
              {isLine(field) && `${field}: `}
              {message}
            </li>
          ))}
          {faults.length > faultsShown && <li>…</li>}
        </ul>
      )}
      {toDo !== '' && <p>{toDo}</p>}
      {children}
      <p class="row">
        {(isFreshAsked || isSignInAsked) && (
          <button type="button" onClick={() => toSignIn(isFreshAsked)}>
            {isFreshAsked ? frameTexts.t.confirm : t.signIn}
          </button>
        )}
        {retry !== undefined && !isFreshAsked && !isSignInAsked && (
          <button type="button" onClick={() => retry()}>
            {frameTexts.t.retry}
          </button>
        )}
      </p>
      {request !== null && (
        <p class="quoted">
          {t.request} <code>{request}</code>
        </p>
      )}
    </div>
  );
}
