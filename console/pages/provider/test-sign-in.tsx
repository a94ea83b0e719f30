// The test sign-in: what the provider said, and whom that means. Texts of a provider are shown as texts, whatever they look like.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { DataTable } from '../../frame/table.tsx';
import type { Place, TestResult } from './place.ts';
import { providerTexts } from './texts.ts';

/** The provider has just sent the browser back. */
export function isBackFromTest(): boolean {
  return new URLSearchParams(location.search).has('tested');
}

export function TestSignIn({ place }: { readonly place: Place }): JSX.Element {
  const { t } = providerTexts;
  const [result, setResult] = useState<TestResult | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  const doing = useDoing();
  useEffect(() => {
    if (!isBackFromTest()) return;
    // Once: a page that is loaded again asks for nothing.
    history.replaceState(null, '', location.pathname);
    void place.takeTest().then(
      (found) => found !== null && setResult(found),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (result !== null) shown.current?.focus();
  }, [result]);
  const begin = (): Promise<boolean> =>
    doing.run(async () => {
      location.assign(await place.beginTest());
      return undefined;
    });
  return (
    <>
      {place.connection === null ? (
        <p class="hint">{t.testFirst}</p>
      ) : (
        <p>
          <button
            type="button"
            class={result === null ? 'primary' : ''}
            aria-busy={doing.isBusy}
            onClick={begin}
          >
            {t.test}
          </button>
        </p>
      )}
      <Outcome doing={doing} />
      {result !== null && (
        <div ref={shown} tabIndex={-1} class="stack">
          <Result result={result} />
        </div>
      )}
    </>
  );
}

function Result({ result }: { readonly result: TestResult }): JSX.Element {
  const { t } = providerTexts;
  const { subjectClaim, subject, claims, claimsLeftOut, user, refusal } = result;
  return (
    <>
      {refusal === null && user !== null ? (
        <p class="good" role="status">
          {t.tested.match(user.userName)}
        </p>
      ) : (
        <div class="bad" role="alert">
          <p>{claims.length === 0 ? t.tested.failed : t.tested.nobody}</p>
          {refusal !== null && (
            <p>
              {refusal.match !== null ? (
                t.tested.why[refusal.match]
              ) : refusal.code === 'claimMissing' ? (
                t.tested.missing(subjectClaim)
              ) : (
                <>
                  {t.tested.detail} <span lang="en">{refusal.note}.</span>
                </>
              )}
            </p>
          )}
        </div>
      )}
      {subject !== null && (
        <dl class="values">
          <div>
            <dt>{t.tested.says(subjectClaim)}</dt>
            <dd>
              <code>{subject}</code>
            </dd>
          </div>
          {user !== null && (
            <>
              <div>
                <dt>{t.tested.has}</dt>
                <dd>
                  <code>{user.externalId ?? '–'}</code>
                </dd>
              </div>
              <div>
                <dt>{t.tested.user}</dt>
                <dd>{user.userName}</dd>
              </div>
            </>
          )}
        </dl>
      )}
      {claims.length > 0 && (
        <details>
          <summary>{t.tested.claims}</summary>
          <DataTable
            caption={t.tested.claims}
            rows={claims}
            keyOf={({ name }) => name}
            columns={[
              { title: t.tested.claim, cell: ({ name }) => <code>{name}</code>, isHead: true },
              {
                title: t.tested.value,
                cell: ({ value, isCut }) => (
                  <>
                    <code>{value}</code>
                    {isCut && <span class="hint"> {t.tested.cut}</span>}
                  </>
                ),
              },
            ]}
          />
          {claimsLeftOut > 0 && <p class="hint">{t.tested.leftOut(claimsLeftOut)}</p>}
        </details>
      )}
    </>
  );
}
