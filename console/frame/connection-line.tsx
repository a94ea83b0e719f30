// Lines above the page: while the service cannot be asked, and for whoever has no way yet to come back.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { toSignIn } from '../addresses.ts';
import { cameByLink, noteCameByLink } from '../kept.ts';
import { t } from '../language.ts';
import { askNow, connection } from './live.ts';
import { frameTexts } from './messages.ts';

export function ConnectionLine(): JSX.Element {
  const state = connection.value;
  return (
    <div class="notice" aria-live="polite">
      {state !== 'good' && (
        <div class="bad row between">
          <p>{frameTexts.t.connection[state]}</p>
          {state === 'signedOut' ? (
            <button type="button" class="small" onClick={() => toSignIn(false)}>
              {t.signIn}
            </button>
          ) : (
            <button type="button" class="small" onClick={() => askNow()}>
              {frameTexts.t.retry}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Said to whoever came by a link and has neither passkey nor password, until they have heard it. */
export function ComeBackLine(): JSX.Element | null {
  const [isSaid, setSaid] = useState(cameByLink());
  const { t: frame } = frameTexts;
  if (!isSaid) return null;
  const end = (): void => {
    noteCameByLink(false);
    setSaid(false);
  };
  return (
    <div class="good row between">
      <p>
        {frame.comeBack}{' '}
        <a href="/console/me" onClick={end}>
          {frame.addPasskey}
        </a>
      </p>
      <button type="button" class="quiet small" onClick={end}>
        {frame.dismiss}
      </button>
    </div>
  );
}
