// What a look at the connection has found, in words.

import type { JSX } from 'preact';
import type { Finding } from './place.ts';
import { providerTexts } from './texts.ts';

export function Findings({ findings }: { readonly findings: readonly Finding[] }): JSX.Element {
  const { t } = providerTexts;
  return (
    <ul class="findings" aria-label={t.checkTitle}>
      {findings.map(({ code, level, reason, count = 0 }) => (
        <li key={code} class={level}>
          <span class={`badge ${level === 'bad' ? 'bad' : level === 'good' ? 'well' : ''}`}>
            {t.levels[level]}
          </span>
          <span>
            {t.findings[code](count)}
            {reason !== undefined && (
              <small class="hint" lang="en">
                {' '}
                {reason}
              </small>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
