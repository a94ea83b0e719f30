// Lines above the page: while the service cannot be asked, and for whoever has no way yet to come back.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { toSignIn } from '../addresses.ts';
import { cameByLink, noteCameByLink } from '../kept.ts';
import { laterTexts } from './later-texts.ts';
import { askNow, connection } from './live.ts';
import { frameTexts } from './messages.ts';

export function ConnectionLine(): JSX.Element | null {
  const state = connection.value;
  const { t } = laterTexts;
  if (state === 'good') return null;
  return (
    <div class="bad row between">
      <p>{t.connection[state]}</p>
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
  );
}

/** Said to whoever came by a link and has neither passkey nor password, until they have heard it. */
export function ComeBackLine(): JSX.Element | null {
  const [isSaid, setSaid] = useState(cameByLink());
  const { t } = laterTexts;
  if (!isSaid) return null;
  const end = (): void => {
    noteCameByLink(false);
    setSaid(false);
  };
  return (
    <div class="good row between">
      <p>
        {t.comeBack}{' '}
        <a href="/console/me" onClick={end}>
          {t.addPasskey}
        </a>
      </p>
      <button type="button" class="quiet small" onClick={end}>
        {t.dismiss}
      </button>
    </div>
  );
}
