// What went wrong in full; see problem.tsx.

import type { JSX } from 'preact';
import { toSignIn } from '../addresses.ts';
import { Refusal } from '../call.ts';
import { problemTexts } from '../problem-texts.ts';
import { wordsOf } from '../words.ts';
import { laterTexts } from './later-texts.ts';
import { frameTexts } from './messages.ts';
import type { ProblemProps } from './problem.tsx';

export async function loadTexts(): Promise<void> {
  await Promise.all([laterTexts.load(), problemTexts.load()]);
}

const faultsShown = 20;

/** Of a list that was sent: nobody finds a fault in it without its line. */
function isLine(field: string | undefined): boolean {
  return field?.startsWith('line ') === true;
}

export function SaidProblem({ error, retry, children }: ProblemProps): JSX.Element {
  const { t } = laterTexts;
  const { text, toDo, request } = wordsOf(error);
  const isFreshAsked = error instanceof Refusal && error.code === 'FRESH_SIGN_IN_REQUIRED';
  // The identity provider did not say when they signed in: to come back by it may lead here again.
  const isTimeUnknown = isFreshAsked && error.faults.some(({ field }) => field === 'auth_time');
  const isSignInAsked = error instanceof Refusal && error.status === 401;
  const faults = error instanceof Refusal ? error.faults.filter(({ message }) => message !== text) : [];
  return (
    <div class="bad" role="alert">
      <p>{isTimeUnknown ? t.freshUnknown : isFreshAsked ? t.freshAsked : text}</p>
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
            {isFreshAsked ? t.confirm : t.signIn}
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
          {problemTexts.t.request} <code>{request}</code>
        </p>
      )}
    </div>
  );
}
